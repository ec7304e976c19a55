"""Questions that do not say what they are about: follow-ups, other languages, two words."""

import json
from pathlib import Path
from typing import Any

import pytest
from every import each
from hypothesis import given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.model.transcript import Turn
from pytest_grounding.questions import asked_after, leans, looks_english, names_topic, topic_turn

KETTLE = "The warranty of the Zenith kettle lasts 24 months from the date of purchase."
LEAVE = "Employees may carry over up to five vacation days. A manager approves requests before December 15."
ASKED_BEFORE = [
    {"role": "user", "content": "Does the Zenith kettle have a warranty?"},
    {"role": "assistant", "content": "Yes, it does."},
    {"role": "user", "content": "Good."},
]


def verdict(question: str, answer: str, *texts: str, history: Any = ()) -> pg.Verdict:
    chunks = [{"id": str(number), "text": text} for number, text in enumerate(texts or (KETTLE, LEAVE), 1)]
    recorded = {"id": "t", "question": question, "answer": answer, "chunks": chunks, "history": list(history)}
    return pg.validate(recorded)


@each(
    *"""How long?|And then?|Why?|Really?|Tell me more|Which one?|Are you sure?|?|Wie lange?|Et pourquoi ?|
    多久？|どのくらい？|¿Y cuánto?""".split("|")
)
def test_a_question_that_names_nothing_is_judged_by_the_chunk_that_backs_the_answer(question: str) -> None:
    found = verdict(question, "The warranty lasts 24 months from the date of purchase [1].")
    assert found.self_rag.relevance.value == "relevant"
    assert "chunk 1 backs the answer" in found.self_rag.relevance.reason
    assert "has no topic" in found.self_rag.relevance.reason
    assert [item.score for item in found.retrieval.relevance] == [None, None]
    assert found.retrieval.rating == "partial"
    assert (found.status, found.confidences["self_rag"]) == ("pass", 1.0)


def test_what_no_chunk_backs_is_not_made_relevant() -> None:
    found = verdict("How long?", "The engine has 12 cylinders and a turbocharger [1].")
    assert found.self_rag.relevance.value == "unknown"
    assert found.status == "reject"


def test_the_turn_before_says_what_is_relevant_and_present() -> None:
    found = verdict("How long?", "The warranty lasts 24 months [1].", history=ASKED_BEFORE)
    assert [item.relevant for item in found.retrieval.relevance] == [True, False]
    assert found.retrieval.answer_present == "full"
    assert found.retrieval.evidence[0].text == KETTLE
    assert found.retrieval.reason.endswith("; read with the turn before it")
    assert '"Does the Zenith kettle have a warranty?"' in found.self_rag.relevance.reason
    assert found.status == "pass"


def test_an_answer_about_something_else_than_the_turn_before_has_irrelevant_chunks() -> None:
    answer = "Employees may carry over up to five vacation days [1]."
    found = verdict("How many?", answer, LEAVE, history=ASKED_BEFORE)
    assert found.self_rag.relevance.value == "irrelevant"
    assert found.confidences["self_rag"] < 0.5


@each(((KETTLE, LEAVE), 0.3), ((LEAVE,), 0.9))
def test_a_refusal_of_a_follow_up_is_judged_by_what_the_turn_before_asked(
    texts: tuple[str, ...], confidence: float
) -> None:
    found = verdict("How long?", "I don't have that information.", *texts, history=ASKED_BEFORE)
    assert found.declined
    assert found.confidence == confidence
    assert any(finding.rule == "over_refusal" for finding in found.causes) == (confidence == 0.3)


def test_a_question_that_names_its_topic_is_read_alone() -> None:
    found = verdict("How many vacation days?", "Up to five vacation days [2].", history=ASKED_BEFORE)
    assert [item.relevant for item in found.retrieval.relevance] == [False, True]
    assert "turn before" not in found.retrieval.reason + found.self_rag.relevance.reason


