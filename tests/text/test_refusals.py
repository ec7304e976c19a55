"""Refusals, advice, offers, notes and acknowledgements: what an answer says without a claim."""

import pytest
from every import each, table

import pytest_grounding as pg
from pytest_grounding import validate
from pytest_grounding.claims.sentence_type import is_referral, is_refusal
from pytest_grounding.claims.splitting import extract_claims, is_declined

REFUSALS = table(__file__, "REFUSALS")


@each(*REFUSALS)
def test_refusals(sentence):
    assert is_refusal(sentence)


@each(*table(__file__, "STATEMENTS"))
def test_statements_are_not_refusals(sentence):
    assert not is_refusal(sentence)


@each(*[text for text in REFUSALS if text != "Sorry."])
def test_an_answer_that_only_refuses_is_declined(answer):
    assert is_declined(extract_claims(answer), answer)


@each(
    "I'm sorry, I don't have that information. Is there anything else I can help with?",
    "The price is not mentioned in the provided documents. Please contact support for more details.",
    "I'm unable to help with that. You can check the official website. I hope this helps!",
    "Hello! I could not find an answer in the sources [1]. I'd be happy to help with something else.",
    "## Answer\n\nThe sources do not say.\n\nSources: [1]",
)
def test_politeness_and_advice_do_not_change_a_declined_answer(answer):
    claims = extract_claims(answer)
    assert is_declined(claims, answer)
    assert not any(claim.checked for claim in claims)


@each(
    "",
    "  \n",
    "The plan costs $20.",
    "The documents don't specify the price, but the Pro plan costs $20.",
    "The sources do not give a price. They say that it opened in 1990.",
    "I don't know the price. You can check it within 30 days.",
    "Hello!",
    "What do you mean?",
)
def test_an_answer_with_a_claim_or_without_a_refusal_is_not_declined(answer):
    assert not is_declined(extract_claims(answer), answer)


def test_advice_with_a_name_is_skipped_only_in_a_refusal():
    alone = extract_claims("I don't know. You may want to ask the painters in Ulm.")
    assert [claim.skip_reason for claim in alone] == ["refusal", "referral"]
    beside = extract_claims("I don't know. It is red. You may want to ask the painters in Ulm.")
    assert [claim.skip_reason for claim in beside] == ["refusal", "", ""]
    without = extract_claims("You may want to ask the support.")
    assert [claim.skip_reason for claim in without] == [""]


@each(
    ("You may want to check the official website.", True),
    ("Please contact support for more details.", True),
    ("It is best to consult a doctor.", True),
    ("For current prices, please visit the website.", True),
    ("Further information would be needed.", True),
    ("You may cancel the plan.", False),
    ("It is important to note that definitions lack uniformity.", False),
    ("Contact support within 30 days.", False),
    ("Check the oil.", False),
)
def test_referrals(sentence, refers):
    assert is_referral(sentence) is refers


DECLINES = table(__file__, "DECLINES")
ANSWERS = table(__file__, "ANSWERS")


def verdict_on(question, answer, text):
    chunks = [{"id": "c1", "text": text, "score": 0.9}]
    return pg.validate({"id": "t", "question": question, "chunks": chunks, "answer": answer})


@pytest.mark.parametrize(("question", "answer"), DECLINES, ids=[answer for _, answer in DECLINES])
def test_declined_answers(question, answer):
    verdict = verdict_on(question, answer, "The Fenwick mill grinds rye and spelt.")
    assert verdict.declined
    assert verdict.abstention == "rightly_declined"


@pytest.mark.parametrize(("question", "answer", "text"), ANSWERS, ids=[answer for _, answer, _ in ANSWERS])
def test_answers_that_look_declined(question, answer, text):
    verdict = verdict_on(question, answer, text)
    assert not verdict.declined
    assert [claim.skip_reason for claim in verdict.claims] == [""]


FACT = " The fee is due in May."


def reasons(answer):
    return [claim.skip_reason for claim in extract_claims(answer)]


@each(
    ("The sections I have describe wall mounting, but they don't say who installs it.", 2),
    ("I looked through the leave sections, but they say nothing about a funeral.", 2),
    ("I checked the travel section, but it doesn't state the rate.", 2),
    ("I can give you hardware prices, but nothing in these passages states what the work costs.", 2),
    ("I can only tell you about the fee; the rest isn't in my sources.", 2),
    ("The price table shows base fees and seats, so it's impossible for me to say what a year costs.", 1),
    ("The handbook is short. It doesn't say whether dogs are allowed.", 2),
)
def test_a_lead_in_to_a_refusal_is_part_of_it(answer, expected):
    claims = extract_claims(answer)
    assert len(claims) == expected
    assert claims[-1].skip_reason == "refusal"
    if "," in answer or ";" in answer:
        assert is_declined(claims, answer)


