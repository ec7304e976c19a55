"""The report of a run as one self-contained HTML file: no network, no server, no other file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from heapq import nsmallest
from typing import Any

from pytest_grounding._io.tables import rows_beside
from pytest_grounding._io.wording import beyond, listed, measured
from pytest_grounding.citations.naming import title_of
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.reports import escaping
from pytest_grounding.reports import figure_lines as figures
from pytest_grounding.reports.escaping import one_line, part_of_page
from pytest_grounding.reports.figure_lines import News
from pytest_grounding.reports.issues import words
from pytest_grounding.reports.page_data import detail
from pytest_grounding.reports.report_links import LinkContext, anchors_of
from pytest_grounding.reports.terminal import in_short, present

#: The buttons: key, label, and the explanation shown on hover.
SHOWN = rows_beside(__file__, "buttons.tsv")
_STANDINGS = ("new", "known", "fixed")  # how a transcript compares with the baseline
_RARE = frozenset({"waived", "overruled"})  # buttons left out if they would show nothing
#: Most transcripts on the page, worst first.
MOST = 500


def _gone(word: str, names: Iterable[str]) -> Iterator[str]:
    if names:
        yield f"{word}: {listed([one_line(name, 120) for name in names])}"


def _cited_sources(verdict: Verdict, context: LinkContext) -> set[str]:
    """The names of the sources that an answer cites."""
    transcript = context.transcript(verdict)
    chunks = () if transcript is None else transcript.chunks
    names = {chunk.id: one_line(title_of(chunk, context.settings), 80) for chunk in chunks}
    cited: set[str] = set()
    for item in verdict.citations:
        for identifier in item.chunk_ids or filter(None, (item.chunk_id,)):
            cited.add(names.get(identifier) or one_line(identifier))
    return cited


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
    verdict: Verdict,
    anchor: str,
    report: RunReport,
    context: LinkContext,
    numbers: dict[str, int],
    news: News,
) -> dict[str, Any]:
    transcript = context.transcript(verdict)
    rules = sorted({one_line(item.rule) for item in verdict.causes})
    claim = wrong = ""
    for fault in verdict.faults[:1]:
        claim, wrong = words(verdict, fault), in_short(verdict, fault)
    if not wrong and (changes := report.run.goldens.get(verdict.id)):
        claim, wrong = changes[0].new, changes[0].message
    texts = [verdict.id, verdict.reason, *(item.message for item in verdict.causes)]
    if transcript is not None:
        texts += [transcript.question, transcript.answer]
    else:
        texts.extend(item.text for item in verdict.claims)
    checked = [item for item in verdict.claims if item.checked]
    # One finding by several rules counts once.
    waived = len(list(figures.waived_in(verdict)))
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
        "of": verdict,
        "standing": next((word for word in _STANDINGS if verdict.id in getattr(news, word)), ""),
        "waived": waived,
        "question": one_line(getattr(transcript, "question", ""), 220) or one_line(verdict.reason, 220),
        "meter": round(min(max(measured(verdict.confidence) or 0.0, 0.0), 1.0) * 100, 1),
        "claims": f"{len(checked) - len(verdict.hallucinated)}/{len(checked)}",
        "valid": sum(item.valid for item in verdict.citations),
        "wrong": one_line(wrong, 200),
        "before": one_line(figures.sentence_before(report, verdict, claim), 200),
        "index": {
            "shown": shown,
            "rules": rules,
            "sources": sorted(map(numbers.__getitem__, _cited_sources(verdict, context))),
            "text": one_line(" ".join(texts)).lower(),
        },
    }


def render_page(report: RunReport, context: LinkContext) -> str:
    """The page: what changed, the transcripts (worst first), then figures and charts."""
    from markupsafe import Markup

    # The theme script runs in the head, before anything is drawn.
    style, theme, script = map(part_of_page, ("report.css", "theme.js", "report.js"))
    news = figures.news_of(report)
    verdicts = nsmallest(MOST, figures.worst_first(report), key=lambda item: item.id not in news.new)
    sources = sorted(set[str]().union(*(_cited_sources(item, context) for item in verdicts)))
    rules = sorted({one_line(item.rule) for verdict in verdicts for item in verdict.causes})
    numbers = {label: number for number, label in enumerate(sources)}
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
        sources=sources,
        buttons=buttons_of(rows, news),
        opening=_opening_data(report, news),
        transcripts=len(report.transcripts),
        **_suite(report),
    )
    return page


def _data(value: Any) -> Any:
    from markupsafe import Markup

    data = escaping.script_json(escaping.all_visible(value))
    return Markup(data)  # noqa: S704 -- escaped for a script element that holds data


def _opening_data(report: RunReport, news: News) -> dict[str, Any]:
    gate = report.gate
    if gate is None:
        return {"changed": None, "missed": [], "reasons": [], "all": [], "notes": []}
    found = gate.baseline
    changed = None
    if found is not None:
        changed = {
            "counts": [(word, len(getattr(news, word))) for word in _STANDINGS],
            "findings": news.line,
            "outcome": found.outcome,
            "is_measured": bool(found.figures),
            "drift": found.drift,
            "movements": [(_marks(text), tone) for text, tone in figures.movements(found)],
            "gone": [*_gone("vanished", found.vanished), *_gone("no longer scored", found.unscored)],
        }
    return {
        "changed": changed,
        "missed": list(map(_marks, figures.missed(gate))),
        "reasons": [text for text in gate.reasons if not figures.is_given(text, gate)],
        "all": gate.reasons,
        "notes": gate.notes,
    }


def _marks(text: str) -> str:
    return text.replace(">=", "\u2265").replace("<=", "\u2264")


def _suite(report: RunReport) -> dict[str, Any]:
    problems = report.run.problems
    compared = figures.comparison_lines(report.comparison) if report.comparison is not None else ()
    return {
        "decision": figures.decision_of(report),
        "tally": figures.tally(report),
        "figures": [
            {
                "label": _marks(item.label),
                "value": figures.number(item.value),
                "limit": _marks(figures.limit_in_words(item)),
                "interval": figures.interval_of(item),
                "counted": f"{item.count} of {item.total}",
                "outcome": item.outcome,
                "word": figures.outcome_words(item, report),
            }
            for item in report.thresholds
        ],
        "comparison": list(compared),
        "left_out": figures.not_counted(report),
        "most_cited": report.summary.most_cited if report.summary is not None else (),
        "problems": present(*(item.message for item in problems[:MOST]), beyond(problems, MOST)),
        "missing": report.run.missing.items(),
    }
