"""Base of citation syntaxes: markers, brackets, and the lookup of chunks."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable
from urllib.parse import quote, urlsplit

from pytest_grounding._io.lazy_patterns import gated, lazy
from pytest_grounding.citations.numbering import file_names_of, shared_numbers
from pytest_grounding.lexicon import alternation
from pytest_grounding.lexicon.patterns import plain
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.reading.markdown import MaskSpan
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.citations.names import NameTable

K = TypeVar("K")
V = TypeVar("V")
MAX_ADDRESS = 2_048  # longest recognised address, in characters
#: Parameters that tell where a reader came from, and the page that a folder's address shows.
_TRACKING = lazy(
    rf"(?i)(?:utm_\w{{1,20}}|mc_[ce]id|ref_src|ref_url|{alternation('citing', 'tracked by')})(?:=|\Z)"
)
_INDEX_PAGE = lazy(r"(?i)/(?:index|default)\.(?:html?|php|aspx?|jsp)\Z")
_ESCAPE = lazy(r"%([0-9a-fA-F]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_ZEROS = lazy(r"(?<!\d)0{1,64}(?=\d)")
_NUMBER_PREFIX = lazy(r"(?:chapter|chap|ch|section|sect|sec|§)[\s._-]{0,4}(?=\d)")
_DIGITS = lazy(r"\d+")
_UUID = lazy(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_HEX = lazy(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,64}")
_BEGINNING = lazy(r"[0-9a-f]{6,12}")  # the first characters of a hexadecimal id, as prompts shorten them
_FAMILY = lazy(r"(.*[-_:/.#])[^-_:/.#]+", re.DOTALL)
_ADDRESS = lazy(r"https?://[^\s<>\"\]]{1,2000}", re.IGNORECASE)
#: "Landlord Manual, Section 8": a document and a place in it.
_PLACE = lazy(r"(?i)[^\W\d_]{3}[^,\r\n]{0,100},[ ]?(?:section|sec\.|chapter|ch\.|pages?|pp?\.|§)[ ]?\d")
_YEAR = lazy(r"(?:19|20)\d\d")
_AFTER = ".,;:!?)'*_"  # punctuation after an address that is not part of it
_MAX_DEPTH = 64  # deeper path components are not indexed
PROVIDER = "provider"  # syntax of a span reported by a provider
MAX_BODY = 200  # longest text between brackets that is read, in characters
_MAX_WORD = 64  # how far a word is followed back from a bracket, in characters
_BRACKET = gated("[|【|［|〔", rf"[\[【［〔]([^\[\]【】［］〔〕\r\n]{{1,{MAX_BODY}}}+)[\]】］〕]", 0)
_CODE_NAMES = plain("recorded", "code_names")
_PLAIN_NUMBER = lazy(r"[\d.]+")
_WORD_CHARS = frozenset("_.$")


def source_url(chunk: Chunk, settings: Settings) -> str | None:
    """The address of a chunk for readers."""
    known = chunk.metadata
    bases = ((settings.link_base, known.slug), (settings.cms_base, known.payload_id))
    urls = [known.url, *(_address_under(*parts) for parts in bases)]
    named = (url for url in urls if url)
    return next((url.strip() for url in named if normal_url(url) is not None), None)


def _address_under(base: str, part: str | None) -> str | None:
    if not base or not part or not part.strip("/ "):
        return None
    # A slug is a path on that site: it must not become another host or leave the base.
    safe = quote(part.strip().strip("/"), safe="/-._~%")
    return None if ".." in safe.split("/") else f"{base.rstrip('/')}/{safe}"


@lru_cache(maxsize=1024)
def normal_url(address: str) -> tuple[str, str] | None:
    """An http or https address in normal form, and its fragment."""
    if len(address) > MAX_ADDRESS:
        return None
    try:
        parts = urlsplit(address.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT_PORTS or not host:
        return None
    place = f"[{host.rstrip('.')}]" if ":" in host else host.rstrip(".")
    if port is not None and port != _DEFAULT_PORTS[scheme]:
        place += f":{port}"
    user, at, _ = parts.netloc.rpartition("@")
    place = f"{user}{at}{place}" if user else place
    path = _normal_escapes(parts.path).rstrip("/")
    query = f"?{_normal_escapes(parts.query)}" if parts.query else ""
    return f"{scheme}://{place}{path}{query}", _normal_escapes(parts.fragment)


@lru_cache(maxsize=1024)
def address_key(normal: str) -> str:
    """What addresses of one page, as `normal_url` gives them, share: without scheme or ``www.``."""
    rest = normal.partition("://")[2].removeprefix("www.")
    place, _, query = rest.partition("?")
    kept = [part for part in query.split("&") if part and _TRACKING.match(part) is None]
    place = _INDEX_PAGE.sub("", place).rstrip("/")
    return f"{place}?{'&'.join(kept)}" if kept else place


def _normal_escapes(part: str) -> str:
    if part.isascii() and "%" not in part and " " not in part:
        return part
    # A lone surrogate cannot be encoded as UTF-8; "replace" keeps the comparison from raising.
    encoded = quote(part, safe="%/:@!$&'()*+,;=~-._?[]|", errors="replace")
    return _ESCAPE.sub(_decode_unreserved, encoded)


def _decode_unreserved(match: re.Match[str]) -> str:
    char = chr(int(match[1], 16))
    return char if char in _UNRESERVED else f"%{match[1].upper()}"


@lru_cache(maxsize=1024)
def normal_number(value: str) -> str:
    """The normal form of a chapter or section: "03", " 3" and "3" are equal."""
    text = unicodedata.normalize("NFKC", value).casefold().strip().strip(".")
    return _ZEROS.sub("", _NUMBER_PREFIX.sub("", text, count=1))


def normal_path(path: str) -> str:
    """The normal form of a path: forward slashes, no empty or ``.`` components."""
    text = path.strip().replace("\\", "/")
    root = "/" if text.startswith("/") else ""
    return root + "/".join(part for part in text.split("/") if part not in ("", "."))


def line_range(chunk: Chunk) -> tuple[int, int] | None:
    """The 1-based inclusive lines of a chunk in its file, or None if unknown."""
    start, end = chunk.metadata.line_start, chunk.metadata.line_end
    if start is None:
        return None
    return start, start + chunk.text.rstrip("\n").count("\n") if end is None else end


def _listed_by_key(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    table: dict[K, list[V]] = {}
    for key, value in pairs:
        table.setdefault(key, []).append(value)
    return table


class ChunkLookup:
    """Finds chunks. Each table is built at its first use, in time linear in the chunks."""

    def __init__(self, chunks: Sequence[Chunk], settings: Settings) -> None:
        self._chunks = chunks
        self._settings = settings
        self._path_cache: dict[str, tuple[Chunk, ...]] = {}

    @cached_property
    def document_names(self) -> NameTable:
        """The chunks by the names of their documents."""
        from pytest_grounding.citations.names import NameTable

        return NameTable(self._chunks)

    @cached_property
    def _chunk_by_id(self) -> dict[str, Chunk]:
        return {chunk.id: chunk for chunk in self._chunks}

    def chunk(self, name: str) -> Chunk:
        """The chunk with exactly this id."""
        return self._chunk_by_id[name]

    def at(self, number: int) -> tuple[str, ...]:
        """The chunks with this number, by ``index_base``, metadata or ``citation_numbers``; empty if none."""
        if self._numbers:
            return self.numbered(number)
        return self.at_position(number - self._settings.index_base)

    def numbered(self, number: int) -> tuple[str, ...]:
        """The chunks whose source has this number, in their metadata or as a document."""
        return tuple(self._numbers.get(number, ()))

    @cached_property
    def _numbers(self) -> dict[int, list[str]]:
        numbers = shared_numbers(self._chunks, self._settings, self._settings.index_base)
        if not numbers:
            return {}
        ids = [chunk.id for chunk in self._chunks]
        return _listed_by_key(zip(numbers, ids, strict=True))

    def at_position(self, position: int) -> tuple[str, ...]:
        """The chunk at this 0-based position; empty if none."""
        return (self._chunks[position].id,) if 0 <= position < len(self._chunks) else ()

    @cached_property
    def without_blanks(self) -> tuple[str, ...]:
        """The texts of the chunks without blanks, for a lookup character by character."""
        return tuple("".join(chunk.text.split()) for chunk in self._chunks if "[" in chunk.text)

    @cached_property
    def _ids(self) -> dict[str, str]:
        names: list[tuple[Any, str]] = [(chunk.id, chunk.id) for chunk in self._chunks]
        # The id of a store or a service, for a chunk named after its file.
        names += [((chunk.metadata.model_extra or {}).get("other_id"), chunk.id) for chunk in self._chunks]
        folded = [(name.strip().casefold(), own) for name, own in names if isinstance(name, str)]
        return {name: own[0] for name, own in _listed_by_key(folded).items()}

    @cached_property
    def ids_are_numbers(self) -> bool:
        """All ids are whole numbers, so that ``[7]`` can mean the chunk with id 7."""
        return bool(self._chunks) and all(name.isdecimal() for name in self._ids)

    def by_id(self, name: str) -> tuple[str, ...]:
        """The chunk with this id, exactly or case folded; empty if none."""
        found = name if name in self._chunk_by_id else self._ids.get(name.strip().casefold())
        if found is None:
            return self._by_beginning(name.strip().casefold())
        return (found, *(other for other in self._of_file.get(found, ()) if other != found))

    @cached_property
    def _of_file(self) -> dict[str, list[str]]:
        """The chunks of a file by the id of its first one, if that is the name of the file."""
        pairs = ((name, chunk) for chunk in self._chunks for name in set(file_names_of(chunk)))
        return _listed_by_key((name, chunk.id) for name, chunk in pairs if name in self._chunk_by_id)

    def _by_beginning(self, name: str) -> tuple[str, ...]:
        """The one chunk whose long hexadecimal id begins so."""
        if _BEGINNING.fullmatch(name) is None:
            return ()
        found = [own for known, own in self._ids.items() if known.startswith(name) and _is_long(known)]
        return (found[0],) if len(found) == 1 else ()

    @cached_property
    def _shapes(self) -> frozenset[str]:
        with_digits = (name for name in self._ids if any(map(str.isdigit, name)))
        return frozenset(map(_shape, with_digits)) - {""}

    @cached_property
    def _families(self) -> frozenset[str]:
        matches = (match for name in self._ids if (match := _FAMILY.fullmatch(name)) is not None)
        count = Counter(match[1] for match in matches if len(match[1]) > 1)
        return frozenset(family for family, size in count.items() if size > 1)

    def is_built_like_ids(self, name: str) -> bool:
        """Whether a name has the form of these chunks' ids without being one (``hr-9`` among ``hr-1``)."""
        folded = name.strip().casefold()
        if not folded or len(folded) > 200 or any(char.isspace() for char in folded):
            return False
        if folded.isdecimal():
            lengths = set(map(len, self._ids))
            is_year = _YEAR.fullmatch(folded) is not None
            return self.ids_are_numbers and len(folded) > 3 and len(folded) in lengths and not is_year
        if _shape(folded) in self._shapes:
            return True
        if _BEGINNING.fullmatch(folded) is not None and any(char.isdigit() for char in folded):
            return all(map(_is_long, self._ids))
        match = _FAMILY.fullmatch(folded)
        return match is not None and match[1] in self._families

    @cached_property
    def _addresses(self) -> dict[str, list[tuple[str, str]]]:
        table: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        for chunk in self._chunks:
            if (normal := normal_url(source_url(chunk, self._settings) or "")) is not None:
                address, fragment = normal
                table[address_key(address)].append((fragment, chunk.id))
        return table

    @property
    def has_addresses(self) -> bool:
        """Whether a chunk has an address."""
        return bool(self._addresses)

    def by_url(self, address: str) -> tuple[str, ...]:
        """The chunks with this address; a fragment counts only if the chunk's address has one."""
        normal = normal_url(address)
        if normal is None:
            return ()
        known = self._addresses.get(address_key(normal[0]), ())
        exact = [name for fragment, name in known if fragment and fragment == normal[1]]
        return tuple(exact) + tuple(name for fragment, name in known if not fragment)

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        texts = (chunk.text for chunk in self._chunks if "://" in chunk.text)
        addresses = (match[0].rstrip(_AFTER) for text in texts for match in _ADDRESS.finditer(text))
        known = filter(None, map(normal_url, addresses))
        return frozenset(address_key(normal[0]) for normal in known)

    def mentions_url(self, address: str) -> bool:
        """Whether a chunk's text contains this address, so that it is content and not invented."""
        normal = normal_url(address)
        return normal is not None and address_key(normal[0]) in self._mentioned

    @cached_property
    def _sections(self) -> dict[tuple[str, str], tuple[str, ...]]:
        table: dict[tuple[str, str], tuple[str, ...]] = {}
        for chunk in self._chunks:
            chapter, section = chunk.metadata.chapter_id or "", chunk.metadata.section_number
            if section is not None:
                key = normal_number(chapter), normal_number(section)
                table[key] = (*table.get(key, ()), chunk.id)
        return table

    @cached_property
    def chapters(self) -> frozenset[str]:
        """The chapters of the chunks, in `normal_number` form."""
        return frozenset(chapter for chapter, _ in self._sections if chapter)

    @cached_property
    def section_numbers(self) -> frozenset[str]:
        """The section numbers of the chunks, in `normal_number` form."""
        return frozenset(section for _, section in self._sections)

    def by_section(self, chapter: str, section: str) -> tuple[str, ...]:
        """The chunks of this section."""
        return self._sections.get((normal_number(chapter), normal_number(section)), ())

    @cached_property
    def _signs(self) -> dict[str, list[tuple[str, str]]]:
        pairs = [(section, (chapter, section)) for chapter, section in self._sections]
        return _listed_by_key(pairs + [(f"{key[0]}.{key[1]}", key) for key in self._sections if key[0]])

    def by_sign(self, number: str) -> tuple[str, ...]:
        """The chunks that ``§ number`` means: a section number, or chapter and section with a dot."""
        keys = self._signs.get(normal_number(number), [])
        return self._sections[keys[0]] if len(keys) == 1 else ()

    @cached_property
    def _pages(self) -> dict[str, list[Chunk]]:
        known = ((chunk.metadata.page, chunk) for chunk in self._chunks)
        return _listed_by_key((normal_number(page), chunk) for page, chunk in known if page is not None)

    @property
    def has_pages(self) -> bool:
        """Whether a chunk has a page number."""
        return bool(self._pages)

    @cached_property
    def all_have_pages(self) -> bool:
        """Whether every chunk has a page number."""
        return all(chunk.metadata.page is not None for chunk in self._chunks)

    def by_page(self, page: str, document: str = "") -> tuple[str, ...]:
        """The chunks of a page, of a document if one is named."""
        wanted = " ".join(document.casefold().split())
        found = []
        for chunk in self._pages.get(normal_number(page), ()):
            if not wanted or any(wanted in name or name in wanted for name in _names_of_chunk(chunk)):
                found.append(chunk.id)
        return tuple(found)

    @cached_property
    def _paths(self) -> dict[str, list[Chunk]]:
        known = ((chunk.metadata.path, chunk) for chunk in self._chunks)
        return _listed_by_key((normal_path(path), chunk) for path, chunk in known if path)

    @cached_property
    def _suffixes(self) -> dict[str, list[str]]:
        parts = {path: path.split("/")[-_MAX_DEPTH:] for path in self._paths}
        ends = ((path, part[n:]) for path, part in parts.items() for n in range(1, len(part)))
        return _listed_by_key(("/".join(end), path) for path, end in ends)

    def by_path(self, path: str) -> tuple[Chunk, ...]:
        """The chunks of this file, in order: the whole path, or the end of exactly one chunk's path."""
        normal = normal_path(path)
        if normal not in self._path_cache:
            chunks = self._paths.get(normal)
            if chunks is None and not normal.startswith("/") and ".." not in normal.split("/"):
                longer = self._suffixes.get(normal, [])
                chunks = self._paths[longer[0]] if len(longer) == 1 else None
            if chunks is None and ".." not in normal.split("/"):
                # The path within the repository, below the folder in which it was checked out.
                parts = normal.split("/")[-_MAX_DEPTH:]
                ends = ("/".join(parts[n:]) for n in range(1, len(parts) - 1))
                chunks = next((self._paths[end] for end in ends if end in self._paths), None)
            self._path_cache[normal] = tuple(chunks or ())
        return self._path_cache[normal]

    def _names_another(self, folded: str) -> bool:
        """Whether a footnote gives a place in a document, and no chunk is from a document it names."""
        for chunk in self._chunks:
            has_name = bool(chunk.metadata.title or chunk.metadata.document)
            if not has_name or any(name in folded for name in _names_of_chunk(chunk)):
                return False
        return bool(self._chunks)

    def by_definition(self, text: str) -> tuple[str, ...] | None:
        """The chunks named by a line ``[1]: text``."""
        match = _ADDRESS.search(text)
        if match is not None:
            found = self.by_url(match[0].rstrip(_AFTER))
            if found or self._addresses:
                return found
        folded = " ".join(text.casefold().split())
        if _PLACE.search(text) is not None and self._names_another(folded):
            return ()
        labels = ((len(label), chunk.id, label) for chunk in self._chunks for label in _names_of_chunk(chunk))
        named = [(length, name) for length, name, label in labels if length > 2 and label in folded]
        best = max(named, key=lambda item: item[0], default=None)
        return (best[1],) if best is not None else None