@each(
    "I can give you a full refund",
    "I can tell you that leave is paid in gold coins",
    "The passages describe how gold is mined",
    "The sections I have list 40 rooms",
    "The handbook describes Danfoss valves and adapters",
    "Parental leave is paid in gold coins",
)
def test_a_statement_before_a_refusal_is_checked(lead):
    claims = extract_claims(f"{lead}, but the sources do not say who pays for it.")
    assert [(claim.checked, claim.skip_reason) for claim in claims] == [(True, ""), (False, "refusal")]


@each(
    "The plan covers fire. It does not cover hail.",
    "The policy covers fire. It doesn't mention hail.",
    "The sources praise the plan. It does not cover hail.",
    "The guards saw the thief. They did not say nothing was stolen.",
)
def test_a_pronoun_for_something_else_is_not_a_refusal(answer):
    assert reasons(answer) == ["", ""]


@each(
    "Happy to help with the setup!",
    "I'm happy to explain.",
    "If neither of these fits, tell me more about what you're seeing.",
    "Please tell me which model you have.",
    "If it still blinks, send me a photo of the display.",
)
def test_offers_and_requests_are_not_claims(sentence):
    assert reasons(sentence + FACT) == ["greeting", ""]


@each(
    "If you return it, send me the box.",
    "We're happy to help with flats in Ulm: they cost forty euros.",
    "If the lamp blinks, tell me after 20 minutes which colour it has.",
    "I can answer the part about the file: you can inspect it at any time.",
    "Let me explain – parental leave is paid in gold coins.",
    "Let me know if it helps: parental leave is paid in gold coins.",
)
def test_a_statement_after_a_lead_in_is_checked(sentence):
    claims = extract_claims(sentence + FACT)
    assert [claim.checked for claim in claims] == [True] * len(claims)


def test_a_wrong_statement_after_a_lead_in_is_found():
    verdict = validate(
        {
            "id": "file-01",
            "question": "Can I inspect my file?",
            "chunks": [{"id": "c0", "text": "Employees may inspect their file at any time by appointment."}],
            "answer": (
                "I can answer the part about the file: parental leave is paid in gold coins. "
                "The rest isn't covered by the text I have."
            ),
        }
    )
    assert [claim.status for claim in verdict.claims] == ["unsupported", "unchecked"]
    assert verdict.status == "reject"


def test_a_right_answer_that_declines_one_part_passes():
    verdict = validate(
        {
            "id": "file-02",
            "question": "Can I inspect my file, and how long do warnings stay in it?",
            "chunks": [{"id": "c0", "text": "Employees may inspect their file at any time by appointment."}],
            "answer": (
                "I can answer the part about the file: you can inspect your file at any time by appointment. "
                "How long warnings stay in it isn't covered by the text I have."
            ),
        }
    )
    assert [claim.status for claim in verdict.claims] == ["supported", "unchecked"]
    assert verdict.status == "pass"


CLAIM = "The garage opens at nine. "


def reasons_with_question(answer, question=""):
    return [claim.skip_reason for claim in extract_claims(answer, question=question)]


@each(
    "For the fees, it may be best to consult the website of the city.",
    "If the problem persists, it may be best to consult a professional locksmith or carpenter.",
    "However, it is essential to speak with a medical professional for personal advice.",
    "It may be necessary to seek professional help to find the cause.",
    "You may want to refer to other sources for more information.",
    "To know the exact fee, you could visit the official website.",
    "If you are still unsure, you can always contact customer service for further assistance.",
)
def test_advice_to_look_elsewhere_is_not_a_claim(advice):
    assert reasons_with_question(CLAIM + advice) == ["", "referral"]


@each(
    "If you lose the card, contact Acme support.",
    "If you miss a dose, consult a doctor.",
    "You can ask for a refund within 14 days by contacting support.",
    "It is best to consult a lawyer, as landlords may keep the deposit.",
    "It is best to contact the office in Ulm.",
    "You should check the oil before the engine starts.",
    "Seek help from a teacher or administrator if necessary.",
    "You can also ask to change the order to include more details.",
    "It is best to store the medicine away from light.",
)
def test_advice_with_a_checkable_fact_is_checked(advice):
    assert reasons_with_question(CLAIM + advice) == ["", ""]


