"""Sentences that take up what was said before, and sentences that only announce the answer."""

from every import each

from pytest_grounding.claims.splitting import extract_claims

FACT = "The fee includes tax."


@each(
    "Yes, it does.",
    "I agree with you.",
    "That's true!",
    "It really is.",
    "No, they can't.",
    "i know right",
    "that is interesting.",
    "Makes sense.",
    "In general not.",
    "No, please don't.",
    "It depends.",
    "As a rule not.",
    "That's normal behaviour.",
    "That's quite normal.",
)
def test_an_acknowledgement_is_left_out_beside_a_claim_and_checked_alone(sentence: str) -> None:
    end = "" if sentence[-1] in ".!" else "."
    beside = extract_claims(f"{sentence}{end} {FACT}")
    assert [(claim.checked, claim.skip_reason) for claim in beside] == [(False, "filler"), (True, "")]
    alone = extract_claims(sentence)
    assert [claim.checked for claim in alone] == [True]


@each(
    "It is free.",
    "That is true of the basic plan.",
    "Yes, it does on Sundays.",
    "I agree that the fee is too high for 2 days.",
    "They can cancel.",
    "Never on Sundays.",
    "In general not for guests.",
    "No, not all.",
    "That's normal for old batteries.",
    "It is interesting that the fee rose.",
)
def test_what_says_more_is_checked(sentence: str) -> None:
    assert [claim.checked for claim in extract_claims(f"{sentence} {FACT}")] == [True, True]


@each(
    "Therefore, the answer to the question is:",
    'The answer to the question "What is leasing?" is:',
    "Therefore, I am able to answer the question based on the given passages.",
    "This is mentioned in passage 2.",
    "The information is found in passages 1 and 3.",
    "Passage 3 provides the necessary information to answer the question.",
    "The second passage repeats the same information.",
)
def test_a_sentence_about_the_answer_claims_nothing(sentence: str) -> None:
    first, second = extract_claims(f"{sentence}\n\n{FACT}")
    assert (first.checked, second.checked) == (False, True)


@each(
    "Therefore, the answer to the question is proportional allocation.",
    "The answer to the question is: 6 to 8 hours on low heat.",
    "Passage 3 provides the wages of all cities.",
    "This is mentioned in the law of 1998.",
)
def test_a_sentence_that_answers_is_checked(sentence: str) -> None:
    assert all(claim.checked for claim in extract_claims(f"{sentence}\n\n{FACT}"))
