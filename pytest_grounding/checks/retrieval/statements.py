"""Reasons, methods, definitions, choices, statements and things as answers."""

from __future__ import annotations

import re

from pytest_grounding._patterns import lazy
from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.scorers.lexical.tokens import tokenize
from pytest_grounding.text.grammar import AUXILIARIES, has_finite_verb, words_of
from pytest_grounding.text.questions.words import word_set

_REASON = lazy(
    r"\b(?:because|(?:which|that|this) is why|due to|owing to|as a result|so that|in order to|thanks to|"
    r"caus(?:e|es|ed|ing)|leads? to|led to|"
    r"results? (?:in|from)|resulted (?:in|from)|reasons?|therefore|hence|thus|consequently|stems? from|"
    r"driven by|"
    r"attributed to|explain(?:s|ed)? by|purpose|designed to|intended to|meant to|aims? to|"
    r"for the sake of|prompted|"
    r"motivat\w+|given that|responsible for|prevents?|helps?|ensures?|protects?|reduces?|avoids?|allows?|"
    r"enables?|makes?|"
    r"gives?|contribut\w+|trigger\w*|otherwise|to (?:prevent|avoid|ensure|reduce|protect|allow|keep|make|"
    r"save|help|limit|"
    r"improve|increase|comply|meet|give|enable|maintain|stop|let|support|preserve|guarantee|minimi[sz]e|"
    r"honou?r|"
    r"celebrate|escape|attract|speed|lower|cut|free|focus|conserve|defend|control|provide|bring|raise|"
    r"remove|store|"
    r"absorb|adapt|escape|fight|warn|signal|survive|mark|commemorate|encourage|discourage))\b"
    r"|\bso (?:the|it|they|we|you|he|she|a|no|there|its|their)\b"
)
_SINCE = lazy(
    r"\bsince (?!\d|then\b|(?:early|late|mid)\b|january|february|march|april|may |june|july|august|"
    r"september|october|november|december)"
)
_FOR = lazy(
    r"\bfor (?:\w+ )?(?:\w+ing|\w+tion|maintenance|repairs?|reasons?|purposes?|safety|security|health|"
    r"hygiene|fun)\b"
)
_AS = lazy(r", as (?!well\b|such\b|of\b|an? |if\b|though\b|soon\b|long\b|far\b|much\b|many\b|in\b)")
# "sand to soak up blood": an infinitive of purpose, not one that a verb or noun before it wants.
_PURPOSE = lazy(r"(?<![\w'])([\w']+),? to ([a-z]+(?<!s)(?<!ed)(?<!ing)(?<!ion)(?<!ly)) [\w']")
_TAKES_TO = word_set(
    "is are was were be been want wants wanted need needs needed have has had able unable going "
    "likely unlikely according due up "
    "moved went go travel "
    "allowed required entitled ready able try tries tried begin began start started continue continued "
    "seem seems appear used "
    "right ability plan plans failed refuse refused hope agree agreed close next related relative prior "
    "subject addition "
    "similar access how where what when whether first last only"
)
_NO_VERB = word_set(
    "be the a an this that these those my your our their his her its all any each every more about one which"
)


def holds_reason(asked: Asked, sentence: Sentence) -> bool:
    """A cause or purpose: a marker of one, with words beside it that the question does not hold."""
    if not sentence.new_words(asked.stems):
        return False
    lower = sentence.lower
    for match in _REASON.finditer(lower):
        fresh = match.group() not in asked.lower or match.group().startswith("caus")
        if fresh and not _is_itself_the_cause(asked, sentence, match):
            return True
    if _SINCE.search(lower):
        return True
    return asked.part.type == "why" and (
        _AS.search(lower) is not None
        or _FOR.search(lower) is not None
        or any(
            match[1] not in _TAKES_TO and match[2] not in _NO_VERB and f"to {match[2]}" not in asked.lower
            for match in _PURPOSE.finditer(lower)
        )
    )