def test_advice_is_checked_when_it_was_asked_for():
    advice = "It is best to contact customer service."
    assert reasons_with_question(CLAIM + advice, "When does the garage open?") == ["", "referral"]
    assert reasons_with_question(CLAIM + advice, "Whom should I contact?") == ["", ""]
    assert reasons_with_question(advice, "May I open the lamp?") == ["referral"]
    assert reasons_with_question(advice) == [""]


@each(
    "This summary covers the main points of the short passage.",
    "Please note that this answer is based on the passages alone.",
    "Further clarification or additional information may be required to give a better answer.",
    "The above answer only reflects what the documents say.",
)
def test_a_note_on_the_answer_is_not_a_claim(note):
    assert reasons_with_question(CLAIM + note) == ["", "filler"]


@each(
    "This plan covers water damage.",
    "Additional information is required to open an account.",
    "The above answer costs $5.",
)
def test_a_statement_that_sounds_like_a_note_is_checked(statement):
    assert reasons_with_question(CLAIM + statement) == ["", ""]


@each(
    ('For example, "She walked slowly so that the dog could follow."', "What does an adverb do?"),
    ("For instance: They left early so that they would be on time.", "Which conjunction shows a purpose?"),
    ("For example: They left early so that they could sleep.", 'How is "so that" used?'),
    ("Example: He has been waiting all day.", "When is the present perfect tense used?"),
)
def test_a_sentence_that_illustrates_a_word_is_an_example(example, question):
    assert reasons_with_question("It follows the verb. " + example, question) == ["", "example"]
    assert reasons_with_question("It follows the verb. " + example, "Who walked the dog?") == ["", ""]


def test_an_example_with_a_statement_is_checked():
    question = "What does an adverb do?"
    assert reasons_with_question(
        "It follows the verb. For example, the word slowly is an adverb.", question
    ) == ["", ""]
    assert reasons_with_question(
        "It follows the verb. For example, English has 300 of them today.", question
    ) == ["", ""]


@each(
    ("Pricing (see section 2):", "list_intro"),
    ("Opening hours (Table 4):", "list_intro"),
    ("Fees and taxes (see pages 3-5):", "list_intro"),
    ("The passage mentions three distinct topics:", "list_intro"),
    ("However, Passage 2 provides more detailed steps for Windows 10:", "list_intro"),
    ("There are three plans (see section 2):", ""),
    ("The plan costs $5 (see section 2):", ""),
)
def test_an_introduction_with_a_reference_is_not_a_claim(line, reason):
    assert reasons_with_question(f"{line}\n\n- The Basic plan costs five dollars.\n") == [reason, ""]


def test_a_heading_with_a_reference_is_not_a_claim():
    assert reasons_with_question("## Pricing and fees (see section 2)\n\nThe plan is cheap.") == [
        "heading",
        "",
    ]


FACT_ACKNOWLEDGED = "The fee includes tax."


@each(*table(__file__, "test_an_acknowledgement_is_checked_only_when_alone"))
def test_an_acknowledgement_is_checked_only_when_alone(sentence):
    end = "" if sentence[-1] in ".!" else "."
    beside = extract_claims(f"{sentence}{end} {FACT_ACKNOWLEDGED}")
    assert [(claim.checked, claim.skip_reason) for claim in beside] == [(False, "filler"), (True, "")]
    alone = extract_claims(sentence)
    assert [claim.checked for claim in alone] == [True]


@each(*table(__file__, "test_an_acknowledgement_with_a_statement_is_checked"))
def test_an_acknowledgement_with_a_statement_is_checked(sentence):
    assert [claim.checked for claim in extract_claims(f"{sentence} {FACT_ACKNOWLEDGED}")] == [True, True]


@each(
    "Therefore, the answer to the question is:",
    'The answer to the question "What is leasing?" is:',
    "Therefore, I am able to answer the question based on the given passages.",
    "This is mentioned in passage 2.",
    "The information is found in passages 1 and 3.",
    "Passage 3 provides the necessary information to answer the question.",
    "The second passage repeats the same information.",
)
def test_a_sentence_about_the_answer_is_not_a_claim(sentence):
    first, second = extract_claims(f"{sentence}\n\n{FACT_ACKNOWLEDGED}")
    assert (first.checked, second.checked) == (False, True)


@each(
    "Therefore, the answer to the question is proportional allocation.",
    "The answer to the question is: 6 to 8 hours on low heat.",
    "Passage 3 provides the wages of all cities.",
    "This is mentioned in the law of 1998.",
)
def test_a_sentence_that_gives_the_answer_is_checked(sentence):
    assert all(claim.checked for claim in extract_claims(f"{sentence}\n\n{FACT_ACKNOWLEDGED}"))
