"""The report of a run as one self-contained HTML file: no network, no server, no other file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_grounding._io.wording import decimals, listed, measured
from pytest_grounding.citations.naming import title_of
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.model.verdict import CitationVerdict, Verdict
from pytest_grounding.reports import figure_lines as figures
from pytest_grounding.reports.escaping import (
    one_line,
    page_policy,
    page_template,
    part_of_page,
    script_json,
    visible,
)
from pytest_grounding.reports.figure_lines import News, comparison_lines, movements, news_of, overruled
from pytest_grounding.reports.html_view import detail
from pytest_grounding.reports.report_links import Context, anchors_of
from pytest_grounding.reports.terminal import in_short
from pytest_grounding.rules import ORDER


def _cited(citation: CitationVerdict, labels: Mapping[str, str]) -> list[str]:
    ids = citation.chunk_ids or ((citation.chunk_id,) if citation.chunk_id else ())
    return [labels.get(identifier) or one_line(identifier) for identifier in ids]


def labels_of(transcript_hash: str, context: Context) -> dict[str, str]:
    """Chunk id -> name of its source, for one transcript."""
    transcript = context.transcripts.get(transcript_hash)
    if transcript is None:
        return {}
    return {chunk.id: one_line(title_of(chunk, context.settings), 80) for chunk in transcript.chunks}


#: The buttons: key, label, and the explanation shown on hover.
SHOWN = (
    ("need", "need someone", "failed, rejected or to be reviewed"),
    ("new", "new", "need someone now and did not in the baseline"),
    ("reject", "rejected", "status reject"),
    ("review", "to review", "status review"),
    ("waived", "waived", "hold a finding that a person overruled"),
    ("overruled", "judge disagrees", "hold a claim on which the judge overruled the engine"),
    ("pass", "passed", "status pass"),
    ("all", "all", "every transcript of the run"),
)

#: How a transcript compares with the baseline.
_STANDINGS = ("new", "known", "repaired")
#: Buttons left out if they would show nothing.
_RARE = frozenset({"waived", "overruled"})


def buttons_of(rows: list[dict[str, Any]], news: News) -> list[dict[str, Any]]:
    """The buttons above the list, each with the number of its rows, without those of no use here."""
    sizes = {key: sum(key in row["index"]["shown"] for row in rows) for key, _, _ in SHOWN}
    first = "need" if sizes["need"] else "all"
    return [
        {"key": key, "words": words, "title": title, "count": sizes[key], "pressed": key == first}
        for key, words, title in SHOWN
        if (key != "new" or news.has_baseline) and (key not in _RARE or sizes[key])
    ]


def waived_count(verdict: Verdict) -> int:
    """How many findings of a transcript a person waived; one found by several rules counts once."""
    found = sum(any(part.waived is not None for part in finding.parts) for finding in verdict.findings)
    return found + (verdict.waived is not None)


def _row(
    verdict: Verdict, anchor: str, report: RunReport, context: Context, numbers: dict[str, int], news: News
) -> dict[str, Any]:
    transcript = context.transcript(verdict)
    labels = labels_of(verdict.transcript_hash, context)
    cited = {label for item in verdict.citations for label in _cited(item, labels)}
    rules = sorted({one_line(item.rule) for item in verdict.causes})
    counting = (item for item in verdict.findings if item.severity != "info" and item.waived is None)
    grave = sorted(counting, key=lambda item: ORDER[item.severity])
    question = transcript.question if transcript is not None else ""
    texts = [verdict.id, question, transcript.answer if transcript is not None else "", verdict.reason]
    texts += [item.text for item in verdict.claims] if transcript is None else []
    texts += [item.message for item in verdict.causes]
    confidence = measured(verdict.confidence)
    checked = [item for item in verdict.claims if item.checked]
    waived = waived_count(verdict)
    shown = [verdict.shown_status, "all"]
    shown += ["need"] if news.wants(verdict, report) else []
    shown += ["new"] if verdict.id in news.new else []
    shown += ["waived"] if waived else []
    shown += ["overruled"] if overruled(verdict) else []
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


#: Most transcripts on the page, worst first.
MOST = 500


def render(report: RunReport, context: Context) -> str:
    """The page: what changed, the transcripts (worst first), then figures and charts."""
    from markupsafe import Markup

    # The theme script runs in the head, before anything is drawn.
    style, theme, script = map(part_of_page, ("report.css", "theme.js", "report.js"))
    news = news_of(report)
    ordered = figures.worst_first(report)
    verdicts = sorted(ordered, key=lambda item: item.id not in news.new)[:MOST]
    sources = sorted(
        {
            label
            for verdict in verdicts
            for item in verdict.citations
            for label in _cited(item, labels_of(verdict.transcript_hash, context))
        }
    )
    rules = sorted({one_line(item.rule) for verdict in verdicts for item in verdict.causes})
    numbers = {label: number for number, label in enumerate(sources)}
    rows = [
        _row(verdict, anchor, report, context, numbers, news)
        for verdict, anchor in zip(verdicts, anchors_of(verdicts), strict=True)
    ]
    # They are part of this package, and the content security policy allows exactly these bytes.
    page: str = page_template("report.html.jinja").render(
        style=Markup(style),  # noqa: S704
        theme=Markup(theme),  # noqa: S704
        script=Markup(script),  # noqa: S704
        policy=page_policy(style, theme, script),
        rows=rows,
        index=_data([row["index"] for row in rows]),
        details=[_data(detail(item, context.transcript(item), context.settings)) for item in verdicts],
        rules=rules,
        sources=sources,
        buttons=buttons_of(rows, news),
        opening=_opening(report, news),
        transcripts=len(report.transcripts),
        **_suite(report),
    )
    return page


def _data(value: Any) -> Any:
    from markupsafe import Markup

    return Markup(script_json(value))  # noqa: S704 -- escaped for a script element that holds data


def _opening(report: RunReport, news: News) -> dict[str, Any]:
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
            "drift": [visible(text) for text in found.drift],
            "movements": [(visible(_marks(text)), tone) for text, tone in movements(found)],
            "gone": [
                visible(f"{word}: {listed([one_line(name, 120) for name in names])}")
                for word, names in (("vanished", found.vanished), ("no longer scored", found.unscored))
                if names
            ],
        }
    return {
        "changed": changed,
        "missed": [
            f"{_marks(item.label)} = {figures.number(item.value)} (must be {_marks(figures.limit_of(item))})"
            for item in gate.thresholds
            if item.outcome == "fail"
        ],
        "reasons": [visible(text) for text in gate.reasons if not figures.is_told(text, gate)],
        "all": [visible(text) for text in gate.reasons],
        "notes": [visible(text) for text in gate.notes],
    }


def _marks(text: str) -> str:
    return text.replace(">=", "\u2265").replace("<=", "\u2264")


def _suite(report: RunReport) -> dict[str, Any]:
    gate = report.gate
    found = gate.baseline if gate is not None else None
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
                "word": figures.OUTCOMES.get(item.outcome, item.outcome),
            }
            for item in (gate.thresholds if gate is not None else ())
        ],
        "comparison": [(visible(text), tone) for text, tone in comparison_lines(found)] if found else [],
        "left_out": [(name, visible(words)) for name, words in figures.left_out(report)],
        "problems": [
            *(visible(item.message) for item in report.run.problems[:MOST]),
            *([f"... and {left} more"] if (left := len(report.run.problems) - MOST) > 0 else []),
        ],
        "missing": [(visible(name), visible(why)) for name, why in report.run.missing.items()],
    }
