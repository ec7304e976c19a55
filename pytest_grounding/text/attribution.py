"""Words that point at the sources ("According to passage 2, …"), which are no part of a statement."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_grounding._patterns import gated, lazy

#: Each of `SOURCE_WORDS` below holds one of these.
SOURCE_LETTERS = (
    *("passage", "source", "doc", "context", "text", "article", "information", "excerpt", "result", "chunk"),
    *("material", "data", "content", "paragraph", "reference", "snippet", "knowledge", "conversation"),
)
_SOURCE_LETTERS = "|".join(SOURCE_LETTERS)
_QUALIFIER = (
    r"(?:provided|given|retrieved|supplied|available|above|following|cited|relevant|shared|attached|search"
    r"|first|second|third|fourth|fifth|last|two|three|four|five|other|current|same|present)"
)
_NOUN = (
    r"(?:passages?|sources?|documents?|docs?|contexts?|texts?|articles?|information|excerpts?|results?"
    r"|chunks?|materials?|data|content|paragraphs?|references?|snippets?|knowledge(?:[ ]base)?|documentation"
    r"|conversation)"
)
_NUMBERS = r"(?:[ ]?(?:\#|no\.[ ]?)?\d{1,3}(?:(?:,[ ]|,?[ ]and[ ]|[ ]?&[ ]?|[-–,])\d{1,3}){0,9})"
_AFTER = (
    r"(?:[ ](?:that[ ])?(?:you(?:'ve|[ ]have)?[ ])?"
    r"(?:provided|given|above|supplied|shared|available|cited)(?:[ ](?:to[ ]me|here|above))?)"
)

#: A phrase that names the sources as such: "the provided passages", "passage 2", "given context"; not
#: "energy sources". To be used with `re.VERBOSE`.
SOURCE = rf"""(?:(?:
    (?:(?:(?:both|each|all|any|none|some|most|one|either|neither)[ ](?:of[ ])?)?
        \b(?:the|these|this|those|that|my|your|our|both|all)[ ](?:{_QUALIFIER}[ ]){{0,3}}
    | \b(?:(?:provided|given|retrieved|supplied|available|search)[ ]){{1,2}}){_NOUN}\b{_NUMBERS}?
    | \b{_NOUN}{_NUMBERS}\b
    | ^\W*{_NOUN}\b
){_AFTER}?)"""

_OPENER = r"""(?:
    based[ ](?:solely[ ]|only[ ]|strictly[ ])?(?:up)?on | according[ ]to | as[ ]per | per
    | as[ ](?:stated|mentioned|described|noted|indicated|explained|outlined|discussed|shown|seen)[ ](?:in|by)
    | from | in | given | using | considering | drawing[ ]on | with
)"""
_BEFORE_OPENER = (
    r"(?:(?:sure|certainly|okay|ok|yes|however|additionally|also|furthermore|moreover|so|overall)[,!.][ ]+)?"
)
_OPENS = lazy(rf"{_BEFORE_OPENER}{_OPENER}[ ]", re.IGNORECASE | re.VERBOSE)
_LEAD_IN = gated(
    f"{_SOURCE_LETTERS} & ,|:",
    rf"{_BEFORE_OPENER}{_OPENER}[ ]{SOURCE}(?:[ ](?:and|in)[ ]{SOURCE})?"
    r"(?:[ ]above)?[ ]?[,:][ ]+",
    re.IGNORECASE | re.VERBOSE,
)
_REPORT = gated(
    f"{_SOURCE_LETTERS} & _that_ & state|mention|say|note|indicate|explain|report|show|add|confirm|tell",
    rf"""(?:(?:additionally|also|furthermore|moreover|however|finally),[ ])?{SOURCE}
    [ ](?:also[ ]|further[ ]|explicitly[ ]|specifically[ ]|clearly[ ])?
    (?:states?|mentions?|says?|notes?|indicates?|explains?|reports?|shows?|adds?|confirms?|tells?[ ]us)
    [ ]that[ ]+""",
    re.IGNORECASE | re.VERBOSE,
)
_TAIL = gated(
    f"{_SOURCE_LETTERS} & according_to|based_on|_as_|_(",
    rf"""(?:
    ,?[ ](?:according[ ]to|based[ ]on
        |as[ ](?:stated|mentioned|described|noted|indicated|explained|outlined)[ ](?:in|by))[ ]{SOURCE}
    | ,?[ ]\((?:see[ ]|from[ ]|source:[ ]?|sources:[ ]?|as[ ]per[ ]|in[ ])?{SOURCE}\)
    )(?=[ ]?[.!]?$)""",
    re.IGNORECASE | re.VERBOSE,
)
#: One of these stands in every phrase that `SOURCE` matches.
SOURCE_WORDS = frozenset(
    (
        *("passage", "passages", "source", "sources", "document", "documents", "doc", "docs", "context"),
        *("contexts", "text", "texts", "article", "articles", "information", "excerpt", "excerpts", "result"),
        *("results", "chunk", "chunks", "material", "materials", "data", "content", "paragraph"),
        *("paragraphs", "reference", "references", "snippet", "snippets", "knowledge", "documentation"),
        *("conversation",),
    )
)
_ANNOUNCEMENT = lazy(
    r"(?:(?:sure|certainly|of[ ]course|okay|ok|yes)[,!.]?[ ]+)?here(?:['’]s|[ ]is|[ ]are)[ ](?:what"
    r"|the[ ]answer|my|your|an?[ ])"
    r"[^:.]{0,80}:[ ]+",
    re.IGNORECASE | re.VERBOSE,
)
# What stands before the colon of "Genetics: According to passage 1, …".
_LABEL = lazy(r"[^:.,;!?()]{1,60}:[ ](?=\S)")
# Attribution stands within this many characters of the end.
_REACH = 160


def strip_attribution(sentence: str, words: Sequence[str] | None = None) -> str:
    """A sentence without the words that say which sources it comes from.

    Only phrases that name the sources as such go ("According to the provided passages, …", "Passage 2
    states that …", "… (Passage 3)"). "According to the CDC, …" stays: it is part of the statement.

    Args:
        sentence: one sentence without markup, white space tidied.
        words: its words in lower case, if they are known already.

    Returns:
        The rest, with a capital where the sentence had one; "" when nothing is left.
    """
    if words is not None and "here" not in words[:3] and SOURCE_WORDS.isdisjoint(words):
        return sentence
    announced = _ANNOUNCEMENT.match(sentence)
    if announced is not None:
        sentence = sentence[announced.end() :]
    label = _LABEL.match(sentence)
    head = label[0] if label is not None else ""
    rest = sentence[len(head) :]
    # The short pattern first: the long ones take ten milliseconds to compile.
    for first, pattern in ((_OPENS, _LEAD_IN), (None, _REPORT)):
        match = pattern.match(rest) if first is None or first.match(rest) is not None else None
        if match is not None:
            rest = rest[match.end() :]
    if rest[:1].islower() and sentence[len(head) : len(head) + 1].isupper():
        rest = rest[0].upper() + rest[1:]
    tail = _TAIL.search(rest, max(0, len(rest) - _REACH))
    if tail is not None:
        rest = rest[: tail.start()] + rest[tail.end() :]
    return (head + rest).strip() if rest else ""


def may_name_sources(text: str) -> bool:
    """Whether a text holds the letters of a word that `SOURCE` needs; most sentences hold none."""
    folded = text.casefold()
    return any(letters in folded for letters in SOURCE_LETTERS)


def is_bare_attribution(sentence: str) -> bool:
    """Whether a sentence holds nothing but an attribution ("Based on the passages provided:")."""
    if len(sentence) >= _REACH or _OPENS.match(sentence) is None or not may_name_sources(sentence):
        return False
    return _LEAD_IN.fullmatch(sentence.rstrip(" .:,") + ", ") is not None
