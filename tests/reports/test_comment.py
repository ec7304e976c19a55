"""The comment on a pull request: what is new and worst in a few lines, and the rest folded."""

import re
from html.parser import HTMLParser

import pytest
from every import each
from made_runs import changed, hostile_run, plain, run, transcript
from made_verdicts import claim, evidence, verdict
from markdown_it import MarkdownIt

from pytest_grounding.cli import main
from pytest_grounding.model.comparison import Comparison, FigureChange
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.run_report import RunFacts, RunReport
from pytest_grounding.reports.figure_lines import comparison_lines, movements, news_of, worst
from pytest_grounding.reports.report_links import LinkContext, Links, anchor_of, anchors_of, links_of
from pytest_grounding.reports.write import render_report
from pytest_grounding.settings import Settings
from pytest_grounding.suite.baseline_file import baseline_of, read_baseline, render_baseline
from pytest_grounding.suite.suite_figures import decide_suite

GITHUB = {
    "GITHUB_SERVER_URL": "https://github.example",
    "GITHUB_REPOSITORY": "team/shop",
    "GITHUB_RUN_ID": "17",
}
GITLAB = {"CI_JOB_URL": "https://gitlab.example/team/shop/-/jobs/9"}


def at_a_glance(text):
    """The lines that a reader sees without opening anything."""
    seen = re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL).replace("<br>\n", "\n")
    return [line for line in seen.splitlines() if line.strip() and not line.startswith("<!--")]


def blocks(lines):
    """The lines of each numbered fault, by the id of its transcript."""
    found = {}
    for line in lines:
        if head := re.match(r"\d+\. .*?<code>(.*?)</code>", line):
            found[head[1]] = block = []
        if head or line.startswith("   - "):
            block.append(line)
    return found


@pytest.mark.row(46)
def test_a_few_lines_show_what_is_new_and_quote_it():
    report, context = run(changed(), before=plain())
    links = links_of(environment=GITHUB, html="out/report.html")
    lines = at_a_glance(render_report(report, "pr-comment", LinkContext(context.transcripts, "", links)))
    assert len(lines) <= 14
    assert lines[0] == "## ❌ Grounding: fail"
    assert "5 transcripts: 1 passed, 0 to review, 4 rejected." in lines[1]
    assert "**2 new**, 2 known, 1 fixed" in lines[1]
    same = len(report.gate.baseline.changed)
    assert f" {report.gate.baseline.pairs - same} recordings unchanged." in lines[1]
    # What the first lines, the figures and the baseline say is not said once more.
    last = render_report(report, "pr-comment", context).rpartition("Further reasons")[2]
    assert not any(f"<code>{reason}" in last for reason in ("baseline&#58; answers", "hallucination rate"))
    found = blocks(lines)
    assert sorted(found) == ["added", "good"]
    for name, days in (("added", "12"), ("good", "30")):
        head, asked, *_, said, source = found[name]
        assert asked.startswith("   - question: <code>How many vacation days")
        assert f"<code>{name}</code>, **new**, <code>contradicted</code>" in head
        assert f"claim: <code>Employees receive {days} vacation days per year" in said
        assert source.startswith("   - source: <code>Employees receive 25 vacation days per year.</code> (")
    # What the baseline's answer said instead stands before the claim; a new transcript has no such line.
    (was,) = found["good"][2:-2]
    assert was.startswith("   - before: <code>Employees receive 25 vacation days per year")
    assert found["added"][2:-2] == []
    assert lines[-1] == (
        "[This run](https://github.example/team/shop/actions/runs/17) · "
        "[the page](https://github.example/team/shop/actions/runs/17#artifacts)"
    )


@pytest.mark.parametrize("gate", ["all", "new"])
def test_the_sentence_of_the_old_answer_is_the_one_that_was_replaced(gate):
    closing = "Unused days expire in March [1]."
    before = [transcript("t", f"Employees receive 25 vacation days per year [1]. {closing}")]
    after = [transcript("t", f"{closing} Employees receive 52 vacation days per year [1].")]
    settings = Settings(baseline_gate=gate)
    report, context = run(after, before=before, settings=settings)
    (block,) = blocks(at_a_glance(render_report(report, "pr-comment", context))).values()
    assert [line for line in block if "before: " in line] == [
        "   - before: <code>Employees receive 25 vacation days per year &#91;1&#93;.</code>"
    ]
    assert "before: Employees receive 25 vacation days per year [1]." in render_report(
        report, "html", context
    )


def test_a_baseline_of_an_earlier_version_has_no_sentences_and_is_read(tmp_path):
    settings = Settings()
    written = baseline_of(run(plain())[0], settings)
    assert written.transcripts[0].sentences
    path = tmp_path / "b.json"
    path.write_text(re.sub(r'"sentences":\[.*?"\],', "", render_baseline(written)), encoding="utf-8")
    old = read_baseline(path)
    assert {entry.sentences for entry in old.transcripts} == {()}
    report = decide_suite(run(changed())[0], settings, old, refresh="pytest")
    assert report.gate.baseline.replaced == {}
    assert "before: " not in render_report(report, "pr-comment")


