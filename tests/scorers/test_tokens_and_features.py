"""Tokens, sentences, carried subjects, and the features of an alignment."""

import re
from itertools import pairwise

import pytest
from every import each
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading import words as tokens
from pytest_grounding.reading.words import language_in_force, script_language, tokenize
from pytest_grounding.scorers import ClaimText
from pytest_grounding.scorers.builtin import features
from pytest_grounding.scorers.builtin import token_index as index
from pytest_grounding.scorers.builtin.align import Alignment
from pytest_grounding.scorers.builtin.all_chunks import Context, context_of
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer
from pytest_grounding.scorers.builtin.conflicts.contest import Contest
from pytest_grounding.scorers.builtin.conflicts.opposites import negation_conflicts
from pytest_grounding.scorers.builtin.conflicts.sentence_view import sources_of, view_of_claim
from pytest_grounding.scorers.builtin.token_index import carried_into, index_of, sentence_spans


def norms(text: str, language: str = "en") -> list[str]:
    return [token.norm for token in tokenize(text, language)]


def stems(text: str) -> list[str]:
    return [token.stem for token in tokenize(text)]


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
    assert norms(text) == expected


@each(
    ("founded", "founding"),
    ("went", "going"),
    ("children", "child"),
    ("taught", "teaches"),
    ("studies", "studied"),
)
def test_inflections_share_a_stem(one, other):
    assert stems(one) == stems(other)


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


@each(
    ("plain English", ""),
    ("東京は日本の首都です。", "ja"),
    ("北京是中国的首都", "zh"),
    ("서울은 한국의 수도", "ko"),
    ("Москва столица России", "ru"),
    ("القاهرة عاصمة مصر", "ar"),
    ("Le prix de l'été", ""),
)
def test_the_script_gives_the_language(text, language):
    assert script_language(text) == language


def test_the_language_of_a_text_overrides_the_setting():
    german = "Die Garantie gilt nur für Geräte, die nach dem ersten Januar gekauft wurden und nicht alt sind."
    assert language_in_force(german, "en") == "de"
    assert language_in_force("The warranty is valid for all devices that were bought in May.", "en") == "en"
    assert language_in_force("Столица России", "en") == "ru"
    assert language_in_force("Столица Украины", "uk") == "uk"
    assert language_in_force("short", "de-AT") == "de"


def test_an_index_is_built_once_for_a_text():
    text = "Paris is in France. Rome is in Italy."
    assert index_of(text) is index_of(text)
    evidence = index_of(text).evidence("c", 1, 0.5)
    assert (evidence.text, evidence.before, evidence.after) == (
        "Rome is in Italy.",
        "Paris is in France.",
        "",
    )
    assert text[evidence.start : evidence.end] == evidence.text


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


@each(
    ("“Ja” – naïve", ""),
    ("Это русский текст", "ru"),
    ("これは本です", "ja"),
    ("ภาษาไทย", "th"),
    ("한국어", "ko"),
)
def test_the_script_is_found_behind_punctuation(text, language):
    assert tokens.script_language(text) == language


def alignment_of(claim: str, chunks: list[str]) -> Alignment:
    return Alignment(claim, tokenize(claim), context_of(tuple(chunks)), frozenset(), "en")


CHUNKS = st.lists(st.lists(TEXTS, min_size=1, max_size=6).map(". ".join), min_size=1, max_size=3)


@given(TEXTS, CHUNKS)
def test_the_best_window_has_the_highest_weight(claim, chunks):
    alignment = alignment_of(claim, chunks)
    found = features.best_window(alignment)
    window, weight = found.sentences, found.weight
    centres = sorted(alignment.held, key=lambda sentence: (-alignment.held[sentence], sentence))[:5]
    chunk_of = alignment.context.chunk_of
    best: tuple[list[int], float] = ([], 0.0)
    for centre in centres:
        for start in range(centre - 2, centre + 1):
            around = [
                s
                for s in range(start, start + 3)
                if 0 <= s < len(chunk_of) and chunk_of[s] == chunk_of[centre]
            ]
            held = 0.0
            for stem, gain in alignment.gains.items():
                if not alignment.places[stem].isdisjoint(around):
                    held += gain
            if held > best[1] + 1e-9:
                best = around, held
    assert weight == best[1]
    assert not window or any(s in alignment.held for s in window)
    assert sum(g for stem, g in alignment.gains.items() if not alignment.places[stem].isdisjoint(window)) == (
        pytest.approx(weight)
    )


