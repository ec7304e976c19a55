"""Whether the answer is in the sources, and which sentences show it."""

import copy
import json
import pickle
import warnings

import pytest
from every import each, table
from fixed import judge

import pytest_grounding as pg
from pytest_grounding import validate
from pytest_grounding._io.jsonio import canonical_json
from pytest_grounding.model.verdict import PresenceWord, RetrievalVerdict


@pytest.mark.row(9)
@each(*table(__file__, "FULL"))
def test_an_answer_of_the_right_type_is_full(question, text):
    verdict = judge(question, text)
    assert verdict.answer_present == "full"
    assert [piece.text for piece in verdict.evidence] == [text]


@each(*table(__file__, "presence"))
def test_an_answer_needs_the_topic_the_type_and_sixty_percent_of_the_words(question, text, presence):
    """Inflections and synonyms count; of another thing, at most a part is there."""
    verdict = judge(question, text)
    assert verdict.answer_present == presence if presence else verdict.answer_present != "full"
    assert presence != "none" or verdict.evidence == ()


def test_two_neighbours_count_together():
    first, second = (
        "The Riverside Orchestra rehearses in the old church.",
        "Its concerts are led by Daniel Okafor.",
    )
    verdict = judge("Who leads the concerts of the Riverside Orchestra?", f"{first} {second}")
    assert verdict.answer_present == "full"
    assert [piece.text for piece in verdict.evidence] == [first, second]


def test_sentences_further_apart_are_partial():
    text = (
        "Acme was founded in a garage. It made toys. The toys were cheap. Sales rose quickly. "
        "In 1990 the garage burned down."
    )
    verdict = judge("When was Acme founded?", text)
    assert verdict.answer_present == "partial"
    assert "1990" in verdict.evidence[0].text


def test_part_of_a_question_is_partial():
    verdict = judge("Who founded Acme and how many patents does it hold?", "Acme was founded by Jane Roe.")
    assert verdict.answer_present == "partial"
    assert verdict.presence_reason.startswith("1 of 2 parts of the question answered")
    assert [piece.text for piece in verdict.evidence] == ["Acme was founded by Jane Roe."]


@each(*table(__file__, "test_abstains_when_unsure"))
def test_abstains_when_unsure(question, language, text):
    verdict = judge(question, text, language=language)
    assert verdict.answer_present == "abstain"
    assert verdict.presence_reason
    assert verdict.evidence == ()


@pytest.mark.row(10)
def test_evidence_is_verbatim_with_place_and_context():
    text = "Acme makes robots.  It is old. Acme was founded by Jane Roe. She was young. The end."
    piece = judge("Who founded Acme?", "Nothing here.", text, scores=[0.1, 0.9]).evidence[0]
    assert (piece.chunk_id, piece.sentence_index) == ("c2", 2)
    assert text[piece.start : piece.end] == piece.text == "Acme was founded by Jane Roe."
    assert (piece.before, piece.after) == ("It is old.", "She was young.")
    assert piece.score == 1.0


def test_the_best_evidence_comes_first():
    near = "Acme Robotics opened a plant in Porto in 2004."
    verdict = judge("When did Acme Robotics open the plant?", "The plant opened.", near, f"{near} It is big.")
    assert [piece.chunk_id for piece in verdict.evidence[:2]] == ["c2", "c3"]


@each(
    ("Charging the battery", "Charging takes 6 hours.", "full"),
    ("Charging the battery", "The warranty ends after 2 years.", "none"),
    ("Charging the battery", "Use a charger of at least 10 watts.", "none"),
    ("The app", "Charging takes 6 hours.", "none"),
    ("", "Charging takes 6 hours.", "none"),
)
def test_a_title_gives_the_topic_of_a_sentence(section, text, presence):
    chunk = {"id": "c1", "text": text, "metadata": {"section_title": section}}
    asked = {"id": "t", "question": "How long does charging the battery take?", "chunks": [chunk]}
    verdict = validate({**asked, "answer": "Yes."}).retrieval
    assert verdict.answer_present == presence


@pytest.mark.row(9)
@each(
    ("What's the price?", "The Pro plan is $20 a month.", "full", True),
    ("What does it cost?", "The Pro plan is $20 a month.", "full", True),
    ("What is the price of the Pro plan?", "The Pro plan is $20 a month.", "full", True),
    ("What is the price of the Pro plan?", "The Team plan is $20 a month.", "partial", False),
    ("What's the price?", "The garden is open from 10 to 12.", "none", False),
    ("What's the weight?", "The tent costs 99 euros.", "none", False),
)
def test_an_amount_needs_no_noun_that_its_unit_tells(question, text, presence, relevant):
    verdict = pg.validate_retrieval(question, [text])
    assert verdict.answer_present == presence
    assert [item.relevant for item in verdict.relevance] == [relevant]
    assert (verdict.rating == "poor") is not relevant


WORDS = {"full": True, "partial": False, "none": False, "abstain": False}


def verdict_of(word):
    return RetrievalVerdict.model_validate(
        {"rating": "partial", "reason": "r", "question_type": "what", "answer_present": word}
    )


@each(
    ("When was Acme founded?", "Acme was founded in 1990.", True),
    ("When was Acme founded?", "Acme was founded by Jane Roe.", False),
    ("When was Litecoin created?", "Bitcoin was created in 2009. Litecoin uses Scrypt.", False),
    ("Wer hat Acme gegründet?", "Acme wurde von Jane Roe gegründet.", False),
)
def test_presence_is_true_when_the_answer_is_stated(question, text, stated):
    assert bool(judge(question, text).answer_present) is stated


@each(*sorted(WORDS))
def test_presence_behaves_like_a_string(word):
    present = verdict_of(word).answer_present
    assert bool(present) is WORDS[word]
    assert (present, repr(present), str(present), f"{present}") == (word, repr(word), word, word)
    assert hash(present) == hash(word)
    assert {word: 1}[present] == 1
    assert present in ("none", word)
    assert type(str(present)) is str


def test_presence_survives_json_pickling_and_copying():
    for word, truth in WORDS.items():
        verdict = verdict_of(word)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert f'"answer_present":"{word}"' in verdict.model_dump_json()
            assert canonical_json(verdict.model_dump(mode="json")["answer_present"]).strip() == f'"{word}"'
            assert json.dumps(verdict.model_dump()["answer_present"]) == f'"{word}"'
            again = RetrievalVerdict.model_validate_json(verdict.model_dump_json())
        pickled = pickle.loads(pickle.dumps(verdict))
        for other in (again, pickled, copy.deepcopy(verdict), verdict.model_copy()):
            assert other == verdict
            assert bool(other.answer_present) is truth
            assert isinstance(other.answer_present, PresenceWord)


def test_rejects_another_presence():
    with pytest.raises(ValueError, match="'full', 'partial', 'none' or 'abstain'"):
        verdict_of("maybe")


def test_the_schema_lists_the_presences():
    assert RetrievalVerdict.model_json_schema()["properties"]["answer_present"]["enum"] == list(WORDS)
