"""Refusals: sentences that decline, say what the sources lack, or send their reader elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import words as listed
from pytest_grounding.lexicon.patterns import parts, pattern
from pytest_grounding.reading.grammar import has_finite_verb, opens_with_subject_and_verb, words_of

_LONGEST_ASIDE = 300
_SHORTEST_EXAMPLE = 4
_SENDING = listed("refusals", "sending")
_ANSWER_WORDS = listed("refusals", "answers")
_ABOUT_WORDS = listed("refusals", "language")
_USAGE = listed("refusals", "usage")
_ADVICE = pattern("beside", "advice")
_NAME = lazy(r"[\w,;:'’)] (?!I\b)[A-Z]")
_REASON = pattern("beside", "reason")
_ON_THE_ANSWER = pattern("beside", "on_the_answer")

#: "The passage mentions two topics:" announces what follows, however many.
SOURCES_ANNOUNCE = pattern("beside", "sources_announce")

#: "(see section 2)", "(Table 4)", "(cf. pages 3-5)".
_REFERENCE = pattern("beside", "reference")
_ABOVE_BELOW = pattern("beside", "above_below")
_FOR_EXAMPLE = pattern("beside", "for_example")
_EXAMPLE = pattern("beside", "example")
#: 'How is "so that" used?'
_QUOTED = lazy(r"[\"“‘'][^\"”’']{1,40}[\"”’']")
_DIGIT = lazy(r"\d")


def is_advice_elsewhere(sentence: str, words: Sequence[str], question: Sequence[str] = ()) -> bool:
    """Whether a sentence only advises to ask somebody or to look somewhere else."""
    if _SENDING.isdisjoint(words) or not is_bare(sentence) or not _SENDING.isdisjoint(question):
        return False
    return _ADVICE.match(sentence) is not None and _REASON.search(sentence) is None


def is_about_the_answer(sentence: str, words: Sequence[str]) -> bool:
    """Whether a sentence says what the answer covers or rests on, or that more would have to be known."""
    if _ANSWER_WORDS.isdisjoint(words) or not is_bare(sentence):
        return False
    return _ON_THE_ANSWER.match(sentence) is not None


def is_bare(sentence: str) -> bool:
    """Whether a sentence is short and holds neither a figure nor, behind its first word, a name."""
    return (
        len(sentence) <= _LONGEST_ASIDE and _DIGIT.search(sentence) is None and _NAME.search(sentence) is None
    )


def asks_about_words(question: str, words: Sequence[str]) -> bool:
    """Whether a question, with its words in lower case, is about language: grammar, or a phrase in quotes."""
    if not _ABOUT_WORDS.isdisjoint(words):
        return True
    return not _USAGE.isdisjoint(words) and _QUOTED.search(question) is not None


def is_illustration(sentence: str, words: Sequence[str], intro: str) -> bool:
    """Whether a sentence shows a word at work, in an answer to a question that `asks_about_words`."""
    if len(words) < _SHORTEST_EXAMPLE or _DIGIT.search(sentence):
        return False
    if not _ABOUT_WORDS.isdisjoint(words):
        return False  # it speaks about words, and does not use them alone
    return _FOR_EXAMPLE.match(sentence) is not None or _EXAMPLE.search(intro) is not None


def without_references(sentence: str) -> str:
    """A heading without the places that it points at: "Pricing (see section 2):" becomes "Pricing:"."""
    if "(" not in sentence and "[" not in sentence:
        return sentence
    return _ABOVE_BELOW.sub("", _REFERENCE.sub("", sentence))


class Lack(NamedTuple):
    """What a sentence says that one numbered source lacks."""

    number: int  # 1-based number of the source
    start: int  # offset where the words for what is missing begin
    mentions: bool  # whether it is said not to be mentioned at all, rather than not told


_LACK = pattern("beside", "lack")


# A dozen places ask it of each claim.
@lru_cache(maxsize=256)
def lack_of(sentence: str) -> Lack | None:
    """What a sentence says that a numbered source lacks ("Passage 3 does not give the fee"); else None."""
    found = _LACK.match(sentence)
    return Lack(int(found["number"]), found.end(), bool(found["mentions"])) if found else None


_LONGEST_LEAD = 200
# Verbs of which a text alone can be the subject: "it does not cover hail" may speak of an insurance.
_PRONOUN = pattern("lack_signs", "pronoun")
_NAMED = pattern("lack_signs", "named")
_LEAD = pattern("lack_signs", "lead")


def names_sources(text: str) -> bool:
    """Whether a text names the sources: as such, by their kind ("the handbook"), or a part of them."""
    return _NAMED.search(text) is not None


def with_sources_for_pronoun(sentence: str) -> str:
    """A sentence that tells what "it" or "they" leave unsaid, with "the sources" for the pronoun; else ""."""
    found = _PRONOUN.match(sentence)
    return f"{found['join']}the sources{sentence[found.end() :]}" if found is not None else ""


def is_lead(piece: str) -> bool:
    """Whether a piece only names the topics that are at hand."""
    if len(piece) > _LONGEST_LEAD or not is_bare(piece):
        return False
    found = _LEAD.match(piece)
    return found is not None and not has_finite_verb(words_of(found["rest"]))


_LACKS = parts("lacks")
#: What the sources hold, set against what they lack: "they give the fee for children but not for adults".
_CONTRAST = pattern("lack_signs", "contrast")
#: What tells what the sources do hold, and so what they do not.
_INSTEAD = pattern("lack_signs", "instead")
#: Courtesy around a refusal: what was looked at, thanks, where to ask.
_COURTESY = pattern("lack_signs", "courtesy")
_UNCOVERED = pattern("lack_signs", "uncovered")
_LONGEST_LACK = 500


def says_lack(sentence: str) -> bool:
    """Whether a sentence tells that the sources, or who answers, lack something."""
    return len(sentence) <= _LONGEST_LACK and _LACKS.search(sentence)


def sets_against(sentence: str) -> bool:
    """Whether a sentence tells what the sources hold only to say what they lack."""
    return _CONTRAST.match(sentence[:_LONGEST_LACK]) is not None


def tells_instead(sentence: str) -> bool:
    """Whether a sentence tells what the sources hold instead of what was asked."""
    return _INSTEAD.match(sentence[:_LONGEST_LACK]) is not None


def is_uncovered(sentence: str) -> bool:
    """Whether a sentence says that something is not covered: a refusal beside what the sources do cover."""
    return _UNCOVERED.search(sentence[:_LONGEST_LACK]) is not None


def answers_nothing(sentence: str) -> bool:
    """Whether a sentence answers nothing beside a refusal: courtesy, or what the sources hold instead."""
    return (
        _COURTESY.match(sentence[:_LONGEST_LACK]) is not None
        or tells_instead(sentence)
        or sets_against(sentence)
    )


_REFUSAL = parts("refusals")
_OTHER = parts("refusals_elsewhere")
_ASIDES = parts("asides")
_WEAK = pattern("refusal_signs", "weak")
_AT_HAND = pattern("refusal_signs", "at_hand")
_APOLOGY = pattern("refusal_signs", "apology")
_REFERRAL = pattern("refusal_signs", "referral")
_PARTS = pattern("refusal_signs", "parts")
_CONCESSION = pattern("refusal_signs", "concession")
_COMMA = lazy(r",\s+")
_ASIDE = lazy(r"\([^()]{0,200}\)")
_MIN_CLAIM_WORDS = 4
# A refusal is a short thing to say; what goes on longer than this says something besides.
_LONGEST = 700


def is_refusal(sentence: str) -> bool:
    """Whether a sentence declines and claims nothing besides."""
    if len(sentence) > _LONGEST:
        return False
    if "(" in sentence:
        # "Rye (not mentioned in the passages)" is no refusal: what stands outside counts.
        outside = _ASIDE.sub("", sentence)
        sentence = outside if any(char.isalnum() for char in outside) else sentence
    if not _refuses(sentence, sentence):
        return False
    return not any(_claims_something(part, sentence) for part in _parts(sentence))


def is_referral(sentence: str) -> bool:
    """Whether a sentence only sends its reader elsewhere ("You may want to ask the support")."""
    return _REFERRAL.match(sentence[:400]) is not None and not any(char.isdigit() for char in sentence)


def _refuses(text: str, whole: str) -> bool:
    """Whether some part of a text says that something is not known or not in the sources."""
    if _REFUSAL.search(text) or _APOLOGY.match(text) is not None:
        return True
    if _WEAK.search(text) is not None and _AT_HAND.search(whole) is not None:
        return True
    return says_lack(text) or _OTHER.search(text)


def _parts(sentence: str) -> list[str]:
    parts = _PARTS.split(sentence)
    if _CONCESSION.match(sentence):
        head = _COMMA.split(parts[0], maxsplit=1)
        parts = [*head, *parts[1:]]
    return parts


def _claims_something(part: str, whole: str) -> bool:
    words = words_of(part)
    if len(words) < _MIN_CLAIM_WORDS or _refuses(part, whole):
        return False
    if not any(char.isdigit() for char in part):
        is_aside = _ASIDES.match(part) or is_lead(part.rstrip(" ,;"))
        if is_aside or is_referral(part) or tells_instead(part):
            return False
    return has_finite_verb(words) or opens_with_subject_and_verb(part)
