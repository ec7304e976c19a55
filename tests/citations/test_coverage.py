from covering import context_of, covered_by
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounding.checks.citation.citation_check import covered_claims

_PARTS = [
    *("Refunds take 30 days", "the shop opens at nine", "a receipt is needed for every refund"),
    *(" and ", " but ", ", while ", "; ", ", ", " because it is late", "\n\n", "- ", ". ", "? "),
    *(" [1]", " [2]", "[3]", ".[1] ", ". [2] ", " [1], ", " ([2]) "),
]
ANSWERS = st.lists(st.sampled_from(_PARTS), min_size=1, max_size=12).map("".join)


@given(ANSWERS)
@settings(max_examples=200, deadline=None)
def test_all_citations_at_once_cover_what_each_covers_alone(answer: str) -> None:
    context = context_of(answer)
    assert covered_claims(context) == [covered_by(context, at) for at in range(len(context.citations))]
