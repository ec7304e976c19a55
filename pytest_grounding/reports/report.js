"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const index = JSON.parse(byId("index").textContent);
  const rows = Array.from(document.querySelectorAll("#rows > details"));
  const tip = byId("tip");
  const number = (value, digits = 2) => (value === null || value === undefined ? "none" : value.toFixed(digits));

  // Every text goes in as a text node; nothing of a transcript is ever read as markup.
  function el(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children.filter((child) => child !== null && child !== ""));
    return node;
  }

  // --- filters ---------------------------------------------------------------------------------
  const form = document.querySelector(".filters");
  const toggles = Array.from(document.querySelectorAll(".toggle"));
  const rule = byId("f-rule"), source = byId("f-source"), typed = byId("f-text");

  let show = toggles.length ? toggles.find((toggle) => toggle.getAttribute("aria-pressed") === "true").dataset.show : "all";

  function filter() {
    const words = typed.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = source.value === "" ? -1 : Number(source.value);
    const sizes = new Map(toggles.map((toggle) => [toggle.dataset.show, 0]));
    index.forEach((item, i) => {
      const fits = (rule.value === "" || item.rules.includes(rule.value))
        && (wanted < 0 || item.sources.includes(wanted))
        && words.every((word) => item.text.includes(word));
      if (fits) for (const name of item.shown) sizes.set(name, (sizes.get(name) || 0) + 1);
      const shown = fits && item.shown.includes(show);
      if (rows[i].hidden === shown) rows[i].hidden = !shown;
    });
    // A button says how many rows a click on it shows, under the filters beside it.
    for (const toggle of toggles) {
      toggle.setAttribute("aria-pressed", String(toggle.dataset.show === show));
      const size = String(sizes.get(toggle.dataset.show));
      const node = toggle.querySelector("b");
      if (node.textContent !== size) node.textContent = size;
    }
    const shown = sizes.get(show);
    byId("shown").textContent = shown === rows.length ? `${shown} shown, the worst first` : `${shown} of ${rows.length} shown, the worst first`;
    byId("none").hidden = shown > 0;
  }

  function showAll() {
    show = "all";
    rule.value = source.value = typed.value = "";
    filter();
  }

  let waiting = 0;
  function soon() {
    clearTimeout(waiting);
    waiting = setTimeout(filter, 80);
  }

  if (form) {
    form.hidden = false;
    form.addEventListener("submit", (event) => { event.preventDefault(); filter(); });
    for (const toggle of toggles) {
      toggle.addEventListener("click", () => { show = toggle.dataset.show; filter(); });
    }
    rule.addEventListener("change", filter);
    source.addEventListener("change", filter);
    typed.addEventListener("input", soon);
    byId("f-clear").addEventListener("click", () => { showAll(); typed.focus(); });
    byId("f-open").addEventListener("click", () => {
      rows.filter((row) => !row.hidden).slice(0, 50).forEach((row) => { row.open = true; });
    });
    // A browser may have kept what was typed before the page was loaded again.
    filter();
  }

  // --- on paper ----------------------------------------------------------------------------------
  // Nobody can choose a claim there: what is wrong with the claims of an open transcript is written out.
  const views = new Map();
  const doubted = new Set(["unsupported", "contradicted", "borderline", "abstained"]);
  addEventListener("beforeprint", () => {
    for (const view of views.values()) {
      const claims = view.data.claims.map((item, i) => (doubted.has(item.status) ? i : -1)).filter((i) => i >= 0);
      view.paper.replaceChildren(...claims.map((i) => el("div", {}, ...evidence(view, i))));
    }
  });
  addEventListener("afterprint", () => { for (const view of views.values()) view.paper.replaceChildren(); });

  // --- one transcript --------------------------------------------------------------------------
  function draw(row) {
    const body = row.querySelector(".body");
    if (body.childNodes.length) return;
    const data = JSON.parse(byId(`d-${rows.indexOf(row)}`).textContent);
    const view = { data, row };
    view.inspector = el("div", { class: "inspector", role: "region", "aria-live": "polite", "aria-label": "Evidence of the chosen claim" },
      el("p", { class: "quiet" }, data.answer ? "Choose a claim to see its evidence." : "Choose a claim below to see its evidence."));
    view.paper = el("div", { class: "paper" });
    views.set(row, view);
    const main = el("div", {}, ...question(view), view.inspector, view.paper, ...claims(view), ...findings(view), ...confidence(view));
    const low = data.waived ? [excuse(data.waived)] : data.waive ? waiver({ rule: "the low confidence", waive: data.waive }) : [];
    const why = el("div", { class: "why" }, el("div", {}, data.reason, ...low),
      data.diagnosis && data.diagnosis !== data.reason ? el("p", { class: "quiet" }, data.diagnosis) : null);
    const side = el("aside", { "aria-label": "Retrieved chunks" }, ...chunks(view));
    body.append(why, main, side);
    // The gravest claim is open: what is wrong stands there before anything is clicked.
    const worst = ["contradicted", "unsupported", "abstained", "borderline"].map((status) => data.claims.findIndex((item) => item.status === status)).find((i) => i >= 0);
    if (worst !== undefined) choose(view, worst, false);
  }

  function question(view) {
    const { data } = view;
    if (data.answer === null) {
      return [el("p", { class: "quiet" }, "The transcript itself was not at hand, so its question, answer and chunks are not shown.")];
    }
    const seen = new Set();
    const answer = el("div", { class: "answer" }, ...laid(data.answer, ([words, claim, marks]) => {
      let node = null;
      if (marks.length && words) node = el("span", {}, ...marks.map((mark) => chip(view, mark, marks.length > 1 ? `[${data.citations[mark].target}]` : words)));
      else if (marks.length) node = el("span", {}, ...marks.map((mark) => chip(view, mark, data.citations[mark].target)));
      else if (claim >= 0) node = stretch(view, words, claim, !seen.has(claim));
      if (claim >= 0 && !marks.length) seen.add(claim);
      return node || el("span", {}, ...inline(words));
    }));
    return [
      el("h4", {}, "Question"), el("p", { class: "say" }, data.question),
      el("h4", {}, "Answer"), data.answer.length ? answer : el("p", { class: "quiet" }, "The answer is empty."),
      el("p", { class: "quiet small place" }, data.place ? `${data.place} ` : null,
        el("a", { href: `#${view.row.id}`, "aria-label": "Link to this transcript" }, "link")),
    ];
  }

  // Headings, lists, tables, bold and code of Markdown are drawn; links and pictures stay the text that they are.
  function laid(stretches, node) {
    const lines = pieces(stretches, "\n");
    const blocks = [];
    for (let at = 0; at < lines.length; at += 1) {
      const words = text(lines[at]);
      if (/^\s*\|.*\|\s*$/.test(words)) {
        const rows = [];
        for (; at < lines.length && /^\s*\|.*\|\s*$/.test(text(lines[at])); at += 1) if (!/^[\s|:-]+$/.test(text(lines[at]))) rows.push(lines[at]);
        at -= 1;
        const cells = (row) => pieces(row, "|").slice(1, -1).map((cell) => el("td", {}, ...cell.map(node)));
        blocks.push(el("table", { class: "laid" }, el("tbody", {}, ...rows.map((row) => el("tr", {}, ...cells(row))))));
        continue;
      }
      const [mark, kind] = [[/^#{1,6} /, "head"], [/^\s*[-*+] /, "item"]].map(([form, name]) => [words.match(form), name]).find(([found]) => found) || [null, ""];
      const rest = mark ? without(lines[at], mark[0].length) : lines[at];
      blocks.push(el("span", { class: `ln ${kind}`.trim() }, kind === "item" ? "• " : null, ...rest.map(node)));
    }
    return blocks;
  }

  const text = (line) => line.map(([words]) => words).join("");

  function pieces(stretches, sign) {
    const found = [[]];
    for (const [words, ...more] of stretches) {
      words.split(sign).forEach((part, i) => {
        if (i) found.push([]);
        if (part || !words) found[found.length - 1].push([part, ...more]);
      });
    }
    return found;
  }

  function without(line, length) {
    let left = length;
    return line.map(([words, ...more]) => {
      const cut = Math.min(left, words.length);
      left -= cut;
      return [words.slice(cut), ...more];
    }).filter(([words, , marks]) => words || (marks && marks.length));
  }

  function inline(words) {
    return words.split(/(\*\*[^*\n]+\*\*|`[^`\n]+`)/).filter(Boolean).map((part) => {
      if (/^\*\*.+\*\*$/.test(part)) return el("strong", {}, part.slice(2, -2));
      return /^`.+`$/.test(part) ? el("code", {}, part.slice(1, -1)) : part;
    });
  }

  function stretch(view, words, claim, first) {
    const { status } = view.data.claims[claim];
    const node = el("span", { class: `claim c-${status}`, "data-claim": claim });
    if (first) {
      node.setAttribute("role", "button");
      node.tabIndex = 0;
      node.append(el("span", { class: "sr" }, `${status.replace("unchecked", "not checked")}: `));
    }
    node.append(...inline(words));
    node.addEventListener("click", () => choose(view, claim));
    node.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(view, claim); }
    });
    for (const name of ["mouseenter", "focus"]) node.addEventListener(name, () => showTip(node, view.data.claims[claim]));
    for (const name of ["mouseleave", "blur"]) node.addEventListener(name, hideTip);
    return node;
  }

  function chip(view, mark, label) {
    const citation = view.data.citations[mark];
    const problem = citation.findings.map((found) => found[2]).join("; ");
    const state = citation.valid ? "" : " broken";
    if (citation.chunk < 0) {
      const node = el("button", { type: "button", class: `chip${state}`, title: problem || citation.path || citation.target }, label);
      node.addEventListener("click", () => say(view, `Citation ${citation.text || citation.target}`, problem || citation.path || "It resolves to no retrieved chunk."));
      return node;
    }
    const chunk = view.data.chunks[citation.chunk];
    const named = [chunk.label, chunk.place].filter(Boolean).join(", ");
    const node = el("a", {
      class: `chip${state}`, href: `#${chunkId(view, citation.chunk)}`, title: problem || `to ${named}`,
      "aria-label": `citation ${label}, to chunk ${named}`,
    }, label);
    node.addEventListener("click", (event) => { event.preventDefault(); jump(view, citation.chunk); });
    return node;
  }

  function chunkId(view, chunk) {
    return `${view.row.id}~chunk${chunk + 1}`;
  }

  function jump(view, chunk) {
    const target = byId(chunkId(view, chunk));
    document.querySelectorAll(".flash").forEach((node) => node.classList.remove("flash"));
    target.classList.add("flash");
    target.scrollIntoView({ block: "center" });
    target.focus({ preventScroll: true });
  }

  function choose(view, claim, isChosen = true) {
    hideTip();
    view.inspector.classList.toggle("chosen", isChosen);
    view.inspector.replaceChildren(...evidence(view, claim, view.data.answer === null));
    const marks = (selector) => view.row.querySelectorAll(selector);
    marks(".claim.on, mark.on").forEach((node) => node.classList.remove("on"));
    marks(`.claim[data-claim="${claim}"]`).forEach((node) => node.classList.add("on"));
    marks("mark").forEach((node) => { if (node.dataset.claims.split(" ").includes(String(claim))) node.classList.add("on"); });
  }

  function evidence(view, claim, isSaid = true) {
    const found = view.data.claims[claim];
    const parts = [el("h4", {}, `Claim ${claim + 1}: ${found.status === "unchecked" ? "not checked" : found.status}`), isSaid ? el("p", { class: "say" }, found.text) : null];
    const facts = [found.support === null ? "not scored" : `support ${number(found.support)}`, found.kind, found.method.replace(/_/g, " ")];
    parts.push(el("p", { class: "quiet small" }, facts.filter(Boolean).join(", ")));
    if (found.waived) parts.push(excuse(found.waived));
    if (found.reason && !found.conflicts.some((item) => found.reason.includes(item.message))) parts.push(el("p", {}, found.reason));
    // What a judge was asked about: who said what.
    if (found.opinions) parts.push(el("dl", { class: "versus" }, ...found.opinions.flatMap(([who, words]) => [el("dt", {}, who), el("dd", {}, words)])));
    if (found.facts.length) parts.push(el("p", { class: "small" }, `Facts: ${found.facts.join(" · ")}`));
    if (found.missing.some((word) => !found.reason.includes(word))) parts.push(el("p", { class: "small" }, `Not in any source: ${found.missing.join(", ")}`));
    for (const item of found.conflicts) {
      // A message that names both sides need not be said twice.
      const both = item.message.includes(item.claim) && item.message.includes(item.source);
      parts.push(el("h4", {}, "Conflict"), both ? null : el("p", {}, item.message), el("dl", { class: "versus" },
        el("dt", {}, "claim says"), el("dd", {}, item.claim), el("dt", {}, "source says"), el("dd", {}, item.source)), quote(view, item.evidence));
    }
    const told = found.conflicts.map((item) => item.evidence.text);
    const rest = found.evidence.filter((item) => !told.includes(item.text));
    if (rest.length) parts.push(el("h4", {}, found.status === "unsupported" ? "Nearest evidence" : "Evidence"));
    else if (!told.length && found.status !== "unchecked") parts.push(el("p", { class: "quiet" }, "No chunk comes near."));
    parts.push(...rest.map((item) => quote(view, item)));
    return parts.filter(Boolean);
  }

  function quote(view, item) {
    const where = `${item.id}, sentence ${item.sentence + 1}${item.score === null ? "" : `, score ${number(item.score)}`}`;
    let link = where;
    if (item.chunk >= 0) {
      link = el("a", { href: `#${chunkId(view, item.chunk)}` }, where);
      link.addEventListener("click", (event) => { event.preventDefault(); jump(view, item.chunk); });
    }
    return el("blockquote", {}, el("p", { class: "say" }, item.text), el("p", { class: "quiet small" }, link));
  }

  function say(view, title, words) {
    view.inspector.classList.add("chosen");
    view.inspector.replaceChildren(el("h4", {}, title), el("p", { class: "say" }, words));
  }

  function claims(view) {
    const { data } = view;
    // The answer shows each claim at its place.
    if (!data.claims.length || data.answer !== null) return [];
    const skipped = data.claims.filter((item) => item.status === "unchecked").length;
    const list = data.claims.map((item, i) => {
      const support = item.support === null ? "" : ` ${number(item.support)}`;
      const words = item.status === "unchecked" ? "not checked" : item.status;
      const button = el("button", { type: "button" }, el("span", {}, el("span", { class: `claim c-${item.status}` }, item.text)),
        el("span", { class: "quiet small num" }, `${words}${support}`));
      button.addEventListener("click", () => { choose(view, i); view.inspector.scrollIntoView({ block: "nearest" }); });
      return el("li", {}, button);
    });
    const title = skipped ? `All claims (${data.claims.length}, ${skipped} not checked)` : `All claims (${data.claims.length})`;
    return [el("h4", {}, title), el("ol", { class: "claims" }, ...list)];
  }

  function findings(view) {
    const { data } = view;
    const off = data.off.length ? [el("p", { class: "quiet small" }, `switched off: ${data.off.join(", ")}`)] : [];
    if (!data.findings.length) return off;
    const part = (found) => el("li", { class: found.waived ? "waived" : null },
      el("span", { class: `sev-${found.severity}` }, found.severity), " ", el("code", found.about ? { title: found.about } : {}, found.rule), ` ${found.message}`,
      found.suggestion ? el("span", { class: "quiet" }, ` ${found.suggestion}`) : null,
      ...(found.waived ? [excuse(found.waived)] : []), ...(found.waive ? waiver(found) : []),
      found.causes && found.causes.length ? el("ul", { class: "findings" }, ...found.causes.map(part)) : null);
    const list = data.findings.map(part);
    return [el("h4", {}, `Findings (${data.findings.length})`), el("ul", { class: "findings" }, ...list), ...off];
  }

  function excuse([reason, by, day]) {
    const who = [by && `by ${by}`, day && `on ${day}`].filter(Boolean).join(" ");
    return el("p", { class: "excuse" }, el("span", { class: "flag f-waived" }, "waived"), ` ${reason}`,
      who ? el("span", { class: "quiet" }, ` (${who})`) : null);
  }

  // The page changes nothing: it gives the command that does, to be copied.
  function waiver(found) {
    const command = el("code", { tabindex: "0", role: "textbox", "aria-readonly": "true", "aria-label": "Command that waives this finding" }, found.waive);
    const copy = el("button", { type: "button", class: "copy" }, "Copy");
    const box = el("span", { class: "waive", hidden: true }, command, " ", copy);
    const open = el("button", { type: "button", class: "open-waive", "aria-expanded": "false", "aria-label": `Waive ${found.rule}` }, "Waive");
    open.addEventListener("click", () => {
      box.hidden = !box.hidden;
      open.setAttribute("aria-expanded", String(!box.hidden));
      if (!box.hidden) command.focus();
    });
    command.addEventListener("focus", () => getSelection().selectAllChildren(command));
    copy.addEventListener("click", () => copied(command));
    return [" ", open, box];
  }

  async function copied(command) {
    getSelection().selectAllChildren(command);
    let done = false;
    try {
      await navigator.clipboard.writeText(command.textContent);
      done = true;
    } catch {
      done = document.execCommand("copy");
    }
    byId("said").textContent = done ? "Copied: write your reason in place of WHY." : "Not copied: the command is selected.";
  }

  function confidence(view) {
    const { data } = view;
    const found = data.confidence;
    const cell = (tag, words, attributes = {}) => el(tag, attributes, words);
    const terms = found.terms.map(([name, value, weight, reason]) => el("tr", {},
      cell("th", name.replace(/_/g, " "), { scope: "row" }), cell("td", number(value), { class: "n" }), cell("td", `× ${number(weight)}`, { class: "n" }), cell("td", reason, { class: "quiet" })));
    const rest = [];
    if (found.ceiling !== null) rest.push(`capped at ${number(found.ceiling)} from ${number(found.raw)}: ${found.why}`);
    rest.push(...found.notes);
    const checks = data.checks.map(([name, value, reason]) => el("div", {}, el("dt", {}, name), el("dd", { title: reason }, value)));
    return [
      el("h4", {}, `Confidence ${number(found.value)} (${found.model})`),
      terms.length ? el("table", { class: "terms" }, el("tbody", {}, ...terms)) : null,
      ...rest.map((words) => el("p", { class: "quiet small" }, words)),
      el("h4", {}, "Checks"), el("dl", { class: "checks" }, ...checks,
        el("div", {}, el("dt", {}, "retrieval"), el("dd", { title: data.retrieval[1] }, data.retrieval[0])),
        el("div", {}, el("dt", {}, "answer in the chunks"), el("dd", { title: data.presence[1] }, data.presence[0]))),
    ].filter(Boolean);
  }

  function chunks(view) {
    const { data } = view;
    if (!data.chunks.length) return [el("h4", {}, "Retrieved chunks"), el("p", { class: "quiet" }, data.answer === null ? "not at hand" : "none")];
    return [el("h4", {}, `Retrieved chunks (${data.chunks.length})`), ...data.chunks.map((chunk, i) => {
      const scores = [chunk.place, chunk.score === null ? "" : `retrieved ${number(chunk.score)}`, chunk.relevance === null ? "" : `relevance ${number(chunk.relevance)}`,
        chunk.relevant === false ? "not relevant" : ""];
      const content = el("div", { class: "chunktext" }, ...laid(chunk.text, ([words, owners]) => (
        owners.length ? el("mark", { "data-claims": owners.join(" ") }, ...inline(words)) : el("span", {}, ...inline(words)))));
      if (chunk.left) content.append(` [... ${chunk.left} more characters]`);
      const name = /^https?:\/\//.test(chunk.url) ? el("a", { href: chunk.url, rel: "noopener noreferrer nofollow", target: "_blank" }, chunk.label) : chunk.label;
      const title = chunk.label === chunk.id ? [`${i + 1}. `, name] : [`${i + 1}. `, name, " ", el("code", { class: "quiet" }, chunk.id)];
      return el("article", { class: "chunk", id: chunkId(view, i), tabindex: "-1" }, el("h5", {}, ...title),
        el("p", { class: "quiet small" }, scores.filter(Boolean).join(", ")), content);
    })];
  }

  // --- hover -----------------------------------------------------------------------------------
  function showTip(node, claim) {
    const best = claim.conflicts.length ? claim.conflicts[0].evidence : claim.evidence[0];
    const words = claim.status === "unchecked" ? "not checked" : claim.status;
    const head = claim.support === null ? words : `${words}, support ${number(claim.support)}`;
    const second = claim.conflicts.length ? claim.conflicts[0].message : claim.status === "unchecked" ? claim.reason : "";
    tip.replaceChildren(el("p", {}, head), ...(second ? [el("p", {}, second)] : []), ...(best ? [el("p", {}, `“${best.text}”`)] : []));
    tip.hidden = false;
    node.setAttribute("aria-describedby", "tip");
    const box = node.getClientRects()[0] || node.getBoundingClientRect();
    const left = Math.min(box.left, document.documentElement.clientWidth - tip.offsetWidth - 8);
    const below = box.bottom + 8 + tip.offsetHeight < window.innerHeight;
    tip.style.left = `${Math.max(left, 8) + window.scrollX}px`;
    tip.style.top = `${(below ? box.bottom + 8 : box.top - tip.offsetHeight - 8) + window.scrollY}px`;
  }

  function hideTip() {
    tip.hidden = true;
    document.querySelectorAll("[aria-describedby=tip]").forEach((node) => node.removeAttribute("aria-describedby"));
  }

  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });
  for (const row of rows) row.addEventListener("toggle", () => { if (row.open) draw(row); });

  // --- links to one transcript -------------------------------------------------------------------
  // "#t-ID" leads to a transcript and "#t-ID~chunk2" to its second chunk, in this report and in the next one.
  // Where several contents share an id, a link without the hash of the content leads to the first of them.
  function follow() {
    let name = location.hash.slice(1);
    if (!name.startsWith("t-")) return;
    const known = new Map(rows.map((row) => [row.id, row]));
    const find = (wanted) => known.get(wanted) || rows.find((row) => row.id.startsWith(`${wanted}~~`));
    let row = find(name), chunk = "";
    if (!row) [, name, chunk] = name.match(/^(.*)~chunk(\d+)$/) || [null, "", ""];
    if (!row && name) row = find(name);
    if (!row) return;
    if (row.hidden) showAll();
    row.open = true;
    draw(row);
    row.scrollIntoView();
    row.querySelector("summary").focus({ preventScroll: true });
    const view = views.get(row);
    if (chunk && view.data.chunks[chunk - 1]) jump(view, chunk - 1);
  }
  addEventListener("hashchange", follow);
  follow();
  // Once it is loaded, a browser goes to the fragment by itself, and takes the focus away.
  addEventListener("load", () => setTimeout(follow));
})();
