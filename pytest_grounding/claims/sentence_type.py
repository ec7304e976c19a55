"""Types of sentences: refusals, and pieces of an answer that are not checked, with the reason."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pytest_grounding._io.lazy_patterns import Parts, gated, lazy
from pytest_grounding.lexicon import meanings, ordered
from pytest_grounding.lexicon import words as listed
from pytest_grounding.lexicon.patterns import PatternFile, parts, pattern
from pytest_grounding.reading import read_once
from pytest_grounding.reading.grammar import (
    AUXILIARIES,
    FUNCTION_WORDS,
    has_finite_verb,
    opens_as_clause,
    words_of,
)

_LONGEST_ASIDE = 300
_SHORTEST_EXAMPLE = 4
_SENDING = listed("refusals", "sending")
_ANSWER_WORDS = listed("refusals", "answers")
_ABOUT_WORDS = listed("refusals", "language")
_USAGE = listed("refusals", "usage")
_BESIDE = PatternFile("beside")
_NAME = lazy(r"[\w,;:'’)] (?!I\b)[A-Z]")
#: "The passage mentions two topics:" announces the next sentence, whatever the number.
SOURCES_ANNOUNCE = pattern("beside", "sources_announce")
_QUOTED = lazy(r"[\"“‘'][^\"”’']{1,40}[\"”’']")  # 'How is "so that" used?'
_DIGIT = lazy(r"\d")
_ATTRIBUTION, _THAT = 6, "that"  # words of "the policy says that" at most, and its verbs
_SAYING = frozenset(listed("denials", "attribution"))
_LONGEST_LEAD = 200
_LACK_SIGNS = PatternFile("lack_signs")
_LACKS = parts("lacks")
_LONGEST_LACK = 500
_REFUSAL = parts("refusals")
_OTHER = parts("refusals_elsewhere")
_ASIDES = parts("asides")
_REFUSAL_SIGNS = PatternFile("refusal_signs")
_COMMA = lazy(r",\s+")
_ASIDE = lazy(r"\([^()]{0,200}\)")
_MIN_CLAIM_WORDS = 4
_LONGEST = 700  # a refusal is short; a longer sentence states something besides
FEATURES = meanings("features", "refusal")  # names in the order of `refusal_features`, and what each measures
_LONGEST_UNTOLD = 300
_NEAR = 4
_FIRST = 3
_ROOT = 4
_SHORTEST = 3
_MOST_NEW, _MOST_ASKED, _MOST_NAMES = 5, 4, 3
_DIGITS = lazy(r"\d+")
_CAPITAL = lazy(r"(?<=[a-z,;] )[A-Z]\w*")
_OPENS = lazy(r"(?:^\W*|: )(?:yes|no)[,;.]", re.IGNORECASE)
_ASKING = listed("denials", "asking")
_NO_CONTENT = FUNCTION_WORDS | AUXILIARIES | _ASKING
_ENDINGS = ordered("denials", "endings")
_IDLE = listed("denials", "idle")
_OWNERS = listed("denials", "owners")
_US = listed("denials", "us")
_QUIET = frozenset(listed("denials", "quiet"))
_TOPICAL = frozenset({"about", "on"})
_LONGEST_WITHOUT_CONTENT = 7
_QUESTION_END = gated("?|？|؟", r"[?？؟][\"'”’»)\]*_」』]*$", 0)  # quotes may follow
_QUOTED_QUESTION_END = lazy(r"[?？؟][\"'”’»」』)]+$")  # the same with a closing quote or bracket after it
_SENTENCES = PatternFile("sentences")
_ACKNOWLEDGEMENT = parts("acknowledgements")
_GREETING = parts("greetings")
_CLOSING = parts("closings")
_FILLER = parts("fillers")
_START = lazy(r"\W*")
SIGN_OFF = pattern("sentences", "sign_off")
#: Words that affirm or deny and name nothing: "In general not.", "No, please don't."
_WITHOUT_CONTENT = listed("refusals", "polarity") | listed("refusals", "without_content")
_STATEMENT = 4  # words of a statement after a lead-in, at least
_LONGEST_PHRASE = 400  # a longer piece is more than a greeting or an announcement
_ASCII_DIGIT = lazy("[0-9]")
_LEAD_END = lazy(r": |; | [–—-] ")
_LONGEST_INTRO_WORDS = 24
_LONGEST_REFERENCE = 60
_LONGEST_ACKNOWLEDGEMENT = 60


def is_advice_elsewhere(sentence: str, words: Sequence[str], question: Sequence[str] = ()) -> bool:
    """Whether a sentence only advises to ask or look elsewhere."""
    if _SENDING.isdisjoint(words) or not is_bare(sentence) or not _SENDING.isdisjoint(question):
        return False
    return _BESIDE.advice.match(sentence) is not None and _BESIDE.reason.search(sentence) is None


def is_about_the_answer(sentence: str, words: Sequence[str]) -> bool:
    """Whether a sentence is about the answer itself, or about what else would have to be known."""
    if _ANSWER_WORDS.isdisjoint(words) or not is_bare(sentence):
        return False
    return _BESIDE.on_the_answer.match(sentence) is not None


def is_bare(sentence: str) -> bool:
    """Whether a sentence is short and has neither a number nor, after its first word, a name."""
    return len(sentence) <= _LONGEST_ASIDE and not _DIGIT.search(sentence) and not _NAME.search(sentence)


def asks_about_words(question: str, words: Sequence[str]) -> bool:
    """Whether a question is about language: grammar, or a quoted phrase."""
    if not _ABOUT_WORDS.isdisjoint(words):
        return True
    return not _USAGE.isdisjoint(words) and _QUOTED.search(question) is not None


def is_illustration(sentence: str, words: Sequence[str], intro: str) -> bool:
    """Whether a sentence is a usage example, in an answer to a question that `asks_about_words`."""
    if len(words) < _SHORTEST_EXAMPLE or _DIGIT.search(sentence):
        return False
    if not _ABOUT_WORDS.isdisjoint(words):
        return False  # it is about words, and not an example
    return _BESIDE.for_example.match(sentence) is not None or _BESIDE.example.search(intro) is not None


def without_references(sentence: str) -> str:
    """A heading without its references: "Pricing (see section 2):" becomes "Pricing:"."""
    if "(" not in sentence and "[" not in sentence:
        return sentence
    return _BESIDE.above_below.sub("", _BESIDE.reference.sub("", sentence))


# Called about a dozen times per claim.
@lru_cache(maxsize=256)
def lack_of(sentence: str) -> re.Match[str] | None:
    """What a numbered source lacks according to a sentence ("Passage 3 does not give the fee"); else None."""
    return _BESIDE.lack.match(sentence)


def names_sources(text: str) -> bool:
    """Whether a text mentions the sources: as such, by their kind ("the handbook"), or a part of them."""
    return _LACK_SIGNS.named.search(text) is not None


def with_sources_for_pronoun(sentence: str) -> str:
    """A sentence about what "it" or "they" lack, with "the sources" for the pronoun; else ""."""
    found = _LACK_SIGNS.pronoun.match(sentence)
    return f"{found['join']}the sources{sentence[found.end() :]}" if found is not None else ""


def is_lead(piece: str) -> bool:
    """Whether a piece only lists the available topics."""
    if len(piece) > _LONGEST_LEAD or not is_bare(piece):
        return False
    found = _LACK_SIGNS.lead.match(piece)
    return found is not None and not has_finite_verb(words_of(found["rest"]))


def contrasts_with_lack(sentence: str) -> bool:
    """Whether a sentence reports what the sources contain only to contrast it with what they lack."""
    return _LACK_SIGNS.contrast.match(sentence[:_LONGEST_LACK]) is not None


def reports_instead(sentence: str) -> bool:
    """Whether a sentence reports what the sources contain instead of the requested information."""
    return _LACK_SIGNS.instead.match(sentence[:_LONGEST_LACK]) is not None


def is_uncovered(sentence: str) -> bool:
    """Whether a sentence reports that something is not covered: a refusal beside what is covered."""
    return _LACK_SIGNS.uncovered.search(sentence[:_LONGEST_LACK]) is not None


def answers_nothing(sentence: str) -> bool:
    """Whether a sentence beside a refusal answers nothing: courtesy, or what the sources contain instead."""
    if _LACK_SIGNS.courtesy.match(sentence[:_LONGEST_LACK]) is not None:
        return True
    return reports_instead(sentence) or contrasts_with_lack(sentence)


def is_refusal(sentence: str) -> bool:
    """Whether a sentence declines and claims nothing else."""
    if len(sentence) > _LONGEST:
        return False
    if "(" in sentence:
        # "Rye (not mentioned in the passages)" is not a refusal: the text outside the brackets counts.
        outside = _ASIDE.sub("", sentence)
        sentence = outside if any(char.isalnum() for char in outside) else sentence
    if not _refuses(sentence, sentence):
        return False
    pieces = _REFUSAL_SIGNS.parts.split(sentence)
    if _REFUSAL_SIGNS.concession.match(sentence):
        pieces[:1] = _COMMA.split(pieces[0], maxsplit=1)
    return not any(_claims_something(piece, sentence) for piece in pieces)


def is_referral(sentence: str) -> bool:
    """Whether a sentence only refers the user elsewhere ("You may want to ask the support")."""
    is_referred = _REFUSAL_SIGNS.referral.match(sentence[:400]) is not None
    return is_referred and not any(map(str.isdigit, sentence))


def _refuses(text: str, whole: str) -> bool:
    """Whether some part of a text reports that something is unknown or not in the sources."""
    if _REFUSAL.search(text) or _REFUSAL_SIGNS.apology.match(text) is not None:
        return True
    if _REFUSAL_SIGNS.weak.search(text) is not None and _REFUSAL_SIGNS.at_hand.search(whole) is not None:
        return True
    return (len(text) <= _LONGEST_LACK and _LACKS.search(text)) or _OTHER.search(text)


def _claims_something(part: str, whole: str) -> bool:
    words = words_of(part)
    if len(words) < _MIN_CLAIM_WORDS or _refuses(part, whole):
        return False
    if not any(char.isdigit() for char in part):
        is_aside = _ASIDES.match(part) or is_lead(part.rstrip(" ,;"))
        if is_aside or is_referral(part) or reports_instead(part):
            return False
    return has_finite_verb(words) or opens_as_clause(part)


def is_learned_refusal(sentence: str, words: Sequence[str], question: str) -> bool:
    """Whether a sentence refuses what its question asks for, and adds nothing."""
    if not may_be_learned_refusal(sentence, words, question):
        return False
    model, features = _model(), refusal_features(sentence, words, question)
    return model.intercept + sum(map(float.__mul__, model.weights, features)) >= model.least


def may_be_learned_refusal(sentence: str, words: Sequence[str], question: str) -> bool:
    """Whether the model applies: a negation or a lack, and another word for telling, knowing or sources."""
    lists = _lists()
    words = _behind_that(words, lists)
    if len(sentence) > _LONGEST_UNTOLD or lists["anchors"].isdisjoint(words):
        return False
    if set(_owned(words)).issuperset(n for n, word in enumerate(words) if word in lists["anchors"]):
        return False
    if not _asked_words(question) or not all(figure in question for figure in _DIGITS.findall(sentence)):
        return False
    if any(_negates(word, lists) or word in lists["unsaid"] for word in words):
        return True
    # "A bus leaves every ten minutes" lacks nothing.
    return not lists["lacking"].isdisjoint(words) and not _tells_more(words, question, lists)


def _tells_more(words: Sequence[str], question: str, lists: dict[str, frozenset[str]]) -> bool:
    """Whether a sentence has words that are neither asked nor of a lack, of sources or of telling."""
    idle = _NO_CONTENT | lists["own"] | _IDLE
    return any(word not in idle and _root_of(word) not in _asked_words(question) for word in words)


def _behind_that(words: Sequence[str], lists: dict[str, frozenset[str]]) -> Sequence[str]:
    """The words behind "the policy says that", where nothing before denies; else all."""
    if _THAT not in words[:_ATTRIBUTION]:
        return words
    lead = words[: words.index(_THAT)]
    is_plain = not any(_negates(word, lists) for word in lead)
    return words[len(lead) + 1 :] if is_plain and not _SAYING.isdisjoint(lead) else words


def refusal_features(sentence: str, words: Sequence[str], question: str) -> tuple[float, ...]:
    """The features of a sentence; see `FEATURES`. Arguments as for `is_learned_refusal`."""
    lists, asked = _lists(), _asked_words(question)
    known = [_root_of(word) in asked for word in words]
    owned = _owned(words)

    def places(name: str) -> list[int]:
        # "Your notes" and "his files" are things, not sources.
        return [n for n, word in enumerate(words) if word in lists[name] and not (known[n] or n in owned)]

    denials = _denials(words, lists)
    unsaid, lacks, says, gives = map(places, ("unsaid", "lacking", "saying", "giving"))
    knows, sources = map(places, ("knowing", "sources"))
    if not sources and _TOPICAL.isdisjoint(words):
        # "The engine is silent" tells something of the engine.
        unsaid = [number for number in unsaid if words[number] not in _QUIET]
    content = [n for n, word in enumerate(words) if word not in _NO_CONTENT and not _negates(word, lists)]
    new = sum(not known[n] and words[n] not in lists["own"] for n in content)
    speaker = not lists["speaker"].isdisjoint(words)
    polar = question.split(maxsplit=1)[0].lower() in AUXILIARIES
    tokens = frozenset(words_of(question))
    found = (
        bool(denials),
        bool(unsaid),
        bool(lacks),
        bool(says),
        bool(gives),
        bool(knows),
        bool(sources),
        bool(denials and places("told")),
        _are_words_near(denials, says),
        _are_words_near(denials, gives),
        bool(denials and {*says, *knows}.intersection((len(words) - 1, len(words) - 2))),
        not new,
        _are_words_near(denials, knows),
        bool(denials and sources),
        bool(lacks and sources),
        speaker,
        bool(speaker and denials),
        not lists["regret"].isdisjoint(words),
        min(new, _MOST_NEW) / _MOST_NEW,
        new / max(1, len(content)),
        min(sum(known[n] for n in content), _MOST_ASKED) / _MOST_ASKED,
        any(known[:3]),
        bool(sources and sources[0] < 3),
        not _ASKING.isdisjoint(words[1:]),
        min(sum(w.lower() not in tokens for w in _CAPITAL.findall(sentence)), _MOST_NAMES) / _MOST_NAMES,
        math.log1p(len(words)) / 3,
        polar,
        polar and not (says or knows or sources),
        any(known[n] and word in lists["telling"] for n, word in enumerate(words)),
        _OPENS.search(sentence) is not None,
        any(words[n] in lists["telling"] or words[n] in lists["sources"] for n in owned),
        not _US.isdisjoint(words),
        any(n < _FIRST and not known[n] and words[n] not in lists["own"] for n in content),
    )
    return tuple(map(float, found))


def _denials(words: Sequence[str], lists: dict[str, frozenset[str]]) -> list[int]:
    """Indices of the denying words; "without naming it" is a refusal, "without your consent" is not."""
    after = {n - 1 for n, word in enumerate(words) if word in lists["telling"]}
    return [n for n, word in enumerate(words) if _negates(word, lists) and (word != "without" or n in after)]


def _owned(words: Sequence[str]) -> list[int]:
    """Indices of words for somebody's possessions: "your notes"."""
    return [n for n, word in enumerate(words) if n and words[n - 1] in _OWNERS]


