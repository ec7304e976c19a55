"""Identifiers of a claim of which the sources say something else, while they say the claim of another."""

from __future__ import annotations

from typing import NamedTuple

from pytest_grounding.scorers.lexical.align import Alignment
from pytest_grounding.scorers.lexical.context import Context
from pytest_grounding.text.identifiers import Identifier, identifiers

#: Words besides the name that a claim and a sentence share at least, each of them in the claim.
_FEWEST = 2
#: Names and sentences of one claim that are looked at.
_MOST = 8
_ONE = frozenset({"name", "function"})


class Swap(NamedTuple):
    """An identifier of a claim, and the one of which a source says the rest of the claim."""

    said: str
    held: str


def swapped(alignment: Alignment) -> Swap | None:
    """The identifier of a claim of which the sources say something else, or None.

    All other words of the claim that stand anywhere stand in one sentence with another identifier of its
    kind, and neither that sentence nor, before an "it", the one before names the claim's own. Nothing is told
    where one sentence names both.

    Args:
        alignment: the claim against the chunks.
    """
    for item in identifiers(alignment.claim)[:_MOST]:
        rest = {
            token.stem
            for token in alignment.content
            if (token.end <= item.start or token.start >= item.end) and token.stem in alignment.places
        }
        if len(rest) < _FEWEST or not _stands_in_text(item, alignment.context):
            continue
        stems = sorted(rest, key=lambda stem: (len(alignment.places[stem]), stem))
        common = alignment.places[stems[0]].intersection(*[alignment.places[stem] for stem in stems[1:]])
        found = _another(item, sorted(common), alignment.context) if 0 < len(common) <= _MOST else None
        if found is not None:
            return Swap(item.text, found)
    return None


def _stands_in_text(item: Identifier, context: Context) -> bool:
    name = item.text.casefold()
    return any(name in index.text.casefold() for index in context.indexes)


def _another(item: Identifier, sentences: list[int], context: Context) -> str | None:
    """An identifier of the same kind in some sentences; None where one of them names the claim's own."""
    name, kinds = item.text.casefold(), _ONE if item.kind in _ONE else {item.kind}
    others = []
    for sentence in sentences:
        chunk = context.chunk_of[sentence]
        # "It sets how long …" speaks of what the sentence before names.
        carries = sentence - context.offset[chunk] in context.indexes[chunk].carried
        before = context.text_of(sentence - 1) if carries else ""
        if name in f"{before}\n{context.text_of(sentence)}".casefold():
            return None
        others += [other.text for other in identifiers(context.text_of(sentence)) if other.kind in kinds]
    return others[0] if others else None