def _is_long(name: str) -> bool:
    return _UUID.fullmatch(name) is not None or (len(name) >= 20 and _HEX.fullmatch(name) is not None)


def _names_of_chunk(chunk: Chunk) -> list[str]:
    names = (chunk.id, chunk.metadata.title, chunk.metadata.document)
    return [" ".join(name.casefold().split()) for name in names if name and len(name) > 1]


def _shape(name: str) -> str:
    """The common form of ids: their text with numbers, or hexadecimal names, made equal."""
    if _UUID.fullmatch(name):
        return "uuid"
    if _HEX.fullmatch(name):
        return f"hex{len(name)}"
    shape = _DIGITS.sub("0", name)
    # A form of digits alone is a number, which the index syntax reads.
    return shape if any(char.isalpha() for char in shape) else ""


@dataclass(frozen=True, slots=True)
class Target:
    """The target of one citation.

    Attributes:
        label: normalised, for people: ``3``, ``ch 3, sec 2``, ``src/a.py:3-9``, an address, an id.
        chunk_ids: matching chunks, best first; empty without any.
        problem: why it is invalid whatever the chunks are (``reversed range``), or "".
        path: file named, verbatim, for code lines; else None.
        lines: 1-based inclusive line range, for code lines; else None.
        quote: the words of the source in the citation, or None.
    """

    label: str
    chunk_ids: tuple[str, ...] = ()
    problem: str = ""
    path: str | None = None
    lines: tuple[int, int] | None = None
    quote: str | None = None


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker in the answer, with one or several targets (``[1, 3]`` has two).

    Attributes:
        start: offset of the marker in the answer; -1 for a list entry that the text never mentions.
        text: ``answer[start:end]``.
    """

    start: int
    end: int
    text: str
    syntax: str
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class ExtractedCitation:
    """One citation: one target of one marker. Several may share a marker's span."""

    start: int  # offset in the answer; -1 for a list entry, and for a provider's span outside of the answer
    end: int
    text: str  # ``answer[start:end]``, or "" without a span
    syntax: str  # that found it; ``list`` for an entry of ``cited_indices``, ``provider`` for a span
    target: Target
    mismatch: str = ""  # why a provider's span does not fit the answer, or ""
    lead: int = 0  # characters before it that only introduce it, as in "Sources: [1]"


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntaxContext:
    """The input of a syntax."""

    answer: str
    masked: str  # the same at equal length, with code and other places that are never citations blanked
    chunks: Sequence[Chunk]
    transcript: Transcript
    settings: Settings
    definitions: dict[str, str] = field(default_factory=dict)  # label -> text of ``[1]: …`` and ``[^1]: …``
    spans: tuple[MaskSpan, ...] = ()  # code, links, definitions and bare addresses (kind ``address``)
    lookup: ChunkLookup = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lookup", ChunkLookup(self.chunks, self.settings))

    def marker(self, start: int, end: int, syntax: str, targets: Iterable[Target]) -> Marker:
        """A marker at this place of the answer."""
        return Marker(start, end, self.answer[start:end], syntax, tuple(targets))