def _are_words_near(some: Sequence[int], others: Sequence[int]) -> bool:
    return any(abs(a - b) <= _NEAR for a in some for b in others)


def _negates(word: str, lists: dict[str, frozenset[str]]) -> bool:
    return word in lists["denying"] or word.endswith(("n't", "n’t"))


@lru_cache(maxsize=1)
def _lists() -> dict[str, frozenset[str]]:
    names = "denying unsaid lacking saying giving knowing sources told speaker regret plain".split()
    lists = {name: listed("denials", name) for name in names}
    told = ("unsaid", "saying", "giving", "knowing", "sources", "told")
    return {
        **lists,
        "own": frozenset().union(*lists.values()),
        "denials": lists["unsaid"] | lists["lacking"] | lists["denying"],
        "telling": lists["saying"] | lists["giving"],
        "anchors": frozenset().union(*(lists[name] for name in told)),
    }


@dataclass(frozen=True, slots=True)
class _Model:
    """A weighted sum of `FEATURES`, and the log odds from which a sentence is a refusal."""

    intercept: float
    weights: tuple[float, ...]
    least: float


@lru_cache(maxsize=1)
def _model() -> _Model:
    data = json.loads(Path(__file__).with_name("untold.json").read_text(encoding="utf-8"))
    if list(data["weights"]) != list(FEATURES):
        raise ValueError("untold.json is of other features; run python -m training.denials")
    weights = tuple(map(float, data["weights"].values()))
    return _Model(float(data["intercept"]), weights, float(data["least"]))


