"""Sentences that tell what the sources lack in other words than refusals mostly use, and what goes with them.

"Nothing is said about its depth", "no date is given", "I could find no mention of it": they decline just as
"I do not know" does. What stands beside them in an answer that declines ("they only say that …", "I have
looked through all documents", "please ask our service") answers nothing either.
"""

from __future__ import annotations

import re

from pytest_grounding._patterns import Parts, lazy
from pytest_grounding.text.attribution import SOURCE
from pytest_grounding.text.refusal_words import ASKED, BARE_INFORMATION, INFORMATION, MANUAL, NOT_IT, TELLING

#: Papers that people retrieve from, beside handbooks and guides.
_PAPER = r"""(?:\b(?:the|this|that|these|those|our|your|its|any|none[ ]of[ ]the)[ ](?:[\w'’-]+[ ]){0,2}?
    (?:leaflets?|(?:data)?sheets?|brochures?|booklets?|excerpts?|extracts?|readme|catalogues?|catalogs?|flyers?
    |pamphlets?|handouts?|handbooks?|manuals?|guides?)\b)"""
_THEM = rf"(?:{SOURCE}|{MANUAL}|{_PAPER})"
_SAID = r"(?:stated|mentioned|specified|documented|indicated|disclosed|spelled[ ]out)"
_VALUE = r"""(?:dates?|figures?|numbers?|reasons?|times?|places?|names?|amounts?|prices?|values?
    |years?|details?|durations?
    |lists?|instructions?|explanations?|limits?|locations?|lengths?|heights?|widths?|depths?|sizes?
    |weights?|costs?|fees?
    |ages?|colou?rs?|populations?|speeds?|distances?|temperatures?|address(?:es)?|authors?|owners?)"""
_BE = r"(?:is|are|was|were)"

_FLAGS = re.IGNORECASE | re.VERBOSE

