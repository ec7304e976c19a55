"""Where it broke, in one sentence: each way a RAG system breaks, on a transcript that broke that way."""

from every import each

import pytest_grounding as pg

REFUND = {"id": "refunds", "text": "Customers can return any item within 30 days of delivery.", "score": 0.9}
SHIPPING = {"id": "shipping", "text": "Standard shipping takes 3 to 5 business days.", "score": 0.8}
QUESTION = "Within how many days can customers return an item?"
REFUSAL = "I'm sorry, but the provided documents do not contain that information."
GOOD = "Customers can return any item within 30 days of delivery"
INVENTED = "Platinum travellers enjoy complimentary airport lounges worldwide."


@each(
    (f"{GOOD} [1].", [REFUND, SHIPPING], {}, "Nothing failed"),
    ("", [REFUND, SHIPPING], {}, "Generation: the answer is empty"),
    (REFUSAL, [REFUND, SHIPPING], {}, "declined although the answer was there"),
    (f"{GOOD} [9].", [REFUND, SHIPPING], {}, "Citation: 1 citation of 1 cannot be right"),
    (f"{GOOD} [2].", [REFUND, SHIPPING], {}, "[2] cites the wrong chunk; chunk refunds backs the claim"),
    (f"{GOOD}.", [REFUND, SHIPPING], {"require_citations": "error"}, "does not cite its sources"),
    (f"{INVENTED}", [REFUND, SHIPPING], {}, "the answer ignored what was retrieved"),
    (f"{INVENTED}", [], {}, "answered although it was not there"),
    (GOOD.replace("30", "45"), [REFUND, SHIPPING], {}, "contradicts what was retrieved"),
)
def test_diagnosis(answer: str, chunks: list, settings: dict, words: str) -> None:
    verdict = pg.validate({"id": "t", "question": QUESTION, "chunks": chunks, "answer": answer}, settings)
    assert words in verdict.diagnosis


def test_a_right_refusal_points_at_the_retrieval() -> None:
    question = "Who founded the observatory of Greenwich?"
    verdict = pg.validate({"id": "t", "question": question, "chunks": [REFUND], "answer": REFUSAL})
    assert "Retrieval missed the answer, and the answer rightly says so" in verdict.diagnosis