@read_once
def _asked_words(question: str) -> frozenset[str]:
    """The content words of a question, cut to their first letters, so that other forms match."""
    return frozenset(_root_of(word) for word in words_of(question) if word not in _NO_CONTENT)


def _root_of(word: str) -> str:
    word = word.removesuffix("'s").removesuffix("’s")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word.removesuffix(ending)
            break
    return word[:_ROOT]


def is_sources_heading(plain: str) -> bool:
    """Whether a heading or line opens a list of sources ("References")."""
    return len(plain) < 40 and _SENTENCES.sources_heading.match(plain) is not None


def skip_reason(plain: str, bare: str, words: Sequence[str], question: str, *, introduces: bool) -> str:
    """Why a piece of prose is not checked; "" if it claims something."""
    if not words and not any(char.isalnum() for char in plain):
        return "separator"
    if words and words[0] in FUNCTION_WORDS and FUNCTION_WORDS.issuperset(words):
        return "filler"  # "the", "of the": nothing to check
    if _is_question(plain):
        return "restated_question" if question and words == words_of(question) else "question"
    if len(plain) <= _LONGEST_PHRASE:
        if _is_source_line(plain):
            return "source_list"
        # A number is a claim even in an offer: "Enjoy your stay with 20 % off".
        hides = _hides_statement(plain)
        if not hides and not _has_digit(plain) and (is_greeting(plain) or is_closing(plain)):
            return "greeting"
        if not hides and is_filler(plain):
            return "filler"
        if _is_restated(plain, words, question):
            return "restated_question"
        if plain.endswith((":", "：")) and _is_list_intro(bare, introduces):
            return "list_intro"
    if is_refusal(plain) or (question and is_learned_refusal(plain, list(words), question)):
        return "refusal"
    return ""