_OPENS_CAUSE = frozenset(["because", "due to", "owing to", "thanks to"])


def _is_itself_the_cause(asked: Asked, sentence: Sentence, match: re.Match[str]) -> bool:
    """Whether what is asked for is the reason that a sentence gives, and not what it gives a reason for."""
    if match.group() not in _OPENS_CAUSE:
        return False
    start, end = match.end(), len(sentence.text)
    if not sentence.text[: match.start()].strip():
        comma = sentence.text.find(",", start)
        end = comma if comma > 0 else end
    said = [(t.start - sentence.start, t.stem) for t in sentence.tokens if t.stem in asked.content]
    cause = {stem for offset, stem in said if start <= offset < end}
    effect = {stem for offset, stem in said if not start <= offset < end}
    return len(cause - effect) > len(effect)


_IMPERATIVES = (
    "add adjust allow apply attach avoid bake be begin boil bring brush build buy call change charge "
    "check choose "
    "clean clear click close combine complete configure confirm connect contact contribute cook cool "
    "copy cover "
    "create cut delete deploy detach dial disable disconnect download drag drain draw drill dry edit "
    "email empty "
    "enable ensure enter export fill find flip fold follow forward give go grease grill hang heat hold "
    "import insert "
    "inspect install join keep launch lay leave let lift link load lock log loosen lower make mark "
    "measure melt mix "
    "move navigate notify open order park pass pay peel place plant plug pour practice preheat prepare "
    "press print "
    "provide pull push put raise read reboot register remove repeat replace reply report request reset "
    "restart rinse "
    "roll rotate run save scan schedule screw scroll scrub seal select send serve set shake sign simmer "
    "slice slide "
    "soak sort spray spread sprinkle squeeze start stir stop store submit swipe switch take tap tell "
    "test tie tighten "
    "toggle transfer trim try turn twist type uncheck unlock unplug unscrew update upgrade upload use "
    "verify visit "
    "show hold dial ask speak talk book present hand arrange sign wait warm wash water wear whisk wipe "
    "wrap write"
)
_VERB = "|".join(_IMPERATIVES.split())
# All but the first two begin at a word, and are tried there alone.
_METHOD = lazy(
    rf"(?:^|[.;:,!\n•*\-–—>)]\s*)(?:{_VERB})\b|\b(?=[a-z])(?:"
    rf"(?:then|and|to|please|first|next|finally|just|simply|must|should|can|could|may|will|or|do not|"
    rf"don't|never|always|also|carefully|gently)\s+(?:{_VERB})\b"
    r"|(?:by|through|via|using|with) (?:the |a |an )?\w+|uses?\b|used to\b"
    r"|(?:steps?|procedure|process|method|technique|mechanism|first|then|next|finally|afterwards|"
    r"instructions?)\b"
    r"|(?:you|we|users?|employees?|customers?|one) (?:can|should|must|need to|have to|will|may)\b"
    r"|(?:is|are|was|were|be) (?:\w+ly )?\w+(?:ed|en|wn|ut|ld|nt|de)\b"
    r"|(?:when|whereas|while|unlike|instead|rather|turns? into|converts?|travels?|moves?|flows?|"
    r"absorbs?|produces?)\b)"
)


def holds_method(asked: Asked, sentence: Sentence) -> bool:
    """A way to do it or how it goes: an instruction, a means, a process."""
    fresh = sentence.new_words(asked.stems)
    if not fresh:
        return False
    lower = sentence.lower
    return any(
        match.group().strip() not in asked.lower and not _only_done(asked, sentence, match)
        for match in _METHOD.finditer(lower)
    )


_DONE = lazy(r"(?:is|are|was|were|be) (?:\w+ly )?(\w+)")
_MEANS = lazy(
    r"\s*(?:\w+ )?(?:by|through|via|with|using|online|automatically|manually|electronically|as|from|over|"
    r"(?:in|on|at|to) (?:the|an?|our|your|their|its))\b"
)


