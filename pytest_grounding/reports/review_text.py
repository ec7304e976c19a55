"""Changes against a golden as lines for people: plain, or old and new side by side."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from typing import TextIO

from pytest_grounding._wording import decimals
from pytest_grounding.golden.changes import GRADES, Change
from pytest_grounding.golden.record import Golden, Pending
from pytest_grounding.reports.terminal import Line, claim_lines, quoted, safe
from pytest_grounding.reports.word_diff import cut, diff_lines

TONES = {"regression": "bad", "improvement": "good", "neutral": "", "new": "warn"}

#: Columns from which old and new stand side by side.
WIDE = 100
#: Characters of a line where no terminal says how many fit.
_NO_TERMINAL = 160


def count_words(changes: Sequence[Change]) -> str:
    """How many changes of each grade, in words."""
    grades = [item.grade for item in changes]
    named = []
    for grade in GRADES:
        number = grades.count(grade)
        if number:
            word = f"{grade} change" if grade == "neutral" else grade
            named.append(f"{number} {word}{'s' if number > 1 else ''}")
    return ", ".join(named) or "no change"


def change_lines(item: Change, *, width: int = 0, colour: bool = False) -> Iterator[Line]:
    """One change: its grade and rule, what it is, the words before and after."""
    yield Line(f"{item.grade}: {item.about}: {safe(item.message)} [{item.rule}]", TONES[item.grade])
    if item.old and item.new and width:
        found = diff_lines(item.old, item.new, width=width, wide=WIDE, colour=colour)
        yield from (Line(text) for text in found)
    else:
        if item.old:
            yield Line(f"    old: {quoted(item.old, ' ' * 9)}")
        if item.new:
            yield Line(f"    new: {quoted(item.new, ' ' * 9)}")
    for detail in item.details:
        yield Line(f"    - {_one_line(detail)}")


def width_of(stream: TextIO) -> int:
    """Columns of the terminal behind a stream; 0 where it is none."""
    return shutil.get_terminal_size().columns if stream.isatty() else 0


def graded_list(changes: Sequence[Change], *, width: int = 0) -> Iterator[Line]:
    """One line a change, the gravest first, as long as the terminal is wide; a page's width without one."""
    for item in changes:
        words = item.new or item.old
        about = f": {_one_line(words)}" if words and item.about in ("claim", "citation", "chunk") else ""
        text = f"  {item.grade:<11}  {item.about}: {_one_line(item.message)}{about}"
        yield Line(cut(text, width or _NO_TERMINAL), TONES[item.grade])


def grade_of(record: Pending, golden: Golden | None) -> str:
    """The grade of a candidate; one that is decided worse than what was accepted is never neutral."""
    ranks = ("pass", "review", "reject")
    new = ranks.index(record.candidate.verdict.status)
    is_worse = golden is not None and new > ranks.index(golden.verdict.status)
    return "regression" if is_worse and record.grade == "neutral" else str(record.grade)


def changes_in_words(record: Pending, golden: Golden | None) -> str:
    """How many changes of each grade; that the decision is worse, where none of them says so."""
    is_worse = grade_of(record, golden) != record.grade
    return f"{'worse decision, ' if is_worse else ''}{count_words(record.changes)}"


def head_line(record: Pending, golden: Golden | None) -> Line:
    """Which recording it is, and what became of its decision and confidence."""
    new = record.candidate.verdict
    name = quoted(record.candidate.id)
    if golden is None or record.against is None:
        text = f"{name}: new recording, {new.status} (confidence {decimals(new.confidence)})"
        return Line(text, TONES["new"])
    old = golden.verdict
    step = f"{old.status} {decimals(old.confidence)} -> {new.status} {decimals(new.confidence)}"
    if record.repaired:
        text = f"{name}: repaired ({safe(record.repaired)}), {count_words(record.changes)} ({step})"
        return Line(text, "good")
    return Line(f"{name}: {changes_in_words(record, golden)} ({step})", TONES[grade_of(record, golden)])


def record_lines(
    record: Pending, golden: Golden | None, *, width: int = 0, colour: bool = False
) -> Iterator[Line]:
    """A whole candidate: what it is, the graded list, then each change in full; or the new recording."""
    yield head_line(record, golden)
    yield Line(f"question: {quoted(record.candidate.transcript.question, ' ' * 10)}")
    if record.against is None:
        yield Line(f"answer:   {quoted(record.candidate.transcript.answer, ' ' * 10)}")
        for claim in record.candidate.verdict.claims:
            tone = "bad" if claim.status in ("unsupported", "contradicted") else ""
            yield Line(f"  {claim.status}: {_one_line(claim.text)}", tone)
        return
    yield from graded_list(record.changes, width=width)
    for item in record.changes:
        if item.grade != "neutral" or item.about in ("claim", "engine", "settings"):
            yield Line("")
            yield from change_lines(item, width=width, colour=colour)


def evidence_lines(record: Pending, golden: Golden | None) -> Iterator[Line]:
    """The evidence of every claim that changed, before and after; of all claims of a new recording."""
    new, old = record.candidate, golden
    if record.against is None:
        pairs: list[tuple[int | None, int | None]] = [(None, claim.index) for claim in new.verdict.claims]
    else:
        pairs = [(item.old_claim, item.new_claim) for item in record.changes if item.about == "claim"]
    if not pairs:
        yield Line("no claim changed, so there is no evidence to show")
    for before, after in pairs:
        yield Line("")
        if before is not None and old is not None and before < len(old.verdict.claims):
            yield Line("accepted:", "head")
            found = claim_lines(old.verdict.claims[before], old.transcript)
            yield from (Line(f"  {text}") for text in found)
        if after is not None and after < len(new.verdict.claims):
            yield Line("new:", "head")
            found = claim_lines(new.verdict.claims[after], new.transcript)
            yield from (Line(f"  {text}") for text in found)


def _one_line(text: str) -> str:
    return " ".join(safe(text).split())