_LACKS = Parts(
    (
        (
            "not_|n't|n’t & stated|mentioned|specified|documented|indicated|disclosed|spelled",
            rf"\b{_BE}(?:[ ]not|n['’]t)(?:[ ]\w+ly)?[ ]{_SAID}(?:[ ](?:here|there|anywhere))?\W*$",
        ),
        (
            "not_|n't|n’t & given|provided|named|listed",
            rf"""^\W*(?:\w+ly,?[ ])?(?:the|its|his|her|their|your)[ ](?:[\w'’-]+[ ])?{_VALUE}(?:
                [ ]of[ ][^.,;]{{1,60}}?)?[ ]
            {_BE}(?:[ ]not|n['’]t)(?:[ ]\w+ly)?[ ](?:given|provided|named|listed)(?:[ ](?:here
            |there|anywhere))?\W*$""",
        ),
        (
            "nothing_|not_a_word_",
            rf"\b(?:nothing|not[ ]a[ ]word)(?:[ ]more|[ ]else)?[ ]{_BE}[ ](?:said|stated|mentioned"
            rf"|written|told)\b",
        ),
        (
            "nothing_",
            r"""\bnothing[ ](?:about|on|regarding|concerning)[ ][^.]{1,80}?[ ](?:can|could|was|is|has)[ ]
            (?:be[ ]|been[ ])?(?:found|said|stated|mentioned)\b""",
        ),
        (
            "nothing_ & found",
            r"\bnothing[ ](?:was|is|can[ ]be|could[ ]be|has[ ]been)[ ]found[ ](?:about|on|for|regarding)\b",
        ),
        ("nowhere_to_be", r"\bnowhere[ ]to[ ]be[ ](?:found|seen|read)\b"),
        (
            "no_ & stated|mentioned|specified|documented|indicated|disclosed|spelled",
            rf"^\W*(?:\w+ly,?[ ])?no[ ](?:[\w'’-]+[ ]){{1,4}}?{_BE}[ ]{_SAID}\b",
        ),
        (
            "no_ & given|provided|named",
            rf"^\W*(?:\w+ly,?[ ])?no[ ](?:[\w'’-]+[ ])?{_VALUE}[ ](?:[\w'’-]+[ ]){{0,5}}?{_BE}"
            rf"[ ](?:given|provided|named)\b",
        ),
        (
            "no_ & made|appear",
            rf"""^\W*(?:\w+ly,?[ ])?no[ ](?:[\w'’-]+[ ])?(?:statement|{INFORMATION}|{_VALUE})
                [ ](?:[\w'’-]+[ ]){{0,6}}?
            (?:(?:is|are|was|were)[ ]made|appears?)[ ]in[ ]{_THEM}""",
        ),
        (
            "there & _no_|n't_|n’t_",
            rf"\bthere[ ]{_BE}(?:[ ]no|n['’]t[ ]any)\b[^.]{{1,80}}?[ ](?:in|within|among)[ ]{_THEM}",
        ),
        (
            "i_ & _no_|nothing_",
            r"""\bI[ ](?:could[ ]|can[ ]|was[ ]able[ ]to[ ])?(?:find|found|see|saw|locate|located
                |came[ ]across)
            [ ](?:unfortunately[ ]|also[ ])?(?:no|nothing)\b""",
        ),
        (
            "i_ & _no_",
            rf"""\bI(?:[ ]have|['’]ve[ ]got|[ ]had)[ ](?:unfortunately[ ])?no[ ](?:[\w-]+
                [ ])?(?:{BARE_INFORMATION}|{_VALUE}
            |documents?|sources?|passages?|records?|text|knowledge)\b""",
        ),
        (
            "i_|i'm|i’m|my_ & position|decline|_full|_complete",
            r"""\bI(?:[ ]am|['’]m)[ ]not[ ]in[ ]a[ ]position[ ]to\b|\bI[ ](?:must|have[ ]to|need
                [ ]to)[ ](?:\w+ly[ ])?decline\b
            |\bI[ ](?:do[ ]not|don['’]t)[ ]have[ ](?:a|the)[ ](?:full|complete)\b""",
        ),
        (
            "provided|given|supplied|available",
            rf"""\b(?:the|this)[ ](?:documentation|text|context|information|material|content|data)
                [ ](?:provided|given|supplied
            |available)(?:[ ]to[ ]me)?{NOT_IT}[ ](?:\w+ly[ ])?(?:contain|include|provide|give|list
            |name|describe|{TELLING})\b""",
        ),
        (
            "none_of_",
            rf"""\bnone[ ]of[ ](?:them|these|those)[ ](?:\w+ly[ ])?(?:tells?|says?|states?
                |mentions?|explains?|specifies)
            [ ](?:(?:me|us|you)[ ])?{ASKED}\b""",
        ),
        ("unknown_to", r"\bunknown[ ]to[ ](?:me|us)\b"),
        (
            "something_",
            rf"(?:isn['’]t|aren['’]t|is[ ]not|are[ ]not)[ ]something[ ](?:that[ ])?(?:{_THEM}|I|we)\b",
        ),
        (
            "do_not|does_not|did_not|don't|doesn't|didn't|don’t|doesn’t|didn’t|fail|never|cannot|can't|can’t",
            rf"""(?:{_PAPER}|{MANUAL}){NOT_IT}(?:[ ]\w+ly)?[ ](?:{TELLING}|describe[ ]{ASKED}|give
                [ ](?:any|a|the)|name[ ](?:any|a)
            |recommend[ ](?:any|a)|contain[ ](?:any[ ])?{INFORMATION})\b""",
        ),
        (
            "_no_",
            rf"""{_PAPER}[ ](?:gives?|contains?|offers?|provides?|has|have|holds?|includes?|makes?
                |names?)[ ]no[ ]
            (?:[\w-]+[ ])?(?:{BARE_INFORMATION}|{_VALUE}|mention|statement)\b""",
        ),
        (
            "they|it_ & do_not|does_not|don't|doesn't|don’t|doesn’t",
            rf"""\b(?:they|it)[ ](?:do|does)(?:[ ]not|n['’]t)[ ](?:(?:contain|include|provide|hold
                |give)[ ](?:any[ ])?{INFORMATION}\b
            |(?:tell|say|state|mention|specify|explain|indicate)[ ](?:(?:me|us|you)[ ])?{ASKED}\b)""",
        ),
        (
            "nothing_ & say|said|tell|mention",
            rf"^\W*(?:{_THEM}\b[^.]{{0,120}}?\b)?(?:says?|said|tells?|mentions?|states?)[ ]nothing"
            rf"[ ](?:about|on|of|regarding)\b",
        ),
    ),
    _FLAGS,
)
#: What the sources hold, set against what they lack: "they give the fee for children but not for adults".
_CONTRAST = lazy(
    rf"""^\W*(?:(?:{_THEM})[ ](?:only[ ])?(?:tells?|gives?|states?|says?|lists?|names?|mentions?|describes?)
    |I[ ]only[ ](?:found|see|have|find))[ ][^.]{{1,100}}?,?[ ](?:but[ ])?not[ ](?:for|of|about|that
    |those|the|who|what|when
    |where)\b""",
    _FLAGS,
)
#: Words of which each of these sentences holds one, or one that ends in "n't".
_HINTS = frozenset("no not none nothing nowhere unknown never cannot fails fail decline".split())
#: What tells what the sources do hold, and so what they do not.
_INSTEAD = lazy(
    rf"""^\W*(?:(?:however|instead|rather|and|but),?[ ])?(?:
    (?:{_THEM}|they|it)[ ](?:(?:only|just|merely|solely|mainly)[ ]\w+|\w+s?[ ](?:[\w'’-]+
    [ ]){{0,4}}?(?:only|just|alone)\b
        |(?:talks?|tells?|speaks?|deals?|focus(?:es)?)[ ](?:about|of|with|on)\b)
    |(?:I|we)[ ](?:only|just)[ ](?:found|find|see|have)\b
    |only[ ][^.]{{1,100}}?[ ](?:is|are|was|were)[ ](?:mentioned|given|stated|listed|covered
    |described|named|provided)\b)""",
    _FLAGS,
)
#: Courtesy around a refusal: what was looked at, thanks, where to ask.
_COURTESY = lazy(
    r"""^\W*(?:(?:and|but|so|however|that[ ]said),?[ ])?(?:
    (?:I|we)(?:[ ]have|['’]ve)?[ ](?:\w+ly[ ])?(?:reviewed|checked|searched|looked|gone|went|read
    |understand|appreciate
        |realis[ez]|know[ ]that[ ]this)\b
    |(?:I|we)(?:['’]d|[ ]would)[ ](?:love|like|be[ ](?:happy|glad))\b
    |as[ ]an?[ ](?:\w+[ ])?(?:assistant|model|AI)\b|(?:I|we)[ ]can[ ]only[ ]answer\b
    |please\b|thank\b|thanks\b|for[ ](?:more|further)\b|if[ ]you[ ](?:have|need|could|can|want|like)\b)""",
    _FLAGS,
)
_UNCOVERED = lazy(
    rf"\b{_BE}(?:[ ]not|n['’]t)[ ](?:covered|included|listed|described|explained|named|given)\W*$", _FLAGS
)
_LONGEST = 500


