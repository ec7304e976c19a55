"""Whatever the texts: no crash, verbatim evidence, the same verdict twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.checks.retrieval import validate_retrieval
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer
from pytest_grounding.settings import Settings

SENTENCES = st.sampled_from(
    [
        "Acme was founded by Jane Roe in 1990.",
        "It costs 5 euros per month!",
        "Who founded Acme?",
        "To open it, press the button because it is red.",
        "这家公司由王先生创立。",
        "Dr. Smith lives in St. Gallen…",
        "  ",
        "\n\n",
        "- item one\n- item two",
        "U+FFFD \ufffd \u200b \u0301",
    ]
)
TEXTS = st.one_of(st.text(max_size=120), st.lists(SENTENCES, max_size=6).map(" ".join))
QUESTIONS = st.one_of(
    st.sampled_from(
        (
            "Who founded Acme and when?|How much does it cost?|Why is the button red?|How do I open it?|"
            "Is it open?|Which button opens it?|What is Acme?|Where does Dr. Smith live?"
        ).split("|")
    ),
    st.text(min_size=1, max_size=80),
)


@given(QUESTIONS, st.lists(TEXTS, max_size=4))
def test_any_text_gives_a_verdict_with_verbatim_evidence(question: str, texts: list[str]) -> None:
    chunks = [Chunk(id=str(n), text=text) for n, text in enumerate(texts)]
    verdict = validate_retrieval(question, chunks, scorers=[LexicalScorer()], settings=Settings())
    again = validate_retrieval(question, chunks, scorers=[LexicalScorer()], settings=Settings())
    assert verdict.model_dump_json() == again.model_dump_json()
    for piece in verdict.evidence:
        text = chunks[int(piece.chunk_id)].text
        assert text[piece.start : piece.end] == piece.text
        assert piece.before in text
        assert piece.after in text
    assert len(verdict.relevance) == len(chunks)
    assert all(0.0 <= (item.quality or 0.0) <= 1.0 for item in verdict.relevance)
    assert (verdict.rating == "poor") <= (not any(item.relevant for item in verdict.relevance))
    if verdict.answer_present in {"none", "abstain"}:
        assert verdict.evidence == ()
    if verdict.rating == "good":
        assert verdict.answer_present == "full"


@pytest.mark.parametrize(
    "text",
    [
        "a " * 30_000,
        "to the " * 15_000,
        "1 " * 30_000,
        "Acme by " * 10_000,
        "for the for " * 10_000,
        "(" * 30_000,
    ],
    ids=["a", "to the", "1", "Acme by", "for the for", "("],
)
@pytest.mark.parametrize(
    "question", ["Who founded Acme?", "Where is Acme?", "Why is Acme?", "How much is Acme?"]
)
def test_hostile_chunks_end(question: str, text: str) -> None:
    chunks = [Chunk(id="x", text=text + ". Acme is founded by nobody."), Chunk(id="y", text=text)]
    verdict = validate_retrieval(question, chunks, scorers=[LexicalScorer()], settings=Settings())
    assert len(verdict.relevance) == 2