def heading_claims(plain: str) -> bool:
    """Whether a heading is a full statement ("The plan costs $20 a month")."""
    if _SENTENCES.heading_opener.match(plain) is not None or plain.endswith((":", "?", "？", "：")):
        return False
    words = words_of(plain)
    if len(words) < 4:
        return False
    return not AUXILIARIES.isdisjoint(words[1:]) or (_has_digit(plain) and has_finite_verb(words[1:]))


def _is_question(plain: str) -> bool:
    tail = plain[-8:]
    if _QUESTION_END.search(tail) is None or _SENTENCES.did_you_know.search(plain) is not None:
        return False
    if _QUOTED_QUESTION_END.search(tail) is not None and plain[0] not in "\"'“‘«「『(":
        return False  # 'She asked, "Why?"' is a statement; '"Why?"' is a question
    appended = _SENTENCES.appended_question.search(plain, max(0, len(plain) - 140))
    if (
        appended is None
        or _SENTENCES.condition.match(plain) is not None
        or _SENTENCES.interrogative.match(plain) is not None
    ):
        return True
    # "The plan costs $20, is that right?" states something before it asks.
    words = words_of(plain[: appended.start()])
    return len(words) < 3 or not has_finite_verb(words)


def _has_digit(text: str) -> bool:
    if text.isascii():
        return _ASCII_DIGIT.search(text) is not None
    return any(char.isdigit() for char in text)


