"""Changes against a golden, for people: lines of a terminal, and a page with old and new side by side."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from pytest_grounding._io.wording import counted, decimals, if_known, one_line
from pytest_grounding.golden.golden_file import GRADES, RULES, Golden, Pending
from pytest_grounding.golden.golden_policy import Item, counts_by_grade
from pytest_grounding.model.comparison import Change
from pytest_grounding.model.finding import HALLUCINATED
from pytest_grounding.model.verdict import ClaimVerdict
from pytest_grounding.reports.escaping import page_policy, page_template, part_of_page
from pytest_grounding.reports.terminal import TerminalLine, quoted, safe

TONES = {"regression": "bad", "reworded": "warn", "improvement": "good", "neutral": "", "new": "warn"}
_LONGEST = 20_000  # comparing words is quadratic at worst; longer texts are shown without marks
_NO_TERMINAL = 160  # characters per line if output is not a terminal


def count_words(changes: Sequence[Change]) -> str:
    """How many changes of each grade, in words."""
    numbers = Counter(item.grade for item in changes)
    nouns = {"neutral": "neutral change", "reworded": "reworded claim"}
    named = [counted(numbers[grade], nouns.get(grade, grade)) for grade in GRADES if numbers[grade]]
    return ", ".join(named) or "no change"


def change_lines(item: Change) -> Iterator[TerminalLine]:
    """One change: its grade and rule, its message, the words before and after."""
    yield TerminalLine(f"{item.grade}: {item.about}: {safe(item.message)} [{item.rule}]", TONES[item.grade])
    if item.old:
        yield TerminalLine(f"    old: {quoted(item.old, 9)}")
    if item.new:
        yield TerminalLine(f"    new: {quoted(item.new, 9)}")
    for detail in item.details:
        yield TerminalLine(f"    - {one_line(safe(detail))}")
    if item.source:
        yield TerminalLine(f"    source: {quoted(item.source, 12)}")


def commands(record: Pending) -> dict[str, str]:
    """The command that accepts a candidate, and the one that rejects it."""
    reason = " --reason WHY" if record.grade == "regression" else ""
    name = shlex.quote(safe(record.candidate.id))
    review = "pytest-grounding review"
    return {"accept": f"{review} accept {name}{reason}", "reject": f"{review} reject {name} --reason WHY"}


def graded_list(changes: Sequence[Change], *, width: int = 0) -> Iterator[TerminalLine]:
    """One line per change, most severe first, cut to the width of the terminal or of a page."""
    for item in changes:
        text = f"  {item.grade:<11}  {item.about}: {one_line(safe(item.message))}"
        if item.about in ("claim", "citation", "chunk"):
            text += if_known(": {}", one_line(safe(item.new or item.old)))
        longest = width or _NO_TERMINAL
        if len(text) > longest:
            text = f"{text[: longest - 3].rstrip()}..."
        yield TerminalLine(text, TONES[item.grade])


def grade_of_candidate(record: Pending, golden: Golden | None) -> str:
    """The grade of a candidate; it is never neutral if its decision is worse than the accepted one."""
    ranks = ("pass", "review", "reject")
    new = ranks.index(record.candidate.verdict.status)
    is_worse = golden is not None and new > ranks.index(golden.verdict.status)
    if is_worse and record.grade == "neutral":
        return "regression"
    return str(record.grade)


def changes_in_words(record: Pending, golden: Golden | None) -> str:
    """How many changes of each grade; also that the decision is worse, if no change is graded so."""
    numbers = count_words(record.changes)
    if grade_of_candidate(record, golden) != record.grade:
        return f"worse decision, {numbers}"
    return numbers


def head_line(record: Pending, golden: Golden | None) -> TerminalLine:
    """The name of the recording, and how its decision and confidence changed."""
    new = record.candidate.verdict
    name = quoted(record.candidate.id)
    if golden is None or record.against is None:
        text = f"{name}: new recording, {new.status} (confidence {decimals(new.confidence)})"
        return TerminalLine(text, TONES["new"])
    old = golden.verdict
    step = f"{old.status} {decimals(old.confidence)} -> {new.status} {decimals(new.confidence)}"
    text = f"{name}: {changes_in_words(record, golden)} ({step})"
    return TerminalLine(text, TONES[grade_of_candidate(record, golden)])


def record_lines(record: Pending, golden: Golden | None, *, width: int = 0) -> Iterator[TerminalLine]:
    """A whole candidate: its head line, the graded list, then each change in full; or the new recording."""
    yield head_line(record, golden)
    yield TerminalLine(f"question: {quoted(record.candidate.transcript.question, 10)}")
    if record.against is None:
        yield TerminalLine(f"answer:   {quoted(record.candidate.transcript.answer, 10)}")
        for claim in record.candidate.verdict.claims:
            tone = "bad" if claim.status in HALLUCINATED else ""
            yield TerminalLine(f"  {claim.status}: {one_line(safe(claim.text))}", tone)
        return
    yield from graded_list(record.changes, width=width)
    for item in record.changes:
        if item.grade != "neutral" or item.about in ("claim", "engine", "settings"):
            yield TerminalLine("")
            yield from change_lines(item)


@dataclass(frozen=True, slots=True)
class DiffPiece:
    """A piece of a text, and whether only this text contains it."""

    text: str
    is_changed: bool


def marked_words(old: str, new: str) -> tuple[list[DiffPiece], list[DiffPiece]]:
    """Compare two texts word by word, as pieces; those in only one of them are marked."""
    if not old or not new or len(old) + len(new) > _LONGEST:
        return _not_empty([DiffPiece(old, False)]), _not_empty([DiffPiece(new, False)])
    left, right = (re.findall(r"\w+|\s+|[^\w\s]", text) for text in (old, new))
    before: list[DiffPiece] = []
    after: list[DiffPiece] = []
    for kind, i, j, k, m in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        before.append(DiffPiece("".join(left[i:j]), kind != "equal"))
        after.append(DiffPiece("".join(right[k:m]), kind != "equal"))
    return _not_empty(before), _not_empty(after)


def _not_empty(pieces: list[DiffPiece]) -> list[DiffPiece]:
    return [piece for piece in pieces if piece.text]


@dataclass(frozen=True, slots=True)
class ReviewPart:
    """A piece of an answer; a claim has a status, a grade and a number, other text has none."""

    text: str
    status: str = ""
    grade: str = ""


def render_review(items: Sequence[Item]) -> str:
    """The page of all candidates; it runs no scripts and uses no network."""
    from markupsafe import Markup

    style = part_of_page("review.css").rstrip("\n")
    views = [_view(item, f"c-{number}") for number, item in enumerate(items, start=1)]
    # The style is part of this package, and the content security policy allows exactly these bytes.
    given = {"items": views, "counts": counts_by_grade(items), "policy": page_policy(style)}
    page: str = page_template("review.html.jinja", safe).render(style=Markup(style), **given)  # noqa: S704
    return page


def _view(item: Item, anchor: str) -> dict[str, Any]:
    record, golden = item.record, item.golden
    grades: dict[str, dict[int, str]] = {"old": {}, "new": {}}
    for found in record.changes:
        for side, claim in (("old", found.old_claim), ("new", found.new_claim)):
            if found.about == "claim" and claim is not None:
                # What was accepted is marked, and not judged.
                grades[side][claim] = "changed" if side == "old" else found.grade
    candidate = record.candidate
    summary = f"a new recording, {candidate.verdict.status}"
    if record.against is not None:
        summary = changes_in_words(record, golden)
    return {
        "anchor": anchor,
        "item": item,
        "grade": grade_of_candidate(record, golden),
        "summary": summary,
        "old": None if golden is None else _side(golden, grades["old"]),
        "new": _side(candidate, grades["new"], known=golden),
        "commands": commands(record).values(),
        "changes": list(map(_change_data, record.changes)),
    }


def _change_data(found: Change) -> dict[str, Any]:
    old, new = marked_words(safe(found.old), safe(found.new))
    # A candidate may be from a later version with more rules, or edited by hand.
    known = RULES.get(found.rule)
    return {
        "of": found,
        "when": known.when if known is not None else "an unknown rule",
        "old": old,
        "new": new,
    }


def _side(record: Golden, grades: dict[int, str], known: Golden | None = None) -> dict[str, Any]:
    verdict, chunks = record.verdict, () if known is None else known.transcript.chunks
    return {
        "verdict": verdict,
        "parts": list(review_parts(record.transcript.answer, verdict.claims, grades)),
        "claims": [claim for claim in verdict.claims if claim.checked],
        "chunks": record.transcript.chunks,
        "known": {chunk.id: chunk.text for chunk in chunks},
    }


def review_parts(answer: str, claims: Sequence[ClaimVerdict], grades: dict[int, str]) -> Iterator[ReviewPart]:
    """The answer split at its claims, in order and without gaps."""
    position = 0
    for claim in sorted(claims, key=lambda item: (item.start, -item.end)):
        if claim.start < position:
            continue  # inside the previous one
        if claim.start > position:
            yield ReviewPart(answer[position : claim.start])
        yield ReviewPart(answer[claim.start : claim.end], claim.status, grades.get(claim.index, "same"))
        position = claim.end
    if position < len(answer):
        yield ReviewPart(answer[position:])