def test_all_new_failures_stand_before_the_folded_parts():
    good = [transcript(f"t{n}", "Employees receive 25 vacation days per year [1].") for n in range(5)]
    bad = [transcript(f"t{n}", f"Employees receive {n + 30} vacation days per year [1].") for n in range(4)]
    report, context = run([*bad, good[4]], before=good)
    seen = "\n".join(at_a_glance(render_report(report, "pr-comment", context)))
    assert all(f"Employees receive {n + 30} vacation days per year" in seen for n in range(4))
    assert seen.count("question: ") == 4


def test_a_drop_is_stated_before_any_table_without_a_p_value():
    good = [transcript(f"t{n}", "Employees receive 25 vacation days per year [1].") for n in range(10)]
    bad = transcript("t0", "Employees receive 25 vacation days per year [9].")
    report, context = run([bad, *good[1:]], before=good)
    text = render_report(report, "pr-comment", context)
    seen = "\n".join(at_a_glance(text))
    assert "citation accuracy fell from 1.00 to 0.90" in seen
    assert "p =" not in seen
    assert "|" not in seen
    inside = text[text.index("<details><summary>Against the baseline") :]
    assert inside.index("citation accuracy fell from 1.00 to 0.90") < inside.index("95 % interval")
    terminal = render_report(report, "terminal")
    section = terminal[terminal.index("baseline: fail") :]
    assert section.index("citation accuracy fell from 1.00 to 0.90") < section.index("95 % interval")
    assert section.index("flipped to the worse: t0") < section.index("95 % interval")


def test_a_run_that_passes_needs_three_lines():
    report, context = run([plain()[0]])
    lines = at_a_glance(render_report(report, "pr-comment", context))
    assert lines[0] == "## ✅ Grounding: pass"
    assert lines[1] == "1 transcript: 1 passed, 0 to review, 0 rejected."
    assert len(lines) == 2


def test_an_interruption_is_shown_above_the_tables():
    report, context = run(plain(), interrupted=("it was stopped by Ctrl-C",))
    seen = "\n".join(at_a_glance(render_report(report, "github-summary", context)))
    assert "the run was cut short&#58; it was stopped by Ctrl-C" in seen
    assert "transcripts failed&#58;" not in seen


def figure(outcome, before, after, **more):
    drop = None if before is None or after is None else before - after
    facts = {"name": "citation_accuracy", "label": "citation accuracy", "drop": drop, **more}
    return FigureChange(before=before, after=after, outcome=outcome, **facts)


@each(
    (figure("worse", 0.98, 0.94), "citation accuracy fell from 0.98 to 0.94"),
    (
        figure("worse", 0.02, 0.05, label="hallucination rate", drop=0.03),
        "hallucination rate rose from 0.02 to 0.05",
    ),
    (
        figure("inconclusive", 0.98, 0.94, p_value=0.213),
        "citation accuracy fell from 0.98 to 0.94, which may be chance (p = 0.21)",
    ),
    (figure("better", 0.94, 0.98), "citation accuracy rose from 0.94 to 0.98, which is better"),
    (figure("same", 0.98, 0.97), "citation accuracy fell from 0.98 to 0.97, which the policy allows"),
    (figure("lost", 0.98, None), "citation accuracy: 0.980 before, nothing to measure any more"),
    (figure("same", 0.98, 0.98), None),
    (figure("nothing", None, None), None),
)
def test_each_change_of_a_figure_is_one_sentence(given, sentence):
    found = Comparison(outcome="fail", policy="any", pairs=3, figures=(given,))
    assert [text for text, _ in movements(found)] == ([sentence] if sentence else [])
    assert sentence is None or f"  {sentence}" in [text for text, _ in comparison_lines(found)]


def test_close_values_get_enough_digits_to_differ():
    for before, after, words in ((0.981, 0.979, "0.981 to 0.979"), (0.98121, 0.98119, "0.98121 to 0.98119")):
        found = Comparison(outcome="fail", policy="any", figures=(figure("worse", before, after),))
        ((text, tone),) = movements(found)
        assert text.endswith(words)
        assert tone == "bad"


def test_drops_come_before_improvements():
    given = (
        figure("better", 0.5, 0.6, label="b"),
        figure("inconclusive", 0.5, 0.4, label="i"),
        figure("worse", 0.5, 0.4, label="w"),
    )
    found = Comparison(outcome="fail", policy="any", figures=given)
    assert [text[0] for text, _ in movements(found)] == ["w", "i", "b"]


