"""``answer_present`` is a string like any other, and true only where something of the answer is stated."""

import copy
import json
import pickle
import warnings

import pytest
from every import each
from fixed import judge

from pytest_grounding._io.jsonio import canonical_json
from pytest_grounding.model.verdict import PresenceWord, RetrievalVerdict

WORDS = {"full": True, "partial": True, "none": False, "abstain": False}


def verdict_of(word: str) -> RetrievalVerdict:
    return RetrievalVerdict.model_validate(
        {"rating": "partial", "reason": "r", "question_type": "what", "answer_present": word}
    )


@each(
    ("When was Acme founded?", "Acme was founded in 1990.", True),
    ("When was Acme founded?", "Acme was founded by Jane Roe.", False),
    ("When was Litecoin created?", "Bitcoin was created in 2009. Litecoin uses Scrypt.", True),
    ("Wer hat Acme gegründet?", "Acme wurde von Jane Roe gegründet.", False),
)
def test_a_verdict_is_true_where_something_is_stated(question: str, text: str, stated: bool) -> None:
    assert bool(judge(question, text).answer_present) is stated


@each(*sorted(WORDS))
def test_it_is_the_plain_string_everywhere_else(word: str) -> None:
    present = verdict_of(word).answer_present
    assert bool(present) is WORDS[word]
    assert (present, repr(present), str(present), f"{present}") == (word, repr(word), word, word)
    assert hash(present) == hash(word)
    assert {word: 1}[present] == 1
    assert present in ("none", word)
    assert type(str(present)) is str


@each(*sorted(WORDS))
def test_json_is_the_same_to_the_byte_and_nothing_warns(word: str) -> None:
    verdict = verdict_of(word)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f'"answer_present":"{word}"' in verdict.model_dump_json()
        assert canonical_json(verdict.model_dump(mode="json")["answer_present"]).strip() == f'"{word}"'
        assert json.dumps(verdict.model_dump()["answer_present"]) == f'"{word}"'
        again = RetrievalVerdict.model_validate_json(verdict.model_dump_json())
    assert again == verdict
    assert bool(again.answer_present) is WORDS[word]


def test_it_survives_pickle_and_copies() -> None:
    for word, truth in WORDS.items():
        verdict = verdict_of(word)
        for other in (pickle.loads(pickle.dumps(verdict)), copy.deepcopy(verdict), verdict.model_copy()):
            assert other == verdict
            assert bool(other.answer_present) is truth
            assert isinstance(other.answer_present, PresenceWord)


def test_another_word_is_an_error() -> None:
    with pytest.raises(ValueError, match="'full', 'partial', 'none' or 'abstain'"):
        verdict_of("maybe")


def test_the_schema_lists_the_four_words() -> None:
    assert RetrievalVerdict.model_json_schema()["properties"]["answer_present"]["enum"] == list(WORDS)