def says_lack(sentence: str, words: list[str]) -> bool:
    """Whether a sentence tells that the sources, or who answers, lack something.

    Args:
        sentence: one sentence or clause, without markers and markup.
        words: its words in lower case.
    """
    if len(sentence) > _LONGEST:
        return False
    if _HINTS.isdisjoint(words) and not (
        ("'" in sentence or "’" in sentence) and any(word.endswith(("n't", "n’t")) for word in words)
    ):
        return False
    return _LACKS.search(sentence)


def sets_against(sentence: str) -> bool:
    """Whether a sentence tells what the sources hold only to say what they lack."""
    return _CONTRAST.match(sentence[:_LONGEST]) is not None


def tells_instead(sentence: str) -> bool:
    """Whether a sentence tells what the sources hold instead of what was asked."""
    return _INSTEAD.match(sentence[:_LONGEST]) is not None


def is_uncovered(sentence: str) -> bool:
    """Whether a sentence says that something is not covered: a refusal beside what the sources do cover."""
    return _UNCOVERED.search(sentence[:_LONGEST]) is not None


def answers_nothing(sentence: str) -> bool:
    """Whether a sentence answers nothing beside a refusal: courtesy, or what the sources hold instead."""
    return (
        _COURTESY.match(sentence[:_LONGEST]) is not None or tells_instead(sentence) or sets_against(sentence)
    )