def doubted(identifier, *findings, status="reject", **more):
    return verdict(identifier, status=status, findings=findings, **more)


def error(rule="contradicted", **more):
    return Finding(rule=rule, severity="error", message=f"{rule} of it", **more)


def report_of(*verdicts):
    failed = tuple(item.id for item in verdicts if item.status == "reject")
    return decide_suite(RunReport.of(verdicts, RunFacts(failed=failed)), Settings())


def test_worst_findings_alternate_between_transcripts():
    warning = Finding(rule="unsupported_claim", severity="warning", message="nothing backs it")
    report = report_of(
        doubted("a", warning, error("source_exists"), error("content_match")),
        doubted("b", warning, status="review"),
        verdict("c"),
    )
    found = [(fault.verdict.id, fault.rule) for fault in worst(report, 9)]
    assert found == [
        ("a", "source_exists"),
        ("b", "unsupported_claim"),
        ("a", "content_match"),
        ("a", "unsupported_claim"),
    ]


def test_a_failure_without_a_finding_shows_its_reason():
    report = report_of(verdict("a", status="reject", reason="the confidence is too low", confidence=0.2))
    (fault,) = worst(report, 2)
    assert (fault.rule, fault.message, fault.source) == ("gate", "the confidence is too low", "")


def test_a_fault_shows_the_source_of_the_finding_or_of_its_claim():
    near = claim("unsupported", evidence=(evidence("The nearest sentence."),))
    (fault,) = worst(report_of(doubted("a", error(claim=0), claims=[near])), 1)
    assert fault.source == "The nearest sentence."
    assert fault.claim == "A claim."
    own = error(claim=0, evidence=(evidence("The sentence itself."),))
    (fault,) = worst(report_of(doubted("a", own, claims=[near])), 1)
    assert fault.source == "The sentence itself."
    (fault,) = worst(report_of(doubted("a", error("source_exists", citation=0))), 1)
    assert (fault.claim, fault.source) == ("[1]", "")


def test_waived_findings_are_counted_and_not_shown_as_faults():
    from pytest_grounding.model.finding import Waived

    why = Waived(reason="the index is rebuilt", by="ann", day="2026-11-20")
    waived = error(waived=why).model_copy(update={"severity": "info"})
    report = report_of(verdict("a", findings=[waived]), doubted("b", error("source_exists"), waived))
    assert [(fault.verdict.id, fault.rule) for fault in worst(report, 5)] == [("b", "source_exists")]
    text = render_report(report, "pr-comment")
    assert "2 findings waived" in "\n".join(at_a_glance(text))
    inside = text[text.index("<details><summary>Waived (2)") :]
    assert "<code>the index is rebuilt</code>" in inside
    assert "All findings (1)" in text


def test_news_are_the_changes_since_the_baseline():
    report, _ = run(changed(), before=plain())
    news = news_of(report)
    assert (news.new, news.known, news.fixed) == ({"good", "added"}, {"broken", "invented"}, {"wrong"})
    assert not news_of(run(changed())[0]).has_baseline


def test_known_findings_need_no_attention_with_gate_new():
    report, context = run(changed(), before=plain(), settings=Settings(baseline_gate="new"))
    news = news_of(report)
    assert (news.new, news.known, news.fixed) == ({"good", "added"}, {"broken", "invented"}, {"wrong"})
    assert sorted(fault.verdict.id for fault in worst(report, 9)) == ["added", "good"]
    text = render_report(report, "pr-comment", context)
    seen = at_a_glance(text)
    # One set of counts: how many findings they have is folded.
    assert "**2 new**, 2 known, 1 fixed. " in seen[1]
    assert "gone" not in seen[1]
    assert "New findings (2)" in text
    page = render_report(report, "html", context)
    assert re.search(r"Why the gate says fail \(\d+ reasons?, \d+ notes?\)", page)
    assert not re.search(r"\b1 (?:reasons|notes)\b", page)
    assert re.search(r'data-show="need"[^>]*aria-pressed="true">need attention <b>2</b>', page)
    assert re.search(r"Findings: \d known, \d new, \d gone; only new ones fail\.", page)


class Page(HTMLParser):
    """What a renderer of Markdown makes of a comment."""

    def __init__(self, text):
        super().__init__()
        self.depth = self.folded = self.open = 0
        self.links, self.tags = [], set()
        self.feed(MarkdownIt("commonmark", {"html": True}).enable("table").render(text))

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.depth += tag == "details"
        self.folded += tag == "table" and self.depth > 0
        self.open += tag == "table" and self.depth == 0
        self.links += [value for name, value in attrs if name == "href"]

    def handle_endtag(self, tag):
        self.depth -= tag == "details"


