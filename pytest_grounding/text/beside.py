"""Pieces beside the matter: advice to look elsewhere, notes on the answer, sentences that illustrate a word.

Only where nothing in them could be checked: who is named, a figure or a reason ("as a tenant may …") is a
statement, and the piece stays a claim. Left out whole, advice would cost recall: of the pieces of labelled
answers that advise something, a sixth is unsupported (docs/accuracy.md).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pytest_grounding._patterns import lazy
from pytest_grounding.text.attribution import SOURCE

_FLAGS = re.IGNORECASE | re.VERBOSE
_LONGEST = 300
_SHORTEST_EXAMPLE = 4

#: Verbs that send a reader somewhere; every piece of advice holds one.
_SENDING = frozenset(
    (
        *("consult", "consulting", "contact", "contacting", "seek", "seeking", "speak", "speaking", "talk"),
        *(
            "talking",
            "reach",
            "reaching",
            "ask",
            "asking",
            "visit",
            "visiting",
            "refer",
            "referring",
            "check",
        ),
        *("checking", "look", "looking", "see", "read", "reading", "explore", "exploring", "search"),
        *("searching", "review", "reviewing"),
    )
)
_ELSEWHERE = r"""(?:
    (?:professional|expert|specialist|physician|doctor|pharmacist|lawyer|attorney|solicitor|advis[eo]r
        |accountant|technician|provider|practitioner|vendor|manufacturer|supplier|retailer|support|administrator
        |customer[ ](?:service|care)|help[ ]?desk|web[ ]?site|web[ ]?page|documentation|manual
        |authorit(?:y|ie)|agenc(?:y|ie)|office)
    | (?:other|another|additional|further|external|official|reliable|reputable|primary|original|latest)
        [ ](?:[\w-]+[ ])?(?:source|resource|document|reference|material|publication|reading)
    | (?:further|additional|more|other|legal|medical|financial|professional)
        [ ](?:assistance|help|advice|guidance|information|detail)
)s?"""
_OPENING = r"""(?:(?:however|therefore|instead|alternatively|otherwise|additionally|finally|in[ ]that[ ]case
    |so|and|but|nevertheless|still|then),?[ ])?"""
#: A topic alone asserts nothing, nor does a trouble that persists; "If you miss a dose, …" is an instruction.
_TOPIC = r"""(?:
    (?:for|regarding|concerning|as[ ]for|to[ ](?:learn|find|get|know|confirm|verify|determine))
        [ ](?:[\w'’-]+[ ]){0,11}[\w'’-]+,[ ]
    | if[ ](?:this|it|these|those|none|nothing
            |the[ ](?:problem|issue|trouble|above|steps|methods|symptoms|suggestions|situation)
            |you(?:['’]re|['’]d)?[ ](?:still|are|have|need|want|would|feel|remain|continue|like|unsure|not))
        (?:[ ][\w'’-]+){0,11},[ ]
)?"""
_WAY = r"""(?:(?:
    it(?:['’]s|[ ]is|[ ]may|[ ]might|[ ]would|[ ]could)?[ ](?:be[ ])?
        (?:(?:always|also|therefore|usually)[ ])?
        (?:a[ ]good[ ]idea|best|better|recommended|advisable|advised|helpful|useful|wise|necessary|important
            |essential|crucial|worth(?:while)?)
        [ ](?:for[ ]you[ ])?(?:to[ ])?
    | (?:I|we)(?:['’]d|[ ]would|[ ]can|[ ]could)?[ ](?:(?:strongly|highly|also)[ ])?
        (?:recommend|suggest|advise|encourage)[ ](?:that[ ])?(?:you[ ])?(?:to[ ])?
    | (?:you|one|users?|readers?)[ ](?:may|might|could|can|should|would|will)?[ ]?
        (?:(?:also|still|always)[ ])?
        (?:(?:want|wish|need|have|like|be[ ]advised)[ ]to[ ]|consider[ ])?
    | please[ ]
)(?:try[ ](?:to[ ])?|consider[ ])?(?:directly[ ])?)"""
_SEND = r"""(?:(?:consult|contact|seek|speak|talk|reach|ask(?![ ]to\b)|visit|refer|check|look|see|read|explor
    |search|review)(?:e|ing)?)"""
#: What it is for. A purpose that goes on for longer says what is to be had there.
_END = r"""(?:(?:[ ]directly|[ ]first)?
    (?:[ ](?:for|to|on|about|regarding|before|in[ ]order[ ]to|if[ ](?:you|needed|necessary|in[ ]doubt|unsure))
        (?:[ ][\w'’-]+){0,9})?
)"""
_ADVICE = lazy(
    rf"""\W*{_OPENING}{_TOPIC}{_WAY}{_SEND}(?:[ ](?:with|to|out|for|up|at|into))?(?:[ ](?:to|for|at))?
    [ ](?:[\w'’/-]+,?[ ]){{0,6}}?{_ELSEWHERE}
    (?:[ ]of(?:[ ][\w'’-]+){{1,4}}|[ ](?!for|to|on)[\w'’-]+)?
    (?:,?[ ](?:or|and)[ ](?:[\w'’/-]+[ ]){{0,4}}?[\w'’/-]+)?{_END}\W*\Z""",
    _FLAGS,
)
_NAME = lazy(r"[\w,;:'’)] (?!I\b)[A-Z]")
_REASON = lazy(r"\b(?:as|because|since|which[ ](?:is|are|has|have)|so[ ]that)\b", _FLAGS)

_ANSWER_WORDS = frozenset({"answer", "summary", "response", "overview", "explanation", "information"})
_ON_THE_ANSWER = lazy(
    rf"""\W*{_OPENING}
    (?:(?:(?:it[ ]is[ ]important[ ]to|please|do)[ ])?(?:note|be[ ]aware|keep[ ]in[ ]mind)[ ]that[ ])?(?:
    (?:this|my|the[ ](?:above|preceding|following))[ ](?:answer|summary|response|overview|explanation)[ ]
        (?:(?:only|mainly|solely)[ ])?
        (?:covers?|summari[sz]es|reflects|draws|focuses|aims|relies|was[ ](?:written|given)
            |is[ ](?:\w+ly[ ])?(?:based|limited|intended|meant))\b.{{0,200}}
    | (?:further|additional|more)[ ](?:\w+[ ]){{0,5}}(?:is|are|would|may|might|could)[ ](?:be[ ])?
        (?:needed|required|necessary|helpful)[ ](?:(?:in[ ]order[ ])?to|for)[ ](?:\w+ly[ ])?
        (?:provid|giv|answer|determin|draw|mak|reach|confirm|an?[ ](?:\w+[ ]){{0,2}}answer)\w*
        (?:[ ][\w'’-]+){{0,12}}
    )\W*\Z""",
    _FLAGS,
)

#: "The passage mentions two topics:" announces what follows, however many.
SOURCES_ANNOUNCE = lazy(
    rf"""\W*(?:(?:however|additionally|also|furthermore|alternatively|finally|in[ ]addition),?[ ])?{SOURCE}[ ]
    (?:also[ ]|further[ ]|specifically[ ])?
    (?:mentions?|describes?|discuss(?:es)?|covers?|provides?|gives?|lists?|contains?|presents?|outlines?|offers?|includes?
        |explains?|identif(?:y|ies)|details?|suggests?|names?)\b(?:[ ][^\s:]+){{1,20}}[ ]?:\W*\Z""",
    _FLAGS,
)

#: "(see section 2)", "(Table 4)", "(cf. pages 3-5)".
_REFERENCE = lazy(
    r"""[ ]?[(\[](?:(?:please[ ])?(?:see|cf\.?|refer[ ]to|from|in|as[ ]in|compare)[ ](?:also[ ])?(?:the[ ])?)?
    (?:section|sec\.?|chapter|ch\.?|page|p\.|pp\.|table|figure|fig\.?|appendix|annex|part|step|article|paragraph|clause
        |passage|source|document|no\.|§)s?[ ]?[\w.]{1,6}(?:(?:[ ]?[-–,&][ ]?|[ ]and[ ])\w{1,4}){0,4}[)\]]""",
    _FLAGS,
)
_ABOVE_BELOW = lazy(
    r"[ ]?[(\[](?:see|as|from)[ ](?:also[ ])?(?:above|below|there|overleaf)[)\]]", re.IGNORECASE
)

_ABOUT_WORDS = frozenset(
    (
        *("word", "words", "verb", "verbs", "noun", "nouns", "adjective", "adjectives", "adverb", "adverbs"),
        *("grammar", "sentence", "sentences", "phrase", "phrases", "clause", "clauses", "preposition"),
        *("prepositions", "conjunction", "conjunctions", "pronoun", "pronouns", "tense", "tenses", "idiom"),
        *(
            "idioms",
            "plural",
            "punctuation",
            "comma",
            "commas",
            "semicolon",
            "synonym",
            "synonyms",
            "spelling",
        ),
        *("participle", "gerund", "infinitive", "subjunctive", "suffix", "prefix"),
    )
)
_FOR_EXAMPLE = lazy(
    r"\W*(?:(?:for|as)[ ](?:example|an[ ]example|instance)|examples?|e\.g\.)\s*[,:]?\s+", _FLAGS
)
_EXAMPLE = lazy(r"\b(?:examples?|for instance|e\.g\.)(?:\W|\b)", re.IGNORECASE)
#: 'How is "so that" used?'
_QUOTED = lazy(r"[\"“‘'][^\"”’']{1,40}[\"”’']")
_USAGE = frozenset("use used mean means meant meaning difference differ say write written pronounced".split())
_DIGIT = lazy(r"\d")


def is_advice_elsewhere(sentence: str, words: Sequence[str], question: Sequence[str] = ()) -> bool:
    """Whether a sentence only advises to ask somebody or to look somewhere else, with nothing to check in it.

    Args:
        sentence: one sentence, without markers and markup.
        words: its words in lower case.
        question: the words of the question; where it asks whom to turn to, the advice is the answer.
    """
    if _SENDING.isdisjoint(words) or not _is_bare(sentence) or not _SENDING.isdisjoint(question):
        return False
    return _ADVICE.match(sentence) is not None and _REASON.search(sentence) is None


def is_about_the_answer(sentence: str, words: Sequence[str]) -> bool:
    """Whether a sentence says what the answer covers or rests on, or that more would have to be known."""
    if _ANSWER_WORDS.isdisjoint(words) or not _is_bare(sentence):
        return False
    return _ON_THE_ANSWER.match(sentence) is not None


def _is_bare(sentence: str) -> bool:
    """Whether a sentence is short and holds neither a figure nor, behind its first word, a name."""
    return len(sentence) <= _LONGEST and _DIGIT.search(sentence) is None and _NAME.search(sentence) is None


def asks_about_words(question: str, words: Sequence[str]) -> bool:
    """Whether a question, with its words in lower case, is about language: grammar, or a phrase in quotes."""
    if not _ABOUT_WORDS.isdisjoint(words):
        return True
    return not _USAGE.isdisjoint(words) and _QUOTED.search(question) is not None


def is_illustration(sentence: str, words: Sequence[str], intro: str) -> bool:
    """Whether a sentence shows a word at work, in an answer to a question that `asks_about_words`.

    Args:
        sentence: one sentence, without markers and markup.
        words: its words in lower case.
        intro: the line that announces the sentence; "" where none does.
    """
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
    """What a sentence says that one numbered source lacks.

    Attributes:
        number: 1-based number of the source.
        start: offset where the words for what is missing begin.
        mentions: whether it is said not to be mentioned at all, rather than not told.
    """

    number: int
    start: int
    mentions: bool


_LACK = lazy(
    r"""\W*(?:(?:however|also|additionally|meanwhile|unfortunately|but|and|while|although),?[ ])?(?:the[ ])?
    (?:passage|source|document|excerpt|chunk)[ ]?\#?(?P<number>\d{1,3})[ ]
    (?:(?:does|did)(?:[ ]not|n['’]t)[ ](?:(?:explicitly|specifically|directly|actually|clearly|even)[ ])?
        (?:(?P<mentions>mention|refer[ ]to|talk[ ]about|discuss|touch[ ]on)
            |provide|state|contain|include|specify|address|give|say|explain|describe|cover|offer|list|show)
    | (?:provides|contains|gives|offers|has|includes|makes)[ ]no)[ ]""",
    _FLAGS,
)


def lack_of(sentence: str) -> Lack | None:
    """What a sentence says that a numbered source lacks ("Passage 3 does not give the fee"); else None."""
    found = _LACK.match(sentence)
    return Lack(int(found["number"]), found.end(), bool(found["mentions"])) if found else None
