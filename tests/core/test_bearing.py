"""Answers in other words than their question's: about it, or not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.checks.selfrag.bearing import FEATURES, features_of, line, names_of
from pytest_grounding.scorers.lexical.tokens import stems_of

LONDON = "The museum opens at ten. Guided tours start in the main hall every hour and cost four euros."


def judged(question: str, source: str, answer: str) -> pg.Verdict:
    chunks = [{"id": "c1", "text": source}]
    return pg.validate({"id": "a", "question": question, "chunks": chunks, "answer": answer})


def held(verdict: pg.Verdict) -> bool:
    rules = {finding.rule for finding in verdict.findings}
    return verdict.self_rag.relevance.value == "irrelevant" or "not_useful" in rules


@pytest.mark.parametrize(
    ("question", "source", "answer"),
    [
        (
            "Can I get my money back if I drop out of the sewing course?",
            "**Cancelling a course.** Cancel ten days before the first evening and we refund the whole fee.",
            "You can cancel up to ten days before the first evening; the whole fee is refunded then.",
        ),
        (
            "Who looks after which parts of the house?",
            "The owner repairs the roof and all other outer parts. The tenant keeps the drains free.",
            "The roof is repaired by the owner, while the drains are kept free by the tenant.",
        ),
    ],
)
def test_a_backed_answer_in_other_words_is_about_its_question(
    question: str, source: str, answer: str
) -> None:
    assert not held(judged(question, source, answer))


@pytest.mark.parametrize(
    "question",
    [
        "How do I reset my password?",
        "Which painter cut off his ear?",
        "Why do leaves turn red in autumn?",
        "What is the boiling point of ethanol at sea level?",
    ],
)
@pytest.mark.parametrize("answer", ["Guided tours start in the main hall every hour.", LONDON])
def test_an_answer_to_nothing_that_was_asked_is_found(question: str, answer: str) -> None:
    verdict = judged(question, LONDON, answer)
    assert held(verdict)
    assert verdict.confidences["self_rag"] < 0.5


@pytest.mark.parametrize(
    "question",
    [
        "What does the notice say?",
        "Summarise the article in two sentences.",
        "What is this text about?",
        "Give me the main points of the document.",
        "What should I know?",
    ],
)
def test_a_question_for_what_a_text_holds_takes_any_of_it(question: str) -> None:
    verdict = judged(question, LONDON, "Guided tours cost four euros and start every hour.")
    assert not held(verdict)
    assert verdict.status == "pass"


def test_a_name_beside_it_is_what_it_asks_for() -> None:
    source = "Ruth Ferrow (1871-1940) was a landscape painter. The entry was revised in 2020."
    question = "What does the entry say about Ruth Ferrow?"
    assert not held(judged(question, source, "Ruth Ferrow was a landscape painter."))
    assert held(judged("What did Ruth Ferrow teach the children?", source, "The entry was revised in 2020."))


words = st.sampled_from(["tour", "hall", "euro", "Berlin", "ten", "guided", "tours", "museums"])
texts = st.lists(words, max_size=8).map(" ".join)


@given(texts, texts, st.lists(texts, max_size=3))
def test_each_feature_is_a_share(question: str, answer: str, sources: list[str]) -> None:
    chunks = {str(number): text for number, text in enumerate(sources)}
    asked = stems_of(question)
    names = names_of(question)
    found = features_of(asked, names, [answer], [], chunks)
    assert len(found) == len(FEATURES)
    assert all(0.0 <= value <= 1.0 for value in found)
    # In whatever order the words are asked, for sums of floats depend on it.
    assert features_of(list(asked)[::-1], names, [answer], [], chunks) == found


def test_more_of_the_question_never_speaks_against_an_answer() -> None:
    shipped = line()
    assert FEATURES[-1] == "strange"
    assert shipped.weights[-1] < 0
    assert all(
        weight > 0 for name, weight in zip(FEATURES, shipped.weights, strict=True) if name != "strange"
    )
    nothing, all_of_it = (0.0, 0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0, 0.0)
    assert shipped.log_odds(nothing) < shipped.least < shipped.log_odds(all_of_it)


def test_the_line_is_drawn_where_it_costs_least() -> None:
    training = pytest.importorskip("training.bearing", reason="training stands beside the sources alone")

    def seen(number: int, value: float, *, is_own: bool, is_decided: bool = True) -> object:
        features = (value, value, value, 0.0, 1.0 - value)
        return training.Seen("made", f"group {number}", is_own, is_decided, features)

    own = [seen(number, 0.4 + number % 5 / 10, is_own=True) for number in range(200)]
    others = [seen(number, number % 5 / 20, is_own=False) for number in range(200, 600)]
    drawn = training.document([*own, *others])
    fitted = training.Line(drawn["intercept"], tuple(drawn["weights"].values()), drawn["least"])
    odds = [fitted.log_odds(row.features) for row in (*own, *others)]
    assert max(odds[200:]) < fitted.least < min(odds[:200])
    # What no line decides is not what one is drawn for.
    left_alone = [row._replace(is_decided=False) for row in (*own, *others)]
    assert training.document(left_alone)["least"] == 0.0
