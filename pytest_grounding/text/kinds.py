"""Fact, opinion or inference, by the words that mark the latter two."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_grounding._patterns import lazy
from pytest_grounding.text.grammar import has_finite_verb, words_of
from pytest_grounding.text.spans import ClaimKind

_FLAGS = re.IGNORECASE | re.VERBOSE
# Said in the first person and about taste or advice: nothing that a source could confirm.
_OPINION = lazy(
    r"""\b(?:in|to)[ ](?:my|our)[ ](?:humble[ ]|honest[ ]|personal[ ])?(?:opinion|view|mind|experience)\b
    | ^\W*personally,
    | \bI[ ](?:personally[ ]|really[ ]|strongly[ ]|truly[ ]|absolutely[ ])?
        (?:prefer|love|like|enjoy|adore|hate|dislike|admire|hope|wish)\b
    | \bI(?:['’]d|[ ]would)?[ ](?:personally[ ]|really[ ]|strongly[ ]|highly[ ]|definitely[ ])?
        (?:recommend|suggest|advise|encourage|urge)\b | \bI(?:['’]d|[ ]would)[ ](?:go[ ]with|choose)\b
    | \bmy[ ](?:personal[ ])?(?:favou?rite|recommendation|advice|suggestion|preference|impression)\b
    | ^\W*(?:it|this|that)(?:['’]s|[ ]is|[ ]was|[ ]sounds|[ ]looks)[ ](?:really[ ]|truly[ ]|such[ ]
        |quite[ ]|very[ ])?
        (?:an?[ ])?(?:\w+[ ])?(?:great|amazing|wonderful|awesome|fantastic|beautiful|lovely|terrible|horrible
        |boring|exciting|fascinating|delicious|sad|impressive|incredible|stunning)
        (?:[ ](?:idea|question|choice|place|story|experience|news|read|movie|film|book|song|topic|day
            |option))?\W*$""",
    _FLAGS,
)
_BELIEF = lazy(
    r"""\b(?:I|we)[ ](?:personally[ ]|honestly[ ]|really[ ]|strongly[ ])?
        (?:think|believe|feel|guess|suppose|suspect|reckon|assume|imagine|would[ ]say|would[ ]argue
            |['’]d[ ]say)\b
    | \bI['’]d[ ](?:say|argue)\b | \bseems[ ]to[ ]me\b""",
    _FLAGS,
)
_EVALUATION = lazy(
    r"""\b(?:best|better|great|good|bad|worse|worst|nice|beautiful|wonderful|amazing|awesome|terrible
        |awful|should
    |ought|fun|funny|interesting|boring|ugly|lovely|worth|overrated|underrated|important|fantastic|excellent
    |perfect|sad|exciting|unfair|fair|wise|smart|silly|right[ ]thing)\b""",
    _FLAGS,
)
_CONCLUSION = lazy(
    r"""^\W*(?:and[ ]|but[ ])?(?:therefore|thus|hence|consequently|accordingly|presumably)\b
    | [,;][ ](?:and[ ])?(?:therefore|thus|hence|consequently|presumably)\b
    | \b(?:it|we|one|you)[ ](?:can|could|may|might)[ ](?:be[ ])?(?:safely[ ]|reasonably[ ])?
        (?:inferr?(?:ed)?|conclude[ds]?|assumed?|deduced?|presumed?)\b
    | \b(?:this|that|these|which|it)[ ](?:strongly[ ])?(?:suggests?|impl(?:y|ies)|indicates?)\b
    | \b(?:suggesting|implying|indicating)[ ]that\b
    | \b(?:this|which|that)[ ]means[ ]that\b
    | ^\W*(?:based[ ]on[ ]this|given[ ]this|from[ ]this|judging[ ]by|it[ ]follows)\b""",
    _FLAGS,
)
_HEDGE = lazy(
    r"""\b(?:likely|unlikely|probably|presumably|possibly|perhaps|apparently|supposedly|arguably)\b
    | \b(?:seems?|appears?)[ ](?:to|that|like|as[ ]if|likely)\b | \bas[ ]a[ ]result,""",
    _FLAGS,
)
# Without one of these no pattern here matches; most sentences have none.
_TELLING_WORDS = frozenset(
    (
        *("i", "we", "i'd", "i'm", "my", "our", "personally", "me", "therefore", "thus", "hence"),
        *(
            "consequently",
            "accordingly",
            "presumably",
            "infer",
            "inferred",
            "conclude",
            "concluded",
            "assume",
        ),
        *("assumed", "deduce", "deduced", "presume", "presumed", "suggest", "suggests", "imply", "implies"),
        *("indicate", "indicates", "suggesting", "implying", "indicating", "means", "based", "given", "from"),
        *("judging", "follows", "likely", "unlikely", "probably", "possibly", "perhaps", "apparently"),
        *("supposedly", "arguably", "seems", "seem", "appears", "appear", "result", "it's", "that's"),
        *("great", "amazing", "wonderful", "awesome", "fantastic", "beautiful", "lovely", "terrible"),
        *("horrible", "boring", "exciting", "fascinating", "delicious", "sad", "impressive", "incredible"),
        *("stunning",),
    )
)
_PARTS = lazy(r",?\s+(?:and|but|although|though|because|since|as|which|who)\s+|;\s+", re.IGNORECASE)
#: What each of the long patterns needs of these. No other sentence is worth the time.
_OF_BELIEF = frozenset(("i", "we", "i'd", "we'd", "seems"))
_OF_HEDGE = frozenset(
    (
        *("likely", "unlikely", "probably", "presumably", "possibly", "perhaps", "apparently"),
        *("supposedly", "arguably", "seem", "seems", "appear", "appears", "result"),
    )
)
_OF_OPINION = frozenset(("i", "i'd", "my", "our", "opinion", "view", "mind", "experience", "personally"))
_OF_REMARK = frozenset(("it", "this", "that", "it's", "this's", "that's"))
_REMARKS = frozenset(
    (
        *("great", "amazing", "wonderful", "awesome", "fantastic", "beautiful", "lovely", "terrible"),
        *("horrible", "boring", "exciting", "fascinating", "delicious", "sad", "impressive", "incredible"),
        *("stunning",),
    )
)
_OF_CONCLUSION = frozenset(
    (
        *("therefore", "thus", "hence", "consequently", "accordingly", "presumably", "infer", "inferr"),
        *("infered", "inferred", "conclude", "concluded", "concludes", "assume", "assumed", "deduce"),
        *("deduced", "presume", "presumed", "suggest", "suggests", "imply", "implies", "indicate"),
        *("indicates", "suggesting", "implying", "indicating", "means", "based", "given", "judging"),
        *("follows",),
    )
)
_FIRST_PERSON = frozenset(("i", "my", "me", "i'm", "i'd", "i'll", "i've", "we", "our"))
# Both begin with what is found fast.
_NUMBER = lazy(r"\d")
_NAME = lazy(r" (?<=[a-z,] )(?!I\b)[A-Z]\w")


def kind_of(sentence: str, words: Sequence[str] | None = None) -> tuple[ClaimKind, float]:
    """The kind of a claim and how sure that is.

    An opinion is what its speaker values or advises; nobody else can check it. "I think that the plan
    costs $20" is no opinion but a hedged statement, hence an inference, which is checked.

    Args:
        sentence: one claim, without markers and markup.
        words: its words (`words_of`), if they are known already.

    Returns:
        Kind, and a confidence in [0, 1]: 0.9 for explicit wording, 0.6 to 0.7 for weak signs.
    """
    head = sentence[:600]
    known = words if words is not None else words_of(head)
    fact: tuple[ClaimKind, float] = "fact", 0.95 if _is_specific(head) else 0.8
    if _TELLING_WORDS.isdisjoint(known):
        return fact
    if not _OF_BELIEF.isdisjoint(known) and _BELIEF.search(head) is not None:
        if _EVALUATION.search(head) is not None and not _is_specific(head):
            return ("inference", 0.5) if _states_more(head) else ("opinion", 0.8)
        return "inference", 0.7
    if _may_be_opinion(known) and _OPINION.search(head) is not None:
        return ("fact", 0.5) if _states_more(head) else ("opinion", 0.9)
    if _may_conclude(known) and _CONCLUSION.search(head) is not None:
        return "inference", 0.9
    if not _OF_HEDGE.isdisjoint(known) and _HEDGE.search(head) is not None:
        return "inference", 0.6
    return fact


def _is_specific(text: str) -> bool:
    """Whether a sentence holds a number, or inside it a name."""
    return _NUMBER.search(text) is not None or _NAME.search(text) is not None


def _may_be_opinion(words: Sequence[str]) -> bool:
    """Whether `_OPINION` can match a sentence of these words."""
    if not _OF_OPINION.isdisjoint(words):
        return True
    return not _REMARKS.isdisjoint(words) and not _OF_REMARK.isdisjoint(words)


def _may_conclude(words: Sequence[str]) -> bool:
    """Whether `_CONCLUSION` can match a sentence of these words."""
    return not _OF_CONCLUSION.isdisjoint(words) or ("from" in words and "this" in words)


def _states_more(sentence: str) -> bool:
    """Whether an opinion comes with a statement: "I like it because it costs $5"."""
    if any(char.isdigit() for char in sentence):
        return True
    for part in _PARTS.split(sentence)[1:]:
        words = words_of(part)
        if len(words) >= 4 and has_finite_verb(words) and not _FIRST_PERSON.intersection(words):
            return _EVALUATION.search(part) is None
    return False
