"""Waivers and their file."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Protocol

from pydantic import ValidationError, field_validator

from pytest_grounding._io.jsonio import CONFLICT, JsonRecord, canonical_json, read_records, write_atomic
from pytest_grounding._io.locks import locked
from pytest_grounding._io.tables import rows_beside
from pytest_grounding._io.wording import a_kind, one_line
from pytest_grounding.errors import InputError
from pytest_grounding.model.base import Model, without_surrogates
from pytest_grounding.model.finding import Cause, Finding, Waived
from pytest_grounding.model.verdict import CitationVerdict, ClaimVerdict, ConfidenceBreakdown, Verdict
from pytest_grounding.reading.visible_text import fingerprint
from pytest_grounding.rules import having

#: Rules for something that was not checked: a waiver could excuse anything.
NEVER_WAIVED = frozenset(having("unwaivable"))
#: Rules about the form of an answer, which a waiver of a claim does not cover.
BY_NAME = frozenset(having("form"))

_HASH = re.compile(r"[0-9a-f]{16}")
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
_WHAT_TO_WRITE: dict[str, str] = dict(rows_beside(__file__, "what_to_write.tsv"))  # by field
#: Markers of these syntaxes number the chunks: another order changes them, but no word.
_NUMBERED = frozenset({"id", "index"})
_SHOWN = 300
_STOPS = " \t\n.,;:!?"  # punctuation around the words of a claim, which does not matter
#: Pseudo-rule for the waiver of a low confidence, which no check reports.
LOW_CONFIDENCE = "low_confidence"
_TAKES = '{"rule": "contradicted", "claim": "WORDS", "reason": "WHY"}'
_NEEDED = ("rule", "claim", "reason")
_KNOWN = (*_NEEDED, "transcript", "evidence", "by", "day", "expires", "claim_hash", "evidence_hash")


class Waiver(Model):
    """A person's decision that a finding is wrong or accepted."""

    rule: str
    transcript: str
    claim: str
    claim_hash: str
    evidence_hash: str
    reason: str
    by: str
    day: str
    expires: str = ""

    @field_validator("rule")
    @classmethod
    def _check_rule(cls, value: str) -> str:
        if not value.strip():
            raise ValueError('is empty; write the rule of the finding, such as "unsupported_claim"')
        if value in NEVER_WAIVED:
            problem = f"{value!r} cannot be waived: it reports that something was not checked at all"
            raise ValueError(f"{problem}; fix its cause, or leave the transcript out")
        return value

    @field_validator("claim_hash", "evidence_hash")
    @classmethod
    def _check_hash(cls, value: str) -> str:
        if not _HASH.fullmatch(value):
            raise ValueError("is not a hash; write the 16 digits that pytest-grounding waive gives")
        return value

    @field_validator("reason")
    @classmethod
    def _check_reason(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("is empty; write why the finding is wrong or accepted")
        return value

    @field_validator("day", "expires")
    @classmethod
    def _check_day(cls, value: str, info: Any) -> str:
        if not value and info.field_name == "expires":
            return value
        if not is_day(value):
            raise ValueError("is not a date; write it as 2026-12-31")
        return value

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Identifies the finding; of two waivers with one key the later one counts."""
        return self.transcript, self.rule, self.claim_hash, self.evidence_hash

    @property
    def waived(self) -> Waived:
        """The text in a finding that this waives."""
        return Waived(reason=self.reason, by=self.by, day=self.day)

    def is_expired(self, today: str) -> bool:
        """Whether its last day is before ``today``, an ISO date."""
        return bool(self.expires) and self.expires < today


def is_day(value: str) -> bool:
    """Whether a text is an ISO date, such as 2026-12-31."""
    try:
        return bool(_ISO.fullmatch(value)) and bool(date.fromisoformat(value))
    except ValueError:
        return False


def in_order(waivers: Sequence[Waiver]) -> list[Waiver]:
    """The waivers in file order: sorted by transcript, rule and words; the last of duplicates."""
    kept = {item.key: item for item in waivers}
    return sorted(kept.values(), key=lambda item: (item.transcript, item.rule, item.claim, item.key))


def read(path: str | os.PathLike[str], wrong_rule: Callable[[str], str] | None = None) -> tuple[Waiver, ...]:
    """The waivers of a file, sorted, without duplicates; none if the file is missing."""
    name, records = os.fspath(path), _waiver_records(Path(path)) if Path(path).exists() else ()
    return tuple(in_order([_waiver(record, name, wrong_rule) for record in records]))


def add(path: str | os.PathLike[str], waivers: Iterable[Waiver]) -> tuple[Waiver, ...]:
    """Add waivers to a file, and return its new content."""
    added = list(waivers)
    return _changed_file(path, lambda held: [*held, *added])


def remove(path: str | os.PathLike[str], waivers: Collection[Waiver]) -> tuple[Waiver, ...]:
    """Remove waivers from a file, and return its new content."""
    gone = {item.key for item in waivers}
    return _changed_file(path, lambda held: [item for item in held if item.key not in gone])


def _changed_file(
    path: str | os.PathLike[str], change: Callable[[Sequence[Waiver]], list[Waiver]]
) -> tuple[Waiver, ...]:
    target = Path(path)
    with _alone(target):
        held = read(target)
        kept = tuple(in_order(change(held)))
        text = "".join(f"{canonical_json(item.model_dump(exclude_defaults=True))}\n" for item in kept)
        if kept != held or (target.exists() and target.read_bytes() != text.encode("utf-8")):
            write_atomic(target, text)
    return kept


@contextlib.contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Lock the file, by a lock beside it, because the file itself is replaced."""
    lock = target.with_name(f".{target.name}.lock")
    with locked(lock):
        try:
            yield
        finally:
            # A lock file that cannot be removed while open stays, empty.
            with contextlib.suppress(OSError):
                lock.unlink()


def _waiver_records(path: Path) -> Iterator[JsonRecord]:
    try:
        yield from read_records(path)
    except InputError as error:
        usual = "write one JSON object a line, as pytest-grounding waive does"
        hint = CONFLICT if error.hint == CONFLICT else usual
        place = {"path": error.path, "field": error.field, "hint": hint}
        raise InputError(error.problem, line=error.line, **place) from None


def _waiver(record: JsonRecord, path: str, wrong_rule: Callable[[str], str] | None) -> Waiver:
    def wrong(problem: str, field: str | None = None, hint: str | None = None) -> InputError:
        return InputError(problem, path=path, line=record.line, field=field, hint=hint)

    if not isinstance(record.value, dict):
        raise wrong("is not a waiver", hint='write one object a line: {"rule": ..., "transcript": ..., ...}')
    try:
        found = Waiver.model_validate(without_surrogates(record.value)[0])
    except ValidationError as error:
        raise wrong(*_sentence_of_error(error)) from None
    if wrong_rule is not None and (problem := wrong_rule(found.rule)):
        raise wrong(problem, "rule")
    return found


def _sentence_of_error(error: ValidationError) -> tuple[str, str, str | None]:
    first = error.errors(include_url=False)[0]
    name = str(first["loc"][0])
    if first["type"] == "value_error":
        said, _, hint = str(first["ctx"]["error"]).partition("; ")
        return said, name, hint or None
    if first["type"] == "missing":
        return "is missing", name, _WHAT_TO_WRITE[name]
    if first["type"] == "extra_forbidden":
        return "is not a field of a waiver", name, f"known are {', '.join(Waiver.model_fields)}"
    return "is not text", name, _WHAT_TO_WRITE.get(name)


class Judged(Protocol):
    """The parent of a finding: a finished or unfinished verdict."""

    @property
    def id(self) -> str:
        """Id of the transcript."""

    @property
    def claims(self) -> Sequence[ClaimVerdict]:
        """The claims of the answer."""

    @property
    def citations(self) -> Sequence[CitationVerdict]:
        """The citations of the answer."""


def waiver_for(
    finding: Cause,
    verdict: Verdict,
    *,
    reason: str,
    by: str,
    anywhere: bool = False,
    expires: str = "",
    day: str = "",
) -> Waiver:
    """The waiver of a finding."""
    if finding.rule in NEVER_WAIVED:
        problem = f"{finding.rule} cannot be waived: it reports that something was not checked at all"
        raise InputError(problem, hint="fix its cause, or leave the transcript out")
    if not reason.strip():
        hint = "give the reason why the finding is wrong or accepted"
        raise InputError("a waiver needs a reason", hint=hint)
    for said in (expires, day):
        if said and not is_day(said):
            raise InputError(f"{said!r} is not a date", hint="write it as 2026-12-31")
    words = claim_words(finding, verdict)
    return Waiver(
        rule=finding.rule,
        transcript="" if anywhere else verdict.id,
        claim=one_line(words, _SHOWN),
        claim_hash=hash_of_words(words),
        evidence_hash=evidence_hash(finding, verdict),
        reason=" ".join(reason.split()),
        by=by,
        day=day or today(),
        expires=expires,
    )


def today() -> str:
    """The day to compare expiries with: an ISO date, in UTC."""
    return datetime.now(UTC).date().isoformat()


def hash_of_words(words: str) -> str:
    """Hash of the words of a claim, without the final punctuation."""
    return fingerprint(words.strip(_STOPS))


def low_confidence(breakdown: ConfidenceBreakdown, reason: str) -> Finding:
    """A low confidence as a finding, so that it can be waived."""
    weak = [term.name for term in breakdown.terms if term.value is not None and term.value < 1.0]
    why = breakdown.ceiling_reason or ", ".join(weak)
    return Finding(rule=LOW_CONFIDENCE, severity="warning", message=reason, details={"why": why})


def overrulable(verdict: Verdict) -> tuple[Cause, ...]:
    """The waivable findings that hold a verdict back: errors and warnings per rule, else its confidence."""
    grave = [item for item in verdict.causes if item.severity != "info"]
    if not grave and verdict.status != "pass" and not verdict.skipped:
        return (low_confidence(verdict.confidence_breakdown, verdict.reason),)
    return tuple(item for item in grave if item.rule not in NEVER_WAIVED)


def held_by_waiver(verdict: Verdict, *, reason: str, by: str = "", day: str = "") -> tuple[Waiver, ...]:
    """Waivers of everything that holds a verdict back, including a low confidence."""
    grave = [item for item in verdict.causes if item.severity != "info" and item.rule not in NEVER_WAIVED]
    found = [waiver_for(item, verdict, reason=reason, by=by, day=day) for item in grave]
    if verdict.status != "pass" and not verdict.skipped:
        low = low_confidence(verdict.confidence_breakdown, verdict.reason)
        # Without the waived findings the confidence has other reasons, which are accepted too.
        accepted = waiver_for(low, verdict, reason=reason, by=by, day=day)
        found.append(accepted.model_copy(update={"evidence_hash": ""}))
    return tuple(found)


def claim_words(finding: Cause, verdict: Judged) -> str:
    """The words of the answer in a finding, without the numbers of chunks."""
    if finding.claim is not None and 0 <= finding.claim < len(verdict.claims):
        claims = [verdict.claims[finding.claim]]
    else:
        start, end = finding.span or (0, 0)
        inside = [claim for claim in verdict.claims if claim.start < end and start < claim.end]
        claims = inside or list(verdict.claims)
    words = "\n".join(_bare(item, verdict) for item in claims)
    citation = _citation_words(finding, verdict)
    if citation is not None and not citation.source_hash:
        words = f"{words} [{citation.target or citation.text}]".lstrip()
    return words


def evidence_hash(finding: Cause, verdict: Judged) -> str:
    """Hash of the sentences quoted by a finding, else of its citation's source, else of nothing."""
    if finding.rule == LOW_CONFIDENCE:
        return fingerprint(str(finding.details.get("why", "")))
    if finding.evidence:
        return fingerprint("\n".join(dict.fromkeys(item.text for item in finding.evidence)))
    citation = _citation_words(finding, verdict)
    return (citation.source_hash if citation is not None else "") or fingerprint("")


def _citation_words(finding: Cause, verdict: Judged) -> CitationVerdict | None:
    if finding.citation is None or not 0 <= finding.citation < len(verdict.citations):
        return None
    return verdict.citations[finding.citation]


def _bare(claim: ClaimVerdict, verdict: Judged) -> str:
    text, end = "", 0
    spans = {(item.start, item.end) for item in verdict.citations if item.syntax in _NUMBERED}
    for start, stop in sorted(spans):
        if claim.start + end <= start < stop <= claim.end:
            text += claim.text[end : start - claim.start].rstrip()
            end = stop - claim.start
    return (text + claim.text[end:]).strip()


class Waivers:
    """The waivers of a run, looked up by finding."""

    def __init__(self, waivers: Iterable[Waiver] = (), *, today: str = "") -> None:
        self.all: tuple[Waiver, ...] = tuple(waivers)
        self._today = today
        self._found = {item.key: item for item in self.all}
        self._rules = frozenset(item.rule for item in self.all)

    def find(self, finding: Cause, verdict: Judged) -> Waiver | None:
        """The unexpired waiver of a finding, or None."""
        if finding.rule not in self._rules or finding.rule in NEVER_WAIVED:
            return None
        words = hash_of_words(claim_words(finding, verdict))
        # A mark in code may omit the evidence, and then applies to any.
        for evidence in (evidence_hash(finding, verdict), ""):
            for transcript in (verdict.id, ""):
                found = self._found.get((transcript, finding.rule, words, evidence))
                if found is not None and not found.is_expired(self.today):
                    return found
        return None

    def of_confidence(self, verdict: Verdict) -> Waiver | None:
        """The waiver of a verdict's low confidence, or None."""
        return self.find(low_confidence(verdict.confidence_breakdown, verdict.reason), verdict)

    @property
    def today(self) -> str:
        """The day that expiries are compared with."""
        return self._today or today()


def from_given(given: Any, wrong_rule: Callable[[str], str]) -> tuple[Waiver, ...]:
    """Convert a list of waivers and mappings."""
    if isinstance(given, (str, bytes, Mapping, Waiver)) or not isinstance(given, Iterable):
        raise InputError(f"is {a_kind(given)}, no list", field="waivers", hint=f"write [{_TAKES}]")
    return tuple(_given_waiver(item, f"waivers[{at}]", wrong_rule) for at, item in enumerate(given))


def _given_waiver(given: Any, place: str, wrong_rule: Callable[[str], str]) -> Waiver:
    if isinstance(given, Waiver):
        return given
    if not isinstance(given, Mapping):
        raise InputError(f"{a_kind(given)} is not a waiver", field=place, hint=f"write {_TAKES}")
    for name, value in given.items():
        if name not in _KNOWN:
            raise InputError("is not known", field=f"{place}.{name}", hint=f"known are {', '.join(_KNOWN)}")
        if not isinstance(value, str):
            raise InputError(f"is {a_kind(value)}, no text", field=f"{place}.{name}")
    for name in _NEEDED:
        if not given.get(name, "").strip():
            raise InputError("is missing", field=f"{place}.{name}", hint=f"write {_TAKES}")
    if problem := wrong_rule(given["rule"]):
        raise InputError(problem, field=f"{place}.rule")
    return _built_waiver(dict(given), place)


def _built_waiver(given: dict[str, str], place: str) -> Waiver:
    evidence = given.pop("evidence", "")
    hashes = {
        "claim_hash": given.pop("claim_hash", "") or hash_of_words(given["claim"]),
        "evidence_hash": given.pop("evidence_hash", "") or (fingerprint(evidence) if evidence else ""),
    }
    values = {"transcript": "", "by": "", "day": "", "expires": "", **given, **hashes}
    # The file's waivers have a day and evidence, which code may omit.
    lent = {"day": values["day"] or "2000-01-01", "evidence_hash": values["evidence_hash"] or "0" * 16}
    try:
        checked = Waiver.model_validate({**values, **lent})
    except ValidationError as error:
        problem, name, hint = _sentence_of_error(error)
        raise InputError(problem, field=f"{place}.{name}", hint=hint) from None
    return checked.model_copy(update={name: values[name] for name in lent})
