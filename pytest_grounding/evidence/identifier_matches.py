"""Look up the identifiers of a claim in the sources, letter by letter, and find the most similar one."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.lazy_values import lazy_value
from pytest_grounding.citations.syntax import normal_path, normal_url
from pytest_grounding.lexicon import words
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading.identifiers import Identifier, identifiers

_DIGITS = lazy(r"\d+")
# Names are made of these without a break: the first such part is looked up, the rest compared from there.
_ATOM = lazy(r"[\w-]+")
_HUMP = lazy(r"[A-Z]+[a-z]*|[a-z]+|\d+")
_LONGEST_TITLE = 100  # longer titles are not names that an answer repeats
#: Invisible characters inside words of extracted text, and Markdown's escaped underscore.
_HIDDEN = {ord(sign): None for sign in "\u00ad\u200b\u200c\u200d\u2060\ufeff"}
#: Names compared for the most similar one, and how similar it has to be.
_MOST_NAMES = 2_000
_ALIKE = 0.6
#: Occurrences of one part that are compared, so that no text costs quadratic time.
_MOST_PLACES = 1_000

#: Words for being in a file, and those between them and its name.
_PLACED = words("matching", "placed")
_LINKS = words("matching", "placing")
_LINK_ENDS, _QUOTES = tuple(_LINKS), "`'\"“ "
_BEFORE = 60


class KnownNames:
    """The text of the sources, their metadata and the question, for a lookup letter by letter."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._plain = "\n".join(texts).translate(_HIDDEN).replace("\\_", "_")
        self._folded = unicodedata.normalize("NFKC", self._plain).casefold()
        self._places: dict[str, list[int]] = {}
        for match in _ATOM.finditer(self._folded):
            self._places.setdefault(match[0].rstrip("-"), []).append(match.start())
        self._sorted: dict[bool, list[str]] = {}

    def has(self, item: Identifier, *, in_code: bool = False) -> bool:
        """Whether an identifier occurs, or nothing counts against it; in code style it is no plural."""
        name, kind = unicodedata.normalize("NFKC", item.text).casefold(), item.kind
        if self._stands(name):
            return True
        if kind == "path":
            plain = normal_path(name).rstrip("/")
            shorter = plain.lstrip("./~")
            return self._stands(plain) or (bool(shorter) and self._stands(shorter))
        if kind == "url":
            return self._has_address(name)
        if kind == "version":
            return self._has_version(name)
        if kind == "function":
            return self._stands(name.rpartition(".")[2])
        if kind == "code":
            return self._has_code(item, name)
        if kind == "name":
            other_number = name[:-1] if name.endswith("s") else f"{name}s"
            return (not in_code and self._stands(other_number)) or self._has_name(item.text, name)
        return False

    def nearest(self, item: Identifier, first: str = "") -> str:
        """The most similar identifier of the same kind, or ""."""
        kinds = ("name", "function") if item.kind in ("name", "function") else (item.kind,)
        near = [found.text for found in identifiers(first) if found.kind in kinds]
        if len(near) == 1:
            return near[0]
        # Imported here for cost: most answers have no such finding.
        from difflib import get_close_matches

        names = [name for kind in kinds for name in self._names.get(kind, ())][:_MOST_NAMES]
        for candidates, cutoff in ((near, 0.0), (names, _ALIKE)):
            found = get_close_matches(item.text, candidates, n=1, cutoff=cutoff)
            if found:
                return found[0]
        return ""

    @lazy_value
    def _names(self) -> dict[str, dict[str, None]]:
        """The identifiers in the text by kind, each once, in order."""
        made: dict[str, dict[str, None]] = {}
        for item in identifiers(self._plain):
            made.setdefault(item.kind, {})[item.text] = None
        return made

    def _stands(self, name: str) -> bool:
        """Whether a folded name occurs by itself, not as a part of a longer one."""
        first = _ATOM.search(name)
        if first is None:
            return True
        text, lead, length = self._folded, first.start(), len(name)
        for at in self._places.get(first[0].rstrip("-"), ())[:_MOST_PLACES]:
            start = at - lead
            end = start + length
            if start >= 0 and text.startswith(name, start) and _ends(name, text[end : end + 2]):
                return True
        return False

    def _begins(self, name: str, *, back: bool = False) -> bool:
        """Whether some name starts with this one, such as "pw_live_", or ends with it, such as "_timeout"."""
        atoms = self._sorted.get(back)
        if atoms is None:
            atoms = self._sorted[back] = sorted(atom[::-1] if back else atom for atom in self._places)
        part = name[::-1] if back else name
        at = bisect_left(atoms, part)
        return at < len(atoms) and atoms[at].startswith(part)

    def _has_address(self, name: str) -> bool:
        """With or without its scheme; host and path may occur apart, and join."""
        place = name.partition("://")[2] or name
        normal = normal_url("http://" + place)
        plain = normal[0].removeprefix("http://") if normal is not None else place
        if self._stands(plain) or self._stands(place.rstrip("/")) or self._stands(plain.removeprefix("www.")):
            return True
        host, slash, path = plain.partition("/")
        if slash:
            return self._stands(host) and self._stands("/" + path.rstrip("/"))
        labels = host.removeprefix("www.").split(".")
        # A source may write "Booking" for "Booking.com".
        return len(labels) == 2 and self._stands(labels[0])

    def _has_version(self, name: str) -> bool:
        """With or without its letter, trailing zeros, and the further parts of a longer one."""
        number = name.lstrip("v")
        short = number
        while short.endswith(".0"):
            short = short[:-2]
        # Next to "v2.1", a plain "2.2" may be anything.
        lettered = name != number and any(other[0] in "vV" for other in self._names.get("version", ()))
        leads = ("v", "version ", "release ") if lettered else ("", "v")
        return any(self._stands(lead + form) for form in (number, short) for lead in leads)

    def _has_code(self, item: Identifier, name: str) -> bool:
        """Whether a code occurs in another form, or no other code of its form does."""
        if _make(item.text) not in self._makes:
            return True
        number = name.lstrip("abcdefghijklmnopqrstuvwxyz").lstrip("-")
        letters = name[: len(name) - len(number)].rstrip("-")
        return bool(letters) and any(self._stands(letters + joint + number) for joint in (" ", "-", ""))

    @lazy_value
    def _makes(self) -> frozenset[str]:
        return frozenset(map(_make, self._names.get("code", ())))

    def _has_name(self, text: str, name: str) -> bool:
        if "_" in text:
            return self._begins(name) if name[-1] == "_" else name[0] == "_" and self._begins(name, back=True)
        humps = [hump.casefold() for hump in _HUMP.findall(text)]
        return any(self._stands(joint.join(humps)) for joint in (" ", "-", "_"))


