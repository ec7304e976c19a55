"""What speaks against a clause as the answer, though it holds a value of the right kind and enough words.

Each objection is one way in which a text that shares all its words with a question does not answer it: the
person
belongs to another verb, the superlative to another noun, the condition is there and not what follows from it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from pytest_grounding._patterns import lazy
from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.deeds import is_participle
from pytest_grounding.checks.retrieval.measures import dates_in
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.scorers.lexical.tokens import Token, tokenize
from pytest_grounding.text.grammar import words_of

_BE = frozenset("is are was were be been being".split())
_ADVERBS = frozenset("not also only then now often always usually never".split())
_FOLLOWS = lazy(
    r"\b(?:if|when|whenever|once|after|otherwise|else|or|unless|whoever|who|then|as soon as|in case"
    r"|leads?|causes?"
    r"|results?|on \w+ing|anyone|everyone|so that|by \w+ing)\b"
)
_WHAT_HAPPENS = lazy(r"\W*what (?:happens|will happen|would happen|happened)\b")
_ARTICLES = frozenset("a an the this that his her its their no any".split())
_WHO_IS = lazy(r"\W*who(?:'s| is| was| are| were) (?:the|our|your|my|its|their) ")
_IS = lazy(r"[\w ]{0,30}?(?:,|:| is| was| are| were)\b|\s*[,:(]")
_WAS = lazy(r"\b(?:is|was|are|were|as|became|remains?|,) (?:the |an? |our )?(?:[\w-]+ ){0,3}$")
_BY_ANOTHER = lazy(
    r"\b(?:is|are|was|were|been) (?:\w+ly )?(?!made|done|carried|given|led|achieved"
    r"|completed)\w+(?: \w+){0,4} by \w"
)
_NEAR = 4
_HELPERS = frozenset(
    "was were is are had has have did also then later once first been always never not".split()
)
_RELATING = frozenset("of in at to from near by with for and or on".split())
_PREPOSED = re.compile(r"\b(?:by|for|with|in|at|on|to|from|of|until|after|before)\b")
_OTHER_VERB = re.compile(
    r"(?:,| and| but| then| before| after| which| that| who)(?: (?:was|were|had|has|is|only|later|then"
    r"|been|which|and|but))*"
    r" (?!\w*(?:hundred|red|bed|seed|need)\b)\w{2,}(?:ed|ilt|ought|aught|old|aid|ent)\b"
)
_OPENS_ANOTHER = re.compile(
    r"(?:,|\b(?:and|but|then))(?: (?:was|were|is|are|then|only|later|had|has|been))* $"
)
_TIME_WORDS = re.compile(r"\b(?:when|once|as soon as|until|every|each|daily|weekly|monthly|yearly)\b")
_BESIDE = lazy(r"\b(?:for|with|to|from|after|under|against) (?:the |an? |our |its )?(?:[\w-]+ ){0,2}$")
_HOW_MAKE = lazy(r"\W*how (?:do|can|should|would|could) (?:i|you|we|one) make\b")
_MAKING = lazy(
    r"\b(?:ma(?:k|d)\w+|prepar\w+|mix\w*|knead\w*|whisk\w*|combin\w+|bak(?:e|ed|ing)|stir\w*|brew\w*"
    r"|build\w*|built"
    r"|assembl\w+|creat\w+|add\w*|pour\w*|cook\w*|boil\w*|blend\w*|melt\w*|produc\w+|form\w*|press\w*"
    r"|click\w*"
    r"|select\w*|choos\w+|choose|fold\w*|cut\w*|glue\w*|sew\w*|set up|fill\w*|enter\w*)\b"
)
_LACKING = lazy(
    r"\b(?:without|no|not|never|none|lacks?|lacking|unless|except|only|un\w{3,}|\w{3,}less|\w+n't|cannot)\b"
)
_HOW_OLD = lazy(r"\W*how old (?!(?:must|do|does|should|may|can|have)\b)")
_AGED = lazy(
    r"\b(?:old|aged?|ages|anniversary|years?|months?|centur(?:y|ies)|birthday|millennia|decades?|days?"
    r"|weeks?)\b"
)
_DOER = lazy(r"\b(?:\w{2,}[^e\W]ers?|\w{3,}ors?)\b")
_MAY_BE = lazy(r"\b(?:may|can|must|should) (?:not )?be \w+")
_EARLIER = lazy(
    r"\b(?:before|until|previous(?:ly)?|former(?:ly)?|earlier|then|once|used to|first|prior|from|since)\b"
)
_SUPERLATIVE = lazy(r"\w{3,}est|(?:most|least)")
_NOT_SUPERLATIVE = frozenset(
    "latest test west rest guest request interest forest harvest nest best contest protest chest honest"
    " arrest invest "
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
        if _BE.isdisjoint(words) and "whom" not in words:
            return _is_done_by_another(asked, clause) or _has_other_object(asked, clause)
        return False
    if _has_other_subject(asked, clause):
        return True
    if asked.part.expected == "date" and _is_dated_otherwise(asked, clause):
        return True
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


def _deeds(asked: Asked, clause: Sentence) -> list[int]:
    """The places of the asked verb among the words of a clause."""
    stems = asked.words_of(asked.predicate)
    return [place for place, token in enumerate(clause.tokens) if token.stem in stems]


def _has_other_object(asked: Asked, clause: Sentence) -> bool:
    """Whether the deed is done to something else: "pays all bills" for "who pays the fee"."""
    rest = asked.content - asked.words_of(asked.predicate)
    if not rest or any(token.stem in rest for token in clause.tokens):
        return False
    for place in _deeds(asked, clause):
        following = [t for t in clause.tokens[place + 1 : place + 5] if not t.is_stop][:1]
        between = clause.text[clause.tokens[place].end - clause.start :]
        if not following or not following[0].text.islower() or following[0].is_number:
            return False
        gap = between[: following[0].start - clause.tokens[place].end]
        if any(sign in gap for sign in ",.;:(") or _PREPOSED.search(gap.lower()):
            return False
    return bool(_deeds(asked, clause))


def _has_other_subject(asked: Asked, clause: Sentence) -> bool:
    """Whether the deed is that of another name: "Ito replaced the pump" for "what did Brandt replace"."""
    if not asked.names_mask or asked.part.type not in {
        "what",
        "when",
        "where",
        "how",
        "why",
        "how_much",
        "how_many",
    }:
        return False
    places = _deeds(asked, clause)
    if not places:
        return False
    for place in places:
        at = place - 1
        while at >= 0 and (clause.tokens[at].norm in _HELPERS or clause.tokens[at].norm.endswith("ly")):
            at -= 1
        if at < 0 or place - at > _NEAR:
            return False
        before = clause.tokens[at]
        gap = clause.text[before.end - clause.start : clause.tokens[place].start - clause.start]
        named = before.is_name or (before.text[:1].isupper() and at > 0)
        if (
            not named
            or before.stem in asked.known
            or any(sign in gap for sign in ",;:")
            or " of " in f" {gap} "
        ):
            return False
        if clause.tokens[at - 1].norm in _RELATING or _is_passive(clause.tokens, place):
            return False
    return True


def _is_dated_otherwise(asked: Asked, clause: Sentence) -> bool:
    """Whether each date of a clause belongs to another verb: "was planned by Reiss, but finished in 1958"."""
    places = _deeds(asked, clause)
    dates = dates_in(clause)
    if not places or not dates or _TIME_WORDS.search(clause.lower):
        return False
    for start, end in dates:
        for place in places:
            token = clause.tokens[place]
            first, last = token.end - clause.start, start
            if last < first:
                # "Sets off at nine and ends with a soup": nine is not when it ends.
                if _OPENS_ANOTHER.search(clause.lower[end : token.start - clause.start]) is None:
                    return False
                continue
            if _OTHER_VERB.search(clause.lower[first:last]) is None:
                return False
    return True


def _is_noun(tokens: Sequence[Token], place: int) -> bool:
    return place > 0 and tokens[place - 1].norm in _ARTICLES


def _is_told_who(asked: Asked, clause: Sentence) -> bool:
    """Whether a clause names somebody, or says who holds a post; "the consent of the head nurse" does not."""
    if any(
        f.kind == "name" and not f.initial and not {t.stem for t in tokenize(f.text)} <= asked.known
        for f in clause.facts
    ):
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

    "What is the largest lake?" - "Lake Osk is the deepest"; "the oldest map" - "The oldest globe is from
    1541".
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
