"""The content of a golden, the kinds of changes between two goldens, and how their claims are paired."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from pydantic import ValidationError

from pytest_grounding._io.jsonio import canonical_document, content_hash, parse_json
from pytest_grounding._io.tables import rows_beside
from pytest_grounding.claims.clauses import blank_markers
from pytest_grounding.errors import InputError
from pytest_grounding.model.base import Model
from pytest_grounding.model.comparison import Change, Grade
from pytest_grounding.model.finding import BACKED
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import ClaimVerdict, Verdict
from pytest_grounding.reading.words import tokenize

_R = TypeVar("_R", "Golden", "Pending")

GRADES: tuple[Grade, ...] = ("regression", "reworded", "improvement", "neutral")
#: Rules about the tools rather than the program under test.
TOOL_RULES = ("engine_changed", "settings_changed")
#: Rules that leave the answer unchanged: only other parts of the recording changed.
BESIDE_RULES = frozenset(
    """chunk_new chunk_gone chunk_edited chunk_renamed chunks_reranked chunks_rescored recording_changed
    engine_changed settings_changed""".split()
)
_RESTORE = "restore it from version control, or accept the recording anew with --grounding-golden=update"
#: Share of common words (Dice) from which two claims are the same without further evidence.
SAME_WORDS = 0.5
#: The same if both are supported by the same sentence of a source.
SAME_WORDS_SAME_EVIDENCE = 0.2
# A word in more claims than this does not distinguish them; the limit keeps the work linear.
_MOST_POSTINGS = 40


@dataclass(frozen=True, slots=True)
class ChangeRule:
    """The grade of a rule, when it applies, and its message for a claim, with both statuses."""

    grade: Grade
    when: str
    message: str = ""


RULES: dict[str, ChangeRule] = {
    name: ChangeRule(cast(Grade, grade), when, message)
    for name, grade, message, when in rows_beside(__file__, "changes.tsv")
}


def change(
    about: str,
    rule: str,
    message: str,
    *,
    claims: tuple[int | None, int | None] = (None, None),
    details: Iterable[str] = (),
    **texts: str,
) -> Change:
    """A change with the grade of its rule; an unknown rule is a KeyError. ``texts`` are old, new, source."""
    place = {"old_claim": claims[0], "new_claim": claims[1], "details": tuple(details)}
    return Change(about=about, rule=rule, grade=RULES[rule].grade, message=message, **place, **texts)


def backing_of(claim: ClaimVerdict) -> str:
    """The chunk and the sentence that contradicts a claim, or else that it rests on; "" without one."""
    near = [*(item.evidence for item in claim.conflicts), *claim.evidence]
    return f"{near[0].chunk_id}: {near[0].text}" if near else ""


def ordered_changes(changes: Iterable[Change]) -> tuple[Change, ...]:
    """By grade, regressions first; otherwise in the given order."""
    return tuple(sorted(changes, key=lambda item: GRADES.index(item.grade)))


def grade_of(changes: Iterable[Change]) -> Grade:
    """The overall grade: that of the gravest change."""
    grades = {item.grade for item in changes}
    return next((grade for grade in GRADES if grade in grades), "neutral")


class Golden(Model):
    """An accepted recording and its verdict."""

    schema_version: Literal[1] = 1
    id: str
    engine_version: str
    settings_hash: str
    transcript: Transcript
    verdict: Verdict

    @classmethod
    def of(cls, transcript: Transcript, verdict: Verdict, name: str = "") -> Golden:
        """A recording with its verdict, without the place it was read from."""
        nowhere = dict.fromkeys(("source", "line", "answer_line", "recorded_on"))
        return cls(
            id=name or transcript.id,
            engine_version=verdict.engine_version,
            settings_hash=verdict.settings_hash,
            transcript=transcript,
            verdict=verdict.model_copy(update=nowhere),
        )

    @property
    def hash(self) -> str:
        """Hash of the whole content, 64 hexadecimal digits."""
        return content_hash(without_nulls(self.model_dump(mode="json")))


class Pending(Model):
    """A candidate that waits for review."""

    schema_version: Literal[1] = 1
    candidate: Golden
    against: str | None = None
    changes: tuple[Change, ...] = ()
    test: str = ""
    waits: bool = True

    @property
    def grade(self) -> Grade | Literal["new"]:
        """The grade of all changes together; ``new`` if nothing was accepted before."""
        return "new" if self.against is None else grade_of(self.changes)

    @property
    def only_tools(self) -> bool:
        """Whether nothing changed but the engine or the settings."""
        return bool(self.changes) and all(item.rule in TOOL_RULES for item in self.changes)


def golden_text(record: Golden | Pending) -> str:
    """The document of a record, with its hash; nulls are left out."""
    value = without_nulls(record.model_dump(mode="json"))
    return canonical_document({**value, "hash": content_hash(value)})


def without_nulls(value: Any) -> Any:
    """Plain data without members that are null; nulls in lists remain."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, (list, tuple)):
        return list(map(without_nulls, value))
    return value


def read_golden(path: Path) -> Golden:
    """Read an accepted recording."""
    return _read_golden(path, Golden, _RESTORE)


def read_pending(path: Path) -> Pending:
    """Read a candidate."""
    return _read_golden(path, Pending, "delete it and run the tests again")


