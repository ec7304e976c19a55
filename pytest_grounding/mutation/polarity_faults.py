"""Faults of polarity: a denial, a word turned into its opposite, another amount or frequency."""

from __future__ import annotations

import random
import re

from pytest_grounding.lexicon import alternation
from pytest_grounding.lexicon import words as listed
from pytest_grounding.mutation.site import (
    ANTONYMS,
    DENIABLE_VERBS,
    FIXED_PHRASES,
    PREDICATES,
    QUANTIFIER_SWAPS,
    Mutant,
    Site,
)

# "may", "might" and "could" are left out: what may be may also not be.
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|can|should|will|must|has been|have been|had been)\b"
    r"(?!n['’]t| (?:not|no|never|none|nothing|neither|that|also|only|either|often|sometimes|usually|"
    r"typically|generally|always|still|likely|possible|any)\b)"
)
_DENIED = re.compile(
    r"\b(?:(?P<word>is|are|was|were|can|should|will|must|do|does|did) not\b"
    r"|(?P<cannot>cannot)\b|(?P<short>is|are|was|were|do|does|did|should|has|have)n['’]t\b)"
    r"(?! (?:only|necessarily|always|all|every)\b)"
)
_ANY_DENIAL = re.compile(rf"\b(?:{alternation('denials', 'bare_denials')})\b|n['’]t\b", re.IGNORECASE)
#: What is denied under a condition is not what the claim says.
_CONDITION = re.compile(rf"\b(?:{alternation('mutation', 'conditions')})\b", re.IGNORECASE)
_HAS = re.compile(r"\b(has|have)(?= (?:a|an|the|\d+|two|three|four|five|six|seven|eight|ten|one)\b)")
#: Between the start of a clause and its verb these words say that the verb is not the statement's own.
_SUBORDINATE = re.compile(rf"\b(?:{alternation('mutation', 'subordinators')})\b", re.IGNORECASE)
#: "the time you will need": a clause of its own, though no word says so.
_RELATIVE = re.compile(r"\w \b(?:you|we|they|I|he|she)\s*$")
_CLAUSE_START = re.compile(r"[,;:(]|\b(?:and|but|or)\b")
#: A part of a whole may be so and another part not: "some are" and "some are not" do not exclude each other.
_PARTIAL = re.compile(rf"\b(?:{alternation('mutation', 'partial')})\b", re.IGNORECASE)
_BEFORE_NOUNS = listed("mutation", "before_nouns")
_BEFORE_FIXED = listed("mutation", "before_fixed")
_COPULAS = listed("mutation", "copulas")
_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*(?!['’]\w|\w)")


def plant_negation(site: Site, rng: random.Random) -> Mutant | None:
    """The statement's verb is denied, or its denial is taken away."""
    text = site.text
    if "?" in text or text.rstrip(" \ufffc").endswith(":") or _PARTIAL.search(text):
        return None
    denials = len(_ANY_DENIAL.findall(text))
    denied = list(_DENIED.finditer(text))
    if denials:
        # With two denials, taking one away or adding a third may leave what is said as it was.
        match = denied[0] if denied and denials == 1 else None
        if match is None or _CONDITION.search(text, 0, match.start()):
            return None
        word = "can" if match["cannot"] else match["word"] or match["short"]
        return site.edit(match.start(), match.end(), word, change=f"{match[0]!r} -> {word!r}")
    edits = [(match.start(), match.end(), _denial(match[0])) for match in _AUXILIARY.finditer(text)]
    edits += [
        (m.start(), m.end(), f"{'does' if m[0] == 'has' else 'do'} not have") for m in _HAS.finditer(text)
    ]
    for match in _WORD.finditer(text):
        if match[0] in DENIABLE_VERBS and not _is_a_noun(text, match.start()):
            edits.append((match.start(), match.end(), f"does not {DENIABLE_VERBS[match[0]]}"))
    # The first verb of the statement's own carries it; later ones often belong to what is said of a detail.
    for start, end, planted in sorted(edits):
        if _is_main(text, start) and (mutant := site.edit(start, end, planted)) is not None:
            return mutant
    return None


def plant_antonym(site: Site, rng: random.Random) -> Mutant | None:
    """A word becomes its opposite."""
    words = {match[0].lower() for match in _WORD.finditer(site.text)}
    places = [match for match in _WORD.finditer(site.text) if match[0].lower() in ANTONYMS]
    rng.shuffle(places)
    for match in places:
        old = match[0].lower()
        planted = ANTONYMS[old]
        # "hot and cold", "low to high": the pair is what is said, and one half of it twice is no opposite.
        if planted in words or _is_fixed(site.text, match) or _is_part_of_a_name(site.text, match):
            continue
        written = planted.capitalize() if match[0][0].isupper() else planted
        if (mutant := site.edit(match.start(), match.end(), written)) is not None:
            return mutant
    return None


def plant_quantifier(site: Site, rng: random.Random) -> Mutant | None:
    """How many or how often becomes another amount or frequency."""
    text = site.text
    start = len(text) - len(text.lstrip(" \n\t\ufffc"))
    body = text[start:]
    places = []
    for pattern, is_first, planted in QUANTIFIER_SWAPS:
        match = re.search(rf"(?<![\w-])(?:{pattern})(?![\w-])", body, re.IGNORECASE)
        if match is None or (is_first and match.start() > 0):
            continue
        # "Some may" and "all may" hardly differ.
        if planted == "all" and re.search(r"\b(?:may|might|could)\b", body):
            continue
        # "not ... none" would say nothing, or the opposite of what is meant.
        if not (planted.startswith(("no", "never", "neither", "hardly")) and _ANY_DENIAL.search(body)):
            places.append((start + match.start(), start + match.end(), planted))
    rng.shuffle(places)
    for begin, end, planted in places:
        written = planted[0].upper() + planted[1:] if text[begin].isupper() else planted
        if (mutant := site.edit(begin, end, written)) is not None:
            return mutant
    return None


def _denial(auxiliary: str) -> str:
    if auxiliary == "can":
        return "cannot"
    first, blank, rest = auxiliary.partition(" ")
    return f"{first} not{blank}{rest}"


def _is_main(text: str, at: int) -> bool:
    """Whether a verb is the statement's own: no "if", "which" or "that" between it and its clause's start."""
    start = 0
    for match in _CLAUSE_START.finditer(text, 0, at):
        start = match.end()
    if _SUBORDINATE.search(text, start, at) or _RELATIVE.search(text[start:at]):
        return False
    # "If it is lost, you must call": the clause in front is over; one in the middle may still go on.
    opening = _WORD.search(text)
    is_in_front = opening is not None and bool(_SUBORDINATE.fullmatch(opening[0]))
    return is_in_front or not _SUBORDINATE.search(text, 0, start)


def _is_a_noun(text: str, at: int) -> bool:
    """Whether a word that looks like a verb follows what only a noun can follow ("the uses")."""
    before = _WORD.findall(text[max(0, at - 25) : at])
    return not before or before[-1].lower() in _BEFORE_NOUNS


def _is_fixed(text: str, match: re.Match[str]) -> bool:
    following = _WORD.match(text, match.end() + 1)
    phrase = f"{match[0]} {following[0]}".lower() if following else ""
    before = _WORD.findall(text[max(0, match.start() - 25) : match.start()])
    last = before[-1].lower() if before else ""
    if last in _BEFORE_FIXED:
        return True
    if match[0].lower() in PREDICATES and last not in _COPULAS:
        return True
    return phrase in FIXED_PHRASES or text[match.end() : match.end() + 1] in {"-", "/"}


def _is_part_of_a_name(text: str, match: re.Match[str]) -> bool:
    return match[0][0].isupper() and bool(text[: match.start()].strip(" \ufffc"))
