"""Faults of words: other names, negations, antonyms, other amounts or frequencies."""

from __future__ import annotations

import random
import re
from functools import lru_cache

from pytest_grounding.lexicon import alternation, lines, ordered
from pytest_grounding.lexicon import words as listed
from pytest_grounding.mutation.site import BLANK, Mutant, Site, Sources, fold
from pytest_grounding.mutation.value_faults import MONTHS, WEEKDAYS

_INVENTED_SINGLE = ordered("mutation", "invented_single")
_INVENTED_GIVEN = ordered("mutation", "invented_given")
_INVENTED_ACRONYMS = ("QVX", "ZKR", "WUJ", "XQB", "JVH")
_KIND_WORDS = listed("mutation", "kind_words")
_NO_NAMES = listed("mutation", "no_names") | frozenset(MONTHS) | frozenset(WEEKDAYS)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w-]*[A-Za-z0-9](?: [A-Z][\w-]*[A-Za-z0-9])*(?![\w-]|\.\w)")
_OF_A_PEOPLE = re.compile(r"(?:ans|ists|ese|ish|ian|ean|can)$")
_TRIES = 20


def names_of(text: str) -> list[re.Match[str]]:
    """The names within the sentences of a text, as far as capitals show: no months, no nationalities."""
    return [
        match
        for match in _NAME.finditer(text)
        if not _NO_NAMES.intersection(match[0].split()) and not _OF_A_PEOPLE.search(match[0])
    ]


def plant_new_entity(site: Site, rng: random.Random) -> Mutant | None:
    """Change a name to one that occurs nowhere."""
    names = _replaceable(site)
    rng.shuffle(names)
    for name in names:
        planted = _invented(name[0], rng)
        if not any(word.lower() in site.sources.words for word in planted.split() if word not in _KIND_WORDS):
            return site.edit(*name.span(), planted)
    return None


def plant_swapped_entity(site: Site, rng: random.Random) -> Mutant | None:
    """Change a name to another name of the chunks that is not in the claim."""
    names = _replaceable(site)
    claim_words = set(fold(site.text).split())
    others = [text for text in _names_in_chunks(site.sources) if not claim_words & set(fold(text).split())]
    rng.shuffle(names)
    rng.shuffle(others)
    for name in names[:_TRIES]:
        for other in others[:_TRIES]:
            if not _may_replace(name[0], other, site.sources):
                continue
            if (mutant := site.edit(*name.span(), other)) is not None:
                return mutant
    return None


@lru_cache(maxsize=8)
def _names_in_chunks(sources: Sources) -> tuple[str, ...]:
    return tuple(sorted({name[0] for text in sources.texts for name in names_of(text)} - _KIND_WORDS))


def _replaceable(site: Site) -> list[re.Match[str]]:
    """Names that also occur in the chunks and occur once in the claim."""
    return [
        name for name in names_of(site.text) if site.text.count(name[0]) == 1 and site.sources.say(name[0])
    ]


def _invented(name: str, rng: random.Random) -> str:
    words = name.split(" ")
    if len(words) == 1:
        return rng.choice(_INVENTED_ACRONYMS if name.isupper() and len(name) > 1 else _INVENTED_SINGLE)
    if words[-1] in _KIND_WORDS:
        return f"{rng.choice(_INVENTED_SINGLE)} {words[-1]}"
    return f"{rng.choice(_INVENTED_GIVEN)} {rng.choice(_INVENTED_SINGLE)}"


def _may_replace(name: str, other: str, sources: Sources) -> bool:
    """Whether another name has the same form, and does not name the same thing."""
    if name.isupper() != other.isupper() or (" " in name) != (" " in other):
        return False
    pairs = ((name, other), (other, name))
    if any(first in second for first, second in pairs):
        return False
    # "World Health Organization (WHO)"
    return not any(f"{first} ({second}" in text for first, second in pairs for text in sources.texts)


