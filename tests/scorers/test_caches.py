"""What is kept between claims changes no result, and cannot grow without end."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pytest_grounding
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts.conflict_search import find_conflicts
from pytest_grounding.scorers.builtin.conflicts.contest import Contest
from pytest_grounding.scorers.builtin.conflicts.sentence_view import Place, Sources, view_of_claim
from pytest_grounding.scorers.builtin.token_index import index_of

CHUNKS = (
    "The old museum opened in 1950. It is open on all weekdays and costs 8 euros. Anna Berg founded it.",
    "The new gallery was built by Carl Dorn in 1990. Entry is never free. It is not a safe place for dogs.",
)
CLAIMS = (
    "The museum opened in 1960 and costs 9 euros.",
    "Carl Dorn founded the old museum.",
    "The gallery is a safe place for dogs.",
    "Some weekdays the old museum is closed.",
)
WORDS = st.sampled_from(
    "the museum gallery opened 1950 1990 Anna Berg dogs safe not in and euros 8 . old".split()
)
TEXTS = st.lists(WORDS, min_size=1, max_size=30).map(" ".join)


def test_a_claim_is_judged_alike_whatever_was_judged_before() -> None:
    def judged(claims: tuple[str, ...]) -> dict[str, object]:
        shared = Sources([index_of(text) for text in CHUNKS])
        return {claim: find_conflicts(claim, tokenize(claim), shared, ["a", "b"]) for claim in claims}

    alone = {claim: judged((claim,))[claim] for claim in CLAIMS}
    assert any(alone.values())
    assert judged(CLAIMS) == alone
    assert judged(CLAIMS[::-1]) == alone


def test_threads_that_share_sources_find_the_same() -> None:
    shared = Sources([index_of(text) for text in CHUNKS])
    alone = [
        find_conflicts(claim, tokenize(claim), [index_of(t) for t in CHUNKS], ["a", "b"]) for claim in CLAIMS
    ]
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(
            lambda claim: find_conflicts(claim, tokenize(claim), shared, ["a", "b"]), CLAIMS * 20
        )
    assert list(found) == alone * 20


def test_words_that_the_chunks_lack_are_not_kept() -> None:
    sources = Sources([index_of(text) for text in CHUNKS])
    for number in range(1000):
        sources.spots(f"unheard{number}")
        sources.places(f"unheard{number}")
    sources.spots("museum")
    assert len(sources._spots) == 1
    assert not sources._places


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3))
def test_no_place_is_bound_better_than_its_sentence_allows(claim: str, chunks: list[str]) -> None:
    tokens = tokenize(claim)
    contest = Contest(view_of_claim(claim, tokens), Sources([index_of(text) for text in chunks]))
    for number in range(len(tokens)):
        for chunk, view in enumerate(contest.chunks):
            for word in range(len(view.tokens)):
                bound = contest.local(number, number, chunk, view.sentence_of[word])
                assert contest.bind(number, number, Place(chunk, word)) <= bound


def test_a_name_is_not_compared_with_every_place_that_has_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    bind = Contest.bind

    def counted(self: Contest, first: int, last: int, place: Place) -> float:
        nonlocal calls
        calls += 1
        return bind(self, first, last, place)

    monkeypatch.setattr(Contest, "bind", counted)
    lines = [f"Anna Smith{n} met Bob Jones{n} in Rome." for n in range(400)]
    sources = Sources([index_of(" ".join(lines))])
    claim = "Anna Smith150 met Bob Jones150 in Paris."
    assert find_conflicts(claim, tokenize(claim), sources, ["a"])
    # Each of both names stands beside 400 others that share a word with it.
    assert calls < 400


def test_every_cache_of_the_package_has_a_bound() -> None:
    found = 0
    for module in pkgutil.walk_packages(pytest_grounding.__path__, "pytest_grounding."):
        if module.name.startswith(("pytest_grounding.scorers.builtin", "pytest_grounding.text")):
            for name, value in vars(importlib.import_module(module.name)).items():
                # Those of other rooms keep what the package ships: names of patterns and words.
                if isinstance(value, functools._lru_cache_wrapper) and value.__module__ == module.name:
                    found += 1
                    assert value.cache_parameters()["maxsize"] is not None, f"{module.name}.{name}"
    assert found > 20
