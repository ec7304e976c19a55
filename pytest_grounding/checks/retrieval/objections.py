"""What speaks against a clause as the answer, though it holds a value of the right kind and enough words.

Each objection is one way in which a text that shares all its words with a question does not answer it: the person
belongs to another verb, the superlative to another noun, the condition is there and not what follows from it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from pytest_grounding._patterns import lazy
from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.deeds import is_participle
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.scorers.lexical.tokens import Token, tokenize
from pytest_grounding.text.grammar import words_of

_BE = frozenset("is are was were be been being".split())
_ADVERBS = frozenset("not also only then now often always usually never".split())
_FOLLOWS = lazy(
    r"\b(?:if|when|whenever|once|after|otherwise|else|or|unless|whoever|who|then|as soon as|in case|leads?|causes?"
    r"|results?|on \w+ing|anyone|everyone|so that|by \w+ing)\b"
)
_WHAT_HAPPENS = lazy(r"\W*what (?:happens|will happen|would happen|happened)\b")
_ARTICLES = frozenset("a an the this that his her its their no any".split())
_WHO_IS = lazy(r"\W*who(?:'s| is| was| are| were) (?:the|our|your|my|its|their) ")
_IS = lazy(r"[\w ]{0,30}?(?:,|:| is| was| are| were)\b|\s*[,:(]")
_WAS = lazy(r"\b(?:is|was|are|were|as|became|remains?|,) (?:the |an? |our )?(?:[\w-]+ ){0,3}$")
_BY_ANOTHER = lazy(
    r"\b(?:is|are|was|were|been) (?:\w+ly )?(?!made|done|carried|given|led|achieved|completed)\w+(?: \w+){0,4} by \w"
)
_BESIDE = lazy(r"\b(?:for|with|to|from|after|under|against) (?:the |an? |our |its )?(?:[\w-]+ ){0,2}$")
_HOW_MAKE = lazy(r"\W*how (?:do|can|should|would|could) (?:i|you|we|one) make\b")
_MAKING = lazy(
    r"\b(?:ma(?:k|d)\w+|prepar\w+|mix\w*|knead\w*|whisk\w*|combin\w+|bak(?:e|ed|ing)|stir\w*|brew\w*|build\w*|built"
    r"|assembl\w+|creat\w+|add\w*|pour\w*|cook\w*|boil\w*|blend\w*|melt\w*|produc\w+|form\w*|press\w*|click\w*"
    r"|select\w*|choos\w+|choose|fold\w*|cut\w*|glue\w*|sew\w*|set up|fill\w*|enter\w*)\b"
)
_LACKING = lazy(r"\b(?:without|no|not|never|none|lacks?|lacking|unless|except|only|un\w{3,}|\w{3,}less|\w+n't|cannot)\b")
_HOW_OLD = lazy(r"\W*how old (?!(?:must|do|does|should|may|can|have)\b)")
_AGED = lazy(
    r"\b(?:old|aged?|ages|anniversary|years?|months?|centur(?:y|ies)|birthday|millennia|decades?|days?|weeks?)\b"
)
_DOER = lazy(r"\b(?:\w{2,}[^e\W]ers?|\w{3,}ors?)\b")
_MAY_BE = lazy(r"\b(?:may|can|must|should) (?:not )?be \w+")
_EARLIER = lazy(
    r"\b(?:before|until|previous(?:ly)?|former(?:ly)?|earlier|then|once|used to|first|prior|from|since)\b"
)
_SUPERLATIVE = lazy(r"\w{3,}est|(?:most|least)")
_NOT_SUPERLATIVE = frozenset(
    "latest test west rest guest request interest forest harvest nest best contest protest chest honest arrest invest "
    "digest suggest quest modest conquest manifest priest quickest nearest at".split()
)


def objects(asked: Asked, clause: Sentence) -> bool:
    """Whether something speaks against a clause as the answer.

    Args:
        asked: the question part.
        clause: a clause that holds a value of the expected kind.
    """
    lower = asked.part.text.lower()
    words = set(words_of(lower))
    if _is_doer_alone(asked, clause):
        return True
    if _HOW_MAKE.match(lower) and _MAKING.search(clause.lower) is None:
        return True
    if "without" in words and _LACKING.search(clause.lower) is None:
        return True
    if _HOW_OLD.match(lower) and _AGED.search(clause.lower) is None:
        return True
    if asked.part.expected == "person":
        if _WHO_IS.match(lower) and not asked.names_mask:
            return not _is_told_who(asked, clause)
        return _BE.isdisjoint(words) and "whom" not in words and _is_done_by_another(asked, clause)
    if _WHAT_HAPPENS.match(lower) and _FOLLOWS.search(clause.lower) is None:
        return _MAY_BE.search(clause.lower) is not None
    if "before" in words and "did" in words and _EARLIER.search(clause.lower) is None:
        return True
    return _has_other_superlative(asked, clause)


def _is_doer_alone(asked: Asked, clause: Sentence) -> bool:
    """Whether the deed stands only in who does it: "the founder's grandson" for "when was it founded"."""
    deeds = asked.words_of(asked.predicate)
    said = [t for t in clause.tokens if t.stem in deeds]
    if not said or _DOER.search(asked.part.text.lower()) is not None:
        return False
    if not all(_DOER.fullmatch(t.norm.removesuffix("'s").removesuffix("’s")) for t in said):
        return False
    if asked.part.expected != "person":
        return asked.part.expected in {"date", "location", "reason", "method"}
    return all(t.text.endswith(("'s", "’s")) or _is_beside(clause, t) for t in said)


def _is_beside(clause: Sentence, doer: Token) -> bool:
    """Whether a doer is only somebody beside: "worked for the Acme founder", whose name does not follow."""
    before = _BESIDE.search(clause.lower[: doer.start - clause.start])
    return before is not None and not clause.text[doer.end - clause.start :].lstrip(" ,(")[:1].isupper()


def _is_done_by_another(asked: Asked, clause: Sentence) -> bool:
    """Whether a passive without "by" tells what is done, or "by" names who did something else.

    "The beginners are taught from six, the league team plays from eight": who teaches them is not said.
    """
    if not asked.predicate:
        return False
    deeds = asked.words_of(asked.predicate)
    passive = False
    for place, token in enumerate(clause.tokens):
        if token.stem not in deeds:
            continue
        if _is_noun(clause.tokens, place):
            # "An appeal was turned down by Judge Orr": who appealed is not said.
            passive = passive or _BY_ANOTHER.search(clause.lower, token.end - clause.start) is not None
            continue
        if not _is_passive(clause.tokens, place):
            return False
        passive = True
        following = clause.text[token.end - clause.start : token.end - clause.start + 120].lower()
        if " by " in f" {following} ":
            return False
    return passive


def _is_noun(tokens: Sequence[Token], place: int) -> bool:
    return place > 0 and tokens[place - 1].norm in _ARTICLES


def _is_told_who(asked: Asked, clause: Sentence) -> bool:
    """Whether a clause names somebody, or says who holds a post: "the consent of the head nurse" does neither."""
    if any(f.kind == "name" and not f.initial and not {t.stem for t in tokenize(f.text)} <= asked.known for f in clause.facts):
        return True
    ends = [t.end - clause.start for t in clause.tokens if t.stem in asked.content]
    starts = [t.start - clause.start for t in clause.tokens if t.stem in asked.content]
    return bool(ends) and (
        _IS.match(clause.lower, max(ends)) is not None or _WAS.search(clause.lower[: min(starts)]) is not None
    )


def _is_passive(words: Sequence[Token], place: int) -> bool:
    """Whether the word at a place is the participle of a passive: "are taught", "was also written"."""
    if not is_participle(words[place].norm) and not words[place].norm.endswith(
        ("ught", "ung", "unk", "old", "elt")
    ):
        return False
    at = place - 1
    while at >= 0 and (words[at].norm in _ADVERBS or words[at].norm.endswith("ly")):
        at -= 1
    return at >= 0 and words[at].norm in _BE


def _has_other_superlative(asked: Asked, clause: Sentence) -> bool:
    """Whether the superlative of the question is missing, or said of something else.

    "What is the largest lake?" - "Lake Osk is the deepest"; "the oldest map" - "The oldest globe is from 1541".
    """
    for before, after in pairwise(tokenize(asked.part.text, "en")):
        if not is_superlative(before.norm) or after.is_stop or after.stem in asked.named:
            continue
        if after.start - before.end != 1:
            continue
        nouns = asked.stems_like(after.stem)
        said = [n for n, t in enumerate(clause.tokens) if t.stem in asked.stems_like(before.stem)]
        for place in said:
            following = clause.tokens[place + 1] if place + 1 < len(clause.tokens) else None
            if following is None or following.is_stop or following.stem in nouns or following.is_number:
                return False
            if any(t.stem in nouns for t in clause.tokens[place + 1 : place + 4]):
                return False
        if said or (asked.part.type in {"what", "which"} and asked.part.focus.lower() == after.norm):
            return not _says_most(clause, before.norm)
    return False


#: What says in a comparison that nothing goes further: "No lake reaches further down than Lake Tarn".
_MORE = {
    "deepest": "deeper|further down|lower",
    "highest": "higher|taller|further up|drops? further|falls? further",
    "tallest": "higher|taller|further up",
    "largest": "larger|bigger|greater|more space|more area",
    "biggest": "larger|bigger|greater",
    "longest": "longer|further",
    "oldest": "older|earlier",
    "fastest": "faster|quicker|sooner",
    "cheapest": "cheaper|less",
    "smallest": "smaller|less",
}


def _says_most(clause: Sentence, superlative: str) -> bool:
    """Whether a clause says in other words that something is the most: nothing, or no other, is more so."""
    if _NONE.search(clause.lower) is None:
        return False
    more = _MORE.get(superlative, f"{superlative.removesuffix('est')}er")
    return re.search(rf"\b(?:{more})\b.*\bthan\b", clause.lower) is not None


_NONE = lazy(r"\b(?:no|none|nothing|nobody|any other|all (?:the )?other|every other)\b")


def is_superlative(word: str) -> bool:
    """Whether a word in lower case is a superlative by its look."""
    return _SUPERLATIVE.fullmatch(word) is not None and word not in _NOT_SUPERLATIVE
