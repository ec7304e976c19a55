"""Faults of words: negations, antonyms and quantifiers."""

from __future__ import annotations

import random
import re

from pytest_grounding.lexicon import alternation, lines
from pytest_grounding.lexicon import words as listed
from pytest_grounding.mutation.site import BLANK, Mutant, Site
from pytest_grounding.mutation.value_faults import first_planted

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
#: Each word and its opposite; only words with one common meaning.
ANTONYMS: dict[str, str] = {
    pair.split()[0]: pair.split()[1] for line in lines("mutation", "antonyms") for pair in line.split(";")
}
_FIXED_PHRASES = listed("mutation", "fixed_phrases")
_PREDICATES = listed("mutation", "predicates")
_BEFORE_FIXED = listed("mutation", "before_fixed")
_COPULAS = listed("mutation", "copulas")
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


def plant_antonym(site: Site, rng: random.Random) -> Mutant | None:
    """Change a word to its opposite."""
    words = {match[0].lower() for match in _WORD.finditer(site.text)}
    places = [match for match in _WORD.finditer(site.text) if match[0].lower() in ANTONYMS]
    rng.shuffle(places)
    for match in places:
        planted = ANTONYMS[match[0].lower()]
        is_name = match[0][0].isupper() and bool(site.text[: match.start()].strip(f" {BLANK}"))
        # "hot and cold": the statement is about both, and the same word twice is not its opposite.
        if not (planted in words or is_name or _is_fixed(site.text, match)):
            mutant = site.edit(*match.span(), _in_case_of(match[0], planted))
            if mutant is not None:
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


def plant_quantifier(site: Site, rng: random.Random) -> Mutant | None:
    """Change an amount or frequency to another."""
    start = len(site.text) - len(site.text.lstrip(f" \n\t{BLANK}"))
    body = site.text[start:]
    # "not ... none" would state nothing, and "some may" is nearly "all may".
    if _ANY_DENIAL.search(body) or re.search(r"\b(?:may|might|could)\b", body):
        return None
    places = [
        (start + match.start(), start + match.end(), _in_case_of(match[0], planted))
        for pattern, planted in _QUANTIFIERS
        if (match := re.search(rf"(?<![\w-])(?:{pattern})(?![\w-])", body, re.IGNORECASE))
    ]
    rng.shuffle(places)
    return first_planted(site.edit(*place) for place in places)


def _in_case_of(old: str, new: str) -> str:
    return new[0].upper() + new[1:] if old[0].isupper() else new