def test_an_answer_to_a_pronoun_is_on_topic_by_the_words_of_the_turn_before() -> None:
    answer = (
        "The Zenith kettle has a warranty of 24 months that starts at the date of purchase of the kettle [1]."
    )
    alone = verdict("Any thoughts on this?", answer)
    after = verdict("Any thoughts on this?", answer, history=ASKED_BEFORE)
    # A pronoun that nothing resolves names no topic that an answer could miss.
    assert alone.self_rag.usefulness.value == "useful"
    assert after.self_rag.usefulness.value == "useful"
    assert after.self_rag.relevance.value == "relevant"


def test_a_question_in_another_language_than_the_chunks_is_not_called_irrelevant() -> None:
    answer = "The warranty lasts 24 months from the date of purchase [1]."
    found = verdict("Wie lange gilt die Garantie?", answer)
    assert found.status == "pass"
    assert "in different languages" in found.self_rag.relevance.reason
    assert "in different languages" in found.retrieval.relevance[0].reason
    # No scorer failed, and none took over: nothing for the gate.
    assert not [finding for finding in found.causes if finding.rule == "scorer_failed"]


def test_a_name_lifts_a_chunk_in_another_language() -> None:
    found = verdict("Was kostet der Zenith XR5?", "It costs 20 euros.", "The Zenith XR5 costs 20 euros.")
    assert found.retrieval.relevance[0].relevant


def test_keywords_that_no_chunk_holds_stay_irrelevant() -> None:
    found = verdict("boiler pressure", "The warranty lasts 24 months from the date of purchase [1].")
    assert found.self_rag.relevance.value == "irrelevant"
    assert found.confidences["self_rag"] == 0.49


@each(
    ("How long is the warranty?", True),
    ("warranty", True),
    ("How many teams?", True),
    ("And in Germany?", True),
    ("Is it expensive?", True),
    ("What is the IT?", True),
    ("really? i love to snack on popcorn", True),
    ("Garantie?", True),
    ("How old are you?", False),
    ("Can you explain that?", False),
    ("x" * 500, True),
    ("why " * 60, True),
)
def test_names_topic(question: str, named: bool) -> None:
    assert names_topic(question) is named


def test_the_last_turn_of_the_user_that_names_something_is_taken() -> None:
    turns = [
        Turn(role="Human", content="Tell me of the kettle."),
        Turn(role="assistant", content="A Zenith."),
    ]
    assert topic_turn(turns) == "Tell me of the kettle."
    assert topic_turn(turns[1:]) == "A Zenith."
    assert topic_turn([Turn(role="user", content="And?")]) == ""
    assert topic_turn([]) == ""


def test_who_leans() -> None:
    assert leans("Is it expensive?")
    assert leans("How long?")
    assert not leans("How long is the warranty?")


def test_german_without_an_english_word_is_not_english() -> None:
    assert not looks_english("Wie lange gilt die Garantie?")
    assert looks_english("When will the battery die?")
    assert looks_english("Die Hard plot")


@given(st.text(max_size=80), st.lists(st.tuples(st.sampled_from(["user", "bot"]), st.text(max_size=40))))
def test_any_question_after_any_turns(question: str, turns: list[tuple[str, str]]) -> None:
    asked = asked_after(question, [Turn(role=role, content=text) for role, text in turns])
    assert asked.text.endswith(question)
    assert asked.names_topic == bool(asked.turn or names_topic(question))


DATA = Path(__file__).parents[3] / "shared" / "data" / "mtrag.jsonl"


@pytest.mark.skipif(not DATA.exists(), reason="the labelled answers are not here")
def test_supported_answers_of_real_conversations_are_never_held_back_as_irrelevant() -> None:
    rows = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    supported = [row for row in rows if row["response_supported"]]
    assert len(supported) > 50
    for number, row in enumerate(supported):
        turns = [text.partition(": ")[::2] for text in row["history"]]
        history = [{"role": role, "content": text} for role, text in turns]
        found = verdict(row["question"], row["answer"], *row["chunks"], history=history)
        assert found.self_rag.relevance.value != "irrelevant", (number, row["question"])
