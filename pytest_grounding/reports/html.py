"""The report of a run as one self-contained HTML file: no network, no server, no other file."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from heapq import nsmallest
from itertools import pairwise
from typing import Any

from pytest_grounding._io.wording import decimals, listed, measured
from pytest_grounding.citations.naming import place_in, title_of
from pytest_grounding.citations.syntax import source_url
from pytest_grounding.gate.waivers import NEVER_WAIVED
from pytest_grounding.model.finding import Cause, Evidence, Finding, Waived
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.model.verdict import CitationVerdict, ClaimVerdict, ConfidenceBreakdown, Verdict
from pytest_grounding.reports import escaping
from pytest_grounding.reports import figure_lines as figures
from pytest_grounding.reports.escaping import one_line, part_of_page, visible
from pytest_grounding.reports.explanation import fact_lines
from pytest_grounding.reports.figure_lines import News
from pytest_grounding.reports.report_links import Context, anchors_of
from pytest_grounding.reports.terminal import in_short
from pytest_grounding.rules import ORDER, RULES
from pytest_grounding.settings import Settings

# A quoted word reaches the shell as it is; it must not contain what a terminal hides or acts upon.
_UNFIT = re.compile(r"[^ -~\u00a1-\uffff]")
#: Most characters of one chunk that are embedded; the rest is counted.
_LONGEST_CHUNK = 20_000
_EVIDENCE = 3
#: The buttons: key, label, and the explanation shown on hover.
SHOWN = (
    ("need", "need attention", "failed, rejected or to be reviewed"),
    ("new", "new", "need attention now and did not in the baseline"),
    ("reject", "rejected", "status reject"),
    ("review", "to review", "status review"),
    ("waived", "waived", "hold a finding that a person overruled"),
    ("overruled", "judge disagrees", "hold a claim on which the judge overruled the engine"),
    ("pass", "passed", "status pass"),
    ("all", "all", "every transcript of the run"),
)
#: How a transcript compares with the baseline.
_STANDINGS = ("new", "known", "fixed")
#: Buttons left out if they would show nothing.
_RARE = frozenset({"waived", "overruled"})
#: Most transcripts on the page, worst first.
MOST = 500


def waive_command(finding: Cause, verdict: Verdict) -> str:
    """The command line that waives a finding, or "" if it cannot be waived."""
    if finding.severity == "info" or finding.waived is not None or finding.rule in NEVER_WAIVED:
        return ""
    if finding.claim is not None:
        return _command(verdict, f"--claim={finding.claim + 1}")
    return _command(verdict, f"--rule={finding.rule}")


def waive_confidence(verdict: Verdict) -> str:
    """The command line that accepts a confidence if nothing else keeps an answer from passing, else ""."""
    grave = any(finding.severity != "info" for finding in verdict.findings)
    is_held = verdict.status != "pass" and not verdict.skipped and not grave
    return _command(verdict, "--rule=low_confidence") if is_held else ""


def _command(verdict: Verdict, which: str) -> str:
    words = [verdict.source or "", f"--id={verdict.id}", which]
    if not verdict.source or any(_UNFIT.search(word) or visible(word) != word for word in words):
        return ""
    return f"pytest-grounding waive {shlex.join(words)} --reason 'WHY'"


def detail(
    verdict: Verdict, transcript: Transcript | None, settings: Settings | None = None
) -> dict[str, Any]:
    """All data shown of a transcript; every text in it is made visible for a page."""
    chunks = transcript.chunks if transcript is not None else ()
    number = {chunk.id: index for index, chunk in enumerate(chunks)}
    checks = [(name, getattr(verdict.self_rag, name)) for name in ("relevance", "support", "usefulness")]
    return {
        **_exchange_data(verdict, transcript),
        "place": visible(f"{verdict.source}:{verdict.line or 1}") if verdict.source else "",
        **_visible_texts(verdict, "reason", "diagnosis"),
        "claims": [_claim_data(item, number) for item in verdict.claims],
        "citations": [_citation_data(item, number) for item in verdict.citations],
        "chunks": [_chunk_data(chunk, verdict, settings or Settings()) for chunk in chunks],
        "findings": [_finding_data(item, verdict) for item in verdict.findings],
        "waive": waive_confidence(verdict),
        "waived": _waiver_data(verdict.waived),
        "confidence": _confidence_data(verdict.confidence_breakdown),
        "retrieval": [verdict.retrieval.rating, visible(verdict.retrieval.reason)],
        "presence": [verdict.retrieval.answer_present, visible(verdict.retrieval.presence_reason)],
        "checks": [[name, item.value, visible(item.reason)] for name, item in checks],
        "off": _seen(verdict.switched_off),
    }


def _exchange_data(verdict: Verdict, transcript: Transcript | None) -> dict[str, Any]:
    """Question and answer, where the transcript is at hand."""
    if transcript is None:
        return {"question": None, "answer": None}
    return {"question": visible(transcript.question), "answer": _answer_marks(verdict, transcript.answer)}


def _seen(texts: Iterable[str]) -> list[str]:
    return list(map(visible, texts))


def _finding_data(finding: Finding, verdict: Verdict) -> dict[str, Any]:
    # One command waives all findings on a claim; it is shown with the first of them.
    own = finding.claim is None
    return {
        **_part_data(finding, waive_command(finding, verdict)),
        "suggestion": visible(finding.suggestion),
        "causes": [
            _part_data(cause, waive_command(cause, verdict) if own else "") for cause in finding.causes
        ],
    }


def _part_data(part: Cause, command: str) -> dict[str, Any]:
    rule = RULES.get(part.rule)
    return {
        "severity": part.severity if part.waived is None else part.waived.severity,
        "rule": visible(part.rule),
        "about": f"{rule.title}. {rule.advice}" if rule is not None else "",
        "message": visible(part.message),
        "waived": _waiver_data(part.waived),
        "waive": command,
    }


def _waiver_data(waived: Waived | None) -> list[str] | None:
    if waived is None:
        return None
    return _seen((waived.reason, waived.by, waived.day))


def _answer_marks(verdict: Verdict, answer: str) -> list[list[Any]]:
    length = len(answer)
    claims = [item for item in verdict.claims if 0 <= item.start < item.end <= length]
    marks: dict[tuple[int, int], list[int]] = {}
    behind: dict[int, list[int]] = {}
    for item in verdict.citations:
        if not 0 <= item.start < item.end <= length:
            continue
        if item.syntax == "provider":
            behind.setdefault(item.end, []).append(item.index)
        else:
            marks.setdefault((item.start, item.end), []).append(item.index)
    edges = {0, length, *behind}
    edges.update(edge for item in claims for edge in (item.start, item.end))
    edges.update(edge for span in marks for edge in span)
    owner = [-1] * length
    for claim in sorted(claims, key=lambda claim: claim.start - claim.end):
        owner[claim.start : claim.end] = [claim.index] * (claim.end - claim.start)
    marked: dict[int, tuple[int, int]] = {}
    last = 0
    for span in sorted(marks):
        if span[0] >= last:
            marked.update(dict.fromkeys(range(*span), span))
            last = span[1]
    found: list[list[Any]] = []
    ordered = sorted(edges)
    for start, end in pairwise(ordered):
        held = marked.get(start)
        if held is None or held[0] == start:
            first, last = held or (start, end)
            found.append([visible(answer[first:last]), owner[start], marks.get((first, last), [])])
        if end in behind:
            found.append(["", owner[end - 1], behind[end]])
    return found


def _visible_texts(value: object, *names: str) -> dict[str, str]:
    """Text members of a value, made visible for a page."""
    return {name: visible(getattr(value, name) or "") for name in names}


def _claim_data(claim: ClaimVerdict, number: dict[str, int]) -> dict[str, Any]:
    opinions = [[who, visible(text)] for who, text in figures.opinions_of(claim)]
    return {
        **_visible_texts(claim, "text", "status", "kind", "method"),
        "waived": _waiver_data(claim.waived),
        "support": claim.support,
        "reason": visible(claim.reason or claim.skip_reason),
        "missing": _seen(claim.missing_words),
        "facts": _seen(fact_lines(claim)),
        **({"opinions": opinions} if opinions else {}),
        "citations": list(claim.citations),
        "evidence": [_evidence_data(item, number) for item in claim.evidence[:_EVIDENCE]],
        "conflicts": [
            {
                "message": visible(item.message or item.kind),
                "claim": visible(item.claim_text),
                "source": visible(item.evidence_text),
                "evidence": _evidence_data(item.evidence, number),
            }
            for item in claim.conflicts
        ],
    }


def _evidence_data(item: Evidence, number: dict[str, int]) -> dict[str, Any]:
    return {
        "text": visible(item.text),
        "chunk": number.get(item.chunk_id, -1),
        "id": visible(item.chunk_id),
        "sentence": item.sentence_index,
        "score": item.score,
    }


def _citation_data(citation: CitationVerdict, number: dict[str, int]) -> dict[str, Any]:
    return {
        **_visible_texts(citation, "text", "target", "syntax", "path"),
        "valid": citation.valid,
        "chunk": number.get(citation.chunk_id or "", -1),
        "findings": [
            [item.severity, visible(item.rule), visible(item.message)] for item in citation.findings
        ],
    }


def _chunk_data(chunk: Chunk, verdict: Verdict, settings: Settings) -> dict[str, Any]:
    relevance = next((item for item in verdict.retrieval.relevance if item.chunk_id == chunk.id), None)
    known = chunk.metadata.model_dump(exclude_none=True, mode="json")
    return {
        "id": visible(chunk.id),
        "label": visible(title_of(chunk, settings)),
        "place": visible(place_in(chunk.metadata)),
        # Only http and https: following a link of another scheme could run a script.
        "url": visible(source_url(chunk, settings) or ""),
        "score": chunk.score,
        "relevance": relevance.score if relevance is not None else None,
        "relevant": relevance.relevant if relevance is not None else None,
        "text": _stretches(chunk, verdict),
        "left": max(len(chunk.text) - _LONGEST_CHUNK, 0),
        "metadata": [_seen((name, str(value))) for name, value in known.items()],
    }


def _stretches(chunk: Chunk, verdict: Verdict) -> list[list[Any]]:
    length = min(len(chunk.text), _LONGEST_CHUNK)
    spans: dict[tuple[int, int], list[int]] = {}
    for claim in verdict.claims:
        shown = [*claim.evidence[:_EVIDENCE], *(item.evidence for item in claim.conflicts)]
        for item in shown:
            if item.chunk_id == chunk.id and 0 <= item.start < item.end <= length:
                claims = spans.setdefault((item.start, item.end), [])
                if claim.index not in claims:
                    claims.append(claim.index)
    edges = sorted({0, length, *(edge for span in spans for edge in span)})
    found = []
    for start, end in pairwise(edges):
        owners = {index for span, held in spans.items() if span[0] <= start < span[1] for index in held}
        found.append([visible(chunk.text[start:end]), sorted(owners)])
    return found


def _confidence_data(breakdown: ConfidenceBreakdown) -> dict[str, Any]:
    return {
        "model": visible(breakdown.model),
        "value": measured(breakdown.value),
        "raw": measured(breakdown.raw),
        "terms": [
            [visible(item.name), measured(item.value), measured(item.weight), visible(item.reason)]
            for item in breakdown.terms
        ],
        "ceiling": breakdown.ceiling,
        "why": visible(breakdown.ceiling_reason),
        "notes": _seen(breakdown.notes),
    }


def _gone(word: str, names: Iterable[str]) -> Iterator[str]:
    if names:
        yield visible(f"{word}: {listed([one_line(name, 120) for name in names])}")


def _labels_of_cited(citation: CitationVerdict, labels: Mapping[str, str]) -> list[str]:
    ids = citation.chunk_ids or ((citation.chunk_id,) if citation.chunk_id else ())
    return [labels.get(identifier) or one_line(identifier) for identifier in ids]


def labels_of(transcript_hash: str, context: Context) -> dict[str, str]:
    """Chunk id -> name of its source, for one transcript."""
    transcript = context.transcripts.get(transcript_hash)
    if transcript is None:
        return {}
    return {chunk.id: one_line(title_of(chunk, context.settings), 80) for chunk in transcript.chunks}


def buttons_of(rows: list[dict[str, Any]], news: News) -> list[dict[str, Any]]:
    """The buttons above the list, each with the number of its rows, without those of no use here."""
    sizes = Counter(key for row in rows for key in row["index"]["shown"])
    first = "need" if sizes["need"] else "all"
    return [
        {"key": key, "words": words, "title": title, "count": sizes[key], "pressed": key == first}
        for key, words, title in SHOWN
        if (key != "new" or news.has_baseline) and (key not in _RARE or sizes[key])
    ]


def _row_data(
    verdict: Verdict, anchor: str, report: RunReport, context: Context, numbers: dict[str, int], news: News
) -> dict[str, Any]:
    transcript = context.transcript(verdict)
    labels = labels_of(verdict.transcript_hash, context)
    cited = {label for item in verdict.citations for label in _labels_of_cited(item, labels)}
    rules = sorted({one_line(item.rule) for item in verdict.causes})
    counting = (item for item in verdict.findings if item.severity != "info" and item.waived is None)
    grave = sorted(counting, key=lambda item: ORDER[item.severity])
    question = ""
    texts = [verdict.id, verdict.reason, *(item.message for item in verdict.causes)]
    if transcript is not None:
        question = transcript.question
        texts += [question, transcript.answer]
    else:
        texts.extend(item.text for item in verdict.claims)
    confidence = measured(verdict.confidence)
    checked = [item for item in verdict.claims if item.checked]
    # One finding by several rules counts once.
    waived = 0 if verdict.waived is None else 1
    for item in verdict.findings:
        if any(part.waived is not None for part in item.parts):
            waived += 1
    shown = [verdict.shown_status, "all"]
    told = {
        "need": news.wants(verdict, report),
        "new": verdict.id in news.new,
        "waived": bool(waived),
        "overruled": figures.overruled(verdict),
    }
    shown.extend(name for name, is_so in told.items() if is_so)
    return {
        "anchor": anchor,
        "id": one_line(verdict.id),
        "status": verdict.shown_status,
        "standing": next((word for word in _STANDINGS if verdict.id in getattr(news, word)), ""),
        "waived": waived,
        "question": one_line(question, 220) or one_line(verdict.reason, 220),
        "confidence": decimals(confidence),
        "meter": round(min(max(confidence or 0.0, 0.0), 1.0) * 100, 1),
        "claims": f"{len(checked) - len(verdict.hallucinated)}/{len(checked)}",
        "citations": f"{sum(item.valid for item in verdict.citations)}/{len(verdict.citations)}",
        "wrong": one_line(in_short(verdict, grave[0]), 200) if grave else "",
        "index": {
            "shown": shown,
            "rules": rules,
            "sources": sorted(numbers[label] for label in cited if label in numbers),
            "text": one_line(" ".join(texts)).lower(),
        },
    }


def render(report: RunReport, context: Context) -> str:
    """The page: what changed, the transcripts (worst first), then figures and charts."""
    from markupsafe import Markup

    # The theme script runs in the head, before anything is drawn.
    style, theme, script = map(part_of_page, ("report.css", "theme.js", "report.js"))
    news = figures.news_of(report)
    ordered = figures.worst_first(report)
    verdicts = nsmallest(MOST, ordered, key=lambda item: item.id not in news.new)
    sources: set[str] = set()
    for verdict in verdicts:
        labels = labels_of(verdict.transcript_hash, context)
        sources.update(label for item in verdict.citations for label in _labels_of_cited(item, labels))
    rules = sorted({one_line(item.rule) for verdict in verdicts for item in verdict.causes})
    numbers = {label: number for number, label in enumerate(sorted(sources))}
    rows = [
        _row_data(verdict, anchor, report, context, numbers, news)
        for verdict, anchor in zip(verdicts, anchors_of(verdicts), strict=True)
    ]
    # They are part of this package, and the content security policy allows exactly these bytes.
    page: str = escaping.page_template("report.html.jinja").render(
        style=Markup(style),  # noqa: S704
        theme=Markup(theme),  # noqa: S704
        script=Markup(script),  # noqa: S704
        policy=escaping.page_policy(style, theme, script),
        rows=rows,
        index=_data([row["index"] for row in rows]),
        details=[_data(detail(item, context.transcript(item), context.settings)) for item in verdicts],
        rules=rules,
        sources=sorted(sources),
        buttons=buttons_of(rows, news),
        opening=_opening_data(report, news),
        transcripts=len(report.transcripts),
        **_suite(report),
    )
    return page


def _data(value: Any) -> Any:
    from markupsafe import Markup

    return Markup(escaping.script_json(value))  # noqa: S704 -- escaped for a script element that holds data


def _opening_data(report: RunReport, news: News) -> dict[str, Any]:
    gate = report.gate
    if gate is None:
        return {"changed": None, "missed": [], "reasons": [], "all": [], "notes": []}
    found = gate.baseline
    changed = None
    if found is not None:
        changed = {
            "counts": [(word, len(getattr(news, word))) for word in _STANDINGS],
            "findings": visible(news.line),
            "outcome": found.outcome,
            "is_measured": bool(found.figures),
            "drift": _seen(found.drift),
            "movements": [(visible(_marks(text)), tone) for text, tone in figures.movements(found)],
            "gone": [*_gone("vanished", found.vanished), *_gone("no longer scored", found.unscored)],
        }
    return {
        "changed": changed,
        "missed": [_marks(text) for text in figures.missed(gate)],
        "reasons": [visible(text) for text in gate.reasons if not figures.is_given(text, gate)],
        "all": _seen(gate.reasons),
        "notes": _seen(gate.notes),
    }


def _marks(text: str) -> str:
    return text.replace(">=", "\u2265").replace("<=", "\u2264")


def _most_cited(report: RunReport) -> tuple[tuple[str, int], ...]:
    return report.summary.most_cited if report.summary is not None else ()


def _suite(report: RunReport) -> dict[str, Any]:
    gate = report.gate
    found = gate.baseline if gate is not None else None
    compared = figures.comparison_lines(found) if found is not None else ()
    return {
        "decision": figures.decision_of(report),
        "tally": figures.tally(report),
        "figures": [
            {
                "label": _marks(item.label),
                "value": figures.number(item.value),
                "limit": _marks(figures.limit_of(item)),
                "interval": figures.interval_of(item),
                "counted": f"{item.count} of {item.total}",
                "outcome": item.outcome,
                "word": figures.outcome_words(item, report),
            }
            for item in (gate.thresholds if gate is not None else ())
        ],
        "comparison": [(visible(text), tone) for text, tone in compared],
        "left_out": [(name, visible(words)) for name, words in figures.left_out(report)],
        "most_cited": [(visible(name), times) for name, times in _most_cited(report)],
        "problems": [
            *(visible(item.message) for item in report.run.problems[:MOST]),
            *([f"... and {left} more"] if (left := len(report.run.problems) - MOST) > 0 else []),
        ],
        "missing": [(visible(name), visible(why)) for name, why in report.run.missing.items()],
    }
