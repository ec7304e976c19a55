"""An answer to another question, and answers that need not repeat a word of theirs."""

import pytest

import pytest_grounding as pg

SEALS = "Grey seals moult in spring. They haul out on the northern sandbank."
KILN = "The kiln is fired on Thursdays. Glazed pots cool for two days."
#: Answers to another question.
OFF = (
    ("When is the kiln fired?", SEALS, "They haul out on the northern sandbank."),
    ("How much does a ticket to the lighthouse cost?", KILN, "Glazed pots cool for two days."),
    ("who repairs the harbour clock", SEALS, "Grey seals moult in spring."),
    ("Which cheese is made in the valley?", KILN, "The kiln is fired on Thursdays."),
    ("Should plastic cups be banned at the market?", SEALS, "Grey seals moult in spring."),
    ("What is the largest sail of the ship called?", KILN, "Glazed pots cool for two days."),
)
#: Remarks, follow-ups, and questions that are answered in other words.
ON = (
    ("Which one is considered the calmest one?", SEALS, "They haul out on the northern sandbank."),
    ("wow, two whole days", KILN, "The kiln is fired on Thursdays."),
    ("they look so peaceful, don't they?", SEALS, "Grey seals moult in spring."),
    ("it takes long to finish a vase, right?", KILN, "Glazed pots cool for two days."),
    ("Is this the best one?", SEALS, "Grey seals moult in spring."),
    ("upset neighbour", KILN, "Glazed pots cool for two days."),
    (
        "we have one, it runs well, doesn't it? i hear people sell theirs",
        KILN,
        "Glazed pots cool for two days.",
    ),
    ("Where do seals rest?", SEALS, "They haul out on the northern sandbank."),
    ("When can I bring my vase to the kiln?", KILN, "The kiln is fired on Thursdays."),
)


def verdict_of(question, source, answer):
    row = {"id": "page", "question": question, "answer": answer}
    return pg.validate({**row, "chunks": [{"id": "page", "text": source}]})


def is_off(verdict):
    return any(finding.rule == "off_question" for finding in verdict.findings)


@pytest.mark.parametrize(("question", "source", "answer"), OFF)
def test_an_answer_to_another_question_does_not_pass(question, source, answer):
    assert verdict_of(question, source, answer).status != "pass"


@pytest.mark.parametrize(("question", "source", "answer"), ON)
def test_remarks_and_follow_ups_are_not_off_their_question(question, source, answer):
    assert not is_off(verdict_of(question, source, answer))