def _hides_statement(plain: str) -> bool:
    """Whether a statement follows a lead-in: "I can answer that: the fee is due in May"."""
    found = _LEAD_END.search(plain)
    if found is None:
        return False
    behind = plain[found.end() :]
    words = words_of(behind)
    return len(words) >= _STATEMENT and has_finite_verb(words) and not behind.endswith((":", "?"))


def _is_source_line(plain: str) -> bool:
    """Whether a line lists sources: "Sources: the handbook", but not "Source: it is made from fruit"."""
    if (
        len(plain) <= _LONGEST_REFERENCE
        and _has_digit(plain)
        and _SENTENCES.bare_reference.match(plain) is not None
    ):
        return any(char.isalpha() for char in plain)  # "42" may be a whole answer
    match = _SENTENCES.sources_line.match(plain)
    return match is not None and ("://" in plain or not has_finite_verb(words_of(plain[match.end() :])))


def _is_restated(plain: str, words: Sequence[str], question: str) -> bool:
    if _SENTENCES.restated.match(plain) is not None:
        return True
    if not question or len(words) < 3 or _SENTENCES.interrogative.match(plain) is None:
        return False
    return words == words_of(question)


def _is_list_intro(bare: str, introduces: bool) -> bool:
    """Whether a line that ends with a colon only announces what follows."""
    if introduces and SOURCES_ANNOUNCE.match(bare) is not None:
        return True
    bare = without_references(bare)
    words = words_of(bare)
    has_verb = has_finite_verb(words)
    if (
        _SENTENCES.count.search(bare) is not None
        and has_verb
        and "step" not in words
        and "steps" not in words
    ):
        return False
    if not has_verb or len(words) <= 4:
        return True
    if len(words) > _LONGEST_INTRO_WORDS:
        return False
    return (_SENTENCES.intro_end if introduces else _SENTENCES.intro_word).search(bare) is not None


