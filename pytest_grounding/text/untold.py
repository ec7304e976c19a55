"""Sentences that deny telling what the question asks: "The cipher is not named".

What is known as a refusal by its wording alone stands in `refusals`. Here the question helps: a sentence that
denies telling something and adds nothing to the question's own words answers nothing, whatever it calls its
sources ("the recipe", "the contract"). Where the question itself asks what is told or listed, or speaks of
who does not tell, the sentence is an answer.
"""

from __future__ import annotations

import re

from pytest_grounding._patterns import lazy
from pytest_grounding.reading import Reading, reading_of
from pytest_grounding.text.attribution import SOURCE_WORDS
from pytest_grounding.text.grammar import AUXILIARIES, FUNCTION_WORDS, has_finite_verb, words_of
from pytest_grounding.text.lacks import tells_instead
from pytest_grounding.text.untold_patterns import DENIES, FIGURES, GIVING, SILENT

_LONGEST = 300
_DIGIT = lazy(r"\d")
_PERSON = frozenset("he she you who we people anyone nobody".split())
#: Words of such sentences that add nothing to a question.
_OWN = SOURCE_WORDS | frozenset(
    """
    mention mentioned mentions mentioning stated states state specified specify specifies indicated
    indicate discussed
    discuss disclosed disclose quoted quote quotes explained explain explains documented documents
    clarified clarify
    detailed detail details told tell tells telling say says said saying spelled spelt touched gone go goes
    going into
    elaborated addressed address speaks speak talk named name names naming listed list lists given give
    gives giving
    provided provide provides supplied included include includes contain contains contained recorded shown
    available
    found find see saw known know knowing noted identified cover covers covered recommend recommends
    describe describes
    described left leave leaves out open unsaid unmentioned unstated unspecified unexplained unclear
    unknown nothing
    nowhere none neither part way hand position answer answers information data statement mention date
    dates figure
    figures number numbers amount amounts value values particular exact exactly specific anything something
    any page
    pages manual handbook guide leaflet brochure booklet excerpt excerpts extract sheet description entry
    section table
    unfortunately sadly sorry regrettably afraid apologies however far able unable verify learn gathered
    gather sources
    only also here there at all me us my i can cannot could couldn't can't don't doesn't didn't isn't
    aren't wasn't
    weren't hasn't haven't whether how what which who whom when where why not no never without point matter
    question
    incomplete verify confirm provided extent quantities quantity sum sums type kind kinds types price
    prices cost costs length height
    width depth weight size fee fees rate rates director author owner period term terms contents hours
    deadline year
    years day time times place name reason duration location percentage share recipe contract docs manual
    report
    """.split()
)
_JOINTS = lazy(r"[,;:]\s+(?:but|as|since|because|so|and|though|although|while)\s|;\s+|:\s+")
_MOST_NEW = 1
_ROOT = 4  # letters


def denies_telling(sentence: str, words: list[str], question: str) -> bool:
    """Whether a sentence denies telling what its question asks, and adds nothing to it.

    Args:
        sentence: one sentence or clause, without markers and markup.
        words: its words in lower case.
        question: the question.
    """
    if len(sentence) > _LONGEST or not _hints(words) or _DIGIT.search(sentence) is not None:
        return False
    asked = _asked_words(question)
    if not asked:
        return False
    if _knows_nothing(sentence, words, asked) or _sets_against(sentence, asked):
        return True
    if _asks_for_telling(words, asked):
        return False
    if not DENIES.search(sentence) and not _is_silent(sentence, asked):
        return False
    new = {word for word in words if word not in _EMPTY and not _is_asked(word, asked)}
    return len(new) <= _MOST_NEW and not any(_states(part, asked) for part in _JOINTS.split(sentence))


def _ends_in_not(word: str) -> bool:
    return word.endswith(("n't", "n’t"))


def _hints(words: list[str]) -> bool:
    """Whether one of the words denies, or says that something lacks."""
    return not _HINTS.isdisjoint(words) or any(map(_ends_in_not, words))


def _knows_nothing(sentence: str, words: list[str], asked: frozenset[str]) -> bool:
    """Whether a sentence says that nothing is known, and holds no word beside the question's own."""
    anchored = _SPEAKER.search(sentence) or any(
        word in _KNOWING and not _is_asked(word, asked) for word in words
    )
    if not anchored:
        named = _AT_HAND.search(sentence)
        if named is None or _is_asked(words_of(named.group())[-1], asked):
            return False
    if any(word not in _PLAIN and not _is_asked(word, asked) for word in words):
        return False
    # "No data": without a word of the question it is all about the sources.
    return not any(_states(part, asked) for part in _JOINTS.split(sentence))


def _sets_against(sentence: str, asked: frozenset[str]) -> bool:
    """Whether a sentence tells what there is to say what there is not: "on the stones, not the owner"."""
    found = _AGAINST.search(sentence)
    if found is None or not (found["me"] or _AT_HAND.match(sentence.lstrip())):
        return False
    tail = [
        word for word in words_of(found["tail"]) if word not in FUNCTION_WORDS and word not in AUXILIARIES
    ]
    return any(_is_asked(word, asked) for word in tail) and all(
        word in _PLAIN or _is_asked(word, asked) for word in tail
    )


