"""The demands of a question: its parts, read with the earlier turns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import ordered, words
from pytest_grounding.lexicon.patterns import PatternFile
from pytest_grounding.model.transcript import Turn
from pytest_grounding.questions import question_words as w
from pytest_grounding.questions.analysis import analyse, question_sentences
from pytest_grounding.questions.question_words import QuestionInfo, QuestionPart, QuestionType, split_words
from pytest_grounding.reading import read_once

DemandKind = Literal["question", "attribute", "entity", "item"]
MOST = 8  # most parts that are distinguished
_LONGEST = 600  # the longest question that is analysed, in characters
_DEMANDS = PatternFile("demands")
_JOIN = lazy(r", (?:and |as well as )?| (?:and|as well as) ", re.IGNORECASE)
_NUMBERS = {word: number for number, word in enumerate(ordered("numerals", "units")[:13])}
_ORDINALS = ordered("numerals", "ordinal_units")
_STATES = words("questions", "statement_openers")
_LONGEST_LEANING = 120  # a longer question always has a topic
_ELSEWHERE = words("questions", "elsewhere")
_REPLIES = words("questions", "replies") | words("questions", "whole_texts")


@dataclass(frozen=True, slots=True)
class Demand:
    """One demand of a question."""

    kind: DemandKind  # "and when?", "the weight", "Linux and Windows", or one of "the three steps"
    part: QuestionPart  # the question part with the expected kind of answer; its ``text`` names the demand
    own: tuple[str, ...] = ()  # its words that no other demand of the question has
    number: int = 0  # position of an item, from 1; else 0

    @property
    def text(self) -> str:
        """The demand in words of the question."""
        if self.number:
            return f"{_ORDINALS[self.number]} of {self.part.focus}"
        return " ".join(self.part.text.strip(" ,;.?!").split())


def demands_of(info: QuestionInfo) -> tuple[Demand, ...]:
    """The demands of a question."""
    if info.language != "en" or len(info.question) > _LONGEST:
        return ()
    return _demands(info.question)


def count_parts(question: str, language: str = "en") -> int:
    """The number of demands, at least 1."""
    return max(1, len(demands_of(analyse(question, language))))


@read_once
def _demands(question: str) -> tuple[Demand, ...]:
    info = analyse(question)
    found: list[Demand] = []
    for part in _split_parts(info):
        if not _asks(part, question):
            continue
        # "I mean, how many days?" rephrases the question.
        begin = max(question.rfind(mark, 0, part.start) for mark in ".?!\n") + 1
        if not found or _DEMANDS.restates.match(question[begin : part.end]) is None:
            whole = [Demand("question", part)]
            found.extend(
                _compared_things(part)
                or _attributes(part)
                or _entities(part)
                or _numbered_items(part)
                or whole
            )
    found += _asked_after(info, found)
    found = [item for item in found if item.kind != "question" or item.part.type != "other"]
    if len(found) < 2 and not any(item.number for item in found):
        return ()
    return _with_own(found[:MOST])


def _split_parts(info: QuestionInfo) -> list[QuestionPart]:
    """The parts of a question, split further where another question word opens a question."""
    found: list[QuestionPart] = []
    for part in info.parts:
        cuts = [match for match in _DEMANDS.boundary.finditer(part.text) if match.start() > 0]
        if not cuts or part.type == "other":
            found.append(part)
            continue
        begin, pieces = 0, []
        for match in cuts:
            pieces.append((begin, match.start()))
            begin = match.end()
        pieces.append((begin, len(part.text)))
        for number, (start, end) in enumerate(pieces):
            text = part.text[start:end].strip()
            if not text:
                continue
            read = analyse(text if text.endswith("?") else f"{text}?").parts[0]
            at = part.start + start
            own = [replace(word, start=word.start + at, end=word.end + at) for word in read.words]
            words = tuple(own) if own or not number else part.words
            key, verb = _moved_offset(read.key, at), _moved_offset(read.verb, at)
            end = at + len(text)
            found.append(replace(read, start=at, end=end, text=text, words=words, key=key, verb=verb))
    return found


def _moved_offset(offset: int, by: int) -> int:
    return offset + by if offset >= 0 else -1


def _asks(part: QuestionPart, question: str) -> bool:
    """Whether a part asks something: it is not a statement before the question."""
    words = split_words(part.text)
    if part.type == "other" or not words:
        return False
    first = words[0].lower
    if first in w.PRONOUN_SUBJECTS or first in _STATES:
        return False
    ends = question[part.end - 1 : part.end + 1].strip()[-1:]
    opens = first in w.ASKING or first in w.AUXILIARIES or first in w.IMPERATIVES
    return opens or ends != "." or first in w.OPENINGS


def _named_demand(part: QuestionPart, text: str, at: int, kind: DemandKind) -> Demand:
    start = part.start + at
    tokens = split_words(text)
    words = tuple(word for word in part.words if start <= word.start < start + len(text))
    noun = tokens[-1].lower if tokens else ""
    named = w.NO_FOCUS if kind == "entity" else w.FOCUS_TYPES.get(noun, w.NO_FOCUS)
    focus = tokens[-1].text if tokens else ""
    asks: QuestionType = "what" if kind == "attribute" else part.type
    named_part = replace(part, start=start, end=start + len(text), text=text, words=words, focus=focus)
    expected = named.expected or "thing"
    return Demand(kind, replace(named_part, type=asks, expected=expected, measure=named.measure))


def _listed_demands(part: QuestionPart, match: re.Match[str], group: str, kind: DemandKind) -> list[Demand]:
    text, at = match[group], match.start(group)
    found, begin = [], 0
    for joint in [*_JOIN.finditer(text), None]:
        end = joint.start() if joint is not None else len(text)
        if text[begin:end].strip():
            found.append(_named_demand(part, text[begin:end], at + begin, kind))
        begin = joint.end() if joint is not None else end
    return found


def _both_sides(part: QuestionPart, match: re.Match[str]) -> list[Demand]:
    return [_named_demand(part, match[side], match.start(side), "entity") for side in "ab"]


def _compared_things(part: QuestionPart) -> list[Demand]:
    """Two compared things, and the aspect."""
    match = _DEMANDS.comparing.search(part.text) or _DEMANDS.compared.search(part.text)
    if match is None:
        return []
    found = _both_sides(part, match)
    if match["on"]:
        found += _listed_demands(part, match, "on", "attribute")
    return found


def _attributes(part: QuestionPart) -> list[Demand]:
    """Several attributes of one thing: "the price and the weight of the tent"."""
    match = _DEMANDS.attributes.search(part.text)
    if match is None or _DEMANDS.pairs.search(match["list"]) or _DEMANDS.not_aside.search(match[0]):
        return []
    found = _listed_demands(part, match, "list", "attribute")
    named = [piece.lower().startswith("the ") for piece in _JOIN.split(match["list"])]
    # "The advantages and disadvantages of": two plurals, or nouns for attributes.
    plain = all(item.part.focus.lower() in w.FOCUS_TYPES or item.part.focus.endswith("s") for item in found)
    return found if all(named) or plain else []


def _entities(part: QuestionPart) -> list[Demand]:
    both = _DEMANDS.both.search(part.text)
    if both is not None and not _DEMANDS.pairs.search(both[0]):
        return _both_sides(part, both)
    if part.type == "yes_no" and part.expected == "polarity":
        needs = _DEMANDS.needs.search(part.text)
        if needs is not None and not _DEMANDS.pairs.search(needs[0]):
            return _both_sides(part, needs)
    each = _DEMANDS.each_of.search(part.text)
    if each is None or _DEMANDS.pairs.search(each["list"]) or _DEMANDS.not_aside.search(each[0]):
        return []
    return _listed_demands(part, each, "list", "entity")


def _numbered_items(part: QuestionPart) -> list[Demand]:
    """A number of items: "the three steps"."""
    match = _DEMANDS.counted.search(part.text)
    if match is None:
        return []
    number = _NUMBERS.get(match["number"].lower()) or int(match["number"])
    noun = f"{match['number']} {match['noun']}"
    return [Demand("item", replace(part, focus=noun), number=place) for place in range(1, number + 1)]


def _asked_after(info: QuestionInfo, found: list[Demand]) -> list[Demand]:
    """A sentence without a verb that repeats the question for something else: "And the blue one?"."""
    if not found:
        return []
    last = found[-1].part
    match = _DEMANDS.what_about.match(info.question[last.end :])
    if match is None or split_words(match["rest"])[0].lower in w.ASKING:
        return []
    at = last.end + match.start("rest")
    words = analyse(f"What is {match['rest']}?").words
    shift = at - len("What is ")
    moved = tuple(replace(word, start=word.start + shift, end=word.end + shift) for word in words)
    part = replace(last, start=at, end=match.end("rest") + last.end, text=match["rest"], words=moved)
    return [Demand("entity", part)] if moved else []


def _with_own(found: list[Demand]) -> tuple[Demand, ...]:
    # "When and where does the choir rehearse": both are about the same.
    for place, item in enumerate(found):
        if not item.part.words and len(found) > 1:
            near = found[place - 1] if place else found[1]
            found[place] = replace(item, part=replace(item.part, words=near.part.words))
    demands_with = Counter[str]()
    for item in found:
        demands_with.update({word.text.lower() for word in item.part.words})
    result = []
    for item in found:
        own = dict.fromkeys(word.text for word in item.part.words if demands_with[word.text.lower()] == 1)
        result.append(replace(item, own=tuple(own)))
    return tuple(result)


@dataclass(frozen=True, slots=True)
class ContextualQuestion:
    """A question with its context."""

    text: str  # the question, after the turn it refers to, if any
    turn: str = ""  # that turn, or ""
    names_topic: bool = True  # whether ``text`` has a topic to search for


def names_topic(question: str, language: str = "en") -> bool:
    """Whether a question has a word for its topic."""
    return len(question) > _LONGEST_LEANING or _names_topic(question, language)


@read_once
def _names_topic(question: str, language: str) -> bool:
    tokens = split_words(question)
    if all(token.lower in _ELSEWHERE for token in tokens):
        return False
    pieces = [question[start:end].rstrip(".?!") for start, end in question_sentences(question)]
    content = (word.text for piece in pieces for word in analyse(f"{piece}?", language).words)
    return any(text.lower() not in _REPLIES for text in content)


def refers_to_earlier_turn(question: str, language: str = "en") -> bool:
    """Whether a question refers to an earlier turn: it has no topic, or a pronoun."""
    pronoun = any(token.lower in w.PRONOUNS for token in split_words(question[:_LONGEST_LEANING]))
    return pronoun or not names_topic(question, language)


def topic_turn(history: Iterable[Turn], language: str = "en") -> str:
    """The user's last turn with a topic, else the last turn with one, or ""."""
    of_user = of_anyone = ""
    for turn in history:
        text = turn.content.strip()
        if text and names_topic(text, language):
            of_anyone = text
            if turn.role.strip().casefold() in {"user", "human"}:
                of_user = text
    return of_user or of_anyone


def asked_after(question: str, history: Iterable[Turn], language: str = "en") -> ContextualQuestion:
    """A question with its context: alone if it has a topic, else after the turn that has one."""
    if names_topic(question, language):
        return ContextualQuestion(question)
    turn = topic_turn(history, language)
    if turn:
        return ContextualQuestion(f"{turn}\n{question}", turn)
    return ContextualQuestion(question, names_topic=False)


def analyse_after(asked: ContextualQuestion, question: str, language: str = "en") -> QuestionInfo:
    """Analyse a question, with the content words of the turn it refers to."""
    alone = analyse(question, language)
    if not asked.turn:
        return alone
    joined = analyse(asked.text, language)
    first = len(asked.text) - len(question)
    parts = tuple(part for part in joined.parts if part.start >= first)
    if not parts or alone.type == "other":
        return alone
    return replace(joined, type=parts[0].type, expected=parts[0].expected, parts=parts)
