"""Answers as models give them: with their thinking, as a JSON object, or both."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.wording import counted
from pytest_grounding.lexicon import member_names
from pytest_grounding.model.json_values import as_int, decoded
from pytest_grounding.model.listed import is_cited_list, lists_in, segments
from pytest_grounding.model.members import as_list, as_map, first_text

_NAMES = "think(?:ing)?|thoughts?|reason(?:ing)?|reflection|scratchpad|inner_monologue|analysis|seed:think"
#: What opens and closes a model's thinking, and marks around an answer that are no words of it.
_TAG = lazy(
    rf"(?P<open><(?:{_NAMES})>|\[THINK\]|◁think▷|<\|START_THINKING\|>|<\|channel\|>analysis<\|message\|>)"
    rf"|(?P<close></(?:{_NAMES})>|\[/THINK\]|◁/think▷|<\|END_THINKING\|>"
    r"|<\|channel\|>final<\|message\|>)"
    r"|(?P<mark><\|(?:end|return|im_end|eot_id|START_RESPONSE|END_RESPONSE)\|>|<\|start\|>assistant)",
    re.IGNORECASE,
)
_ENVELOPE = lazy(r"</?(?:answer|response|final_answer|output)>", re.IGNORECASE)
_HINTS = ("think", "thought", "reason", "reflect", "scratchpad", "monologue", "analysis", "<|")
_FENCES = ("```", "~~~")
_LANGUAGES = ("jsonc", "json5", "json")
ANSWER_NAMES = member_names("answer texts")  # members of an answer's object with its text, best first
_PARTS = ("statements", "sentences", "segments", "parts", "claims", "facts", "answers")
_CONFIDENCE = ("confidence", "confidence_score")


@dataclass(slots=True)
class PlainAnswer:
    """An answer without what is not a part of its words."""

    text: str  # the words for the user
    members: Mapping[str, Any] = field(default_factory=dict)  # the other members of its JSON object
    thinking: int = 0  # characters of the model's thinking that were cut
    read_from: str = ""  # the member of the JSON object with the words, or ""
    #: Where kept pieces of the given answer start: in it, in the text, and their length.
    pieces: Sequence[tuple[int, int, int]] = ()

    def moved(self, offset: int) -> int | None:
        """An offset of the given answer in the text; None within what was cut."""
        index = bisect_right([before for before, _, _ in self.pieces], offset) - 1
        if index < 0:
            return None
        before, after, length = self.pieces[index]
        return after + offset - before if offset - before <= length else None


def text_of_answer(answer: str) -> PlainAnswer | None:
    """The answer without thinking and without JSON around it; None if it is plain already."""
    spoken = _without_thinking(answer)
    words = spoken.text if spoken is not None else answer
    found = _from_json_object(words)
    if found is None:
        return spoken
    if spoken is not None:
        found.thinking = spoken.thinking
        pieces, found.pieces = found.pieces, []
        for before, after, length in pieces:
            if (place := _given_offset(spoken, before)) is not None:
                found.pieces.append((place, after, length))
    return found


def _given_offset(spoken: PlainAnswer, offset: int) -> int | None:
    for before, after, length in spoken.pieces:
        if after <= offset <= after + length:
            return before + offset - after
    return None


def _without_thinking(answer: str) -> PlainAnswer | None:
    folded = answer.casefold()
    if not any(hint in folded for hint in _HINTS):
        return None
    cuts = _thinking(answer)
    if not cuts:
        return None
    kept = _kept_answer(answer, cuts)
    first = next((start for start, end in kept if answer[start:end].strip()), 0)
    if _ENVELOPE.match(answer, first + len(answer[first:]) - len(answer[first:].lstrip())):
        kept = _kept_answer(answer, sorted([*cuts, *(match.span() for match in _ENVELOPE.finditer(answer))]))
    pieces: list[tuple[int, int, int]] = []
    length = 0
    for start, end in kept:
        # Blanks between the thinking and the answer go with it.
        start += 0 if length else len(answer[start:end]) - len(answer[start:end].lstrip())
        if start < end:
            pieces.append((start, length, end - start))
            length += end - start
    text = "".join(answer[start : start + size] for start, _, size in pieces)
    return PlainAnswer(text, thinking=len(answer) - length, pieces=pieces)


def _thinking(answer: str) -> list[tuple[int, int]]:
    """The stretches of thinking with their tags; a closing tag alone ends what began with the answer."""
    ticks = [at for at, char in enumerate(answer) if char == "`"]
    cuts: list[tuple[int, int]] = []
    opened: int | None = None
    begins = 0
    for match in _TAG.finditer(answer):
        is_in_code = (bisect_right(ticks, match.start()) - bisect_right(ticks, begins)) % 2
        if opened is None and is_in_code:
            continue  # as in an answer about such tags
        if match["open"]:
            opened = match.start() if opened is None else opened
        elif match["close"]:
            cuts = [(0, match.end())] if opened is None else [*cuts, (opened, match.end())]
            opened, begins = None, match.end()
        elif opened is None:
            cuts.append(match.span())
    return [*cuts, (opened, len(answer))] if opened is not None else cuts


def _kept_answer(answer: str, cuts: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    kept, at = [], 0
    for start, end in [*cuts, (len(answer), len(answer))]:
        if start > at:
            kept.append((at, start))
        at = max(at, end)
    return kept


def _unfenced(answer: str) -> str:
    text = answer.strip()
    fence = text[:3]
    if fence in _FENCES and text.endswith(fence) and len(text) > 2 * len(fence):
        text = text[3:-3].strip()
        language = next((name for name in _LANGUAGES if text[: len(name)].casefold() == name), "")
        text = text[len(language) :].strip()
    return text


def _from_json_object(answer: str) -> PlainAnswer | None:
    """The text in an answer that is a JSON object, alone or in a fence."""
    if "{" not in answer[:200] or "}" not in answer[-200:]:
        return None
    held = decoded(_unfenced(answer))
    if not isinstance(held, Mapping):
        return None
    members: Mapping[str, Any] = held
    inner = as_map(next(iter(held.values()))) if len(held) == 1 else {}
    if first_text(members, *ANSWER_NAMES) is None and inner:
        members = inner
    name = next((key for key in ANSWER_NAMES if first_text(members, key) is not None), "")
    parted = None if name else _parts_of_text(members)
    if parted is not None:
        return parted
    # An object holds an answer: its text alone, or beside it lists and remarks on it.
    is_sure = name not in ("text", "content", "message", "summary", "output", "result")
    if not name or not (is_sure or len(members) == 1 or any(map(is_cited_list, members))):
        return None
    text = str(members[name])
    rest = {key: item for key, item in members.items() if key != name}
    start = answer.find(text)
    pieces = [(start, 0, len(text))] if start >= 0 else []
    return PlainAnswer(text, rest, read_from=name, pieces=pieces)


def _parts_of_text(members: Mapping[str, Any]) -> PlainAnswer | None:
    """The text of an object that holds its answer in parts, each with its own sources."""
    for name, held in members.items():
        found = segments(held)
        if found is not None and (found[1] or name in (*ANSWER_NAMES, *_PARTS)):
            rest = {key: item for key, item in members.items() if key != name}
            return PlainAnswer(found[0], {**rest, "citations": found[1]}, read_from=name)
    return None


def apply(value: Mapping[str, Any], plain: PlainAnswer) -> dict[str, Any]:
    """A native transcript with the plain answer: spans moved, listed citations added, notes left."""
    found = {**value, "answer": plain.text}
    notes = list(as_list(value.get("notes")))
    spans, lost = [], 0
    for item in as_list(value.get("citations")):
        moved = _moved_spans(item, plain)
        if moved is None:
            lost += 1
        else:
            spans.append(moved)
    if spans or lost:
        found["citations"] = spans
    if plain.thinking:
        notes.append(_note(f"the model's thinking ({plain.thinking} characters of the answer) was left out"))
    if lost:
        said = f"{counted(lost, 'citation')} of words outside of the answer's text left out"
        notes.append(_note(said, "warning"))
    if plain.read_from:
        lists = lists_in(plain.members)
        others = [key for key in plain.members if key not in lists and key not in _CONFIDENCE]
        said = f"the answer is a JSON object, of which {plain.read_from!r} was judged"
        said += f"; not judged: {', '.join(map(repr, others[:6]))}" if others else ""
        notes.append(_note(said))
        found["listed"] = [*as_list(value.get("listed")), *lists.values()]
    return {**found, "notes": notes}


def _moved_spans(item: Any, plain: PlainAnswer) -> Any:
    """A provider's span in the plain answer; None if it lies in what was cut."""
    start, end = (as_int(as_map(item).get(name)) for name in ("start", "end"))
    if start is None or end is None or start < 0:
        return item
    first, last = plain.moved(start), plain.moved(end)
    return None if first is None or last is None else {**item, "start": first, "end": last}


def _note(message: str, severity: str = "info") -> dict[str, str]:
    return {"rule": "import_loss", "severity": severity, "message": message}
