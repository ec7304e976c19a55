"""Compare what an agent claims and passes on with its tool calls."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter
from typing import Any

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.wording import one_line
from pytest_grounding.checks import tool_results as results
from pytest_grounding.checks.check_context import BY_CALLS, CheckContext, stems_in
from pytest_grounding.checks.foreign_actions import Action, actions_elsewhere, english_verb, is_undone
from pytest_grounding.lexicon import words
from pytest_grounding.model.finding import Evidence, Finding, finding_of
from pytest_grounding.model.transcript import Chunk, ChunkMetadata, ToolCall, Transcript
from pytest_grounding.reading.facts import extract_facts, same
from pytest_grounding.reading.facts.fact import Fact
from pytest_grounding.reading.sentences import Claim
from pytest_grounding.reading.words import stem_of, tokenize
from pytest_grounding.scorers import SupportScore

#: Kind of the chunk for the result of a call.
TOOL_RESULT = "tool_result"
_STEMS = frozenset().union(*results.ACTIONS)
_ANY_ACTION = frozenset(map(stem_of, words("agents", "any action")))
_ACTIONS = _STEMS | _ANY_ACTION
_JUST = r"(?:(?:just|already|also|now|successfully)\s+){0,3}"
#: "I've already sent"; the verb is the first group.
_BY_US = lazy(rf"(?i)\b(?:i|we)(?:['’]ve|\s+have)?\s+{_JUST}(\w+)")
_DONE = lazy(rf"(?i)\b(?:has|have)\s+{_JUST}been\s+{_JUST}(\w+)")  # "Your order has been cancelled"
_JOINED = lazy(rf"(?i)\band\s+{_JUST}(\w+)")  # "… and refunded", after one of these
#: "I have not paid it yet", "I can order it".
_NOT_BY_US = lazy(r"(?i)\b(?:i|we)\s+(?:(?:have|did|do)\s*(?:not|n['’]t)|never|can|could|will|would)\b")
_NOT_SAID = lazy(r"(?i)(?:if|once|when|after|as soon as|unless)\b")
_OPTIONS = words("agents", "options")
_RELATIVE = words("agents", "relative days")
_DENIED = lazy(r"(?i)\b(?:not|never|unable|failed)\b|n['’]t\b")
_ABOUT = " ".join(words("agents", "telling"))
_SHORT = 60
#: Letters of a code that may abbreviate a name, and the support of a claim that a call supports.
_CODE = 4
_BACKED = 0.95
_EXACT = 1e-9
_HALF_DAY = 720  # minutes after which a clock without "a.m." shows the same
_VALUE = itemgetter(0)
_PASSAGE = 24  # shortest passage, in characters, that is recognised within a result
_MOST_NAMES = 1024  # names of tools that are kept as words


def chunk_id_of(call: ToolCall, number: int) -> str:
    """Id of the chunk for the result of a call, such as ``get_order (call_1)``."""
    return f"{call.name} ({call.id or number})"


def with_results(transcript: Transcript) -> Transcript:
    """The transcript with the results of its calls as further chunks; unchanged without calls."""
    if not transcript.tool_calls:
        return transcript
    known = {chunk.id for chunk in transcript.chunks}
    forms: dict[str, None] = {}
    for text in filter(None, (chunk.text.strip() for chunk in transcript.chunks)):
        written = json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]
        forms |= dict.fromkeys((text, *written))
    added = []
    for number, call in enumerate(transcript.tool_calls, start=1):
        identifier = chunk_id_of(call, number)
        text = _without_chunks(results.result_text(call), forms)
        if text.strip() and not results.has_failed(call) and identifier not in known:
            known.add(identifier)
            metadata = ChunkMetadata(title=call.name, chunk_type=TOOL_RESULT)
            added.append(Chunk(id=identifier, text=text, metadata=metadata))
    return transcript.model_copy(update={"chunks": (*transcript.chunks, *added)})


def _without_chunks(text: str, forms: Collection[str]) -> str:
    if text.strip() in forms:
        return ""
    for form in forms:
        if len(form) >= _PASSAGE and form in text:
            text = re.sub(rf"(?:(?<!\w)|(?<=\\n)){re.escape(form)}(?![.,]?\w)", "", text)
    return text


def check(context: CheckContext) -> list[Finding]:
    """Report claimed actions without a call, and arguments of calls without an origin."""
    return [*_undone(context), *_without_origin(context)]


def _undone(context: CheckContext) -> Iterator[Finding]:
    calls = context.transcript.tool_calls or ()
    for claim in context.claims:
        actions = (action for action in actions_of(claim.bare) if doing(action, calls) is None)
        action = next((action for action in actions if not _reporting(action, calls)), None)
        if action is None:
            continue
        failed = [call for call in calls if results.has_failed(call) and _does(call, action.verb)]
        why = f"the call of {failed[-1].name} failed" if failed else "no call performed it"
        if failed and failed[-1].error:
            why += f" ({one_line(failed[-1].error, _SHORT)})"
        said = f"the answer claims an action ({action.verb}), and {why}"
        more: dict[str, Any] = {"span": (claim.start, claim.end), "claim": claim.index}
        more["details"] = {"verb": action.verb, "failed": [call.name for call in failed]}
        yield finding_of("claims_action", context.settings, said, **more)


def actions_of(text: str) -> list[Action]:
    """The actions claimed by a sentence."""
    if text.rstrip().endswith("?") or _NOT_SAID.match(text.lstrip()):
        return []
    found = []
    for pattern in (_BY_US, _DONE):
        for start in pattern.finditer(text):
            verbs = [start[1], *(more[1] for more in _JOINED.finditer(text, start.end()))]
            for verb in map(str.lower, verbs):
                if stem_of(verb) in _STEMS and results.is_past(verb):
                    found.append(Action(verb, pattern is _BY_US))
    return found or actions_elsewhere(text)


def doing(action: Action, calls: Sequence[ToolCall]) -> ToolCall | None:
    """The successful call that may have done it; a call without a verb in its name may do anything."""
    for call in reversed(calls):
        known = results.READING.intersection(results.tool_words(call.name)) or _STEMS & _stems_of_name(
            call.name
        )
        if not results.has_failed(call) and (not known or _does(call, action.verb)):
            return call
    return None


def _does(call: ToolCall, verb: str) -> bool:
    stem = stem_of(verb)
    is_like = any(stem in group and group & _stems_of_name(call.name) for group in results.ACTIONS)
    return is_like or (stem in _ANY_ACTION and results.READING.isdisjoint(results.tool_words(call.name)))


@lru_cache(maxsize=_MOST_NAMES)
def _stems_of_name(name: str) -> frozenset[str]:
    return frozenset(map(stem_of, results.tool_words(name)))


def _reporting(action: Action, calls: Sequence[ToolCall]) -> ToolCall | None:
    """The call whose result confirms an action: "has been cancelled" and the status "cancelled"."""
    worked = [] if action.is_ours else [call for call in calls if not results.has_failed(call)]
    return next(
        (call for call in worked if stem_of(action.verb) in stems_in(results.result_text(call))), None
    )


def with_actions(
    transcript: Transcript, claims: Sequence[Claim], supports: Sequence[SupportScore | None], language: str
) -> tuple[SupportScore | None, ...]:
    """The supports, and those by calls: of sentences with words of an action, its call or the user alone."""
    calls = transcript.tool_calls or ()
    said = " ".join([transcript.question, *(turn.content for turn in transcript.history)])
    found = list(supports)
    for claim in claims:
        score = supports[claim.index]
        if score is None or score.conflicts:
            continue
        stems = _stems_in(claim.bare, language)
        told = filter(None, (_reporting(action, calls) for action in actions_of(claim.bare)))
        call = _call_reported_by(claim.bare, stems, calls) or next(told, None)
        if call is None and _NOT_BY_US.search(claim.bare) is None:
            continue
        verbs = stems & _ACTIONS
        done = {stem for made in calls for stem in verbs if _does(made, stem)} if call is not None else verbs
        known = done | stems_in(f"{said} {_ABOUT} {_text_of_call(call)}", language)
        if all(
            token.is_stop or token.stem in known or _english_stem(token.text) in done
            for token in tokenize(claim.bare, language)
        ):
            found[claim.index] = replace(
                score,
                probability=max(score.probability or 0.0, _BACKED),
                evidence=(*_evidence_of_call(call, calls), *score.evidence),
                reason=f"{BY_CALLS}{call.name if call is not None else 'none performed it'}",
                missing=(),
            )
    return tuple(found)


def _text_of_call(call: ToolCall | None) -> str:
    if call is None:
        return ""
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    return f"{' '.join(results.tool_words(call.name))} {arguments} {results.result_text(call)}"


def _evidence_of_call(call: ToolCall | None, calls: Sequence[ToolCall]) -> list[Evidence]:
    if call is None or results.has_failed(call):
        return []
    text, source = results.result_text(call), chunk_id_of(call, calls.index(call) + 1)
    return [Evidence(chunk_id=source, sentence_index=0, text=text, start=0, end=len(text))]


def reports_failure(context: CheckContext) -> bool:
    """Whether the answer reports a failure of something that a call tried."""
    calls = [call for call in context.transcript.tool_calls or () if results.has_failed(call)]
    for claim in context.claims:
        if _call_reported_by(claim.bare, _stems_in(claim.bare, context.language), calls) is not None:
            return True
    return False


def _english_stem(word: str) -> str:
    verb = english_verb(word)
    return stem_of(verb) if verb is not None else ""


def _stems_in(text: str, language: str) -> set[str]:
    tokens = tokenize(text, language)
    return {token.stem for token in tokens} | {_english_stem(token.text) for token in tokens}


def _call_reported_by(text: str, stems: set[str], calls: Sequence[ToolCall]) -> ToolCall | None:
    is_negative = _DENIED.search(text) is not None or is_undone(text)
    for call in reversed(calls):
        if results.READING.intersection(results.tool_words(call.name)):
            continue
        does = stems & _stems_of_name(call.name) or any(_does(call, stem) for stem in stems & _ACTIONS)
        if does and results.has_failed(call) == is_negative:
            return call
    return None


def _without_origin(context: CheckContext) -> Iterator[Finding]:
    transcript = context.transcript
    said = [transcript.question, *(turn.content for turn in transcript.history if turn.role != "assistant")]
    said += [chunk.text for chunk in transcript.chunks if chunk.metadata.chunk_type != TOOL_RESULT]
    known = _SaidFacts("\n".join(said))
    for call in transcript.tool_calls or ():
        for name, value in _leaves(call.arguments, ""):
            if _is_data_of_call(name, value) and not known.holds(value, name):
                passed = f"the call of {call.name} passes {name} = {one_line(str(value), _SHORT)}"
                problem = f"{passed}, which is in no turn of the user, no chunk and no earlier result"
                details = {"tool": call.name, "argument": name, "value": value}
                yield finding_of("unsaid_argument", context.settings, problem, details=details)
                break
        known.add(results.result_text(call))


def _leaves(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _leaves(item, str(key))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _leaves(item, name)
    else:
        yield name, value


def _is_data_of_call(name: str, value: Any) -> bool:
    """Whether an argument comes from the user: a number, date, name, address or id, and not an option."""
    if name.lower().replace("_", " ") in _OPTIONS or isinstance(value, bool) or value is None:
        return False
    if isinstance(value, (int, float)):
        return value not in (0, 1, -1)
    text = str(value).strip()
    if not text or len(text) > _SHORT:
        return False
    is_name = all(word[:1].isupper() for word in re.findall(r"[^\W\d_]+", text))
    return any(sign.isdigit() or sign in "@#" for sign in text) or is_name


class _SaidFacts:
    def __init__(self, text: str) -> None:
        self._plain = " "
        self._joined = ""
        self._words: set[str] = set()
        self._unread: list[str] = []
        self._facts = _Facts()
        self.add(text)

    def add(self, text: str) -> None:
        plain = _plain_words(text)
        self._plain += f"{plain} "
        self._joined += plain.replace(" ", "")
        self._words.update(plain.split())
        self._unread.append(text)

    def holds(self, value: Any, name: str) -> bool:
        plain = _plain_words(str(value))
        if f" {plain} " in self._plain or plain.replace(" ", "") in self._joined:
            return True
        if isinstance(value, str) and value.isupper() and value.isalpha() and len(value) <= _CODE:
            return any(_abbreviates(plain, word) for word in self._words)
        ours = [fact for fact in extract_facts(str(value)) if fact.kind not in {"name", "negation"}]
        if any(fact.kind in {"date", "time"} for fact in ours) and not _RELATIVE.isdisjoint(self._words):
            return True
        for text in self._unread:
            self._facts.add(extract_facts(text))
        self._unread.clear()
        # The name of an argument may contain its unit: days = 9.
        for read in (ours, [fact for fact in extract_facts(f"{value} {name}") if fact.value is not None]):
            if read and all(map(self._facts.has, read)):
                return True
        parts = plain.split()
        return not ours and len(parts) > 1 and self._words.issuperset(parts)


class _Facts:
    def __init__(self) -> None:
        self._keys: set[tuple[str, str]] = set()
        self._hours: set[float] = set()
        self._by_value: list[tuple[float, Fact]] = []

    def add(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            self._keys.add((fact.kind, fact.key))
            if fact.value is None:
                continue
            insort(self._by_value, (fact.value, fact), key=_VALUE)
            if fact.kind == "number":
                self._hours.add(fact.value * 60 % _HALF_DAY)

    def has(self, fact: Fact) -> bool:
        if (fact.kind, fact.key) in self._keys:
            return True
        if fact.value is None:
            return False
        # "At eight" for 08:00 or 20:00.
        if fact.kind == "time" and fact.value % _HALF_DAY in self._hours:
            return True
        reach = 2 * _EXACT * max(1.0, abs(fact.value))
        first = bisect_left(self._by_value, fact.value - reach, key=_VALUE)
        last = bisect_right(self._by_value, fact.value + reach, key=_VALUE)
        # A number in an argument has no unit: 250 for "250 euros".
        for value, other in self._by_value[first:last]:
            if same(fact, other) or (fact.kind == "number" and abs(fact.value - value) < _EXACT):
                return True
        return False


def _plain_words(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def _abbreviates(code: str, word: str) -> bool:
    """Whether a code consists of letters of a word in their order: LIS for Lisbon."""
    rest = iter(word)
    return word[:1] == code[:1] and all(letter in rest for letter in code)
