"""The review page: one file with old and new side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import resources
from typing import Any, NamedTuple

from pytest_grounding._jsonio import content_hash
from pytest_grounding._wording import decimals
from pytest_grounding.golden.changes import RULES
from pytest_grounding.golden.record import Golden
from pytest_grounding.golden.review import Item, counts
from pytest_grounding.golden.store import file_name
from pytest_grounding.model.verdict import ClaimVerdict
from pytest_grounding.reports.neutral import page_policy
from pytest_grounding.reports.review_text import changes_in_words, grade_of
from pytest_grounding.reports.terminal import safe
from pytest_grounding.reports.word_diff import marked

TEMPLATE = "review.html.jinja"
STYLE = "review.css"


class Part(NamedTuple):
    """A stretch of an answer; a claim's has its status, its grade and its number, other text has none."""

    text: str
    status: str = ""
    grade: str = ""


def render(items: Sequence[Item]) -> str:
    """The page over all candidates; it runs no script and asks nothing of any network."""
    from jinja2 import Environment, StrictUndefined  # deferred for cost: only the page needs it
    from markupsafe import Markup

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    page = environment.from_string(_part(TEMPLATE))
    style = _part(STYLE).rstrip("\n")
    anchors = _anchors(items)
    views = [_view(item, anchor) for item, anchor in zip(items, anchors, strict=True)]
    # The style comes from this package, and the policy of the page allows nothing but these very bytes.
    return page.render(
        items=views,
        counts=counts(items),
        policy=page_policy(style),
        style=Markup(style),  # noqa: S704
    )


def _part(name: str) -> str:
    return resources.files("pytest_grounding.reports").joinpath(name).read_text(encoding="utf-8")


def _anchors(items: Sequence[Item]) -> list[str]:
    """A name for each candidate that stays the same from page to page: that of its golden's file."""
    names = [f"c-{file_name(item.id)}" for item in items]
    several = {name for name, number in Counter(names).items() if number > 1}
    # Two folders may hold the same id; then the place tells them apart.
    return [
        f"{name}-{content_hash(item.place)[:8]}" if name in several else name
        for name, item in zip(names, items, strict=True)
    ]


def _view(item: Item, anchor: str) -> dict[str, Any]:
    record, golden = item.record, item.golden
    grades: dict[str, dict[int, str]] = {"old": {}, "new": {}}
    for found in record.changes:
        if found.about == "claim":
            if found.old_claim is not None:
                grades["old"][found.old_claim] = found.grade
            if found.new_claim is not None:
                grades["new"][found.new_claim] = found.grade
    candidate = record.candidate
    return {
        "anchor": anchor,
        "repaired": safe(record.repaired),
        "id": safe(item.id),
        "place": safe(item.place),
        "grade": grade_of(record, golden),
        "stale": safe(item.stale),
        "test": safe(record.test),
        "question": safe(candidate.transcript.question),
        "summary": changes_in_words(record, golden)
        if record.against is not None
        else f"a new recording, {candidate.verdict.status}",
        "old": _side(golden, grades["old"]) if golden is not None else None,
        "new": _side(candidate, grades["new"], known=golden),
        "changes": [_change(found.model_dump(), candidate.verdict.claims) for found in record.changes],
    }


def _change(value: dict[str, Any], claims: Sequence[ClaimVerdict]) -> dict[str, Any]:
    old, new = marked(safe(value["old"]), safe(value["new"]))
    details = [safe(text) for text in value["details"]]
    # A candidate may be of a later version, which knows more rules, or edited by hand.
    known = RULES.get(value["rule"])
    place = value["new_claim"]
    claim = claims[place] if place is not None and place < len(claims) else None
    near = [] if claim is None else [*(item.evidence for item in claim.conflicts), *claim.evidence]
    source = (safe(near[0].chunk_id), safe(near[0].text)) if near and value["about"] == "claim" else None
    shown = {
        "source": source,
        "rule": safe(value["rule"]),
        "when": known.when if known is not None else "an unknown rule",
    }
    return {**value, **shown, "message": safe(value["message"]), "old": old, "new": new, "details": details}


def _side(record: Golden, grades: dict[int, str], known: Golden | None = None) -> dict[str, Any]:
    """One recording; a chunk that the known one holds in the same words is not shown again."""
    verdict = record.verdict
    texts = {} if known is None else {chunk.id: chunk.text for chunk in known.transcript.chunks}
    return {
        "status": verdict.status,
        "confidence": decimals(verdict.confidence),
        "reason": safe(verdict.reason),
        "parts": list(parts_of(record.transcript.answer, verdict.claims, grades)),
        "claims": [
            {
                "text": safe(claim.text),
                "status": claim.status,
                "support": "not scored" if claim.support is None else f"{claim.support:.2f}",
                "evidence": [(safe(one.chunk_id), safe(one.text)) for one in claim.evidence[:2]],
            }
            for claim in verdict.claims
            if claim.checked
        ],
        "chunks": [
            {
                "id": safe(chunk.id),
                "score": "" if chunk.score is None else f"{chunk.score:.2f}",
                "text": safe(chunk.text),
                "is_same": texts.get(chunk.id) == chunk.text,
            }
            for chunk in record.transcript.chunks
        ],
    }


def parts_of(answer: str, claims: Sequence[ClaimVerdict], grades: dict[int, str]) -> Iterator[Part]:
    """The answer cut at its claims, in order and without a gap."""
    position = 0
    for claim in sorted(claims, key=lambda item: (item.start, -item.end)):
        if claim.start < position:
            continue  # inside of the one before
        if claim.start > position:
            yield Part(safe(answer[position : claim.start]))
        yield Part(safe(answer[claim.start : claim.end]), claim.status, grades.get(claim.index, "same"))
        position = claim.end
    if position < len(answer):
        yield Part(safe(answer[position:]))
