"""Write the stems of words that are opposites, for the search of conflicts.

Run: python -m training.opposites

Reads ``training/opposites.txt``; writes ``opposites.txt`` of the lexicon. Stemming at import would take
longer than the rest of loading. Lines that another one implies are left out.
"""

from __future__ import annotations

import re
from pathlib import Path

from pytest_grounding import lexicon
from pytest_grounding.reading.words import tokenize

SOURCE = Path(__file__).with_name("opposites.txt")
TARGET = lexicon.DATA / "opposites.txt"
#: The sections of the text, and the kind of conflict of their pairs.
KINDS = {
    "adjective": "antonym",
    "verb": "antonym",
    "noun": "antonym",
    "adverb": "antonym",
    "common": "antonym",
    "graded": "comparison",
    "comparison": "comparison",
    "order": "order",
    "converse": "converse",
}


#: Before an adjective without forms of its own.
_FORMLESS = "*"
#: A last consonant is doubled after one short vowel: "wetter".
_SHORT = re.compile(r"^[^aeiou]*[aeiou][bdgmnprt]$")
_IN_Y = re.compile(r"[^aeiou]y$")


def degrees(words: str) -> str:
    """The comparatives and superlatives of adjectives; those without such forms stay as they are."""
    found: list[str] = []
    for word in words.split():
        if word.startswith(_FORMLESS):
            found.append(word.removeprefix(_FORMLESS))
            continue
        if _IN_Y.search(word):
            word = word[:-1] + "i"
        elif word.endswith("e"):
            word = word[:-1]
        elif _SHORT.search(word):
            word += word[-1]
        found += [word + "er", word + "est"]
    return " ".join(found)


def stems(words: str) -> str:
    """The stems of words, each once, in the order of their first occurrence."""
    return " ".join(dict.fromkeys(tokenize(word)[0].stem for word in words.split()))


def table() -> dict[str, list[str]]:
    """The pairs of sides ("a b|c d") of each kind."""
    pairs: dict[str, list[str]] = {kind: [] for kind in KINDS.values()}
    section = ""
    for line in SOURCE.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            section = line.strip("[]")
        else:
            left, right = line.split("|")
            if section == "graded":
                left, right = degrees(left), degrees(right)
            pairs[KINDS[section]].append(f"{stems(left)}|{stems(right)}")
    return {kind: shortest(set(lines)) for kind, lines in pairs.items()}


def shortest(lines: set[str]) -> list[str]:
    """The lines that no other line implies."""
    sides = {line: tuple(frozenset(side.split()) for side in line.split("|")) for line in sorted(lines)}
    kept = dict(sides)
    for line, (left, right) in sides.items():
        others = [other for name, other in kept.items() if name != line]
        if any((left <= a and right <= b) or (left <= b and right <= a) for a, b in others):
            del kept[line]
    return list(kept)


def document() -> str:
    """The content of the lexicon file."""
    head = "# Stems that are opposed to each other; training/opposites.py writes them."
    parts = [
        f"[{kind}] stems of words | stems of their opposites\n" + "\n".join(lines)
        for kind, lines in table().items()
    ]
    return "\n\n".join([head, *parts]) + "\n"


def main() -> None:
    TARGET.write_text(document(), encoding="utf-8")


if __name__ == "__main__":
    main()
