"""Tokens, sentences and carried subjects."""

import re
from itertools import pairwise

import pytest
from every import each, table
from hypothesis import given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.evidence import token_index as index
from pytest_grounding.evidence.token_index import index_of, sentence_spans
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading.words import language_in_force, script_language, tokenize
from pytest_grounding.scorers import ClaimText
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer


@given(st.text(max_size=200))
def test_tokens_are_slices_in_order(text):
    last = 0
    for token in tokenize(text):
        assert text[token.start : token.end] == token.text
        assert token.text
        assert token.start >= last
        last = token.start


@given(st.text(max_size=200))
def test_sentences_are_trimmed_slices_that_cover_every_letter(text):
    spans = sentence_spans(text)
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    inside = sum(character.isalnum() for start, end in spans for character in text[start:end])
    assert inside == sum(character.isalnum() for character in text)


@each(
    ("1,200,000 of 0.50 and 007", ["1200000", "of", "0.5", "and", "7"]),
    ("Café naïve ﬁle", ["cafe", "naive", "file"]),
    ("the company's and the companies’", ["the", "company", "and", "the", "companies"]),
    ("twelve or 12", ["12", "or", "12"]),
    ("हिन्दी में लिखा", ["हिन्दी", "में", "लिखा"]),
    ("東京都", ["東京", "京都"]),
    ("snake_case", ["snake", "case"]),
)
def test_words_are_folded(text, expected):
    assert [token.norm for token in tokenize(text)] == expected


@each("founded founding", "went going", "children child", "taught teaches", "studies studied")
def test_inflections_share_a_stem(forms):
    one, other = tokenize(forms)
    assert one.stem == other.stem


def test_stop_words_numbers_and_names_are_marked():
    token = {t.text: t for t in tokenize("In 1999 the IT staff of Berlin met US twelve times.")}
    assert token["the"].is_stop
    assert token["of"].is_stop
    assert token["1999"].is_number
    assert token["twelve"].is_number
    assert token["Berlin"].is_name
    assert token["US"].is_name
    assert not token["US"].is_stop
    assert not token["IT"].is_stop
    assert not token["In"].is_name
    assert not token["staff"].is_stop


@each(*table(__file__, "test_the_script_gives_the_language"))
def test_the_script_gives_the_language(text, language):
    assert script_language(text) == language


def test_the_language_of_a_text_overrides_the_setting():
    german = "Die Garantie gilt nur für Geräte, die nach dem ersten Januar gekauft wurden und nicht alt sind."
    assert language_in_force(german, "en") == "de"
    assert language_in_force("The warranty is valid for all devices that were bought in May.", "en") == "en"
    assert language_in_force("Столица России", "en") == "ru"
    assert language_in_force("Столица Украины", "uk") == "uk"
    assert language_in_force("short", "de-AT") == "de"


@each(
    ("boxes 1,2,3, and 5", ["1", "2", "3", "5"]),
    ("Kästen 1,2,3", ["1", "2", "3"]),
    ("3,5 litres", ["3,5"]),
    ("1,000,000 or 1,00,000", ["1,000,000", "1,00,000"]),
)
def test_a_list_of_numbers_without_spaces_is_several_numbers(text, numbers):
    found = [token for token in tokenize(text) if token.is_number]
    assert [token.text for token in found] == numbers
    assert all(text[token.start : token.end] == token.text for token in found)


WORDS = st.sampled_from(
    "fox dog the of a runs ran Hill U.S. 12 1,200 don't lazy Fox's red. blue, WHO".split()
)
TEXTS = st.lists(WORDS, min_size=1, max_size=40).map(" ".join)
ASCII = st.text(st.characters(max_codepoint=127), max_size=120) | TEXTS


@given(ASCII)
def test_ascii_is_split_like_any_text(text):
    *found, _ = tokenize(f"{text}\n\né")
    assert found == list(tokenize(text))


@given(ASCII)
def test_folding_ascii_equals_folding_any_text(text):
    words = re.findall(r"[^\W_]+", text.lower())
    assert index.fold_words(text) == f" {' '.join(words)} "


@each(*table(__file__, "test_a_pronoun_carries_the_subject_of_the_previous_sentence"))
def test_a_pronoun_carries_the_subject_of_the_previous_sentence(text, stems):
    assert [" ".join(carried) for _, carried in sorted(index_of(text).carried.items())] == stems


@each(
    ("The H2 weighs 112 kg. It has no fans.", "The H2 has fans.", "The H2 has no fans."),
    ("The H2 weighs 112 kg. It has no fans.", "The H2 weighs 112 kg. It has fans.", "The H2 has no fans."),
    (
        "The Basic plan costs $5. This plan does not include phone support. "
        "The Pro plan costs $9. It includes phone support.",
        "The Basic plan includes phone support.",
        "The Pro plan costs $9. It includes phone support.",
    ),
)
def test_a_denial_applies_to_the_carried_subject(chunk, wrong, right):
    def status(answer):
        chunks = [{"id": "c", "text": chunk}]
        row = {"id": "t", "question": "What is it like?", "chunks": chunks, "answer": answer}
        return pg.validate(row).claims[-1].status

    assert status(wrong) == "contradicted"
    assert status(right) != "contradicted"


def test_evidence_is_the_sentence_with_the_pronoun():
    chunk = Chunk(id="c", text="The Nordic oven weighs 30 kg. It bakes bread in silence. The table is red.")
    (score,) = LexicalScorer().support([ClaimText("The Nordic oven bakes bread in silence.")], [chunk])
    assert score.evidence[0].text == "It bakes bread in silence."
    assert score.evidence[0].score == pytest.approx(1.0)
