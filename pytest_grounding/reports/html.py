"""The report of a run as one HTML file that needs nothing else: no network, no server, no other file."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from typing import Any

from pytest_grounding.model.comparison import Comparison
from pytest_grounding.model.run import RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.reports import figures
from pytest_grounding.reports.context import Context
from pytest_grounding.reports.html_charts import (
    Source,
    histogram,
    interval,
    labels_of,
    most_cited,
    sources_of,
)
from pytest_grounding.reports.html_view import detail
from pytest_grounding.reports.neutral import one_line, script_json, visible

TEMPLATE = "report.html.jinja"
STYLE = "report.css"
SCRIPT = "report.js"

#: Limits of the two charts: where a confidence is rejected and accepted, where support holds.
_CONFIDENCE = (0.4, 0.7)
_SUPPORT = (0.7, 0.8)


def render(report: RunReport, context: Context) -> str:
    """The page: the suite's figures, charts, and every transcript, the worst first.

    A row holds what a list needs; the rest of a transcript is data of the page, in a script element that
    no browser runs, and is drawn when the row is opened.
    """
    from jinja2 import Environment, StrictUndefined  # deferred for cost: only the page needs it
    from markupsafe import Markup

    style, script = _part(STYLE), _part(SCRIPT)
    sources = sources_of(report, context)
    verdicts = figures.worst_first(report)
    rules = sorted({one_line(item.rule) for verdict in verdicts for item in verdict.causes})
    rows = [_row(verdict, report, context, sources) for verdict in verdicts]
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    page = environment.from_string(_part(TEMPLATE))
    # Both come from this package, and the policy of the page lets nothing run but these very bytes.
    return page.render(
        style=Markup(style),  # noqa: S704
        script=Markup(script),  # noqa: S704
        policy=_policy(style, script),
        rows=rows,
        index=_data([row["index"] for row in rows]),
        details=[_data(detail(item, context.transcript(item))) for item in verdicts],
        rules=rules,
        sources=sorted(sources),
        **_suite(report, sources),
    )


def _data(value: Any) -> Any:
    from markupsafe import Markup

    return Markup(script_json(value))  # noqa: S704 -- escaped for a script element that holds data


def _part(name: str) -> str:
    return resources.files("pytest_grounding.reports").joinpath(name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """What the page may do: apply this style, run this script, and nothing else."""
    # The template puts a line feed on both sides of either.
    hashes = [
        base64.b64encode(hashlib.sha256(f"\n{text}\n".encode()).digest()).decode() for text in (style, script)
    ]
    return (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _suite(report: RunReport, sources: dict[str, Source]) -> dict[str, Any]:
    """What stands above the transcripts."""
    gate, summary = report.gate, report.summary
    claims = [claim for verdict in report.transcripts for claim in verdict.claims if claim.checked]
    return {
        "decision": figures.decision_of(report),
        "tally": figures.tally(report),
        "reasons": [visible(text) for text in (gate.reasons if gate is not None else ())],
        "notes": [visible(text) for text in (gate.notes if gate is not None else ())],
        "figures": [
            {
                "label": item.label.replace(">=", "\u2265"),
                "value": figures.value_of(item),
                "limit": figures.limit_of(item).replace(">=", "\u2265").replace("<=", "\u2264"),
                "interval": figures.interval_of(item),
                "counted": f"{item.count} of {item.total}",
                "outcome": item.outcome,
                "word": figures.OUTCOMES.get(item.outcome, item.outcome),
                "line": interval(item),
            }
            for item in (gate.thresholds if gate is not None else ())
        ],
        "comparison": _comparison(gate.baseline) if gate is not None else None,
        "charts": [
            histogram(
                "Confidence of the answers",
                "answers",
                (item.confidence for item in report.transcripts),
                _CONFIDENCE,
            ),
            histogram("Support of the claims", "claims", (item.support for item in claims), _SUPPORT),
        ],
        "cited": most_cited(sources),
        "source_count": len(sources),
        "left_out": figures.left_out(report),
        "problems": [visible(item.message) for item in report.run.problems],
        "missing": [(visible(name), visible(why)) for name, why in report.run.missing.items()],
        "statuses": [
            ("reject", summary.rejected if summary is not None else 0),
            ("review", summary.review if summary is not None else 0),
            ("pass", summary.passed if summary is not None else 0),
        ],
    }


def _comparison(found: Comparison | None) -> dict[str, Any] | None:
    """The run against its baseline: drift, figures, who changed; None where there is no baseline."""
    if found is None:
        return None
    ratchet = found.ratchet
    listed = (
        ("findings", [ratchet.line] if ratchet is not None else ()),
        ("not in the baseline", [item.said for item in ratchet.new] if ratchet is not None else ()),
        ("gone", [item.said for item in ratchet.gone] if ratchet is not None else ()),
        ("vanished", [f"{name}: {why}" for name, why in found.vanished.items()]),
        ("no longer scored", found.unscored),
        ("new", found.added),
        ("other content", found.changed),
    )
    return {
        "outcome": found.outcome,
        "policy": visible(found.policy),
        "pairs": found.pairs,
        "drift": [visible(text) for text in found.drift],
        "refresh": visible(found.refresh) if found.drift else "",
        "figures": [
            {
                "label": item.label.replace(">=", "\u2265"),
                "cells": [
                    figures.number(item.before),
                    figures.number(item.after),
                    figures.signed(item.drop),
                    "-" if item.low is None else f"{figures.signed(item.low)} to {figures.signed(item.high)}",
                    figures.number(item.p_value),
                ],
                "outcome": item.outcome,
            }
            for item in found.figures
        ],
        "differences": [
            {
                "word": f"{word} to the {'worse' if item.is_worse else 'better'}",
                "is_worse": item.is_worse,
                "id": one_line(item.id),
                "way": f"{item.before} to {item.after}" if item.before != item.after else item.after,
                "why": one_line(item.why, 300),
            }
            for word, items in (("flipped", found.flipped), ("moved", found.moved))
            for item in items
        ],
        "listed": [(word, [one_line(name, 200) for name in names]) for word, names in listed if names],
    }


def _row(verdict: Verdict, report: RunReport, context: Context, sources: dict[str, Source]) -> dict[str, Any]:
    """One line of the list, and what the filters look at."""
    transcript = context.transcript(verdict)
    labels = labels_of(verdict.transcript_hash, context)
    numbers = {label: number for number, label in enumerate(sorted(sources))}
    cited = {
        numbers[label]
        for item in verdict.citations
        for identifier in (item.chunk_ids or ((item.chunk_id,) if item.chunk_id else ()))
        if (label := labels.get(identifier) or one_line(identifier)) in numbers
    }
    rules = sorted({one_line(item.rule) for item in verdict.causes})
    grave = sorted({one_line(item.rule) for item in verdict.causes if item.severity != "info"})
    question = transcript.question if transcript is not None else ""
    texts = [verdict.id, question, transcript.answer if transcript is not None else "", verdict.reason]
    texts += [item.text for item in verdict.claims] if transcript is None else []
    texts += [item.message for item in verdict.causes]
    confidence = verdict.confidence
    known = confidence == confidence
    checked = [item for item in verdict.claims if item.checked]
    return {
        "id": one_line(verdict.id),
        "status": verdict.status,
        "failed": verdict.id in report.run.failed,
        "question": one_line(question, 220) or one_line(verdict.reason, 220),
        "confidence": f"{confidence:.2f}" if known else "none",
        "meter": round(min(max(confidence, 0.0), 1.0) * 100, 1) if known else 0,
        "claims": f"{len(checked) - len(verdict.hallucinated)}/{len(checked)}",
        "citations": f"{sum(item.valid for item in verdict.citations)}/{len(verdict.citations)}",
        "rules": grave,
        "index": {
            "status": verdict.status,
            "rules": rules,
            "sources": sorted(cited),
            "text": one_line(" ".join(texts)).lower(),
        },
    }
