"""The words that faults are planted with. Written for planting; the engine detects with other tables."""

from __future__ import annotations

from itertools import product

from pytest_grounding.lexicon import lines, ordered, table, whole_numbers
from pytest_grounding.lexicon import words as listed

MONTHS = ordered("mutation", "months")
WEEKDAYS = ordered("mutation", "weekdays")

SPELLED_NUMBERS: dict[str, int] = whole_numbers("mutation", "spelled_numbers")

#: Ring by ring: each unit becomes the next of its ring, never its own synonym.
UNIT_SWAPS: dict[str, str] = {
    old: new
    for ring in lines("mutation", "unit_rings")
    for old, new in zip(ring.split(), [*ring.split()[1:], ring.split()[0]], strict=True)
    if old != new
} | {"kilograms": "milligrams", "volts": "amps", "degrees": "percent"}

INVENTED_SINGLE = ordered("mutation", "invented_single")
INVENTED_GIVEN = ordered("mutation", "invented_given")
INVENTED_ACRONYMS = tuple("QVX ZKR WUJ XQB JVH".split())
KIND_WORDS = listed("mutation", "kind_words")
NO_NAMES = listed("mutation", "no_names") | frozenset(MONTHS) | frozenset(WEEKDAYS)

#: Each word becomes a word that denies it. Only words with one common reading stand here.
ANTONYMS: dict[str, str] = {
    pair.split()[0]: pair.split()[1] for line in lines("mutation", "antonyms") for pair in line.split(";")
}

FIXED_PHRASES = listed("mutation", "fixed_phrases")

_AMOUNT = r"(?:[$€£]?\d|one\b|two\b|three\b|four\b|five\b|six\b|eight\b|ten\b|half\b)"
_PLURAL = r"[a-z]{2,}(?<!ou)(?<!s)s\b"
PREDICATES = listed("mutation", "predicates")

#: How many or how often: what stands there (a regular expression), whether only at the start of the
#: statement, and what is planted. The amounts of each pair exclude each other, or the new one says more.
QUANTIFIER_SWAPS: tuple[tuple[str, bool, str], ...] = (
    (r"all of", False, "none of"),
    (r"(?<!of )most of", False, "hardly any of"),
    (r"(?<!how )(?<!as )(?<!so )(?<!too )many of", False, "hardly any of"),
    (r"some of", False, "all of"),
    (r"each of", False, "none of"),
    (r"both of", False, "neither of"),
    (
        r"(?<!n't )(?<!not )every(?! (?:day|year|week|month|hour|few|two|other|night|time)\b)(?= [a-z])",
        False,
        "no",
    ),
    (r"(?<!not )always", False, "never"),
    (r"never", False, "always"),
    (r"(?<!not )usually", False, "hardly ever"),
    (r"(?<!not )typically", False, "hardly ever"),
    (r"(?<!not )generally", False, "hardly ever"),
    (r"(?<!not )(?<!as )(?<!how )often", False, "hardly ever"),
    (r"(?<!not )frequently", False, "hardly ever"),
    (r"sometimes(?! even)", False, "at all times"),
    (r"rarely", False, "nearly always"),
    (rf"at least(?= {_AMOUNT})", False, "less than"),
    (rf"at most(?= {_AMOUNT})", False, "more than"),
    (rf"up to(?= {_AMOUNT})", False, "no less than"),
    (rf"more than(?= {_AMOUNT})", False, "less than"),
    (rf"less than(?= {_AMOUNT})", False, "more than"),
    (rf"fewer than(?= {_AMOUNT})", False, "more than"),
    (rf"(?<!the )(?<!at )(?<!two )most(?= {_PLURAL})", False, "hardly any"),
    (rf"(?<!how )(?<!as )(?<!so )(?<!too )(?<!very )(?<!of )many(?= {_PLURAL})", False, "hardly any"),
    (
        rf"(?<!are )(?<!is )(?<!for )some(?= {_PLURAL})(?! (?:cases|examples|ways|methods|tips)\b)",
        False,
        "all",
    ),
    (rf"all(?= {_PLURAL})", True, "no"),
    (rf"(?<=in )all(?= {_PLURAL})", False, "no"),
    (r"each(?= [a-z]+)(?! (?:other|of)\b)", True, "no"),
)

DENIABLE_VERBS: dict[str, str] = table("mutation", "deniable_verbs")

#: Verbs whose two sides cannot change places.
ONE_WAY_VERBS = ordered("mutation", "one_way_verbs")
ONE_WAY_WORDS = listed("mutation", "one_way_words")

OFF_TOPIC_SENTENCES = lines("mutation", "off_topic_sentences")

FABRICATED_CLAUSES = lines("mutation", "fabricated_clauses")

#: Passages that take the place of a chunk that is taken out; they speak of nothing anyone asks.
STAND_IN_PASSAGES = tuple(
    f"{first} {second}" for first, second in product(OFF_TOPIC_SENTENCES[:4], OFF_TOPIC_SENTENCES[8:12])
)
QUOTE_WORDS = ordered("mutation", "quote_words")
