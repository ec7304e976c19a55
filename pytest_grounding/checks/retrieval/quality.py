"""Quality of each chunk as a source, such as whether it was cut: a score and the reasons for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pytest_grounding._io.lazy_patterns import gated, lazy
from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.checks.retrieval.conflicts import SourceConflict
from pytest_grounding.lexicon import words
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.model.finding import Evidence, Finding
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import ClaimVerdict, RetrievalVerdict
from pytest_grounding.reading import Reading, reading_of
from pytest_grounding.scorers.builtin.token_index import index_of

#: How the reasons of a chunk's quality begin that say that it is cut.
LOOKS_CUT, CUT_AT = "text looks cut off", "cut at"
#: Shorter texts are fragments on purpose.
_SHORTEST = 80
#: How much of a text is looked at on each side.
_EDGE = 400
#: Fewest chunks of one length that tell of a limit, and the shortest such length.
_ALIKE, _LIMIT = 3, 100

#: Words from which a piece without a full stop is no heading, whatever it ends with.
_LONG = 8
_ENDS = frozenset(".!?:;)]}\"'”’»」』。！？।…*|`>")
_MARKED = gated("...|…|]", r"(?:\.\.\.|…|\[(?:\.\.\.|…|truncated|cut|more)\])\s*$", re.IGNORECASE)
_MARKED_START = lazy(r"\s*(?:\.\.\.|…|\[(?:\.\.\.|…)\])\s?\w")
_STOP = lazy(r"[.!?。！？।](?:[\"'”’)\]]{0,2})(?:\s|$)")
#: Words that something must follow.
_OPEN_WORDS = words("questions", "open_words")
_WORD = lazy(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
#: What parts the items of a list that stands on one line.
_LISTED = lazy(r"\s[-–—•·*|+]\s|\s\s|[•|]|\.{4}|^(?:[-*•+#>]|\d{1,3}[.)])\s")
#: A line that is a heading, an item, a row or code, by how it begins.
_FORMED = lazy(r"\s*(?:[-*•+#>|]|\d{1,3}[.)]\s|[\w ]{1,30}:\s.{0,50}$)")
_PAIRS = {"(": ")", "[": "]", "“": "”", "「": "」", "«": "»"}
_FENCE = lazy(r"(?m)^[ ]{0,3}(?:```|~~~)")
_LABEL = lazy(r"[\w.]{1,3}\)")


def cut_reasons(text: str) -> tuple[str, ...]:
    """Why a text looks cut off; empty where it does not."""
    text = text.strip()
    if _MARKED.search(text[-20:]):
        return ("it ends with an ellipsis",)
    if len(text) < _SHORTEST or not _STOP.search(text):
        return ()
    found = []
    if _ends_open(text):
        found.append("it ends in the middle of a sentence")
    unclosed = _unclosed(text)
    if unclosed:
        found.append(f"{unclosed} is never closed")
    if _starts_open(text):
        found.append("it begins in the middle of a sentence")
    return tuple(found)


def common_lengths(texts: Sequence[str]) -> dict[int, int]:
    """Texts that end where a limit on their length cut them: position -> that length in characters."""
    lengths = Counter(len(text) for text in set(texts))
    limits = {length for length, count in lengths.items() if length >= _LIMIT and count >= _ALIKE}
    found = {
        number: len(text)
        for number, text in enumerate(texts)
        if len(text) in limits and text.rstrip()[-1:] not in _ENDS and _is_running(_tail(text))
    }
    open_ended = Counter(found.values())
    return {number: length for number, length in found.items() if open_ended[length] >= _ALIKE - 1}


def _tail(text: str) -> str:
    """What stands behind the last full stop."""
    edge = text[-_EDGE:]
    last = 0
    for match in _STOP.finditer(edge):
        if match.end() < len(edge):
            last = match.end()
    return edge[last:].strip()


def _is_running(tail: str) -> bool:
    """Whether words run on: no list, no row, no heading, no code."""
    line = tail[tail.rfind("\n") + 1 :]
    if _LISTED.search(line) or _FORMED.match(line):
        return False
    words = _WORD.findall(tail)
    plain = sum(word.islower() for word in words)
    return bool(words) and plain * 2 >= len(tail.split())


def _ends_open(text: str) -> bool:
    last = text[-1]
    if last in _ENDS or not (last.isalnum() or last in ",-–—"):
        return False
    tail = _tail(text)
    line = tail[tail.rfind("\n") + 1 :]
    words = _WORD.findall(line[-60:])
    if words and line.endswith(words[-1]) and words[-1] in _OPEN_WORDS and len(line.split()) > 2:
        return not _LISTED.search(line)
    if _FORMED.match(text[text.rfind("\n") + 1 :][:_EDGE]):
        return False
    # A short line of its own is a heading or an item; one that begins small goes on from the line before.
    alone = "\n" in text[-len(line) - 2 :] and len(line) < 60
    if alone and not line[:1].islower():
        return False
    if len(words) < (4 if "\n" in tail or tail == text else 2) or not _is_running(tail):
        return False
    if last in ",-–—":
        return True
    # A name or a number is the end of many a heading; of a long sentence it is none.
    return line.endswith(words[-1]) and (words[-1].islower() or len(words) >= _LONG)


def _unclosed(text: str) -> str:
    """The sign that opens in the last part of a text and never closes, in words; "" where there is none."""
    if ("```" in text or "~~~" in text) and len(_FENCE.findall(text)) % 2:
        return "a code fence"
    edge = text[-_EDGE:]
    for opening, closing in _PAIRS.items():
        at = edge.rfind(opening)
        if at < 0 or closing in edge[at:] or not edge[at + 1 : at + 2].isalnum():
            continue
        # A smiley, an interval or the one sign that a writer forgot: then the text goes on behind it.
        before = edge[at - 1 : at] if at else ""
        if (not before or before.isspace()) and not _STOP.search(edge[at:]):
            return f"“{opening}”" if opening != "“" else "a quotation"
    return ""


def _starts_open(text: str) -> bool:
    if text[0] in ".…[" and _MARKED_START.match(text):
        return True
    edge = text[:_EDGE]
    first = edge[0]
    if first in ",;)" and edge[1:2].isspace():
        return True
    if not first.islower():
        return False
    word, _, rest = edge.partition(" ")
    stop = _STOP.search(edge)
    if not word.islower() or not _WORD.fullmatch(word.rstrip(",")) or stop is None:
        return False
    line = edge.partition("\n")[0]
    if (len(line) < 60 and line != text) or _LABEL.match(edge):
        return False
    # A text without capitals begins each of its sentences like this.
    after = edge[stop.end() :].lstrip(" \"'“(")[:1]
    return after.isupper() and bool(rest)


def cut_findings(
    context: CheckContext, claims: Sequence[ClaimVerdict], retrieval: RetrievalVerdict
) -> list[Finding]:
    """Where a cut matters: the missing half of a sentence may hold what the answer says."""
    cut = {
        item.chunk_id: reason
        for item in retrieval.relevance
        for reason in item.quality_reasons
        if reason.startswith((LOOKS_CUT, CUT_AT))
    }
    if not cut:
        return []
    texts = {chunk.id: chunk.text for chunk in context.transcript.chunks if chunk.id in cut}
    found = []
    for claim in claims:
        near = claim.evidence[0] if claim.status == "unsupported" and claim.evidence else None
        if near is not None and near.chunk_id in cut and _is_at_edge(near, texts[near.chunk_id]):
            message = f"chunk {near.chunk_id} comes nearest to this, and may be cut off there: "
            found.append(_finding(message + cut[near.chunk_id], claim=claim, evidence=(near,)))
    if context.declined and retrieval.answer_present in ("none", "partial"):
        held = [item.chunk_id for item in retrieval.relevance if item.relevant and item.chunk_id in cut]
        if held:
            found.append(
                _finding(f"chunk {held[0]} is about the question and may be cut off: {cut[held[0]]}")
            )
    return found


def _is_at_edge(sentence: Evidence, text: str) -> bool:
    return sentence.end >= len(text.rstrip()) or sentence.start <= len(text) - len(text.lstrip())


def _finding(
    message: str, *, claim: ClaimVerdict | None = None, evidence: tuple[Evidence, ...] = ()
) -> Finding:
    return Finding(
        rule="truncated_source",
        severity="info",
        message=message,
        suggestion="split documents at the ends of sentences, or let chunks overlap",
        span=(claim.start, claim.end) if claim is not None else None,
        claim=claim.index if claim is not None else None,
        evidence=evidence,
    )


#: What each fault takes off a score of 1.
_EMPTY = 1.0
_TRUNCATED = 0.2
_DUPLICATE = 0.4
_BOILERPLATE = 0.5
_NO_ORIGIN = 0.1
_CONFLICT = 0.3
_ORDERS = 0.5
#: Share of common words (Jaccard) from which two chunks say the same.
_NEAR_DUPLICATE = 0.8
_MANY_CHUNKS = 200
#: Metadata of which one says where a chunk is from.
_ORIGINS = ("title", "document", "section_title", "url", "slug", "path", "payload_id")
_BOILERPLATE_WORDS = pattern("answers", "boilerplate")


@dataclass(frozen=True, slots=True)
class SourceQuality:
    """Quality of one chunk: a score in [0, 1] and what was found."""

    score: float
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Fault:
    """A fault of a chunk: what it takes off the score, and what it is, in words."""

    cost: float
    reason: str


def source_quality(
    chunks: Sequence[Chunk], conflicts: Sequence[SourceConflict] = (), ordering: Collection[str] = ()
) -> tuple[SourceQuality, ...]:
    """The quality of each chunk."""
    twins = _near_duplicates(chunks)
    disputed: dict[int, list[str]] = {}
    for item in conflicts:
        for own, other in ((item.first, item.second), (item.second, item.first)):
            reason = f"conflicts with chunk {chunks[other].id!r}: {item.conflict.message}"
            disputed.setdefault(own, []).append(reason)
    limited = common_lengths([chunk.text for chunk in chunks])
    results = []
    for number, chunk in enumerate(chunks):
        faults = _faults(chunk)
        if number in limited:
            reason = f"{CUT_AT} {limited[number]} characters, as others are"
            faults = [item for item in faults if item.cost != _TRUNCATED] + [_Fault(_TRUNCATED, reason)]
        if chunk.id in ordering:
            faults.append(_Fault(_ORDERS, "holds an order to the model, or hidden text"))
        if number in twins:
            faults.append(_Fault(_DUPLICATE, f"near-duplicate of chunk {chunks[twins[number]].id!r}"))
        for position, reason in enumerate(disputed.get(number, ())):
            faults.append(_Fault(0.0 if position else _CONFLICT, reason))
        score = max(0.0, 1.0 - sum(fault.cost for fault in faults))
        results.append(SourceQuality(round(score, 9), tuple(fault.reason for fault in faults)))
    return tuple(results)


def _faults_in(reading: Reading) -> tuple[_Fault, ...]:
    """The faults that the text of a chunk has by itself."""
    text = reading.text.strip()
    if not text:
        return (_Fault(_EMPTY, "empty text"),)
    faults = []
    reasons = cut_reasons(text)
    if reasons:
        faults.append(_Fault(_TRUNCATED, f"{LOOKS_CUT}: {'; '.join(reasons)}"))
    if is_boilerplate(text):
        faults.append(_Fault(_BOILERPLATE, "mostly boilerplate"))
    return tuple(faults)


def _faults(chunk: Chunk) -> list[_Fault]:
    faults = list(reading_of(chunk.text).part(_faults_in))
    is_empty = bool(faults) and faults[0].cost == _EMPTY
    if not is_empty and not any(getattr(chunk.metadata, name) for name in _ORIGINS):
        faults.append(_Fault(_NO_ORIGIN, "no title or url"))
    return faults


def is_boilerplate(text: str) -> bool:
    """Whether navigation, legal or cookie phrases make up most of a short text, or crowd a long one."""
    head = text[:20_000]
    found = sum(1 for _ in _BOILERPLATE_WORDS.finditer(head))
    if not found:
        return False
    words = len(head.split())
    return found * 12 >= words or (found >= 3 and found * 30 >= words)


def _near_duplicates(chunks: Sequence[Chunk]) -> dict[int, int]:
    """For each chunk that repeats an earlier one the position of that one."""
    twins: dict[int, int] = {}
    words = [index_of(chunk.text, "en").positions.keys() for chunk in chunks[:_MANY_CHUNKS]]
    for number, stems in enumerate(words):
        for other, others in enumerate(words[:number] if stems else ()):
            less, more = sorted((len(stems), len(others)))
            if less < _NEAR_DUPLICATE * more:
                continue
            common = len(stems & others)
            if common >= _NEAR_DUPLICATE * (less + more - common):
                twins[number] = other
                break
    return twins