def _only_done(asked: Asked, sentence: Sentence, match: re.Match[str]) -> bool:
    """Whether a passive says no more than that it is done: "Tulips are planted in October"."""
    start = match.end() - 2 if match.group().endswith(" be") else match.start()
    done = _DONE.match(sentence.lower, start)
    if done is None:
        return False
    if not any(t.stem in asked.known for t in tokenize(done[1])):
        # "How do I delete ...": that it is listed or restored is no way to.
        return asked.part.deed >= 0
    return _MEANS.match(sentence.lower, done.end()) is None


#: What is done to a thing, or where it is, says not what it is: "is held by", "are kept at".
_HAPPENS = lazy(
    r"\s*(?:(?:also|only|often|usually|always|never|not|now|still|\w+ly)\s+)*"
    r"(?!(?:used|made|defined|known|called|designed|meant|based|composed|intended|built)\b)"
    r"(?:\w+ed|held|kept|paid|sent|sold|found|given|taken|shown|written|drawn|chosen|read|set|lent|put|due|open|"
    r"available|free|located)\b\s*(?:by|at|in|on|from|to|with|for|as|until|when|every|once|each|after|before|"
    r"within|only|through|via|of charge|if|$|[.,;])"
)

_COPULA = (
    r"(?:,[^,]{1,60},)?\s*(?:\([^)]{1,60}\)\s*)?(?:,\s*)?(?:is|are|was|were|means?|refers? to|denotes?|"
    r"stands? for|describes?|"
    r"consists? of|can be (?:defined|described)|may be (?:defined|described)|represents?|involves?|:|=|-|"
    r"–|—)(?:\s|$)"
)
_IS = lazy(_COPULA)
_CALLED = lazy(
    r"\b(?:called|known as|termed|named|dubbed|referred to as|abbreviated|short for|i\.e\.|defined as)\b"
)


def holds_definition(asked: Asked, sentence: Sentence) -> bool:
    """What something is: the term, then "is", "means" or the like, then words of its own."""
    terms = [t for t in sentence.tokens if t.stem in asked.content]
    if not terms:
        return False
    lower = sentence.lower
    for term in terms:
        match = _IS.match(lower, term.end - sentence.start)
        if (
            match
            and _HAPPENS.match(lower, match.end()) is None
            and sentence.new_words(asked.stems, after=match.end())
        ):
            return True
    opening = lower[: terms[0].start - sentence.start]
    following = lower[terms[-1].end - sentence.start :].split(maxsplit=1)[:1]
    if (
        opening.strip() in {"a", "an"}
        and not AUXILIARIES.intersection(following)
        and sentence.new_words(asked.stems, after=terms[-1].end - sentence.start)
    ):
        # "A fixed-rate mortgage keeps ...": a statement on all of its kind says what it is.
        return True
    if len(opening.split()) <= 4 or _CALLED.search(opening):
        verb = re.search(
            r"\b(?:is|are|was|were|means?|refers? to|stands? for)\b", lower[terms[-1].end - sentence.start :]
        )
        end = terms[-1].end - sentence.start
        if (
            verb
            and verb.start() < 60
            and len(lower[end : end + verb.start()].split()) <= 4
            and not has_finite_verb(words_of(lower[end : end + verb.start()]))
            and _HAPPENS.match(lower, end + verb.end()) is None
            and sentence.new_words(asked.stems, after=terms[-1].end - sentence.start)
        ):
            return True
        if _CALLED.search(opening):
            return bool(sentence.new_words(asked.stems, before=terms[0].start - sentence.start))
    text = sentence.text[terms[0].end - sentence.start :]
    # An abbreviation beside its long form: "DNA (deoxyribonucleic acid)".
    return bool(re.match(r"\s*\([^)]{3,80}\)", text)) or bool(
        re.match(r"\s*,\s+(?:an?|the|or|which is)\s", text)
    )


