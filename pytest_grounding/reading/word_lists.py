"""The word lists of the engine, read once from ``words.json`` beside this module."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_DATA: dict[str, Any] = json.loads(Path(__file__).with_name("words.json").read_text(encoding="utf-8"))


def _words(lines: Iterable[str]) -> list[str]:
    return " ".join(lines).split()


#: Words that say little by themselves, by language.
STOP_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(_words(lines)) for language, lines in _DATA["stop"].items()
}
#: English number words and their digits.
NUMBER_WORDS: dict[str, str] = dict(_DATA["numbers"])
#: Irregular English forms and their base.
IRREGULAR: dict[str, str] = {
    form: entry.split(":")[0]
    for entry in _words(_DATA["irregular"])
    for form in entry.split(":")[1].split(",")
}
#: Words that talk about the answer or the sources: "according", "passage", "therefore".
FRAMING: frozenset[str] = frozenset(_words(_DATA["framing"]))
#: Words that carry little information in any answer: "various", "important", "include".
GENERIC: frozenset[str] = frozenset(_words(_DATA["generic"]))
#: What an answer calls itself.
FIRST_PERSON: frozenset[str] = frozenset(_words(_DATA["first_person"]))
#: Words that negate.
NEGATIONS: frozenset[str] = frozenset(_words(_DATA["negations"]))
#: Common verb forms that look like nouns where they stand: "retains", "refer".
VERBS: frozenset[str] = frozenset(_words(_DATA["verbs"]))
#: Words for kinds of things, which sum up more than they add: "movie", "length", "ability".
KINDS: frozenset[str] = frozenset(_words(_DATA["kinds"]))
#: Words that verbs follow, and words that follow verbs.
BEFORE_VERBS: frozenset[str] = frozenset(_words(_DATA["before_verbs"]))
AFTER_VERBS: frozenset[str] = frozenset(_words(_DATA["after_verbs"]))
