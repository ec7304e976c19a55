"""What in an answer is not checked, and why: one reason for each piece that claims nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from pytest_grounding._patterns import Parts, gated, lazy
from pytest_grounding.lexicon import words as listed
from pytest_grounding.lexicon.patterns import parts, pattern
from pytest_grounding.text.attribution import is_bare_attribution
from pytest_grounding.text.beside import SOURCES_ANNOUNCE, without_references
from pytest_grounding.text.grammar import AUXILIARIES, FUNCTION_WORDS, has_finite_verb, words_of
from pytest_grounding.text.refusals import is_refusal
from pytest_grounding.text.untold import denies_telling

_LONGEST_WITHOUT_CONTENT = 7
#: A question mark at the end, behind it at most quotes and brackets.
_QUESTION_END = gated("?|？|؟", r"[?？؟][\"'”’»)\]*_」』]*$", 0)
#: The same with a closing quote or bracket behind it.
_QUOTED_QUESTION_END = lazy(r"[?？؟][\"'”’»」』)]+$")
_DID_YOU_KNOW = pattern("sentences", "did_you_know")
_APPENDED_QUESTION = pattern("sentences", "appended_question")
_INTRO_END = pattern("sentences", "intro_end")
_INTRO_WORD = pattern("sentences", "intro_word")
_COUNT = pattern("sentences", "count")
_CONDITION = pattern("sentences", "condition")
_INTERROGATIVE = pattern("sentences", "interrogative")
_SOURCES_LINE = pattern("sentences", "sources_line")
_SOURCES_HEADING = pattern("sentences", "sources_heading")
_RESTATED = pattern("sentences", "restated")
_HEADING_OPENER = pattern("sentences", "heading_opener")
_BARE_REFERENCE = pattern("sentences", "bare_reference")
_ACKNOWLEDGEMENT = parts("acknowledgements")
_GREETING = parts("greetings")
_CLOSING = parts("closings")
_FILLER = parts("fillers")
_POLITE_START = pattern("sentences", "polite_start")
_START = lazy(r"\W*")
#: What a letter ends with.
SIGN_OFF = pattern("sentences", "sign_off")
#: Words that give an answer a direction and name nothing: "In general not.", "No, please don't."
_POLARITY = listed("refusals", "polarity")
_WITHOUT_CONTENT = _POLARITY | listed("refusals", "without_content")
# A statement behind a lead-in has so many words at least.
_STATEMENT = 4
# What is longer than this says more than a greeting or an announcement does.
_LONGEST_PHRASE = 400
_DIGIT = lazy("[0-9]")
_LEAD_END = lazy(r": |; | [–—-] ")
_LONGEST_INTRO_WORDS = 24
_LONGEST_REFERENCE = 60
_LONGEST_ACKNOWLEDGEMENT = 60


def is_sources_heading(plain: str) -> bool:
    """Whether a heading or line opens a list of sources ("References")."""
    return len(plain) < 40 and _SOURCES_HEADING.match(plain) is not None


def skip_reason(plain: str, bare: str, words: Sequence[str], question: str, *, introduces: bool) -> str:
    """Why a piece of prose claims nothing that can be checked; "" when it claims something."""
    if not words and not any(char.isalnum() for char in plain):
        return "separator"
    if words and words[0] in FUNCTION_WORDS and FUNCTION_WORDS.issuperset(words):
        return "filler"  # "the", "of the": there is nothing to look for
    if _is_question(plain):
        return "restated_question" if question and words == words_of(question) else "question"
    if len(plain) <= _LONGEST_PHRASE:
        if _is_source_line(plain):
            return "source_list"
        # A figure is a claim even in an offer: "Enjoy your stay with 20 % off".
        hides = _hides_statement(plain)
        if not hides and not _has_digit(plain) and (is_greeting(plain) or is_closing(plain)):
            return "greeting"
        if (not hides and is_filler(plain)) or is_bare_attribution(plain):
            return "filler"
        if _is_restated(plain, words, question):
            return "restated_question"
        if plain.endswith((":", "：")) and _is_list_intro(bare, introduces):
            return "list_intro"
    if is_refusal(plain) or (question and denies_telling(plain, list(words), question)):
        return "refusal"
    return ""


def heading_claims(plain: str) -> bool:
    """Whether a heading is a full statement ("The plan costs $20 a month")."""
    if _HEADING_OPENER.match(plain) is not None or plain.endswith((":", "?", "？", "：")):
        return False
    words = words_of(plain)
    if len(words) < 4:
        return False
    return not AUXILIARIES.isdisjoint(words[1:]) or (_has_digit(plain) and has_finite_verb(words[1:]))


def _is_question(plain: str) -> bool:
    tail = plain[-8:]
    if _QUESTION_END.search(tail) is None or _DID_YOU_KNOW.search(plain) is not None:
        return False
    if _QUOTED_QUESTION_END.search(tail) is not None and plain[0] not in "\"'“‘«「『(":
        return False  # 'She asked, "Why?"' is a statement; '"Why?"' is a question
    appended = _APPENDED_QUESTION.search(plain, max(0, len(plain) - 140))
    if appended is None or _CONDITION.match(plain) is not None or _INTERROGATIVE.match(plain) is not None:
        return True
    # "The plan costs $20, is that right?" states something before it asks.
    words = words_of(plain[: appended.start()])
    return len(words) < 3 or not has_finite_verb(words)


def _has_digit(text: str) -> bool:
    if text.isascii():
        return _DIGIT.search(text) is not None
    return any(char.isdigit() for char in text)


def _hides_statement(plain: str) -> bool:
    """Whether a statement follows a lead-in: "I can answer that: the fee is due in May"."""
    found = _LEAD_END.search(plain)
    behind = plain[found.end() :] if found is not None else ""
    words = words_of(behind)
    return len(words) >= _STATEMENT and has_finite_verb(words) and not behind.endswith((":", "?"))


def _is_source_line(plain: str) -> bool:
    """Whether a line lists sources: "Sources: the handbook", but not "Source: it is made from fruit"."""
    if len(plain) <= _LONGEST_REFERENCE and _has_digit(plain) and _BARE_REFERENCE.match(plain) is not None:
        # "42" may be a whole answer.
        return any(char.isalpha() for char in plain)
    match = _SOURCES_LINE.match(plain)
    return match is not None and ("://" in plain or not has_finite_verb(words_of(plain[match.end() :])))


def _is_restated(plain: str, words: Sequence[str], question: str) -> bool:
    if _RESTATED.match(plain) is not None:
        return True
    if not question or len(words) < 3 or _INTERROGATIVE.match(plain) is None:
        return False
    return words == words_of(question)


def _is_list_intro(bare: str, introduces: bool) -> bool:
    """A line that ends with a colon: does it only announce, or does it claim something besides?"""
    if introduces and SOURCES_ANNOUNCE.match(bare) is not None:
        return True
    bare = without_references(bare)
    words = words_of(bare)
    has_verb = has_finite_verb(words)
    if _COUNT.search(bare) is not None and has_verb and "step" not in words and "steps" not in words:
        return False
    if not has_verb or len(words) <= 4:
        return True
    if len(words) > _LONGEST_INTRO_WORDS:
        return False
    return (_INTRO_END if introduces else _INTRO_WORD).search(bare) is not None


def is_acknowledgement(plain: str) -> bool:
    """Whether a sentence only takes up what was said: "Yes.", "It does!", "I agree with you."."""
    if len(plain) > _LONGEST_ACKNOWLEDGEMENT:
        return False
    words = words_of(plain)
    if 0 < len(words) <= 3 and _POLARITY.issuperset(words):
        return True
    if 0 < len(words) <= _LONGEST_WITHOUT_CONTENT and _WITHOUT_CONTENT.issuperset(words):
        return True
    if len(words) == 1 and plain.endswith("!") and not _has_digit(plain):
        return True  # "Warning!"
    return _ACKNOWLEDGEMENT.match(plain)


def is_greeting(plain: str) -> bool:
    """Whether a piece greets, thanks, welcomes or promises to help, and says nothing more."""
    return _goes_on_with(_GREETING, plain)


def is_closing(plain: str) -> bool:
    """Whether a piece ends a conversation: hopes, offers, wishes, requests for more to go on."""
    return _CLOSING.match(plain, _openings(plain)[0])


def is_filler(plain: str) -> bool:
    """Whether a piece announces, introduces or points, and states nothing."""
    return _goes_on_with(_FILLER, plain)


def _goes_on_with(wordings: Parts, plain: str) -> bool:
    """Whether a part matches at the first word, or behind a polite opening ("Sure, …")."""
    start, polite = _openings(plain)
    return wordings.match(plain, start) or (polite > start and wordings.match(plain, polite))


# Greetings, closings and fillers ask for it in turn.
@lru_cache(maxsize=16)
def _openings(plain: str) -> tuple[int, int]:
    """Where the first word of a piece begins, and where a polite opening ends; 0 where it has none."""
    return _end(_START.match(plain)), _end(_POLITE_START.match(plain))


def _end(found: re.Match[str] | None) -> int:
    return found.end() if found is not None else 0