def _states(part: str, asked: frozenset[str]) -> bool:
    """Whether a part of a sentence says something of what is asked about: "There are two lanes; …"."""
    words = words_of(part)
    if len(words) < _FEWEST or not has_finite_verb(words) or tells_instead(part):
        return False
    if _hints(words) or DENIES.search(part) or _is_silent(part, asked):
        return False
    return any(word not in _EMPTY and _is_asked(word, asked) for word in words)


_FEWEST = 3
#: Who speaks knows nothing: an assistant, not a company that does not ship.
_SPEAKER = lazy(
    r"\bI\b|\b(?:to|for|with) (?:me|us)\b|\bmy\b|\bwe (?:have no|haven['’]t|aren['’]t told|are not told"
    r"|hold no|(?:do not|don['’]t) (?:know|have|hold))\b|^\W*(?:can|could)(?:no|n['’])t say\b",
    re.IGNORECASE,
)
#: The sources as such: "the records at hand", "the FAQ".
_AT_HAND = lazy(
    r"\b(?:the|these|this|those|my|your|our|all|provided|given|retrieved"
    r"|available)[ ](?:[\w-]+[ ]){0,2}?(?:sources?"
    r"|documents?|documentation|passages?|texts?|context|excerpts?|records?|materials?|faqs?|pages?"
    r"|articles?|chunks?"
    r"|information|results?|snippets?|sections?|extracts?|knowledge)\b",
    re.IGNORECASE,
)
_KNOWING = frozenset(
    """
    say says said mention mentions mentioned state stated specify specified tell tells told information
    details
    clue idea explain explained address addressed discuss discussed determine evidence mystery unnamed
    unstated unmentioned indicated disclosed documented data
    """.split()
)
_AGAINST = lazy(
    r"^\W*(?:(?P<me>I)\b|\w+\b)[^.;]{2,120}?(?:\brather than\b|\bbut not\b|\band not\b|, not\b"
    r"|\binstead of\b)"
    r"(?P<tail>[^.;]{2,80})",
    re.IGNORECASE,
)
_EMPTY = (
    _OWN
    | FUNCTION_WORDS
    | AUXILIARIES
    | frozenset(
        "it its they them their this that these those you your we our us he she his her upon into been"
        " since because as so but while though although".split()
    )
)
_PLAIN = _EMPTY | frozenset(
    """
    deal deals dealing come comes came appear appears appeared reveal reveals reach reaches extend extends
    learn one
    omit omits omitted missing mystery clue idea guess guessing pass checked evidence insufficient enough
    sufficient impossible possible determine able unable lies lie outside beyond scope knowledge faq record
    records
    lack lacks lacking silent really would should must might rather made make makes on by with of about from
    as who's that's there's it's i'd i've i'm i'll wish help hold holds let does like know knows answerable
    answered
    respond response reply afraid say. matter topic subject ownership whatever else all that which is
    """.split()
)
_HINTS = frozenset(
    "rather mystery missing omit omits lack lacks insufficient impossible unable beyond outside not no"
    " never nowhere nothing none neither without unsaid unmentioned unstated unspecified unexplained"
    " undisclosed "
    "unanswered unknown unclear left leaves leave cannot fails fail".split()
)


def _is_silent(sentence: str, asked: frozenset[str]) -> bool:
    """Whether somebody whom the question does not name says nothing: "The recipe does not explain how"."""
    found = SILENT.search(sentence)
    if found is None:
        return False
    subject = words_of(found["subject"])
    if not subject or not _PERSON.isdisjoint(subject) or len(subject) > _LONG_SUBJECT:
        return False
    if any(
        _is_asked(word, asked) for word in subject if word not in FUNCTION_WORDS and word not in SOURCE_WORDS
    ):
        return False
    named = not SOURCE_WORDS.isdisjoint(subject) or not _OWN.isdisjoint(subject[-1:])
    if found["none"]:
        return named or FIGURES.match(found["what"]) is not None
    return named or GIVING.fullmatch(found["tells"]) is None


_LONG_SUBJECT = 7


def _asks_for_telling(words: list[str], asked: frozenset[str]) -> bool:
    """Whether the question uses a verb of the sentence: "Is lunch included?" - "Lunch is not included"."""
    if not _ASKING.isdisjoint(words):
        return False  # "It is not said whether lunch is included"
    return any(_is_asked(word, asked) for word in words if word in _VERBS)


_ASKING = frozenset("who whom whose what which when where why how whether if".split())
_VERBS = frozenset(
    """
    mention mentioned stated state specified specify indicated indicate discussed discuss disclosed
    disclose quoted quote
    explained explain documented clarified clarify detailed spelled spelt touched elaborated addressed tell
    told named
    name listed list given give provided provide supplied include included contain contained recorded shown
    available
    found known identified cover covered recommend describe described say said left offer show hold
    """.split()
)


def _asked_words(question: str) -> frozenset[str]:
    """The content words of a question, cut to their first letters: enough to know a word in another form."""
    return reading_of(question).part(_cut_words)


def _cut_words(reading: Reading) -> frozenset[str]:
    return frozenset(
        _cut(word)
        for word in words_of(reading.text)
        if word not in FUNCTION_WORDS and word not in AUXILIARIES and word not in _ASKING
    )


def _is_asked(word: str, asked: frozenset[str]) -> bool:
    return _cut(word) in asked


def _cut(word: str) -> str:
    word = word.removesuffix("'s").removesuffix("’s")
    for ending in ("ership", "ers", "er", "ing", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word.removesuffix(ending)
            break
    return word[:_ROOT]


_SHORTEST = 3
