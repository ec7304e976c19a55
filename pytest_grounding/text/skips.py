"""What in an answer is not checked, and why: one reason for each piece that claims nothing."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_grounding._patterns import lazy
from pytest_grounding.text.attribution import is_bare_attribution
from pytest_grounding.text.beside import SOURCES_ANNOUNCE, without_references
from pytest_grounding.text.grammar import AUXILIARIES, FUNCTION_WORDS, has_finite_verb, words_of
from pytest_grounding.text.refusals import is_refusal
from pytest_grounding.text.skip_patterns import (
    ACKNOWLEDGEMENT,
    APPENDED_QUESTION,
    BARE_REFERENCE,
    CONDITION,
    COUNT,
    DID_YOU_KNOW,
    HEADING_OPENER,
    INTERROGATIVE,
    INTRO_END,
    INTRO_WORD,
    QUESTION_END,
    QUOTED_QUESTION_END,
    RESTATED,
    SOURCES_HEADING,
    SOURCES_LINE,
    is_closing,
    is_filler,
    is_greeting,
)
from pytest_grounding.text.untold import denies_telling

_POLARITY = frozenset(
    (
        *("yes", "no", "yeah", "yep", "nope", "correct", "incorrect", "indeed", "true", "false", "right"),
        *("wrong", "absolutely", "certainly", "definitely", "exactly", "not"),
        *("ja", "nein", "oui", "non", "sí", "si", "sim", "não", "是", "不是", "はい", "いいえ", "да", "нет"),
    )
)
#: Words that give an answer a direction and name nothing: "In general not.", "No, please don't."
_WITHOUT_CONTENT = _POLARITY | frozenset(
    (
        *("in", "general", "generally", "usually", "normally", "principle", "theory", "mostly"),
        *("please", "do", "does", "don't", "doesn't", "don’t", "doesn’t", "is", "are", "isn't", "aren't"),
        *("isn’t", "aren’t", "can", "can't", "can’t", "cannot", "you", "it", "they", "that", "this", "it's"),
        *("it’s", "that's", "that’s", "but", "and", "so", "then", "well", "of", "course", "sure", "just"),
        *("unfortunately", "fortunately", "sadly", "luckily", "actually", "really", "quite", "yet", "too"),
        *("either", "as", "a", "rule", "depends", "afraid", "sorry", "i'm", "i’m", "thankfully", "still"),
        *("probably", "possibly", "perhaps", "maybe", "likely", "presumably", "necessarily"),
    )
)
_LONGEST_WITHOUT_CONTENT = 7
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
    return len(plain) < 40 and SOURCES_HEADING.match(plain) is not None


def skip_reason(plain: str, bare: str, words: Sequence[str], question: str, *, introduces: bool) -> str:
    """Why a piece of prose claims nothing that can be checked; "" when it claims something.

    Args:
        plain: the piece without markers and markup.
        bare: the same without attribution.
        words: the words of ``plain`` (`words_of`).
        question: the question that was asked, or "".
        introduces: the piece is followed by a list, a table or code, or ends the answer.

    Returns:
        separator, question, greeting, filler, list_intro, source_list, restated_question, refusal, or "".
    """
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
    if is_refusal(plain, words) or (question and denies_telling(plain, list(words), question)):
        return "refusal"
    return ""


def heading_claims(plain: str) -> bool:
    """Whether a heading is a full statement ("The plan costs $20 a month")."""
    if HEADING_OPENER.match(plain) is not None or plain.endswith((":", "?", "？", "：")):
        return False
    words = words_of(plain)
    if len(words) < 4:
        return False
    return not AUXILIARIES.isdisjoint(words[1:]) or (_has_digit(plain) and has_finite_verb(words[1:]))


def _is_question(plain: str) -> bool:
    tail = plain[-8:]
    if QUESTION_END.search(tail) is None or DID_YOU_KNOW.search(plain) is not None:
        return False
    if QUOTED_QUESTION_END.search(tail) is not None and plain[0] not in "\"'“‘«「『(":
        return False  # 'She asked, "Why?"' is a statement; '"Why?"' is a question
    appended = APPENDED_QUESTION.search(plain, max(0, len(plain) - 140))
    if appended is None or CONDITION.match(plain) is not None or INTERROGATIVE.match(plain) is not None:
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
    if len(plain) <= _LONGEST_REFERENCE and _has_digit(plain) and BARE_REFERENCE.match(plain) is not None:
        # "42" may be a whole answer.
        return any(char.isalpha() for char in plain)
    match = SOURCES_LINE.match(plain)
    return match is not None and ("://" in plain or not has_finite_verb(words_of(plain[match.end() :])))


def _is_restated(plain: str, words: Sequence[str], question: str) -> bool:
    if RESTATED.match(plain) is not None:
        return True
    if not question or len(words) < 3 or INTERROGATIVE.match(plain) is None:
        return False
    return words == words_of(question)


def _is_list_intro(bare: str, introduces: bool) -> bool:
    """A line that ends with a colon: does it only announce, or does it claim something besides?"""
    if introduces and SOURCES_ANNOUNCE.match(bare) is not None:
        return True
    bare = without_references(bare)
    words = words_of(bare)
    has_verb = has_finite_verb(words)
    if COUNT.search(bare) is not None and has_verb and "step" not in words and "steps" not in words:
        return False
    if not has_verb or len(words) <= 4:
        return True
    if len(words) > _LONGEST_INTRO_WORDS:
        return False
    return (INTRO_END if introduces else INTRO_WORD).search(bare) is not None


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
    return ACKNOWLEDGEMENT.match(plain) is not None