@given(TEXTS, CHUNKS)
def test_a_sentence_lists_the_stems_it_contains(claim, chunks):
    alignment = alignment_of(claim, chunks)
    stems = list(alignment.places)
    assert alignment.held == alignment.held_without(frozenset())
    for sentence, numbers in alignment.holds.items():
        assert [stems[n] for n in numbers] == [s for s in stems if sentence in alignment.places[s]]


def test_joining_chunks_does_not_change_their_indexes():
    first, second = index.index_of("The fox runs. A fox sleeps."), index.index_of("The fox ran.")
    assert Context([first]).positions is first.positions
    before = {stem: list(places) for stem, places in first.positions.items()}
    joined = Context([first, second])
    assert list(joined.positions["fox"][:2]) == before["fox"]
    assert len(joined.positions["fox"]) == 3
    assert {stem: list(places) for stem, places in first.positions.items()} == before


def carried(text: str) -> list[str]:
    return [" ".join(stems) for _, stems in sorted(index_of(text).carried.items())]


@each(
    ("The H2 weighs 112 kg. It has no fans.", ["h 2"]),
    ("The Basic plan costs $5. This plan includes support. However, it ends in May.", ["basic plan"] * 2),
    ("In 1999, Ann Smith founded Acme. She left in 2004. Her house was sold.", ["ann smith"] * 2),
    ("Model H2\nIt weighs 30 kg.", ["model h 2"]),
    ("The edge of the table is sharp. It cuts.", ["edg tabl"]),
    ("Rats and mice eat seeds. They hide well.", ["rat mous"]),
    ("The oven weighs 30 kg. The door is red.", []),
    ("Acme was founded in 1999. This means that it is old.", []),
    ("Place the pan on the stove. It takes a while.", []),
    ("You can cook the rice. It is done soon.", []),
    ("It has no fans. It is quiet.", []),
    ("", []),
)
def test_a_pronoun_carries_the_subject_of_the_previous_sentence(text, stems):
    assert carried(text) == stems


def test_subjects_are_carried_in_english_only():
    assert index_of("The H2 is new. It hums.", "de").carried == {}


@each(
    ("It has no fans.", "The H2 weighs 112 kg.", ("h", "2")),
    ("The plan is cheap.", "The H2 weighs 112 kg.", ()),
    ("It has no fans.", "", ()),
)
def test_a_claim_takes_its_subject_from_its_context(claim, context, stems):
    assert carried_into(tokenize(claim), context) == stems


PLANS = (
    "The Basic plan costs $5. This plan does not include phone support. "
    "The Pro plan costs $9. It includes phone support."
)
H2 = "The H2 weighs 112 kg. It has no fans."
ROUTERS = "The routers ship with a cable. They do not include a charger."


def denials(chunk: str, claim: str, context: str = "") -> list[tuple[float, float]]:
    """How well each denial of a chunk is bound to a claim, and how much of it the sentence holds."""
    tokens = tokenize(claim)
    contest = Contest(view_of_claim(claim, tokens), sources_of(chunk), carried=carried_into(tokens, context))
    return [(found.strength, found.cover) for found in negation_conflicts(contest)]


@each(
    (H2, "The H2 has fans.", ""),
    (H2, "It has fans.", "The H2 weighs 112 kg."),
    (ROUTERS, "The routers include a charger.", ""),
    (PLANS, "The Basic plan includes phone support.", ""),
    (PLANS, "It includes phone support.", "The Basic plan costs $5."),
)
def test_a_denial_applies_to_the_carried_subject(chunk, claim, context):
    ((strength, cover),) = denials(chunk, claim, context)
    assert strength > 0.9
    assert cover == pytest.approx(1.0)


@each(
    (H2, "The H2 has no fans.", ""),
    (PLANS, "The Pro plan includes phone support.", ""),
    (PLANS, "It includes phone support.", "The Pro plan costs $9."),
)
def test_a_statement_about_the_carried_subject_is_not_denied(chunk, claim, context):
    assert denials(chunk, claim, context) == []


def test_evidence_is_the_sentence_with_the_pronoun():
    chunk = Chunk(id="c", text="The Nordic oven weighs 30 kg. It bakes bread in silence. The table is red.")
    (score,) = LexicalScorer().support([ClaimText("The Nordic oven bakes bread in silence.")], [chunk])
    assert score.evidence[0].text == "It bakes bread in silence."
    assert score.evidence[0].score == pytest.approx(1.0)
