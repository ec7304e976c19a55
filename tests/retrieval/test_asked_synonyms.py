"""The synonyms of answer presence that ship: in step with the words that they were made from."""

from pytest_grounding.questions.question_words import synonyms_of
from training.asked_synonyms import TARGET, document, groups


def test_the_stems_are_those_of_the_words() -> None:
    assert TARGET.read_text(encoding="utf-8") == document(), "run: python -m training.asked_synonyms"


def test_a_word_of_several_senses_has_the_synonyms_of_all() -> None:
    senses = [set(line.split()) for line in groups() if "order" in line.split()]
    assert len(senses) >= 1
    assert synonyms_of("order") == set().union(*senses) - {"order"}
    assert synonyms_of("cost") >= {"price", "fee", "charg"}


def test_phrases_stems_and_directions_are_left_out() -> None:
    stems = {stem for line in groups() for stem in line.split()}
    assert not any("-" in stem for stem in stems)
    assert "sell" not in synonyms_of("buy")
    assert synonyms_of("nosuchword") == frozenset()
