from __future__ import annotations

import json
import os
import subprocess

import warm_starts
from every import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer
from pytest_grounding.scorers.protocol import ClaimText, Scorer, SupportScore

WHO = (
    "The World Health Organization (WHO) was founded on 7 April 1948. Its headquarters are in Geneva, "
    "Switzerland. The organization has 194 member states and employs about 8,000 people."
)
WARRANTY = (
    "The warranty lasts 24 months from the date of purchase. Batteries are covered for half a year. "
    "Repairs cost 1,200,000 dollars in 2021."
)
LEAVE = (
    "Employees may carry over up to five unused vacation days into the next year. Requests have to be "
    "approved by a manager before December 15."
)


def score(
    claim: str, *texts: str, question: str = "", context: str = "", language: str = "en"
) -> SupportScore:
    chunks = [Chunk(id=f"c{number}", text=text) for number, text in enumerate(texts)]
    claims = [ClaimText(claim, context)]
    return LexicalScorer().support(claims, chunks, question=question, language=language)[0]


def probability(claim: str, *texts: str, question: str = "") -> float:
    value = score(claim, *texts, question=question).probability
    assert value is not None
    return value


def test_it_is_a_scorer() -> None:
    assert isinstance(LexicalScorer(), Scorer)
    assert LexicalScorer().name == "builtin"


@examples(
    ("claim", "text"),
    [
        ("The WHO was founded in April 1948.", WHO),
        (
            "WHO has its headquarters in Geneva.",
            "The World Health Organization has its headquarters in Geneva.",
        ),
        (
            "The World Health Organization has its headquarters in Geneva.",
            "The WHO has its headquarters in Geneva.",
        ),
        ("The WHO employs around 8000 people.", WHO),
        ("The warranty is 24 months from purchase.", WARRANTY),
        ("Repairs cost 1.2 million dollars in 2021.", WARRANTY),
        ("Up to 5 unused vacation days can be carried over.", LEAVE),
        ("A manager must approve the request.", LEAVE),
        ("The company was established in 1948.", "The company was founded in 1948."),
        ("Twelve ships sailed.", "12 ships sailed on Monday."),
    ],
)
def test_paraphrases_are_supported(claim: str, text: str) -> None:
    assert probability(claim, text) >= 0.8


@examples(
    ("claim", "text"),
    [
        ("Penguins huddle together to survive the Antarctic winter.", WHO),
        ("The warranty lasts 36 months from the date of purchase.", WARRANTY),
        ("The WHO employs 9,500 people.", WHO),
        ("The WHO was founded on 9 April 1953.", WHO),
        ("Its headquarters are in Nairobi, Kenya.", WHO),
        ("Elon Musk approved the vacation requests.", LEAVE),
        ("The treaty obliges every government to fund vaccine laboratories.", WHO),
    ],
)
def test_inventions_are_not_supported(claim: str, text: str) -> None:
    assert probability(claim, text) < 0.7


def test_two_chunks_join() -> None:
    claim = "The WHO was founded on 7 April 1948 and the warranty lasts 24 months."
    joined = score(claim, WHO, WARRANTY)
    assert joined.probability is not None
    assert joined.probability >= 0.8
    assert {evidence.chunk_id for evidence in joined.evidence} == {"c0", "c1"}
    assert probability(claim, WHO) < joined.probability
    assert probability(claim, WARRANTY) < joined.probability


def test_evidence_is_verbatim_best_first_with_its_neighbours() -> None:
    found = score("Its headquarters are located in Geneva and it has 194 members.", WARRANTY, WHO)
    assert [evidence.chunk_id for evidence in found.evidence] == ["c1", "c1"]
    texts = {"c0": WARRANTY, "c1": WHO}
    for evidence in found.evidence:
        assert texts[evidence.chunk_id][evidence.start : evidence.end] == evidence.text
    shares = [evidence.score for evidence in found.evidence if evidence.score is not None]
    assert shares == sorted(shares, reverse=True)
    middle = next(evidence for evidence in found.evidence if evidence.sentence_index == 1)
    assert middle.before == "The World Health Organization (WHO) was founded on 7 April 1948."
    assert middle.after.startswith("The organization has 194")


def test_verbatim_is_an_exact_match_and_the_surest() -> None:
    exact = score("the warranty lasts 24 months from the date of purchase", WARRANTY)
    assert exact.method == "exact_match"
    assert exact.probability is not None
    assert exact.probability > probability("The warranty takes 24 months from the purchase date.", WARRANTY)


def test_missing_words_and_reason_name_what_no_source_says() -> None:
    found = score("The warranty lasts 24 months and covers theft.", WARRANTY)
    assert found.missing == ("theft",)
    assert "theft" in found.reason


def test_words_of_the_question_need_no_evidence() -> None:
    text = "It lasts 24 months from the date of purchase."
    claim = "The Zenith X200 warranty lasts 24 months."
    with_question = probability(claim, text, question="How long is the Zenith X200 warranty?")
    assert with_question > probability(claim, text)


