"""The report of a run as one HTML file that needs nothing else: no network, no server, no other file."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from itertools import chain, islice
from typing import Any

from pytest_grounding._wording import listed
from pytest_grounding.model.comparison import Comparison
from pytest_grounding.model.run import RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.reports import figures
from pytest_grounding.reports.comparison import movements
from pytest_grounding.reports.context import Context
from pytest_grounding.reports.faults import News, news_of
from pytest_grounding.reports.html_charts import (
    Source,
    histogram,
    interval,
    most_cited,
    sources_of,
)
from pytest_grounding.reports.html_rows import buttons_of, rows_of
from pytest_grounding.reports.html_view import detail
from pytest_grounding.reports.judged import overruled_figure
from pytest_grounding.reports.links import anchors_of
from pytest_grounding.reports.neutral import one_line, page_policy, script_json, visible
from pytest_grounding.reports.reported import said_by_pipelines

TEMPLATE = "report.html.jinja"
STYLE = "report.css"
SCRIPT = "report.js"
#: Runs in the head, before anything is drawn.
THEME = "theme.js"

#: Limits of the two charts: where a confidence is rejected and accepted, where support holds.
_CONFIDENCE = (0.4, 0.7)
_SUPPORT = (0.7, 0.8)


def render(report: RunReport, context: Context) -> str:
    """The page: what changed, the transcripts, the worst first, and then figures and charts."""
    from jinja2 import Environment, StrictUndefined  # deferred for cost: only the page needs it
    from markupsafe import Markup

    style, theme, script = _part(STYLE), _part(THEME), _part(SCRIPT)
    news = news_of(report)
    verdicts = _shown(report, news, context.settings.report_rows)
    sources = sources_of(verdicts, context)
    rules = sorted({one_line(item.rule) for verdict in verdicts for item in verdict.causes})
    rows = rows_of(verdicts, anchors_of(verdicts), report, context, sources, news)
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    page = environment.from_string(_part(TEMPLATE))
    # They come from this package, and the policy of the page lets nothing run but these very bytes.
    return page.render(
        style=Markup(style),  # noqa: S704
        theme=Markup(theme),  # noqa: S704
        script=Markup(script),  # noqa: S704
        policy=page_policy(style, theme, script),
        rows=rows,
        index=_data([row["index"] for row in rows]),
        details=[_data(detail(item, context.transcript(item), context.settings)) for item in verdicts],
        rules=rules,
        sources=sorted(sources),
        buttons=buttons_of(rows, news),
        opening=_opening(report, news),
        transcripts=len(report.transcripts),
        **_suite(report, sources, context.settings.report_rows),
    )


def _shown(report: RunReport, news: News, most: int) -> list[Verdict]:
    """The transcripts that need someone first: new ones, then the worst."""
    new = (item for item in figures.worst_first(report) if item.id in news.new) if news.new else ()
    rest = (item for item in figures.worst_first(report) if item.id not in news.new)
    return list(islice(chain(new, rest), most))


def _data(value: Any) -> Any:
    from markupsafe import Markup

    return Markup(script_json(value))  # noqa: S704 -- escaped for a script element that holds data


def _part(name: str) -> str:
    return resources.files("pytest_grounding.reports").joinpath(name).read_text(encoding="utf-8")


def _opening(report: RunReport, news: News) -> dict[str, Any]:
    """What stands above the list: what changed, the limits that were missed, and what nothing below says."""
    gate = report.gate
    if gate is None:
        return {"changed": None, "missed": [], "reasons": [], "all": [], "notes": []}
    found = gate.baseline
    changed = None
    if found is not None:
        changed = {
            "counts": [
                (word, len(ids))
                for word, ids in (("new", news.new), ("known", news.known), ("repaired", news.repaired))
            ],
            "findings": visible(news.line),
            "outcome": found.outcome,
            "drift": [visible(text) for text in found.drift],
            "movements": [(visible(_marks(text)), tone) for text, tone in movements(found)],
            "gone": [visible(f"{word}: {listed(names)}") for word, names in _gone(found)],
        }
    return {
        "changed": changed,
        "missed": [
            f"{_marks(item.label)} = {figures.value_of(item)} (must be {_marks(figures.limit_of(item))})"
            for item in gate.thresholds
            if item.outcome == "fail"
        ],
        "reasons": [visible(text) for text in gate.reasons if not figures.is_told(text, gate)],
        "all": [visible(text) for text in gate.reasons],
        "notes": [visible(text) for text in gate.notes],
    }


def _gone(found: Comparison) -> list[tuple[str, list[str]]]:
    lists = (("vanished", found.vanished), ("no longer scored", found.unscored))
    return [(word, [one_line(name, 120) for name in names]) for word, names in lists if names]


def _marks(text: str) -> str:
    """Our own words with the marks of comparison as a reader knows them."""
    return text.replace(">=", "\u2265").replace("<=", "\u2264")


def _suite(report: RunReport, sources: dict[str, Source], most: int) -> dict[str, Any]:
    """What the header and the sections below the list hold."""
    gate = report.gate
    claims = (claim for verdict in report.transcripts for claim in verdict.claims if claim.checked)
    return {
        "decision": figures.decision_of(report),
        "tally": figures.tally(report),
        "figures": [
            {
                "label": _marks(item.label),
                "value": figures.value_of(item),
                "limit": _marks(figures.limit_of(item)),
                "interval": figures.interval_of(item),
                "counted": f"{item.count} of {item.total}",
                "outcome": item.outcome,
                "word": figures.OUTCOMES.get(item.outcome, item.outcome),
                "line": interval(item),
            }
            for item in (gate.thresholds if gate is not None else ())
        ],
        "comparison": _comparison(gate.baseline, most) if gate is not None else None,
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
        "abstention": figures.abstentions(report),
        "left_out": figures.left_out(report),
        "said": said_by_pipelines(report.summary),
        "overruled": overruled_figure(report.summary),
        "problems": _first([visible(item.message) for item in report.run.problems], most),
        "missing": [(visible(name), visible(why)) for name, why in report.run.missing.items()],
    }


def _first(texts: Sequence[str], most: int) -> list[str]:
    """The first texts, and how many more there are."""
    more = [f"... and {len(texts) - most} more"] if len(texts) > most else []
    return [*texts[:most], *more]


def _comparison(found: Comparison | None, most: int) -> dict[str, Any] | None:
    """The run against its baseline: drift, figures, who changed; None where there is no baseline."""
    if found is None:
        return None
    ratchet = found.ratchet
    lists = (
        ("findings", [ratchet.line] if ratchet is not None else ()),
        ("not in the baseline", [item.said for item in ratchet.new] if ratchet is not None else ()),
        ("gone", [item.said for item in ratchet.gone] if ratchet is not None else ()),
        ("vanished", [f"{name}: {why}" for name, why in found.vanished.items()]),
        ("no longer scored", found.unscored),
        ("new", found.added),
        ("other content", found.changed),
    )
    moved = [
        *(("flipped", item) for item in found.flipped),
        *(("moved", item) for item in found.moved),
    ]
    return {
        "outcome": found.outcome,
        "policy": visible(found.policy),
        "pairs": found.pairs,
        "drift": [visible(text) for text in found.drift],
        "refresh": visible(found.refresh) if found.drift else "",
        "figures": [
            {
                "label": _marks(item.label),
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
            for word, item in moved[:most]
        ],
        "more": max(len(moved) - most, 0),
        "listed": [
            (word, _first([one_line(name, 200) for name in names], most)) for word, names in lists if names
        ],
    }