def _read_golden(path: Path, model: type[_R], what_to_do: str) -> _R:
    place = shown_path(path)

    def wrong(problem: str, line: int | None = None) -> InputError:
        return InputError(problem, path=place, line=line, hint=what_to_do)

    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise wrong(f"cannot be read ({error.strerror or error})") from None
    except UnicodeDecodeError:
        raise wrong("is damaged: it is not UTF-8 text") from None
    if any(line.startswith(("<<<<<<< ", ">>>>>>> ")) for line in text.splitlines()):
        raise wrong("contains the marks of a merge conflict: two branches changed the same golden")
    try:
        value = parse_json(text)
    except InputError as error:
        raise wrong(f"is damaged: {error.field or 'it'} {error.problem}", error.line) from None
    if not isinstance(value, dict) or "hash" not in value:
        raise wrong("is damaged: it is not a golden record")
    sealed = value.pop("hash")
    if value.get("schema_version") not in (None, 1):
        raise wrong(f"has schema_version {value['schema_version']!r}, which this version does not know")
    if content_hash(value) != sealed:
        raise wrong("was changed by hand: its content does not fit its hash")
    try:
        return _validated(model, value)
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"]))
        raise wrong(f"was written by another version of pytest-grounding (field {where})") from None


def _validated(model: type[_R], value: Any) -> _R:
    """Validate data whose nulls were left out, and restore those that the model requires."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        lacking = [found["loc"] for found in error.errors(include_url=False) if found["type"] == "missing"]
        if not lacking:
            raise
    for *steps, name in lacking:
        holder = value
        for step in steps:
            holder = holder[step]
        holder[name] = None
    return model.model_validate(value)


def shown_path(path: Path) -> str:
    """A path for display: relative to the current folder if possible, with forward slashes."""
    try:
        return Path(os.path.relpath(path)).as_posix()
    except ValueError:  # another drive
        return path.as_posix()


@dataclass(frozen=True, slots=True)
class Side:
    """One claim of one of the two answers, with its parts."""

    claim: ClaimVerdict
    text: str
    stems: frozenset[str]
    numbers: frozenset[str]
    evidence: tuple[str, ...]
    place: float

    @property
    def is_supported(self) -> bool:
        """Whether it counts as supported, by its sources or because its finding was waived."""
        return self.claim.status in BACKED or self.is_waived

    @property
    def is_waived(self) -> bool:
        """Whether a finding on it was waived."""
        return self.claim.waived is not None


def folded(text: str) -> str:
    """The text in lower case, with single blanks."""
    return " ".join(text.casefold().split())


def sides(record: Golden, language: str) -> list[Side]:
    """The checked claims of an answer, with their parts."""
    verdict = record.verdict
    markers = [(item.start, item.end) for item in verdict.citations if item.start >= 0]
    blanked = blank_markers(record.transcript.answer, markers)
    last = max(len(verdict.claims) - 1, 1)
    found = []
    for claim in verdict.claims:
        if not claim.checked:
            continue
        text = " ".join(blanked[claim.start : claim.end].split())
        text = text.replace(" .", ".").replace(" ,", ",")
        tokens = tokenize(text, language)
        found.append(
            Side(
                claim=claim,
                text=text,
                stems=frozenset(token.stem for token in tokens if not token.is_stop),
                numbers=frozenset(token.norm for token in tokens if token.is_number and token.norm != "1"),
                evidence=tuple(folded(item.text) for item in claim.evidence[:3]),
                place=claim.index / last,
            )
        )
    return found


def pair(old: Sequence[Side], new: Sequence[Side]) -> list[tuple[int, int]]:
    """Pairs of positions in both lists, each position at most once, in the order of the new list."""
    pairs: list[tuple[int, int]] = []
    free_old, free_new = dict.fromkeys(range(len(old))), dict.fromkeys(range(len(new)))

    def take(left: int, right: int) -> None:
        pairs.append((left, right))
        del free_old[left], free_new[right]

    by_text: dict[str, list[int]] = defaultdict(list)
    for left in free_old:
        by_text[folded(old[left].text)].append(left)
    for right in list(free_new):
        if same := by_text.get(folded(new[right].text)):
            take(same.pop(0), right)
    for _, left, right in _scored(old, new, list(free_old), list(free_new)):
        if left in free_old and right in free_new:
            take(left, right)
    for left in list(free_old):
        mine = old[left]
        for right in free_new:
            other = new[right]
            if mine.is_supported and other.is_supported and mine.evidence[:1] == other.evidence[:1] != ():
                take(left, right)
                break
    return sorted(pairs, key=lambda item: item[1])


def _scored(
    old: Sequence[Side], new: Sequence[Side], lefts: Sequence[int], rights: Sequence[int]
) -> list[tuple[float, int, int]]:
    postings: dict[str, list[int]] = defaultdict(list)
    for right in rights:
        for key in (*new[right].stems, *new[right].evidence[:1]):
            postings[key].append(right)
    found = []
    for left in lefts:
        near: set[int] = set()
        for key in (*old[left].stems, *old[left].evidence[:1]):
            if len(postings[key]) <= _MOST_POSTINGS:
                near.update(postings[key])
        scores = {right: likeness(old[left], new[right]) for right in near}
        found += [(score, left, right) for right, score in scores.items() if score is not None]
    return sorted(found, key=lambda item: (-item[0], item[1], item[2]))


def likeness(one: Side, other: Side) -> float | None:
    """The similarity of two claims, or None if they are not the same claim."""
    total = len(one.stems) + len(other.stems)
    dice = 2 * len(one.stems & other.stems) / total if total else 0.0
    same = bool(one.evidence and other.evidence and one.evidence[0] == other.evidence[0])
    if dice < (SAME_WORDS_SAME_EVIDENCE if same else SAME_WORDS):
        return None
    numbers = 0.2 if one.numbers == other.numbers else 0.0
    return dice + 0.4 * same + numbers - 0.1 * abs(one.place - other.place)