def test_words_of_a_title_need_no_evidence_and_are_no_strange_names() -> None:
    claim = ClaimText("According to the Fee schedule, late returns cost 2 euros a day.", "")
    text = "Late returns cost 2 euros a day."
    (untitled,) = LexicalScorer().support([claim], [Chunk(id="c1", text=text)])
    titled = Chunk(id="c1", text=text, metadata={"title": "Fee schedule"})
    (score,) = LexicalScorer().support([claim], [titled])
    assert not {"Fee", "schedule"} & set(score.missing)
    assert "schedule" in untitled.missing
    assert score.probability > untitled.probability
    # A title backs nothing by itself, and a number in it backs nothing at all.
    (alone,) = LexicalScorer().support(
        [ClaimText("The Fee schedule costs 40 euros.", "")],
        [Chunk(id="c1", text="Dogs are welcome.", metadata={"title": "Fee schedule 40"})],
    )
    assert alone.probability < 0.3


def test_labels_of_sources_are_no_words_of_a_claim() -> None:
    assert probability("According to Passage 7, employees may carry over five days.", LEAVE) >= 0.8
    assert probability("Employees may carry over five unused days [12].", LEAVE) >= 0.8


def test_no_chunks_is_no_support() -> None:
    found = score("The warranty lasts 24 months.")
    assert found.probability is not None
    assert found.probability < 0.01
    assert found.reason == "there is no chunk"
    assert found.evidence == ()


@examples("claim", ["", "   ", "...", "—", "[1]"])
def test_a_claim_without_words_abstains(claim: str) -> None:
    found = score(claim, WHO)
    assert found.probability is None
    assert found.reason


@examples(
    ("claim", "text", "other"),
    [
        ("日本の首都は東京です。", "東京は日本の首都です。人口は多い。", "富士山は高い山です。"),
        (
            "Die Garantie gilt 24 Monate ab Kauf.",
            "Die Garantie gilt 24 Monate ab dem Kauf.",
            "Der Hund schläft.",
        ),
        (
            "Гарантия составляет 24 месяца.",
            "Гарантия на устройство составляет 24 месяца.",
            "Собака спит дома.",
        ),
        ("सम्मेलन दिल्ली में हुआ।", "यह सम्मेलन दिल्ली में हुआ था।", "कुत्ता घर पर है।"),
    ],
)
def test_other_languages_are_scored_and_said_to_be_uncalibrated(claim: str, text: str, other: str) -> None:
    found, lost = score(claim, text, language="und"), score(claim, other, language="und")
    assert not found.calibrated
    assert "not calibrated" in found.reason
    assert found.probability is not None
    assert lost.probability is not None
    assert lost.probability < 0.7 <= found.probability


def test_a_label_of_a_source_claims_nothing() -> None:
    found = score("(Passage 1)", WHO)
    assert found.probability is not None
    assert found.probability > 0.9
    assert found.reason == "it only names a source"


def test_each_claim_is_scored_alone() -> None:
    claims = [ClaimText("The WHO was founded in 1948."), ClaimText("Penguins fly."), ClaimText("")]
    chunks = [Chunk(id="a", text=WHO)]
    together = LexicalScorer().support(claims, chunks)
    assert together == [LexicalScorer().support([claim], chunks)[0] for claim in claims]


_PROGRAM = """
import json
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers.protocol import ClaimText
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer
chunks = [Chunk(id=str(n), text=t) for n, t in enumerate(json.loads(input()))]
claims = [ClaimText("The WHO of Geneva employs 8,000 managers and carries over vacation days in 2021.")]
print(LexicalScorer().support(claims, chunks, question="Who pays?"))
print(LexicalScorer().relevance("Where are the headquarters of the World Health Organization?", chunks))
"""


def test_the_hash_seed_changes_nothing() -> None:
    outputs = {
        subprocess.run(
            [warm_starts.python(), "-c", _PROGRAM],
            input=json.dumps([WHO, WARRANTY, LEAVE]),
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(outputs) == 1
    assert "probability" in outputs.pop()


TEXT = st.one_of(
    st.text(max_size=120),
    st.lists(
        st.sampled_from(
            ["The", "WHO", "12", "1.2", "million", "not", "東京", "Geneva", ".", "?", "[1]", "%", "\n", "I"]
        ),
        max_size=25,
    ).map(" ".join),
)


@settings(max_examples=150, deadline=None)
@given(claim=TEXT, texts=st.lists(TEXT, max_size=3), question=TEXT)
def test_any_text_gets_a_probability_or_a_reason_why_not(claim: str, texts: list[str], question: str) -> None:
    found = score(claim, *texts, question=question)
    if found.probability is None:
        assert found.reason
    else:
        assert 0.0 <= found.probability <= 1.0
    for evidence in found.evidence:
        source = texts[int(evidence.chunk_id[1:])]
        assert source[evidence.start : evidence.end] == evidence.text
        assert evidence.score is not None
        assert 0.0 <= evidence.score <= 1.0
    assert all(word in claim for word in found.missing)


@settings(max_examples=60, deadline=None)
@given(text=TEXT, question=TEXT)
def test_any_question_gets_a_relevance_or_a_reason_why_not(text: str, question: str) -> None:
    found = LexicalScorer().relevance(question, [Chunk(id="a", text=text)])[0]
    assert found.reason
    assert found.value is None or 0.0 <= found.value <= 1.0
