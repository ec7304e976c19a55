"""What the finders of conflicts misread in other languages than English."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_grounding._patterns import lazy

#: Languages that write every noun with a capital: there a capital is no sign of a name.
_CAPITAL_NOUNS = frozenset({"de", "lb"})
_BY_CAPITAL = frozenset({"entity"})
_WORD = lazy(r"[^\W\d_]+")
_DETERMINERS = frozenset("der die das den dem des ein eine einen einem einer eines im am zum zur".split())
#: German endings are short, and compounds hold their parts ("Kaufdatum", "Materialfehler").
_ENDING = 2
_SHORTEST = 4


def is_misread(kind: str, stretch: str, texts: Iterable[str], language: str) -> bool:
    """Whether a conflict of a kind says nothing in a language.

    Args:
        kind: what a finder called it.
        stretch: the words of the claim that it is about.
        texts: the chunks.
        language: first part of a BCP 47 tag.
    """
    if language == "en":
        return False
    if kind not in _BY_CAPITAL or language not in _CAPITAL_NOUNS:
        return False
    words = [word for word in _WORD.findall(stretch.lower()) if word not in _DETERMINERS]
    folded = "\n".join(texts).lower()
    return all(word[: max(_SHORTEST, len(word) - _ENDING)] in folded for word in words)