_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|can|should|will|must|has been|have been|had been)\b"
    r"(?!n['’]t| (?:not|no|never|none|nothing|neither|that|also|only|either|often|sometimes|usually|"
    r"typically|generally|always|still|likely|possible|any)\b)"
)
_DENIED = re.compile(
    r"\b(?:(is|are|was|were|can|should|will|must|do|does|did) not|cannot)\b(?! (?:only|all)\b)"
)
_ANY_DENIAL = re.compile(rf"\b(?:{alternation('denials', 'bare_denials')})\b|n['’]t\b", re.IGNORECASE)
#: The verb may belong to a detail, or be true of only a part.
_UNCLEAR = re.compile(
    rf"\b(?:{alternation('mutation', 'subordinators')}|{alternation('mutation', 'partial')})\b", re.IGNORECASE
)
_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*(?!['’]\w|\w)")


def plant_negation(site: Site, rng: random.Random) -> Mutant | None:
    """Negate the first verb of the statement, or remove its only negation."""
    text = site.text
    if "?" in text or text.rstrip(f" {BLANK}").endswith(":") or _UNCLEAR.search(text):
        return None
    if denials := _ANY_DENIAL.findall(text):
        # With two negations, removing one may leave the meaning unchanged.
        match = _DENIED.search(text)
        return site.edit(*match.span(), match[1] or "can") if match and len(denials) == 1 else None
    match = _AUXILIARY.search(text)
    if match is None:
        return None
    first, blank, rest = match[0].partition(" ")
    return site.edit(*match.span(), "cannot" if match[0] == "can" else f"{first} not{blank}{rest}")


#: Each word and its opposite; only words with one common meaning.
ANTONYMS: dict[str, str] = {
    pair.split()[0]: pair.split()[1] for line in lines("mutation", "antonyms") for pair in line.split(";")
}
_FIXED_PHRASES = listed("mutation", "fixed_phrases")
_PREDICATES = listed("mutation", "predicates")
_BEFORE_FIXED = listed("mutation", "before_fixed")
_COPULAS = listed("mutation", "copulas")


def plant_antonym(site: Site, rng: random.Random) -> Mutant | None:
    """Change a word to its opposite."""
    words = {match[0].lower() for match in _WORD.finditer(site.text)}
    places = [match for match in _WORD.finditer(site.text) if match[0].lower() in ANTONYMS]
    rng.shuffle(places)
    for match in places:
        planted = ANTONYMS[match[0].lower()]
        is_name = match[0][0].isupper() and bool(site.text[: match.start()].strip(f" {BLANK}"))
        # "hot and cold": the statement is about both, and the same word twice is not its opposite.
        if planted in words or is_name or _is_fixed(site.text, match):
            continue
        written = planted.capitalize() if match[0][0].isupper() else planted
        if (mutant := site.edit(*match.span(), written)) is not None:
            return mutant
    return None


def _is_fixed(text: str, match: re.Match[str]) -> bool:
    following = _WORD.match(text, match.end() + 1)
    before = _WORD.findall(text[max(0, match.start() - 25) : match.start()])
    last = before[-1].lower() if before else ""
    if last in _BEFORE_FIXED or (match[0].lower() in _PREDICATES and last not in _COPULAS):
        return True
    phrase = f"{match[0]} {following[0]}".lower() if following else ""
    return phrase in _FIXED_PHRASES or text[match.end() : match.end() + 1] in {"-", "/"}


_AMOUNT = r"(?= [$€£]?\d| (?:one|two|three|four|five|six|eight|ten|half)\b)"
_PLURAL = r"(?= [a-z]{2,}(?<!ou)(?<!s)s\b)"
#: Patterns for amounts and frequencies, and what replaces them; the two exclude each other.
_QUANTIFIERS: tuple[tuple[str, str], ...] = (
    (r"(?<!in )all of", "none of"),
    (r"(?<!of )most of", "hardly any of"),
    (r"some of", "all of"),
    (r"each of", "none of"),
    (r"always", "never"),
    (r"(?:usually|typically|generally|frequently)", "hardly ever"),
    (r"rarely", "nearly always"),
    (rf"at least{_AMOUNT}", "less than"),
    (rf"(?:at most|less than|fewer than){_AMOUNT}", "more than"),
    (rf"up to{_AMOUNT}", "no less than"),
    (rf"more than{_AMOUNT}", "less than"),
    (rf"(?<!the )(?<!at )(?<!two )most{_PLURAL}", "hardly any"),
    (rf"^some{_PLURAL}(?! (?:cases|examples|ways|methods|tips)\b)", "all"),
    (rf"^all{_PLURAL}", "no"),
)


def plant_quantifier(site: Site, rng: random.Random) -> Mutant | None:
    """Change an amount or frequency to another."""
    start = len(site.text) - len(site.text.lstrip(f" \n\t{BLANK}"))
    body = site.text[start:]
    # "not ... none" would state nothing, and "some may" is nearly "all may".
    if _ANY_DENIAL.search(body) or re.search(r"\b(?:may|might|could)\b", body):
        return None
    places = []
    for pattern, planted in _QUANTIFIERS:
        if match := re.search(rf"(?<![\w-])(?:{pattern})(?![\w-])", body, re.IGNORECASE):
            places.append((match, planted))
    rng.shuffle(places)
    for match, planted in places:
        written = planted[0].upper() + planted[1:] if match[0][0].isupper() else planted
        if (mutant := site.edit(start + match.start(), start + match.end(), written)) is not None:
            return mutant
    return None
