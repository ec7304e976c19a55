"""Short forms of names: "Hibs" is cut from "Hibernian", "the Gulls" is the end of "the Seagulls"."""

from __future__ import annotations

from collections.abc import Iterable

#: Letters of a cut form with its ending ("Hibs", "Dems"), and by how many the whole word is longer at least.
_SHORTEST_CUT, _LONGEST_CUT = 4, 6
_LEAST_LONGER = 3
#: Letters of the end of a name that stands for the whole; only plurals do.
_SHORTEST_END = 5
#: Letters that a cut form and the whole share at least.
_PREFIX = 3


def is_cut_from(short: str, whole: str) -> bool:
    """Whether a folded word is a short form of another: "hibs" of "hibernian", "gulls" of "seagulls"."""
    if not short.endswith("s") or len(whole) < len(short) + _LEAST_LONGER:
        return False
    if len(short) >= _SHORTEST_END and whole.endswith(short):
        return True
    root = short[:-1]
    if not _SHORTEST_CUT <= len(short) <= _LONGEST_CUT or root.endswith("s"):
        return False
    return whole.startswith(root) and not whole.startswith(short)


def are_short_forms(ours: Iterable[str], theirs: Iterable[str]) -> bool:
    """Whether some word of one name is a short form of a word of the other."""
    others = tuple(theirs)
    for a in ours:
        # A short form ends with "s": most pairs of names need no closer look.
        is_plural = a[-1:] == "s"
        for b in others:
            if (is_plural and is_cut_from(a, b)) or (b[-1:] == "s" and is_cut_from(b, a)):
                return True
    return False


class NameWords:
    """The capitalised words of a text, to look up which of them another word is a short form of.

    Args:
        words: folded words, each with its stem, in order.
    """

    __slots__ = ("_by_part",)

    def __init__(self, words: Iterable[tuple[str, str]]) -> None:
        self._by_part: dict[str, dict[str, str]] = {}
        for word, stem in words:
            for part in _parts_of(word):
                self._by_part.setdefault(part, {}).setdefault(word, stem)

    def short_form(self, word: str) -> str | None:
        """Stem of the first name that a folded word is a short form of, or that is one of it; else None."""
        for part in _parts_of(word):
            for name, stem in self._by_part.get(part, {}).items():
                if is_cut_from(word, name) or is_cut_from(name, word):
                    return stem
        return None


def _parts_of(word: str) -> tuple[str, ...]:
    """What a word and its short form have in common: the beginning, or the end of a plural."""
    if len(word) < _SHORTEST_CUT:
        return ()
    beginning, end = word[:_PREFIX], word[-_SHORTEST_END:]
    return (beginning, "-" + end) if word[-1] == "s" else (beginning,)