def _ends(name: str, behind: str) -> bool:
    """Whether a name ends here: "max" does not in "max-age" and does in "max - 1"."""
    if not name[-1].isalnum():
        return True
    if behind[:1] == "-":
        return not behind[1:].isalnum()
    return not (behind[:1].isalnum() or behind[:1] == "_")


def _make(code: str) -> str:
    """The common part of codes of one form: all but their numbers (for dice, with the sides)."""
    return _DIGITS.sub("0", code)


def known_names(chunks: Sequence[Chunk], *others: str) -> KnownNames:
    """The text and metadata of chunks, and other texts."""
    texts = [*[chunk.text for chunk in chunks], *others]
    return _known((*texts, *[name for chunk in chunks for name in named_in(chunk)]))


# Cached for the claims of an answer and the checks after them.
_known = lru_cache(maxsize=8)(KnownNames)


def named_in(chunk: Chunk) -> list[str]:
    """The metadata of a chunk in words."""
    data = chunk.metadata
    own = (data.document, data.title, data.section_title, data.url, data.slug, data.payload_id, data.path)
    more = (data.model_extra or {}).values()
    return [chunk.id, *[value for value in (*own, *more) if isinstance(value, str) and value]]


class OwnPlace(NamedTuple):
    """Where a claim names the file or page of a chunk."""

    start: int  # start, the words before the name included
    end: int  # end, exclusive
    chunk: int  # index of the chunk


def own_places(text: str, chunks: Sequence[Chunk]) -> list[OwnPlace]:
    """Where a claim names the files or pages of chunks: the chunk itself is evidence for that."""
    found = []
    for item in identifiers(text):
        if item.kind in ("path", "url"):
            number = _chunk_of(item.text, chunks)
            if number is not None:
                found.append(OwnPlace(_lead(text, item.start), item.end, number))
    lowered = text.lower()
    for number, chunk in enumerate(chunks):
        for title in numbered_titles(chunk):
            start = lowered.find(title.lower()) if len(lowered) == len(text) else -1
            end = start + len(title)
            inside = any(item.start < end and start < item.end for item in found)
            is_part = text[max(0, start - 1) : start].isalnum() or text[end : end + 1].isalnum()
            if start >= 0 and not inside and not is_part:
                found.append(OwnPlace(_lead(text, start), end, number))
    return sorted(found, key=lambda item: item.start)


def without_place(text: str) -> str:
    """A claim without "is defined in" at its end, where the marker of a cited file followed."""
    end = len(text.rstrip(" ."))
    start = _lead(text, end)
    is_placed = not _PLACED.isdisjoint(text[start:end].lower().split())
    return text[:start] + " " * (end - start) + text[end:] if is_placed else text


def is_placing(word: str) -> bool:
    """Whether a word says that something stands in a file: "defined", "located"."""
    return word in _PLACED or word in _LINKS


def has_place(chunk: Chunk) -> bool:
    """Whether a chunk names its file or page."""
    data = chunk.metadata
    return bool(data.path or data.url or data.document or numbered_titles(chunk))


def numbered_titles(chunk: Chunk) -> list[str]:
    """The titles of a chunk that consist of words with a number: "Leave Policy 2024"."""
    data = chunk.metadata
    found = dict.fromkeys(title.strip() for title in (data.title, data.document, data.section_title) if title)
    return [title for title in found if len(title) <= _LONGEST_TITLE and _is_numbered(title)]


def _is_numbered(title: str) -> bool:
    said = title.split()
    return any(map(str.isdecimal, title)) and len(said) > 1 and any(len(w) > 1 and w.isalpha() for w in said)


def _chunk_of(name: str, chunks: Sequence[Chunk]) -> int | None:
    plain = normal_path(name).casefold().rstrip("/")
    for number, chunk in enumerate(chunks):
        data = chunk.metadata
        for own in (data.path, data.document, data.url):
            if own is None:
                continue
            # An address may omit its scheme; a path may omit its first folders.
            whole = normal_path(own).casefold().rstrip("/").replace(":/", "://", 1)
            if whole == plain or (own is not data.document and whole.endswith("/" + plain.lstrip("./"))):
                return number
    return None


def _lead(text: str, start: int) -> int:
    """Where the words for being in a file begin: "is defined in the file"."""
    first = max(0, start - _BEFORE)
    if not text[first:start].rstrip(_QUOTES).lower().endswith(_LINK_ENDS):
        return start
    words = list(_ATOM.finditer(text, first, start))
    if not words or words[-1][0].lower() not in _LINKS or text[words[-1].end() : start].strip(_QUOTES):
        return start
    while words and words[-1][0].lower() in _LINKS:
        start = words.pop().start()
    while words and words[-1][0].lower() in _PLACED and not text[words[-1].end() : start].strip():
        start = words.pop().start()
    return start
