"""Word lists, kept as files in ``data`` and read once.

A file has sections. A section starts with its name in brackets and its purpose; a line that starts
with ``#`` is a comment::

    [auxiliaries] auxiliary verbs
    is are was were do does did

Word lists are in this package only (`tests/packaging` checks), so that a word is added in one
place, and can be found without reading code.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

DATA = Path(__file__).with_name("data")
MEMBERS = "members"  # the file of names of members, files and events


@cache
def _sections_of(file: str) -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in (DATA / f"{file}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            name = line[1 : line.index("]")]
            if name in sections:
                raise ValueError(f"{file}.txt has two sections [{name}]")
            lines = sections[name] = []
        elif line and not line.startswith("#"):
            lines.append(line)
    return sections


def lines(file: str, section: str) -> tuple[str, ...]:
    """The lines of a section, for entries with blanks."""
    return tuple(_sections_of(file)[section])


def ordered(file: str, section: str) -> tuple[str, ...]:
    """The words of a section in file order; ``_`` in a word stands for a blank."""
    return tuple(_words_of_section(file, section))


def member_names(section: str) -> tuple[str, ...]:
    """The words of a section of ``members.txt`` in order, each as it is: names of members and events."""
    return tuple(" ".join(_sections_of(MEMBERS)[section]).split())


def member_fields(section: str, file: str = MEMBERS) -> dict[str, tuple[str, ...]]:
    """A section of lines ``field: name name`` as names by field, each name as it is."""
    found: dict[str, tuple[str, ...]] = {}
    for line in _sections_of(file)[section]:
        field, _, names = line.partition(": ")
        found[field] = (*found.get(field, ()), *names.split())
    return found


def member_values(section: str) -> dict[str, str]:
    """The same section as a mapping from each name to its field."""
    return {name: field for field, names in member_fields(section).items() for name in names}


def sections(file: str) -> tuple[str, ...]:
    """The names of the sections of a file, in order."""
    return tuple(_sections_of(file))


@cache
def fields(file: str, section: str) -> dict[str, tuple[str, ...]]:
    """A section of lines ``field: word word`` as words by field; ``_`` in a word stands for a blank."""
    found = {}
    for field, names in member_fields(section, file).items():
        found[field] = tuple(name.replace("_", " ") for name in names)
    return found


def words(file: str, section: str) -> frozenset[str]:
    """The words of a section as a set; ``_`` in a word stands for a blank."""
    return frozenset(_words_of_section(file, section))


def _words_of_section(file: str, section: str) -> list[str]:
    # As one string: two hundred sections are read before the first validation.
    found = " ".join(_sections_of(file)[section])
    return [word.replace("_", " ") for word in found.split()] if "_" in found else found.split()


def table(file: str, section: str) -> dict[str, str]:
    """A section of lines ``value: word word`` as a mapping from each word to its value."""
    found: dict[str, str] = {}
    for line in _sections_of(file)[section]:
        value, _, keys = line.partition(": ")
        for word in keys.split():
            found[word.replace("_", " ")] = value.replace("_", " ")
    return found


@cache
def meanings(file: str, section: str) -> dict[str, str]:
    """A section of lines ``name: what it means`` as a mapping."""
    pairs = (line.partition(": ") for line in _sections_of(file)[section])
    return {name: text for name, _, text in pairs}


def numbers(file: str, section: str) -> dict[str, float]:
    """A section of lines ``number: word word`` as a mapping from each word to its number."""
    return {word: float(value) for word, value in table(file, section).items()}


def whole_numbers(file: str, section: str) -> dict[str, int]:
    """As `numbers`, for sections of whole numbers."""
    return {word: int(value) for word, value in table(file, section).items()}


def alternation(file: str, section: str) -> str:
    """The words of a section as alternatives of a regular expression, longest first; without a group."""
    return "|".join(sorted(set(ordered(file, section)), key=lambda word: (-len(word), word)))
