"""Claims of an answer: what is checked, their bare words, clauses and kinds."""

import json
import re
from pathlib import Path

from every import each, table
from hypothesis import given, settings
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.claims.clauses import kind_in
from pytest_grounding.claims.splitting import extract_claims
from pytest_grounding.engine.pipeline import extract_and_score
from pytest_grounding.engine.registry import builtin_scorer
from pytest_grounding.reading.sentences import segment
from pytest_grounding.settings import Settings

MARKER = re.compile(r"\[\d+\](?!\()|\[[^\[\]]*\]\([^()]*\)|`src[^`]*`")


def claims_of(text, **options):
    markers = [match.span() for match in MARKER.finditer(text)]
    return extract_claims(text, markers=markers, **options)


@each(*table(__file__, "claims"))
def test_claims_their_context_and_why_a_part_is_not_checked(text, question, expected):
    claims = claims_of(text, question=question)
    assert [[claim.bare, claim.context, claim.skip_reason] for claim in claims] == expected
    assert [claim.checked for claim in claims] == [not reason for *_, reason in expected]


def test_given_sentences_are_used():
    text = "It is red. It is blue."
    sentences = segment(text)[:1]
    assert [claim.text for claim in extract_claims(text, sentences=sentences)] == ["It is red."]
    assert extract_claims("") == ()


SIGNS = [
    *"It is red¦. ¦! ¦? ¦, and it is ¦; ¦: ¦\n¦\n\n¦- ¦1. ¦# ¦> ¦| a | b |\n".split("¦"),
    *'|--|--|\n¦```\n¦`¦**¦[1]¦[^1]: ¦(¦)¦"¦I do not know¦the passages do not say '.split("¦"),
    *"According to passage 2, |Sources: |Here is |Yes|\ud83d|🙂|e\u0301|\u202e|\u200b".split("|"),
    *("[t](u)", "https://a.b/c", "\\", "<b>", "_a_", "是。", "نعم؟", "I think ", "therefore ", "---\n"),
]


@settings(max_examples=300)
@given(st.lists(st.sampled_from(SIGNS), max_size=40).map("".join), st.sampled_from(["en", "de", "zh", ""]))
def test_claims_of_any_text(text: str, language: str) -> None:
    markers = [match.span() for match in MARKER.finditer(text)]
    sentences = segment(text, language=language, markers=markers)
    claims = extract_claims(text, question="What is it?", language=language, markers=markers)
    assert [claim.index for claim in claims] == list(range(len(claims)))
    assert {claim.sentence for claim in claims} == set(range(len(sentences)))
    position = 0
    for claim in claims:
        sentence = sentences[claim.sentence]
        assert position <= claim.start < claim.end
        assert sentence.start <= claim.start
        assert claim.end <= sentence.end
        assert claim.text == text[claim.start : claim.end]
        assert claim.checked == (not claim.skip_reason)
        assert "\n" not in claim.bare
        assert not claim.checked or any(char.isalnum() for char in claim.bare)
        position = claim.end


@given(
    st.text(), st.text(max_size=30), st.lists(st.tuples(st.integers(-5, 40), st.integers(-5, 40)), max_size=4)
)
def test_any_text_any_question_any_markers(text, question, markers):
    for claim in extract_claims(text, question=question, markers=markers):
        assert claim.text == text[claim.start : claim.end]


def claims_of_answer(answer, question="What?"):
    chunks = [{"id": "c", "text": "x"}, {"id": "d", "text": "y"}]
    transcript = pg.Transcript.model_validate(
        {"id": "t", "question": question, "chunks": chunks, "answer": answer}
    )
    return extract_and_score(transcript, Settings(), [builtin_scorer()])[0].claims


@each(*map(json.loads, Path(__file__).with_name("answers.jsonl").read_text(encoding="utf-8").splitlines()))
def test_an_answer_yields_its_claims(row):
    claims = claims_of_answer(row["answer"], row.get("question", "What?"))
    assert [claim.bare for claim in claims if claim.checked] == row["claims"]
    assert [claim.skip_reason for claim in claims if not claim.checked] == row.get("left_out", [])
    assert all(row["answer"][claim.start : claim.end] == claim.text for claim in claims)


@each("[1]", "[Handbook]", "[[1]]", "[the handbook of 2021]", "")
def test_a_link_or_address_after_a_full_stop_is_a_label_of_any_length(label):
    for length in (1, 9, 10, 40, 400):
        address = f"https://x.org/{'a' * length}"
        link = f"{label}({address})" if label else address
        first, second = claims_of_answer(f"Refunds take 14 days. {link} They are free.")
        assert (first.bare, first.text) == ("Refunds take 14 days.", f"Refunds take 14 days. {link}")
        assert (second.bare, second.text) == ("They are free.", "They are free.")


def test_a_link_at_the_start_of_a_sentence_belongs_to_it():
    text = "It is red. [Apple](u://x) sells it."
    assert [piece.text for piece in segment(text, markers=[(11, 12), (17, 25)])] == [
        "It is red.",
        "[Apple](u://x) sells it.",
    ]


@each(*table(__file__, "clauses"))
def test_sentences_that_join_statements_are_split(text, expected):
    assert [claim.text for claim in extract_claims(text)] == expected


def test_clauses_share_their_sentence():
    claims = extract_claims("One. The plan costs $20, and it includes support. Two.")
    assert [claim.sentence for claim in claims] == [0, 1, 1, 2]


def test_only_english_is_split():
    text = "It is red; it is new."
    assert len(extract_claims(text, language="en")) == 2
    assert len(extract_claims(text, language="de")) == 1


@each(*table(__file__, "test_kinds_of_claims"))
def test_kinds_of_claims(sentence, kind):
    assert kind_in(sentence).kind == kind


def test_confidence_in_a_kind_is_higher_for_clear_signs():
    assert kind_in("Therefore, it is red.").confidence > kind_in("It is likely red.").confidence
    assert kind_in("The plan costs $20.").confidence > kind_in("The plan costs little.").confidence
    for sentence in ("It is red.", "I love it.", "It seems to be red.", ""):
        assert 0.0 <= kind_in(sentence).confidence <= 1.0
