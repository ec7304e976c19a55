"""All chunks of one answer under one numbering, and the lookups that claims need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from pytest_grounding._io.lazy_values import kept_method, lazy_value
from pytest_grounding.evidence.sentence_view import Sources
from pytest_grounding.evidence.token_index import ChunkIndex, index_of, synonyms_of
from pytest_grounding.lexicon import words
from pytest_grounding.reading.words import Token, is_acronym

#: A gap between chunks, so that no run of words and no distance crosses a chunk border.
_GAP = 12
_NO_STEM = "\n"  # the stem in a gap; no word has it
_PREFIX = 4
#: For inflections that stemming missed: the common prefix as a share of the longer stem, at least.
_LEAST_RELATED = 0.6
_LONGEST_ENDING = 4
_NAME_GLUE = words("matching", "name_glue")
_LONGEST_ACRONYM = 6
_NO_SENTENCES: frozenset[int] = frozenset()


class Places(NamedTuple):
    """Where the chunks contain a word of a claim."""

    forms: tuple[str, ...]  # the stems it was found as, best first, where there are several
    sentences: frozenset[int]  # numbers of the sentences that contain it


class Context:
    """The words of several chunks under one numbering."""

    def __init__(self, indexes: Sequence[ChunkIndex], language: str = "en") -> None:
        self.indexes: tuple[ChunkIndex, ...] = tuple(indexes)  # one index per chunk
        self.language: str = language  # first part of the BCP 47 tag used for tokenising
        self.stems: list[str] = []  # stem at each position; a line feed in the gaps between chunks
        #: Sentence number at each position, counted over all chunks; -1 in gaps.
        self.sentence_at: list[int] = []
        self.chunk_of: list[int] = []  # chunk of each sentence
        self.offset: list[int] = []  # number of each chunk's first sentence
        self.positions: dict[str, tuple[int, ...]] = {}  # stem -> its positions, ascending
        gathered: dict[str, list[int]] = {}
        for number, index in enumerate(self.indexes):
            self._add(number, index, gathered)
        if len(self.indexes) == 1:
            self.positions = self.indexes[0].positions
        else:
            self.positions = {stem: tuple(places) for stem, places in gathered.items()}

    def _add(self, number: int, index: ChunkIndex, gathered: dict[str, list[int]]) -> None:
        start = len(self.stems)
        base = len(self.chunk_of)
        self.offset.append(base)
        self.stems += [token.stem for token in index.tokens]
        self.sentence_at += [base + sentence for sentence in index.sentence_of] if base else index.sentence_of
        self.chunk_of.extend([number] * len(index.sentences))
        self.stems += [_NO_STEM] * _GAP
        self.sentence_at += [-1] * _GAP
        if len(self.indexes) == 1:
            return
        for stem, places in index.positions.items():
            known = gathered.get(stem)
            if known is None:
                gathered[stem] = [start + place for place in places]
            else:
                known += [start + place for place in places]

    @lazy_value
    def sources(self) -> Sources:
        """The chunks as the conflict search reads them."""
        return Sources(self.indexes, self.language)

    @lazy_value
    def carried(self) -> dict[str, list[int]]:
        """Stem -> the sentences whose subject it is, carried over from the sentence before."""
        carried: dict[str, list[int]] = {}
        for offset, index in zip(self.offset, self.indexes, strict=True):
            for sentence, stems in index.carried.items():
                for stem in stems:
                    carried.setdefault(stem, []).append(offset + sentence)
        return carried

    @kept_method
    def pair(self, stem: str, following: str) -> tuple[int, ...]:
        """The positions of a stem right after another one, ascending."""
        stems, before, after = self.stems, self.positions.get(stem, ()), self.positions.get(following, ())
        if len(before) < len(after):
            return tuple([place + 1 for place in before if stems[place + 1] == following])
        return tuple([place for place in after if place and stems[place - 1] == stem])

    @kept_method
    def sentences(self, stem: str) -> frozenset[int]:
        """Numbers of the sentences that contain a stem, or whose subject it is."""
        sentence_at = self.sentence_at
        found = frozenset([sentence_at[place] for place in self.positions.get(stem, ())])
        return found.union(self.carried[stem]) if stem in self.carried else found

    @kept_method
    def in_some_form(self, stem: str) -> frozenset[int]:
        """Numbers of the sentences that contain a stem, or what stands for it in the chunks."""
        forms = self.forms(stem)
        found = self.sentences(forms[0]) if forms else _NO_SENTENCES
        return found.union(*map(self.sentences, forms[1:])) if len(forms) > 1 else found

    @kept_method
    def sentences_with(self, stems: frozenset[str]) -> frozenset[int]:
        """Numbers of the sentences that contain one of some stems."""
        return frozenset().union(*map(self.sentences, stems))

    @kept_method
    def chunks_without(self, stem: str) -> tuple[int, ...]:
        """The chunks that contain neither a stem nor a synonym of it."""
        stems, indexes = (stem, *synonyms_of(stem)), enumerate(self.indexes)
        return tuple([at for at, index in indexes if index.positions.keys().isdisjoint(stems)])

    def text_of(self, sentence: int) -> str:
        """One sentence, verbatim."""
        chunk = self.chunk_of[sentence]
        index = self.indexes[chunk]
        start, end = index.sentences[sentence - self.offset[chunk]]
        return index.text[start:end]

    @kept_method
    def forms(self, stem: str) -> tuple[str, ...]:
        """The stems in the chunks that match a stem, best first: itself, synonyms, other inflections."""
        positions, same = self.positions, synonyms_of(stem)
        if same:
            same = tuple([other for other in same if other in positions])
        if stem in positions:
            same = (stem, *same)
        # Within one chunk the word itself comes before all other forms.
        near = [] if same and len(self.indexes) == 1 else self.relatives(stem)
        if near and near != [stem]:
            shares = [(-closeness(stem, other), other) for other in near if other not in same]
            shares.sort()
            same += tuple([other for share, other in shares if -share >= _LEAST_RELATED])
        return same

    @kept_method
    def stand_ins(self, stem: str) -> frozenset[str]:
        """A stem with the stems in the chunks that match it."""
        return frozenset((stem, *self.forms(stem)))

    @kept_method
    def places_of(self, stem: str, other: str) -> Places:
        """Where a matched stem occurs; a form in one chunk does not hide another form in another chunk."""
        forms = self.forms(stem)
        if other != stem and other not in forms:
            forms = (other, *forms)
        return self._of_forms(forms, other) if len(forms) > 1 else Places((), self.sentences(other))

    def _of_forms(self, forms: Sequence[str], other: str) -> Places:
        """Sentences that contain, in each chunk, the first of these stems found there, and those stems."""
        held: set[int] = set()
        done: set[int] = set()
        used = []
        for form in forms:
            sentences = [number for number in self.sentences(form) if self.chunk_of[number] not in done]
            if sentences:
                used.append(form)
            held.update(sentences)
            done.update([self.chunk_of[number] for number in sentences])
        return Places(tuple(used) if used != [other] else (), frozenset(held))

    def relatives(self, stem: str) -> list[str]:
        """Stems of the chunks with the same first four letters."""
        held = self._prefixes.get(stem[:_PREFIX])
        return held.split(_NO_STEM) if held else []

    @lazy_value
    def _prefixes(self) -> dict[str, str]:
        """The stems by their first letters, as one text each: most letters have one."""
        prefixes: dict[str, str] = {}
        for known in self.positions:
            prefix = known[:_PREFIX]
            if prefix in prefixes:
                prefixes[prefix] += _NO_STEM + known
            elif len(known) >= _PREFIX:
                prefixes[prefix] = known
        return prefixes

    def expansion(self, acronym: str) -> str | None:
        """First stem of the name in the chunks with these initials (folded), or None."""
        return self._acronyms.get(acronym)

    @lazy_value
    def _acronyms(self) -> dict[str, str]:
        """Initials (folded) of all parts of names, with the stem of the first word."""
        acronyms: dict[str, str] = {}
        for index in self.indexes:
            for run in name_runs(index.tokens):
                letters = "".join(token.norm[0] for token in run)
                for first, last in acronym_spans(len(run)):
                    acronyms.setdefault(letters[first:last], run[first].stem)
        return acronyms

    @property
    def has_acronyms(self) -> bool:
        """Whether the chunks contain a word in capitals."""
        return bool(self._in_capitals)

    def acronym(self, letters: str) -> str | None:
        """Stem of the word in capitals with these letters (folded), or None."""
        return self._in_capitals.get(letters)

    @lazy_value
    def _in_capitals(self) -> dict[str, str]:
        named = [token for index in self.indexes for token in index.tokens if token.is_name]
        return {token.norm: token.stem for token in named if is_acronym(token.text)}


def closeness(stem: str, other: str) -> float:
    """Common prefix of two stems as a share of the longer, in [0, 1]; 0 where the rest is too long."""
    longer = max(len(stem), len(other))
    if longer - min(len(stem), len(other)) > _LONGEST_ENDING:
        return 0.0
    common = 0
    for one, two in zip(stem, other, strict=False):
        if one != two:
            break
        common += 1
    return common / longer if longer - common <= _LONGEST_ENDING else 0.0


def name_runs(tokens: Iterable[Token]) -> Iterator[list[Token]]:
    """Runs of two or more capitalised words, without the small words inside names."""
    run: list[Token] = []
    for token in tokens:
        if token.text[0].isupper():
            run.append(token)
        elif not (run and token.norm in _NAME_GLUE):
            if len(run) > 1:
                yield run
            run = []
    if len(run) > 1:
        yield run


def acronym_spans(length: int) -> Iterator[tuple[int, int]]:
    """Parts of a name with this many words that an acronym may abbreviate."""
    for first in range(length - 1):
        for last in range(first + 2, min(length, first + _LONGEST_ACRONYM) + 1):
            yield first, last


@lru_cache(maxsize=64)
def context_of(texts: tuple[str, ...], language: str = "en") -> Context:
    """The context of these texts, cached."""
    return Context([index_of(text, language) for text in texts], language)
