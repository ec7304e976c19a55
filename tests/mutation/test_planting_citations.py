"""Citations and chunks: just the one citation changes."""

from every import each
from planted import afters, made, planted

from pytest_grounding import validate

BRIDGE = "The stone bridge was designed by the engineer Clara Holm."
SOUP = "Our kitchen serves vegetable soup on rainy evenings."
CITED = {"index": ("[1]", "[2]"), "id": ("[c1]", "[c2]")}


@each(*sorted(CITED))
def test_a_citation_is_pointed_to_the_other_chunk_or_to_none(syntax):
    own, other = CITED[syntax]
    transcript = made(f"The stone bridge was designed by Clara Holm {own}.", BRIDGE, SOUP)
    mutant = planted("citation_repointed", transcript)
    start, end = mutant.span
    assert mutant.transcript.answer[start:end] == other
    (citation,) = validate(mutant.transcript).citations
    assert (citation.syntax, citation.chunk_ids) == (syntax, ("c2",))
    for seed in range(10):
        mutant = planted("citation_invented", transcript, seed=seed)
        (citation,) = validate(mutant.transcript).citations
        assert (citation.syntax, citation.chunk_ids, citation.valid) == (syntax, (), False)


def test_a_providers_citation_changes_its_chunk_and_the_answer_stays():
    answer = "The stone bridge was designed by Clara Holm."
    spans = [{"start": 0, "end": 43, "text": answer[:43], "chunk_ids": ["c1"], "quote": BRIDGE}]
    transcript = made(answer, BRIDGE, SOUP, citations=spans)
    mutant = planted("citation_repointed", transcript)
    assert mutant.transcript.answer == answer
    assert mutant.transcript.citations[0].chunk_ids == ("c2",)
    mutant = planted("citation_invented", transcript)
    assert mutant.transcript.citations[0].chunk_ids[0] not in {"c1", "c2"}


def test_the_supporting_chunk_is_removed():
    answer = "The stone bridge was designed by the engineer Clara Holm."
    mutant = planted("chunk_removed", made(answer, SOUP, BRIDGE))
    assert [item.text for item in mutant.transcript.chunks] == [SOUP]
    assert mutant.transcript.answer == answer


def test_a_chunk_stays_where_later_ones_are_cited_by_number():
    answer = (
        "The stone bridge was designed by the engineer Clara Holm [1]. The kitchen serves vegetable soup [2]."
    )
    assert afters("chunk_removed", made(answer, BRIDGE, SOUP)) == set()
    assert planted("chunk_removed", made(answer, BRIDGE, SOUP), claim=1) is not None
