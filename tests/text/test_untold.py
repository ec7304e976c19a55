"""Sentences that deny telling what the question asks, and answers that look like them."""

import pytest

import pytest_grounding as pg

DECLINES = (
    ("Which cipher does Nimbo use?", "The cipher is not named."),
    ("Does the hostel take dogs?", "Whether dogs are welcome is left unsaid."),
    ("How do I remove the skins?", "The recipe doesn't explain how to remove the skins."),
    ("Who is the director of the museum?", "The sources name no director."),
    ("Who owns the mill?", "I can tell you about the stones, but not about the owner."),
    ("Who owns the mill?", "The records at hand do not reveal the owner."),
    ("Who owns the mill?", "I really couldn't say."),
    ("Who owns the mill?", "Det vet jag inte."),
    ("Who owns the mill?", "Nie mam takich informacji."),
    ("Who owns the mill?", "Questo non è specificato nelle fonti."),
)
ANSWERS = (
    ("Is breakfast included?", "Breakfast is not included.", "Breakfast is not included in the rate."),
    ("Do you ship abroad?", "We do not ship abroad.", "We do not ship abroad."),
    ("What happens to my data?", "The data is not restored.", "After deletion the data is not restored."),
    ("Which documents do I need?", "No documents are needed.", "No documents are needed for a visit."),
    ("Was a suspect named?", "No suspect was named.", "Police named no suspect."),
    ("Did the minister say when?", "He did not say when.", "The minister did not say when he would resign."),
    (
        "Does the contract mention tyres?",
        "The contract does not mention tyres.",
        "It does not mention tyres.",
    ),
    ("Who owns the wreck?", "The owner of the wreck is unknown.", "The owner of the wreck is unknown."),
)


def verdict_on(question: str, answer: str, text: str) -> pg.Verdict:
    chunks = [{"id": "c1", "text": text, "score": 0.9}]
    return pg.validate({"id": "t", "question": question, "chunks": chunks, "answer": answer})


@pytest.mark.parametrize(("question", "answer"), DECLINES, ids=[answer for _, answer in DECLINES])
def test_it_declines(question: str, answer: str) -> None:
    verdict = verdict_on(question, answer, "The Fenwick mill grinds rye and spelt.")
    assert verdict.declined
    assert verdict.abstention == "rightly_declined"


@pytest.mark.parametrize(("question", "answer", "text"), ANSWERS, ids=[answer for _, answer, _ in ANSWERS])
def test_it_answers(question: str, answer: str, text: str) -> None:
    verdict = verdict_on(question, answer, text)
    assert not verdict.declined
    assert [claim.skip_reason for claim in verdict.claims] == [""]
