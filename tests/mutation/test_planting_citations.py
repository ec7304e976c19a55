"""Citations, quotes and chunks: in every way of citing, just the one citation changes."""

from __future__ import annotations

from typing import Any

import pytest
from planted import afters, made, planted

BRIDGE = "The stone bridge was designed by the engineer Clara Holm."
SOUP = "Our kitchen serves vegetable soup on rainy evenings."
URL = "https://docs.example.com/bridge"


def chunk(text: str, **metadata: Any) -> dict[str, Any]:
    return {"text": text, "metadata": metadata}


CITED = {
    "index": ("The stone bridge was designed by Clara Holm [1].", {}, {}, "[2]"),
    "section": (
        "The stone bridge was designed by Clara Holm (Chapter 3, Section 1).",
        {"chapter_id": "3", "section_number": "1"},
        {"chapter_id": "5", "section_number": "2"},
        "Chapter 5, Section 2",
    ),
    "url": (
        f"The stone bridge was designed by Clara Holm ([source]({URL})).",
        {"url": URL},
        {"url": "https://docs.example.com/soup"},
        "[source](https://docs.example.com/soup)",
    ),
    "code": (
        "The stone bridge was designed by Clara Holm (src/bridge.py:3).",
        {"path": "src/bridge.py", "line_start": 1, "line_end": 9},
        {"path": "src/soup.py", "line_start": 4, "line_end": 6},
        "src/soup.py:4-6",
    ),
    "id": ("The stone bridge was designed by Clara Holm [c1].", {}, {}, "[c2]"),
}


@pytest.mark.parametrize("syntax", sorted(CITED))
def test_a_citation_is_pointed_to_the_other_chunk(syntax: str) -> None:
    answer, first, second, marker = CITED[syntax]
    transcript = made(answer, chunk(BRIDGE, **first), chunk(SOUP, **second))
    mutant = planted("citation_repointed", transcript)
    assert mutant is not None
    start, end = mutant.span
    assert mutant.transcript.answer[start:end] == marker
    from pytest_grounding import validate

    (citation,) = validate(mutant.transcript).citations
    assert citation.syntax == syntax
    assert citation.chunk_ids == ("c2",)


@pytest.mark.parametrize("syntax", sorted(CITED))
def test_an_invented_citation_names_no_chunk(syntax: str) -> None:
    answer, first, second, _ = CITED[syntax]
    transcript = made(answer, chunk(BRIDGE, **first), chunk(SOUP, **second))
    for seed in range(10):
        mutant = planted("citation_invented", transcript, seed=seed)
        assert mutant is not None
        from pytest_grounding import validate

        (citation,) = validate(mutant.transcript).citations
        assert citation.syntax == syntax
        assert citation.chunk_ids == ()
        assert not citation.valid


def test_a_providers_citation_changes_its_chunk_and_the_answer_stays() -> None:
    answer = "The stone bridge was designed by Clara Holm."
    spans = [{"start": 0, "end": 43, "text": answer[:43], "chunk_ids": ["c1"], "quote": BRIDGE}]
    transcript = made(answer, BRIDGE, SOUP, citations=spans)
    mutant = planted("citation_repointed", transcript)
    assert mutant is not None
    assert mutant.transcript.answer == answer
    assert mutant.transcript.citations[0].chunk_ids == ("c2",)
    mutant = planted("citation_invented", transcript)
    assert mutant is not None
    assert mutant.transcript.citations[0].chunk_ids[0] not in {"c1", "c2"}
    mutant = planted("quote_altered", transcript)
    assert mutant is not None
    assert mutant.transcript.citations[0].quote not in (None, BRIDGE)


@pytest.mark.parametrize(
    ("answer", "chunks"),
    [
        (
            "The stone bridge was designed by Clara Holm [1].",
            (BRIDGE, f"As said, {BRIDGE}"),
        ),  # c2 backs it too
        ("The stone bridge was designed by Clara Holm [1][2].", (BRIDGE, SOUP, SOUP + " Often.")),
        ("The stone bridge was designed by Clara Holm [7].", (BRIDGE, SOUP)),  # already invalid
        ("The stone bridge was designed by Clara Holm.", (BRIDGE, SOUP)),
        ("The stone bridge was designed by Clara Holm [1].", (BRIDGE,)),
    ],
)
def test_no_citation_is_repointed_where_that_may_be_right_or_proves_nothing(
    answer: str, chunks: tuple[str, ...]
) -> None:
    assert afters("citation_repointed", made(answer, *chunks)) == set()


def test_a_word_of_a_quotation_is_altered_and_only_of_a_true_one() -> None:
    answer = 'The guide says "the stone bridge was designed by the engineer" on its first page [1].'
    source = "Note that the stone bridge was designed by the engineer Clara Holm."
    found = afters("quote_altered", made(answer, source, SOUP))
    assert found
    for text in found:
        words, old = text.split(), answer.split()
        assert sum(a != b for a, b in zip(words, old, strict=True)) == 1
        assert text.startswith('The guide says "')
    assert afters("quote_altered", made(answer, "Another source about bridges.", SOUP)) == set()
    assert afters("quote_altered", made('They call it "stone bridge" in short [1].', BRIDGE)) == set()


def test_the_supporting_chunk_is_taken_out() -> None:
    answer = "The stone bridge was designed by the engineer Clara Holm."
    mutant = planted("chunk_removed", made(answer, SOUP, BRIDGE))
    assert mutant is not None
    assert [item.text for item in mutant.transcript.chunks] == [SOUP]
    assert mutant.transcript.answer == answer


def test_later_citations_keep_their_numbers_when_a_chunk_is_taken_out() -> None:
    answer = (
        "The stone bridge was designed by the engineer Clara Holm [1]. The kitchen serves vegetable soup [2]."
    )
    mutant = planted("chunk_removed", made(answer, BRIDGE, SOUP))
    assert mutant is not None
    stand_in, soup = mutant.transcript.chunks
    assert soup.text == SOUP
    assert stand_in.id != "c1"
    assert "bridge" not in stand_in.text


def test_a_chunk_stays_where_another_one_says_the_same() -> None:
    answer = "The stone bridge was designed by the engineer Clara Holm."
    assert afters("chunk_removed", made(answer, BRIDGE, f"As is known: {BRIDGE}")) == set()
