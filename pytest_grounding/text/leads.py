"""The lead to a refusal, and refusals whose subject is a pronoun for the sources."""

from __future__ import annotations

import re

from pytest_grounding._patterns import lazy
from pytest_grounding.text.attribution import SOURCE
from pytest_grounding.text.grammar import has_finite_verb, words_of
from pytest_grounding.text.refusal_words import HELD, MANUAL, PART

_FLAGS = re.IGNORECASE | re.VERBOSE
_LONGEST = 200
_JOIN = r"\W*(?:(?:however|also|although|though|while|but|and|so|yes|unfortunately),?[ ])?"
# Verbs of which a text alone can be the subject: "it does not cover hail" may speak of an insurance.
_PRONOUN = lazy(
    rf"""(?P<join>{_JOIN})(?:it|they|these|those|neither|none)\b(?=[ ](?:also[ ])?
    (?:(?:do|does|did)(?:[ ]not|n['’]t)[ ](?:\w+ly[ ]|even[ ]|actually[ ]){{0,2}}
        (?:say|state|mention|specify|tell|explain|clarify|indicate)\b
    |(?:says?|mentions?|states?|tells?[ ](?:me|us|you))[ ]nothing\b))""",
    _FLAGS,
)
_NAMED = lazy(rf"{SOURCE}|{HELD}|{MANUAL}|{PART}", _FLAGS)
# What an answer may say that it holds; "I can give you a full refund" is a promise.
_TOLD = r"""(?:information|details?|answers?|prices?|rates?|figures?|numbers?|dates?|costs?|fees?|terms
    |rules|steps|instructions|overview|summary|parts?)"""
_LEAD = lazy(
    rf"""{_JOIN}(?:
    (?:I|we)[ ](?:can|could)[ ](?:only[ ]|just[ ])?(?:give|tell|show|share)[ ](?:you[ ])?
        (?=about\b|(?:[\w'-]+[ ]){{0,4}}{_TOLD}\W*\Z)
    | (?:I['’]ve|(?:I|we)(?:[ ]have)?)[ ](?:\w+ly[ ])?(?:(?:looked|gone|been)[ ](?:through|in|at|over)
        |(?:searched|read|checked)(?:[ ](?:through|in))?)[ ]
    | (?:{SOURCE}|{HELD}|{MANUAL}|{PART})[ ](?:do[ ]|does[ ]|only[ ]|mainly[ ]|just[ ])?
        (?:describe|discuss|cover|deal[ ]with|talk[ ]about|list|concern|mention|contain|explain|show)s?[ ]
    )(?!that\b|how\b)(?P<rest>.+)""",
    _FLAGS,
)
_DIGIT = lazy(r"\d")
#: A name behind the first word: it could be looked up.
_NAME = lazy(r"[\w,;:'’)] (?!I\b)[A-Z]")


def names_sources(text: str) -> bool:
    """Whether a text names the sources: as such, by their kind ("the handbook"), or a part of them."""
    return _NAMED.search(text) is not None


def with_sources_for_pronoun(sentence: str) -> str:
    """A sentence that tells what "it" or "they" leave unsaid, with "the sources" for the pronoun; else ""."""
    found = _PRONOUN.match(sentence)
    return f"{found['join']}the sources{sentence[found.end() :]}" if found is not None else ""


def is_lead(piece: str) -> bool:
    """Whether a piece only names the topics that are at hand: "The sections I have describe wall mounting".

    A figure, a name or a statement of its own makes it more than a lead.
    """
    if len(piece) > _LONGEST or _DIGIT.search(piece) is not None or _NAME.search(piece) is not None:
        return False
    found = _LEAD.match(piece)
    return found is not None and not has_finite_verb(words_of(found["rest"]))
