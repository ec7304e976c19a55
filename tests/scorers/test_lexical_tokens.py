from __future__ import annotations

from itertools import pairwise

from every import examples
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.reading.words import language_in_force, script_language, tokenize
from pytest_grounding.scorers.builtin.token_index import index_of, sentence_spans


def norms(text: str, language: str = "en") -> list[str]:
    return [token.norm for token in tokenize(text, language)]


def stems(text: str) -> list[str]:
    return [token.stem for token in tokenize(text)]


@given(st.text(max_size=200))
def test_tokens_are_slices_in_order(text: str) -> None:
    last = 0
    for token in tokenize(text):
        assert text[token.start : token.end] == token.text
        assert token.text
        assert token.start >= last
        last = token.start


@given(st.text(max_size=200))
def test_sentences_are_slices_without_blanks_around_them_and_hold_every_letter(text: str) -> None:
    spans = sentence_spans(text)
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    inside = sum(character.isalnum() for start, end in spans for character in text[start:end])
    assert inside == sum(character.isalnum() for character in text)


@examples(
    ("text", "expected"),
    [
        ("1,200,000 of 0.50 and 007", ["1200000", "of", "0.5", "and", "7"]),
        ("Café naïve ﬁle", ["cafe", "naive", "file"]),
        ("the company's and the companies’", ["the", "company", "and", "the", "companies"]),
        ("twelve or 12", ["12", "or", "12"]),
        ("हिन्दी में लिखा", ["हिन्दी", "में", "लिखा"]),
        ("東京都", ["東京", "京都"]),
        ("snake_case", ["snake", "case"]),
    ],
)
def test_words_are_folded(text: str, expected: list[str]) -> None:
    assert norms(text) == expected


@examples(
    ("one", "other"),
    [
        ("founded", "founding"),
        ("went", "going"),
        ("children", "child"),
        ("taught", "teaches"),
        ("studies", "studied"),
    ],
)
def test_inflections_share_a_stem(one: str, other: str) -> None:
    assert stems(one) == stems(other)


def test_kinds_of_words() -> None:
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


@examples(
    ("text", "language"),
    [
        ("plain English", ""),
        ("東京は日本の首都です。", "ja"),
        ("北京是中国的首都", "zh"),
        ("서울은 한국의 수도", "ko"),
        ("Москва столица России", "ru"),
        ("القاهرة عاصمة مصر", "ar"),
        ("Le prix de l'été", ""),
    ],
)
def test_script_tells_language(text: str, language: str) -> None:
    assert script_language(text) == language


def test_language_in_force() -> None:
    german = "Die Garantie gilt nur für Geräte, die nach dem ersten Januar gekauft wurden und nicht alt sind."
    assert language_in_force(german, "en") == "de"
    assert language_in_force("The warranty is valid for all devices that were bought in May.", "en") == "en"
    assert language_in_force("Столица России", "en") == "ru"
    assert language_in_force("Столица Украины", "uk") == "uk"
    assert language_in_force("short", "de-AT") == "de"


def test_an_index_is_built_once_for_a_text() -> None:
    text = "Paris is in France. Rome is in Italy."
    assert index_of(text) is index_of(text)
    evidence = index_of(text).evidence("c", 1, 0.5)
    assert (evidence.text, evidence.before, evidence.after) == (
        "Rome is in Italy.",
        "Paris is in France.",
        "",
    )
    assert text[evidence.start : evidence.end] == evidence.text


@examples(
    ("text", "numbers"),
    [
        ("boxes 1,2,3, and 5", ["1", "2", "3", "5"]),
        ("Kästen 1,2,3", ["1", "2", "3"]),
        ("3,5 litres", ["3,5"]),
        ("1,000,000 or 1,00,000", ["1,000,000", "1,00,000"]),
    ],
)
def test_a_list_of_numbers_without_blanks_is_several_numbers(text: str, numbers: list[str]) -> None:
    found = [token for token in tokenize(text) if token.is_number]
    assert [token.text for token in found] == numbers
    assert all(text[token.start : token.end] == token.text for token in found)
