from covering import context_of
from every import each
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.checks.citation.citation_check import covered_claims
from pytest_grounding.claims.splitting import claim_owners, extract_claims
from pytest_grounding.reading.sentences import segment


def owned(text: str) -> list[tuple[str, int | None, tuple[int, ...]]]:
    """Each marker with the claim that owns it and those that it covers."""
    context = context_of(text)
    texts = [citation.text for citation in context.citations]
    return list(zip(texts, context.owners, covered_claims(context), strict=True))


@each(
    ("It is red [1]. It is blue [2].", [("[1]", 0, (0,)), ("[2]", 1, (1,))]),
    ("It is red.[1] It is blue.[2]", [("[1]", 0, (0,)), ("[2]", 1, (1,))]),
    ("[1] It is red. It is blue.", [("[1]", 0, (0,))]),
    ("The car is red, and the bus is blue [1].", [("[1]", 1, (0, 1))]),
    ("The car is red [1], and the bus is blue [2].", [("[1]", 0, (0,)), ("[2]", 1, (1,))]),
    ("The car is red,[1] and the bus is blue.[2]", [("[1]", 0, (0,)), ("[2]", 1, (1,))]),
    ("The car is red, and the bus [1] is blue now.", [("[1]", 1, (1,))]),
    ("The car is red, and the bus is blue [1][2].", [("[1]", 1, (0, 1)), ("[2]", 1, (0, 1))]),
    ("The car is red, and the bus is blue ([1]; [2]).", [("[1]", 1, (0, 1)), ("[2]", 1, (0, 1))]),
    (
        "The car is red [1]; the bus is blue; the van is green [2].",
        [("[1]", 0, (0,)), ("[2]", 2, (1, 2))],
    ),
    ("- It is red [1]\n- It is blue [2]", [("[1]", 0, (0,)), ("[2]", 1, (1,))]),
    ("It is red.\n\n[1][2]", [("[1]", 0, (0,)), ("[2]", 0, (0,))]),
    ("| a | b |\n|--|--|\n| x [1] | y [2] |", [("[1]", 2, (2,)), ("[2]", 2, (2,))]),
)
def test_owner_and_cover(text: str, expected: list[tuple[str, int | None, tuple[int, ...]]]) -> None:
    assert owned(text) == expected


def test_a_citation_that_stands_nowhere_has_no_owner() -> None:
    text = "It is red."
    claims, sentences = extract_claims(text), segment(text)
    assert claim_owners(claims, sentences, [(-1, -1), (0, 2), (50, 53)]) == (None, 0, None)
    assert claim_owners((), (), [(0, 3)]) == (None,)


PARTS = ["It is red", ". ", ", and it is blue", "; it is old", "[1]", " [2]", "\n", "- ", "| a | b |\n", "? "]


@given(st.lists(st.sampled_from(PARTS), max_size=30).map("".join))
def test_each_owner_holds_or_precedes_its_citation(text: str) -> None:
    context = context_of(text)
    claims = context.claims
    found = zip(context.citations, context.owners, covered_claims(context), strict=True)
    for citation, owner, covered in found:
        assert owner is not None
        assert claims[owner].start <= citation.start
        assert owner in covered
        assert list(covered) == list(range(covered[0], covered[-1] + 1))
        assert len({claims[index].sentence for index in covered}) == 1