def test_every_table_is_folded_and_only_our_links_appear():
    report, context = hostile_run()
    links = Links("https://ci.example/run", "https://pages.example/r.html", can_point=True)
    page = Page(render_report(report, "pr-comment", LinkContext(context.transcripts, "", links)))
    assert page.folded == 2
    assert page.open == page.depth == 0
    assert page.links
    assert all(
        link.startswith(("https://ci.example/run", "https://pages.example/r.html")) for link in page.links
    )
    assert not page.tags & {"script", "img", "iframe", "h1", "h3"}


def test_an_id_links_to_its_transcript_on_the_page():
    report, context = run(plain())
    links = links_of(page="https://pages.example/run 7/(r).html#top", environment=GITHUB)
    text = render_report(report, "pr-comment", LinkContext(context.transcripts, "", links))
    (address,) = re.findall(r"\[<code>wrong</code>\]\((.*?)\)", text)
    assert address == "https://pages.example/run%207/%28r%29.html#t-wrong"
    assert f'id="{address.partition("#")[2]}"' in render_report(report, "html", context)


def test_links_come_from_the_build_server_or_the_user():
    run_page = "https://github.example/team/shop/actions/runs/17"
    assert links_of(environment={}) == Links()
    assert links_of(environment={}, html="r.html") == Links()
    assert links_of(environment=GITHUB) == Links(run_page)
    assert links_of(environment=GITHUB, html="r.html") == Links(run_page, f"{run_page}#artifacts")
    assert links_of(environment={**GITHUB, "GITHUB_RUN_ID": ""}) == Links()
    job = GITLAB["CI_JOB_URL"]
    file = f"{job}/artifacts/file/out/my%20report.html"
    assert links_of(environment=GITLAB, html="out/my report.html") == Links(job, file, can_point=True)
    assert links_of(environment=GITLAB, html="") == Links(job, f"{job}/artifacts/browse")
    mine = links_of(page="http://p.example/r.html", environment=GITHUB, html="x")
    assert mine == Links(run_page, "http://p.example/r.html", can_point=True)


@each("javascript:alert(1)", "//evil.example", "data:text/html,x", "https://", "x")
def test_only_web_addresses_become_links(text):
    assert links_of(page=text, environment={"CI_JOB_URL": text}, html="r.html") == Links()


def test_an_address_cannot_break_out_of_its_link():
    links = links_of(environment={"BUILD_URL": "https://ci.example/a)[b](javascript:x)\n<b>"})
    assert links.run == "https://ci.example/a%29%5Bb%5D%28javascript:x%29%0A%3Cb%3E"


def test_anchors_are_readable_and_unique():
    assert anchor_of("refunds-01_a.b") == "t-refunds-01_a.b"
    assert anchor_of("a b") == "t-a~20b"
    assert anchor_of("a~20b") == "t-a~7e20b"
    odd = ["", "é", "e\u0301", "\ud800", "a" * 90, "a" * 91, "a" * 89 + "b", '"><x>', "A", "a"]
    anchors = [anchor_of(item) for item in odd]
    assert len(set(anchors)) == len(odd)
    assert all(re.fullmatch(r"t-[A-Za-z0-9_.~-]{0,80}", item) for item in anchors)


def test_anchors_of_repeated_ids_do_not_depend_on_the_order():
    twins = [verdict("a", transcript_hash="1"), verdict("a", transcript_hash="2"), verdict("b")]
    found = dict(zip("12b", anchors_of(twins), strict=True))
    assert found["b"] == "t-b"
    assert found["1"] != found["2"]
    assert anchors_of(twins[::-1]) == [found["b"], found["2"], found["1"]]
    same = anchors_of([twins[0], twins[0]])
    assert len(set(same)) == 2


def test_merge_takes_the_address_of_the_page(tmp_path, monkeypatch, capsys):
    for name in (*GITHUB, *GITLAB, "BUILD_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    rows = "\n".join(item.model_dump_json() for item in plain())
    (tmp_path / "a.transcripts.jsonl").write_text(rows, encoding="utf-8")
    address = "https://pages.example/r.html"
    main(["check", "a.transcripts.jsonl", "--json"])
    (tmp_path / "run.json").write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["merge", "run.json", "--report", "pr-comment:b.md", "--page-url", address]) == 0
    assert f"({address}#t-wrong)" in (tmp_path / "b.md").read_text(encoding="utf-8")


@each(("pr-comment", 20), ("github-summary", 200))
def test_findings_behind_the_limit_are_counted_instead_of_listed(kind, most):
    for number, more in ((most, ""), (most + 1, "... and 1 more."), (most + 3, "... and 3 more.")):
        rejected = [doubted(f"t{row:03}", error("source_exists", citation=0)) for row in range(number)]
        text = render_report(report_of(*rejected), kind)
        listed = text[text.index(f"All findings ({number})") : text.index("Figures and limits")]
        assert listed.count("<code>t") == min(number, most)
        assert ("... and" in listed) == bool(more)
        assert more in listed
