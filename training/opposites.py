"""Write the stems of the words that are opposed to each other, for the finders of conflicts.

python -m training.opposites

Reads ``training/opposites.txt``; writes ``opposites.json`` beside the finders. Stemming at import would cost
more than all the rest of loading.
"""

from __future__ import annotations

import json
from pathlib import Path

from pytest_grounding.scorers.lexical import conflicts
from pytest_grounding.scorers.lexical.tokens import tokenize

SOURCE = Path(__file__).with_name("opposites.txt")
TARGET = Path(conflicts.__file__).with_name("opposites.json")
#: The sections of the text, and the kind of conflict that their pairs make.
KINDS = {
    "adjective": "antonym",
    "verb": "antonym",
    "noun": "antonym",
    "adverb": "antonym",
    "common": "antonym",
    "comparison": "comparison",
    "order": "order",
    "converse": "converse",
}


def stems(words: str) -> str:
    """The stems of words, each once, in the order of their first."""
    return " ".join(dict.fromkeys(tokenize(word)[0].stem for word in words.split()))


def table() -> dict[str, list[str]]:
    """For each kind its pairs of sides ("a b|c d")."""
    pairs: dict[str, list[str]] = {kind: [] for kind in KINDS.values()}
    section = ""
    for line in SOURCE.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            section = line.strip("[]")
        else:
            left, _, right = line.partition("|")
            pairs[KINDS[section]].append(f"{stems(left)}|{stems(right)}")
    return {kind: sorted(set(lines)) for kind, lines in pairs.items()}


def main() -> None:
    TARGET.write_text(json.dumps(table(), indent=0, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