_WANTS_NAME = lazy(
    r"\bnames? of\b|\bwhat (?:is|was|are|were) \w[\w ]* (?:called|named)\b|\b(?:brand|model|make) of\b"
)
_COLOURS = lazy(
    r"\b(?:black|white|gr[ae]y|red|blue|green|yellow|orange|purple|violet|pink|brown|gold(?:en)?|silver|"
    r"beige|turquoise|"
    r"cyan|magenta|colou?r\w*)\b"
)


def holds_thing(asked: Asked, sentence: Sentence) -> bool:
    """Something that the question does not name; a name or a colour where it asks for one."""
    if _WANTS_NAME.search(asked.lower) or asked.part.focus.lower() in _NAMED_KINDS:
        return any(
            fact.kind == "name"
            and not fact.initial
            and not {t.stem for t in tokenize(fact.text)} <= asked.stems
            for fact in sentence.facts
        )
    if asked.part.focus.lower() in {"color", "colour", "colors", "colours"}:
        return _COLOURS.search(sentence.lower) is not None
    if _ASKS_VALUE.match(asked.part.text.lower()) and _only_happens(asked, sentence):
        return False
    return bool(sentence.new_words(asked.known)) or _NOTHING.search(sentence.lower) is not None


_NOTHING = lazy(r"\b(?:nothing|none|nobody|no one)\b")
_NAMED_KINDS = frozenset(["brand", "make", "model", "manufacturer"])
_ASKS_VALUE = lazy(r"\W*what (?:is|are|was|were) (?:the|my|our|your|its|their|a)\b")
_COPULAS = lazy(r"\b(?:is|are|was|were)\b")


def _only_happens(asked: Asked, sentence: Sentence) -> bool:
    """Whether a sentence only says what is done to what is asked for: "The password is printed on ..."."""
    found = list(_COPULAS.finditer(sentence.lower))
    return bool(found) and all(_HAPPENS.match(sentence.lower, match.end()) for match in found)


def holds_choice(asked: Asked, sentence: Sentence) -> bool:
    """One of several: something that the question does not name, or one of the options that it does."""
    if asked.part.type == "yes_no":
        return holds_polarity(asked, sentence)
    if asked.part.type == "which" and not _tells_apart(asked, sentence):
        return False
    return bool(sentence.new_words(asked.known))


_TELLS = lazy(r"\s*(?:(?:is|are|was|were)(?P<copula>)|called|named|such as|like|include|:|,|\(|\"|“|`|')")


def _tells_apart(asked: Asked, sentence: Sentence) -> bool:
    """Whether a sentence that names the kind says which one: "the Gold plan", "gate 4"."""
    tokens = sentence.tokens
    kinds = asked.kinds - asked.named
    places = [number for number, token in enumerate(tokens) if token.stem in kinds]
    for place in places:
        before = tokens[place - 1] if place else None
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        if before is not None and not before.is_stop and before.stem not in asked.known:
            return True
        if after is not None and (after.is_number or after.is_name) and after.stem not in asked.known:
            return True
        told = _TELLS.match(sentence.lower, tokens[place].end - sentence.start)
        if told and (told["copula"] is None or _HAPPENS.match(sentence.lower, told.end()) is None):
            return True
    if not places:
        return True
    # "Metformin is the first medicine that ...": what stands before the verb is the one.
    copula = _COPULAS.search(sentence.lower)
    at = tokens[places[0]].start - sentence.start
    return (
        copula is not None
        and copula.start() < at
        and bool(sentence.new_words(asked.known, before=copula.start()))
    )


_VERB_FORM = lazy(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|cannot|could|will|would|shall|should|may|"
    r"might|must|not|"
    r"no|yes|never|always|only|\w+(?:ed|es|s|n't))\b"
)


def holds_polarity(asked: Asked, sentence: Sentence) -> bool:
    """A statement that affirms or denies."""
    return _VERB_FORM.search(sentence.lower) is not None