def is_acknowledgement(plain: str) -> bool:
    """Whether a sentence only acknowledges: "Yes.", "It does!", "I agree with you."."""
    if len(plain) > _LONGEST_ACKNOWLEDGEMENT:
        return False
    words = words_of(plain)
    if 0 < len(words) <= _LONGEST_WITHOUT_CONTENT and _WITHOUT_CONTENT.issuperset(words):
        return True
    if len(words) == 1 and plain.endswith("!") and not _has_digit(plain):
        return True  # "Warning!"
    return _ACKNOWLEDGEMENT.match(plain)


def is_greeting(plain: str) -> bool:
    """Whether a piece is nothing but a greeting, thanks, a welcome or a promise to help."""
    return _goes_on_with(_GREETING, plain)


def is_closing(plain: str) -> bool:
    """Whether a piece closes a conversation: hopes, offers, wishes, requests to continue."""
    return _CLOSING.match(plain, _openings(plain)[0])


def is_filler(plain: str) -> bool:
    """Whether a piece announces, introduces or refers, and states nothing."""
    return _goes_on_with(_FILLER, plain)


def _goes_on_with(wordings: Parts, plain: str) -> bool:
    start, polite = _openings(plain)
    return wordings.match(plain, start) or (polite > start and wordings.match(plain, polite))


# Asked for greetings, closings and fillers in turn.
@lru_cache(maxsize=16)
def _openings(plain: str) -> tuple[int, int]:
    return _end(_START.match(plain)), _end(_SENTENCES.polite_start.match(plain))


def _end(found: re.Match[str] | None) -> int:
    return found.end() if found is not None else 0
