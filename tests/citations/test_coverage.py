from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounding.checks.base import CheckContext
from pytest_grounding.checks.citation.coverage import covered_claims
from pytest_grounding.citations import builtin_syntaxes, extract, make_context, marker_spans
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.scorers.lexical.scorer import LexicalScorer
from pytest_grounding.settings import Settings
from pytest_grounding.text.claims import claim_owners, covering_claims, extract_claims
from pytest_grounding.text.segment import segment

_PARTS = [
    *("Refunds take 30 days", "the shop opens at nine", "a receipt is needed for every refund"),
    *(" and ", " but ", ", while ", "; ", ", ", " because it is late", "\n\n", "- ", ". ", "? "),
    *(" [1]", " [2]", "[3]", ".[1] ", ". [2] ", " [1], ", " ([2]) "),
]
ANSWERS = st.lists(st.sampled_from(_PARTS), min_size=1, max_size=12).map("".join)


@given(ANSWERS)
@settings(max_examples=200, deadline=None)
def test_all_citations_at_once_cover_what_each_covers_alone(answer: str) -> None:
    chunks = [{"id": name, "text": name} for name in "abc"]
    transcript = Transcript.model_validate({"id": "t", "question": "Q?", "chunks": chunks, "answer": answer})
    cited = extract(make_context(transcript, Settings()), builtin_syntaxes())
    markers = marker_spans(cited)
    sentences = tuple(segment(answer, markers=markers))
    claims = tuple(extract_claims(answer, markers=markers, sentences=sentences))
    spans = [(item.start, item.end) for item in cited]
    context = CheckContext(
        transcript=transcript,
        settings=Settings(),
        language="en",
        sentences=sentences,
        claims=claims,
        citations=cited,
        owners=claim_owners(claims, sentences, spans),
        supports=(None,) * len(claims),
        scorer=LexicalScorer(),
    )
    assert covered_claims(context) == [
        covering_claims(context.claims, context.sentences, span, spans) for span in spans
    ]
