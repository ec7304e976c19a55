"""Write the stems of words that mean the same in questions and sources, for answer presence.

Run: python -m training.asked_synonyms

Reads ``training/asked_synonyms.txt``; writes ``asked_synonyms.txt`` of the lexicon. Stemming at the first
question would take a twentieth of a first validation.
"""

from __future__ import annotations

from pathlib import Path

from pytest_grounding import lexicon
from pytest_grounding.reading.words import tokenize

SOURCE = Path(__file__).with_name("asked_synonyms.txt")
TARGET = lexicon.DATA / "asked_synonyms.txt"


def groups() -> list[str]:
    """The stems of each group, each once and in order, without groups of one."""
    lines = [line for line in SOURCE.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    texts = (" ".join(word for word in line.split() if "-" not in word) for line in lines)
    found = (" ".join(dict.fromkeys(t.stem for t in tokenize(text) if not t.is_stop)) for text in texts)
    return list(dict.fromkeys(stems for stems in found if " " in stems))


def document() -> str:
    """The content of the lexicon file."""
    head = "# Stems that say the same in questions and sources; training/asked_synonyms.py writes them."
    return "\n".join([head, "", "[groups] stems of words of one sense", *groups()]) + "\n"


def main() -> None:
    TARGET.write_text(document(), encoding="utf-8")


if __name__ == "__main__":
    main()
