"""Answers based on an outdated source, or on another version than the question asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.wording import one_line
from pytest_grounding.checks.check_context import CheckContext, on_claim, score_of
from pytest_grounding.lexicon import alternation, words
from pytest_grounding.model.finding import BACKED, Finding
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.model.verdict import ClaimVerdict

#: Metadata for when a passage was written or becomes valid, and until when it is valid.
_DATES = ("valid_from", "date", "updated_at", "last_modified", "published_at", "published")
_ENDS = ("valid_until", "valid_to", "expires", "expires_at", "expiry")
_FLAGS = ("superseded_by", "replaced_by", "superseded", "deprecated", "outdated", "obsolete", "archived")
_GONE = words("versions", "standing")
_DAY = lazy(r"\d{4}(?:-\d\d){0,2}")
#: A passage that declares itself outdated.
_MARKED = lazy(
    rf"(?i)\b(?:this|these) (?:\w{{1,20}} )?(?:{alternation('versions', 'papers')}) "
    rf"(?:{alternation('versions', 'are')}) (?:been |now )?"
    rf"(?:no longer (?:{alternation('versions', 'no longer')})|{alternation('versions', 'said')})\b"
    rf"|\bthis applied until\b"
    rf"|^\W{{0,3}}(?:{alternation('versions', 'standing')})\b(?: page| version| document)?\W"
)
_CUES = ("no longer", "applied until", *words("versions", "said"), *_GONE)
_PAST = words("versions", "past")
_HEADED = lazy(r"(?i)^#{0,6} ?(?:version|release|edition) v?(\d[\w.-]*)")
#: "In version 3", "in v2.1", "does Larch 4.1 start": a bare number is not a version.
_ASKED = lazy(
    r"(?:\b(?:[Vv]ersion|[Rr]elease|[Ee]dition) v?|\bv)(\d[\w.-]{0,20})"
    r"|(?<=\w )[A-Z]\w{0,30} (\d[\w.-]{0,20})"
)
_SHOWN = 60


def check(
    context: CheckContext, claims: Sequence[ClaimVerdict], disputed: Iterable[tuple[str, str]] = ()
) -> list[Finding]:
    """A finding for each claim supported only by outdated chunks, or only by another version."""
    transcript = context.transcript
    wrong = {**_outdated(transcript, disputed), **_of_others(transcript)}
    if not wrong:
        return []
    current = [chunk for chunk in transcript.chunks if chunk.id not in wrong]
    found = []
    for claim in claims:
        near = claim.evidence[0] if claim.evidence else None
        if claim.status not in BACKED or near is None or near.chunk_id not in wrong:
            continue
        if not _is_backed(context, claim, current):
            why = wrong[near.chunk_id]
            message = f"only chunk {near.chunk_id} supports this, and it {why}"
            advice = "use the current source, or state the time or version"
            found.append(on_claim(claim, "outdated_source", context.settings, message, advice))
    return found


def _is_backed(context: CheckContext, claim: ClaimVerdict, chunks: Sequence[Chunk]) -> bool:
    asked = context.claims[claim.index]
    score = score_of(context, asked.bare, chunks, asked.context, context.own_scorer)
    return (score.probability or 0.0) >= context.settings.borderline_threshold and not score.conflicts


def _outdated(transcript: Transcript, disputed: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Outdated chunks, with the reason; none if the question is about the past."""
    if not _PAST.isdisjoint(re.findall(r"[a-z]+", transcript.question.lower())):
        return {}
    extras = {chunk.id: extra for chunk in transcript.chunks if (extra := chunk.metadata.model_extra)}
    dates = {name: day for name, extra in extras.items() if (day := _day(extra, _DATES))}
    now = transcript.recorded_on or max(dates.values(), default="")
    found = {}
    for chunk in transcript.chunks:
        why = _standing(extras[chunk.id], now) if chunk.id in extras else ""
        if why := why or _said(chunk.text):
            found[chunk.id] = why
    for pair in disputed:
        older, newer = sorted(pair, key=lambda name: dates.get(name, ""))
        if dates.get(older) and dates[older] < dates.get(newer, ""):
            found.setdefault(older, f"is of {dates[older]}; chunk {newer}, of {dates[newer]}, contradicts it")
    return found


def _standing(extra: Mapping[str, Any], now: str) -> str:
    """Whether the metadata of a chunk mark it as outdated, and how."""
    for name in _FLAGS:
        if extra.get(name) not in (None, False, "", "false", "no"):
            return f"is marked: {name} = {one_line(str(extra[name]), _SHOWN)}"
    status = extra.get("status", extra.get("state"))
    if isinstance(status, str) and status.lower() in _GONE:
        return f"is marked: status = {status}"
    end = _day(extra, _ENDS)
    return f"was valid until {end}" if end and now and end < now[: len(end)] else ""


def _said(text: str) -> str:
    small = text.lower()
    # Most texts have none of the words, which takes a tenth of the time to test.
    found = _MARKED.search(text) if any(cue in small for cue in _CUES) else None
    return f'says of itself "{one_line(found[0].strip(), _SHOWN)}"' if found else ""


def _day(extra: Mapping[str, Any], names: Sequence[str]) -> str:
    found = (_DAY.match(str(extra.get(name) or "")) for name in names)
    return next((day[0] for day in found if day), "")


def _of_others(transcript: Transcript) -> dict[str, str]:
    """Chunks of other versions than the question names, if some chunk is of the named one."""
    versions = {chunk.id: version for chunk in transcript.chunks if (version := _version(chunk))}
    if len(set(versions.values())) < 2:
        return {}
    asked = {(found[1] or found[2]).lower().rstrip(".-") for found in _ASKED.finditer(transcript.question)}
    wanted = asked & set(versions.values())
    if len(wanted) != 1:
        return {}
    (version,) = wanted
    return {name: f"is of version {other}" for name, other in versions.items() if other != version}


def _version(chunk: Chunk) -> str:
    extra = chunk.metadata.model_extra
    given = extra.get("version") if extra else None
    headed = None if given else _HEADED.match(chunk.text)
    return str(given or (headed[1] if headed else "")).lower().removeprefix("v")


def ordered(transcript: Transcript, first: str, second: str) -> tuple[str, str] | None:
    """Two contradicting chunks, the current one first; None if that cannot be decided."""
    wrong = {**_outdated(transcript, [(first, second)]), **_of_others(transcript)}
    if (first in wrong) == (second in wrong):
        return None
    return (second, first) if first in wrong else (first, second)


def disputes(findings: Iterable[Finding]) -> Iterator[tuple[str, str]]:
    """The pairs of contradicting chunks in findings."""
    for finding in findings:
        if finding.rule == "conflicting_sources":
            first, second = finding.details["chunk_ids"]
            yield first, second
