"""The list of the HTML report: one line a transcript, what the filters look at, and the buttons above it."""

from __future__ import annotations

from typing import Any

from pytest_grounding._wording import decimals, measured
from pytest_grounding.model.run import RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.reports.context import Context
from pytest_grounding.reports.faults import News
from pytest_grounding.reports.html_charts import Source, labels_of
from pytest_grounding.reports.judged import overruled
from pytest_grounding.reports.neutral import one_line

#: What the buttons show: key, words, and what they mean in words for a reader who hovers.
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

#: Those that are left out where nothing would be shown.
_RARE = frozenset({"waived", "overruled"})


def rows_of(
    verdicts: list[Verdict],
    anchors: list[str],
    report: RunReport,
    context: Context,
    sources: dict[str, Source],
    news: News,
) -> list[dict[str, Any]]:
    """One line a verdict, in their order, under the anchors of the same places."""
    numbers = {label: number for number, label in enumerate(sorted(sources))}
    return [
        _row(verdict, anchor, report, context, numbers, news)
        for verdict, anchor in zip(verdicts, anchors, strict=True)
    ]


def buttons_of(rows: list[dict[str, Any]], news: News) -> list[dict[str, Any]]:
    """The buttons above the list with how many rows each shows; one that makes no sense here is left out."""
    sizes = {key: sum(key in row["index"]["shown"] for row in rows) for key, _, _ in SHOWN}
    first = "need" if sizes["need"] else "all"
    return [
        {"key": key, "words": words, "title": title, "count": sizes[key], "pressed": key == first}
        for key, words, title in SHOWN
        if (key != "new" or news.has_baseline) and (key not in _RARE or sizes[key])
    ]


def waived_count(verdict: Verdict) -> int:
    """How many findings of a transcript a person overruled, whatever number of rules found one."""
    found = sum(any(part.waived is not None for part in finding.parts) for finding in verdict.findings)
    return found + (verdict.waived is not None)


def _row(
    verdict: Verdict,
    anchor: str,
    report: RunReport,
    context: Context,
    numbers: dict[str, int],
    news: News,
) -> dict[str, Any]:
    """One line of the list, and what the filters look at."""
    transcript = context.transcript(verdict)
    labels = labels_of(verdict.transcript_hash, context)
    cited = {
        numbers[label]
        for item in verdict.citations
        for identifier in (item.chunk_ids or ((item.chunk_id,) if item.chunk_id else ()))
        if (label := labels.get(identifier) or one_line(identifier)) in numbers
    }
    rules = sorted({one_line(item.rule) for item in verdict.causes})
    grave = [item for item in verdict.causes if item.severity != "info" and item.waived is None]
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
        "standing": _standing(verdict, news),
        "waived": waived,
        "question": one_line(question, 220) or one_line(verdict.reason, 220),
        "confidence": decimals(confidence),
        "meter": round(min(max(confidence or 0.0, 0.0), 1.0) * 100, 1),
        "claims": f"{len(checked) - len(verdict.hallucinated)}/{len(checked)}",
        "citations": f"{sum(item.valid for item in verdict.citations)}/{len(verdict.citations)}",
        "rules": sorted({one_line(item.rule) for item in grave}),
        "index": {
            "shown": shown,
            "rules": rules,
            "sources": sorted(cited),
            "text": one_line(" ".join(texts)).lower(),
        },
    }


def _standing(verdict: Verdict, news: News) -> str:
    """Against the baseline: new, known, repaired, or "" for what is as good as it was."""
    for word in ("new", "known", "repaired"):
        if verdict.id in getattr(news, word):
            return word
    return ""