@runtime_checkable
class CitationSyntax(Protocol):
    """One way to write a citation. Register your own through the hook ``pytest_grounding_syntaxes``.

    Of overlapping markers, the one with the higher priority wins, then the longer one, then the first.
    """

    @property
    def name(self) -> str:
        """Name stored in ``syntax`` of its citations."""
        ...

    @property
    def priority(self) -> int:
        """Priority for overlaps; built-in syntaxes use 10 to 90."""
        ...

    def find(self, context: SyntaxContext) -> Iterable[Marker]:
        """All markers of this syntax, resolved against the chunks, in linear time."""
        ...


@dataclass(frozen=True, slots=True)
class Bracket:
    """One bracket with its text."""

    #: Offset of the marker: of the bracket, of the outer one in ``[[1]]``, of the backslash in ``\[1\]``.
    start: int
    end: int
    body_start: int  # offset of the text between the brackets
    body: str


def brackets(masked: str) -> Iterator[Bracket]:
    """All innermost brackets of a masked answer that are not subscripts of code, in order."""
    length = len(masked)
    subscript_end = -1
    for match in _BRACKET.finditer(masked):
        start, end = match.span()
        body_start, body = match.start(1), match[1]
        if start and masked[start - 1] == "\\" and body.endswith("\\"):
            start -= 1
            body = body[:-1]
        elif start and end < length and masked[start - 1] == "[" and masked[end] == "]":
            start, end = start - 1, end + 1
        if subscript_end == start or is_subscript(masked, start):
            subscript_end = end
            continue
        yield Bracket(start, end, body_start, body)


def is_subscript(text: str, start: int) -> bool:
    """Whether the bracket at ``start`` is attached to something like code (``array[1]``)."""
    if start == 0:
        return False
    before = text[start - 1]
    if before == ")":
        return text[max(start - 2, 0) : start] == "()"
    # Code is written in ASCII; "政策[1]" and "café[1]" are prose.
    if not before.isascii() or not (before.isalnum() or before == "_"):
        return False
    first = start - 1
    limit = max(start - _MAX_WORD, 0)
    while first > limit and (text[first - 1].isalnum() or text[first - 1] in _WORD_CHARS):
        first -= 1
    word = text[first:start]
    if not word.isascii() or _PLAIN_NUMBER.fullmatch(word):
        return "_" in word
    letters = word.strip(".")
    return (
        len(letters) == 1
        or _CODE_NAMES.fullmatch(letters) is not None
        or any(char in _WORD_CHARS or char.isdigit() for char in letters)
        or (letters[0].islower() and any(char.isupper() for char in letters))
    )
