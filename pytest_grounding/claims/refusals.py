"""Refusals: sentences that decline, report what the sources lack, or refer the user elsewhere."""

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

#: "The passage mentions two topics:" announces the next sentence, whatever the number.
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
    """Whether a sentence only advises to ask or look elsewhere."""
    if _SENDING.isdisjoint(words) or not is_bare(sentence) or not _SENDING.isdisjoint(question):
        return False
    return _ADVICE.match(sentence) is not None and _REASON.search(sentence) is None


def is_about_the_answer(sentence: str, words: Sequence[str]) -> bool:
    """Whether a sentence is about the answer itself, or about what else would have to be known."""
    if _ANSWER_WORDS.isdisjoint(words) or not is_bare(sentence):
        return False
    return _ON_THE_ANSWER.match(sentence) is not None


def is_bare(sentence: str) -> bool:
    """Whether a sentence is short and has neither a number nor, after its first word, a name."""
    return (
        len(sentence) <= _LONGEST_ASIDE and _DIGIT.search(sentence) is None and _NAME.search(sentence) is None
    )


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
    return _FOR_EXAMPLE.match(sentence) is not None or _EXAMPLE.search(intro) is not None


def without_references(sentence: str) -> str:
    """A heading without its references: "Pricing (see section 2):" becomes "Pricing:"."""
    if "(" not in sentence and "[" not in sentence:
        return sentence
    return _ABOVE_BELOW.sub("", _REFERENCE.sub("", sentence))


class Lack(NamedTuple):
    """What a numbered source lacks, according to a sentence."""

    number: int  # 1-based number of the source
    start: int  # offset of the words for what is missing
    mentions: bool  # whether it is not mentioned at all, rather than not stated


_LACK = pattern("beside", "lack")


# Called about a dozen times per claim.
@lru_cache(maxsize=256)
def lack_of(sentence: str) -> Lack | None:
    """What a numbered source lacks according to a sentence ("Passage 3 does not give the fee"); else None."""
    found = _LACK.match(sentence)
    return Lack(int(found["number"]), found.end(), bool(found["mentions"])) if found else None


_LONGEST_LEAD = 200
# Verbs whose subject must be a text: "it does not cover hail" may be about an insurance.
_PRONOUN = pattern("lack_signs", "pronoun")
_NAMED = pattern("lack_signs", "named")
_LEAD = pattern("lack_signs", "lead")


def names_sources(text: str) -> bool:
    """Whether a text mentions the sources: as such, by their kind ("the handbook"), or a part of them."""
    return _NAMED.search(text) is not None


def with_sources_for_pronoun(sentence: str) -> str:
    """A sentence about what "it" or "they" lack, with "the sources" for the pronoun; else ""."""
    found = _PRONOUN.match(sentence)
    return f"{found['join']}the sources{sentence[found.end() :]}" if found is not None else ""


def is_lead(piece: str) -> bool:
    """Whether a piece only lists the available topics."""
    if len(piece) > _LONGEST_LEAD or not is_bare(piece):
        return False
    found = _LEAD.match(piece)
    return found is not None and not has_finite_verb(words_of(found["rest"]))


_LACKS = parts("lacks")
#: What the sources contain and lack: "they give the fee for children but not for adults".
_CONTRAST = pattern("lack_signs", "contrast")
#: What the sources contain, implying what they lack.
_INSTEAD = pattern("lack_signs", "instead")
#: Courtesy around a refusal: what was searched, thanks, where to ask.
_COURTESY = pattern("lack_signs", "courtesy")
_UNCOVERED = pattern("lack_signs", "uncovered")
_LONGEST_LACK = 500


def contrasts_with_lack(sentence: str) -> bool:
    """Whether a sentence reports what the sources contain only to contrast it with what they lack."""
    return _CONTRAST.match(sentence[:_LONGEST_LACK]) is not None


def reports_instead(sentence: str) -> bool:
    """Whether a sentence reports what the sources contain instead of the requested information."""
    return _INSTEAD.match(sentence[:_LONGEST_LACK]) is not None


def is_uncovered(sentence: str) -> bool:
    """Whether a sentence reports that something is not covered: a refusal beside what is covered."""
    return _UNCOVERED.search(sentence[:_LONGEST_LACK]) is not None


def answers_nothing(sentence: str) -> bool:
    """Whether a sentence beside a refusal answers nothing: courtesy, or what the sources contain instead."""
    return (
        _COURTESY.match(sentence[:_LONGEST_LACK]) is not None
        or reports_instead(sentence)
        or contrasts_with_lack(sentence)
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
# A refusal is short; a longer sentence states something besides.
_LONGEST = 700


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
    return not any(_claims_something(part, sentence) for part in _parts(sentence))


def is_referral(sentence: str) -> bool:
    """Whether a sentence only refers the user elsewhere ("You may want to ask the support")."""
    return _REFERRAL.match(sentence[:400]) is not None and not any(char.isdigit() for char in sentence)


def _refuses(text: str, whole: str) -> bool:
    """Whether some part of a text reports that something is unknown or not in the sources."""
    if _REFUSAL.search(text) or _APOLOGY.match(text) is not None:
        return True
    if _WEAK.search(text) is not None and _AT_HAND.search(whole) is not None:
        return True
    return (len(text) <= _LONGEST_LACK and _LACKS.search(text)) or _OTHER.search(text)


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
        if is_aside or is_referral(part) or reports_instead(part):
            return False
    return has_finite_verb(words) or opens_with_subject_and_verb(part)
