"""What was made faster gives what the plain way gives."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from every import examples
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.reading import words as tokens
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin import features
from pytest_grounding.scorers.builtin import token_index as index
from pytest_grounding.scorers.builtin.align import Alignment
from pytest_grounding.scorers.builtin.all_chunks import Context, context_of

_WORDS = st.sampled_from(
    "fox dog the of a runs ran Hill U.S. 12 1,200 don't lazy Fox's red. blue, WHO".split()
)
_TEXTS = st.lists(_WORDS, min_size=1, max_size=40).map(" ".join)
_ASCII = st.text(st.characters(max_codepoint=127), max_size=120) | _TEXTS


@given(_ASCII)
def test_ascii_is_split_like_any_text(text: str) -> None:
    assert tokens._split_ascii(text, "en") == tokens._split_any(text, "en")


@given(_ASCII)
def test_ascii_is_folded_like_any_text(text: str) -> None:
    words = re.findall(r"[^\W_]+", text.lower())
    assert index.fold_words(text) == f" {' '.join(words)} "


@examples(
    ("text", "language"),
    [
        ("“Ja” – naïve", ""),
        ("Это русский текст", "ru"),
        ("これは本です", "ja"),
        ("ภาษาไทย", "th"),
        ("한국어", "ko"),
    ],
)
def test_the_script_is_seen_behind_punctuation(text: str, language: str) -> None:
    assert tokens.script_language(text) == language


def _alignment(claim: str, chunks: list[str]) -> Alignment:
    return Alignment(claim, tokenize(claim), context_of(tuple(chunks)), frozenset(), "en")


_CHUNKS = st.lists(st.lists(_TEXTS, min_size=1, max_size=6).map(". ".join), min_size=1, max_size=3)


@given(_TEXTS, _CHUNKS)
def test_the_best_window_is_the_best_of_all(claim: str, chunks: list[str]) -> None:
    alignment = _alignment(claim, chunks)
    found = features.best_window(alignment)
    window, weight = found.sentences, found.weight
    centres = sorted(alignment.held, key=lambda sentence: (-alignment.held[sentence], sentence))[:5]
    chunk_of = alignment.context.chunk_of
    best: tuple[list[int], float] = ([], 0.0)
    for centre in centres:
        for start in range(centre - 2, centre + 1):
            around = [
                s
                for s in range(start, start + 3)
                if 0 <= s < len(chunk_of) and chunk_of[s] == chunk_of[centre]
            ]
            held = 0.0
            for stem, gain in alignment.gains.items():
                if not alignment.places[stem].isdisjoint(around):
                    held += gain
            if held > best[1] + 1e-9:
                best = around, held
    assert weight == best[1]
    assert not window or any(s in alignment.held for s in window)
    assert sum(g for stem, g in alignment.gains.items() if not alignment.places[stem].isdisjoint(window)) == (
        pytest.approx(weight)
    )


@given(_TEXTS, _CHUNKS)
def test_runs_are_those_of_a_search_of_every_place(claim: str, chunks: list[str]) -> None:
    alignment = _alignment(claim, chunks)
    own = [token.stem for token in alignment.tokens]
    texts = [[token.stem for token in tokenize(chunk)] for chunk in chunks]

    def stands(run: list[str]) -> bool:
        return any(text[n : n + len(run)] == run for text in texts for n in range(len(text)))

    expected = [
        max(
            (
                last - first
                for first in range(word + 1)
                for last in range(word + 1, len(own) + 1)
                if stands(own[first:last])
            ),
            default=0,
        )
        for word in range(len(own))
    ]
    assert features._runs(alignment) == expected


@given(_CHUNKS)
def test_stems_meet_where_some_places_are_near(chunks: list[str]) -> None:
    context = context_of(tuple(chunks))
    for one, other in pairwise(sorted(context.positions)):
        for left, right in ((one, other), (other, one), (one, one)):
            near = any(0 < abs(a - b) <= 4 for a in context.positions[left] for b in context.positions[right])
            assert features._meet(context, left, right) is near


@given(_TEXTS, _CHUNKS)
def test_each_sentence_knows_the_stems_that_it_holds(claim: str, chunks: list[str]) -> None:
    alignment = _alignment(claim, chunks)
    stems = list(alignment.places)
    assert alignment.held == alignment.held_without(frozenset())
    for sentence, numbers in alignment.holds.items():
        assert [stems[n] for n in numbers] == [s for s in stems if sentence in alignment.places[s]]


def test_a_lone_chunk_shares_its_places_and_several_do_not() -> None:
    first, second = index.index_of("The fox runs. A fox sleeps."), index.index_of("The fox ran.")
    assert Context([first]).positions is first.positions
    before = {stem: list(places) for stem, places in first.positions.items()}
    joined = Context([first, second])
    assert list(joined.positions["fox"][:2]) == before["fox"]
    assert len(joined.positions["fox"]) == 3
    assert {stem: list(places) for stem, places in first.positions.items()} == before
