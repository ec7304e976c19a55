"""Advice to look elsewhere, notes on the answer, illustrations, headings that point: none is checked."""

from every import each

from pytest_grounding.claims.splitting import extract_claims

CLAIM = "The garage opens at nine. "


def reasons(answer: str, question: str = "") -> list[str]:
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
def test_advice_to_look_elsewhere_is_no_claim_beside_claims(advice: str) -> None:
    assert reasons(CLAIM + advice) == ["", "referral"]


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
def test_advice_with_something_to_check_is_checked(advice: str) -> None:
    assert reasons(CLAIM + advice) == ["", ""]


def test_advice_is_the_answer_where_it_was_asked_for_or_may_have_been() -> None:
    advice = "It is best to contact customer service."
    assert reasons(CLAIM + advice, "When does the garage open?") == ["", "referral"]
    assert reasons(CLAIM + advice, "Whom should I contact?") == ["", ""]
    assert reasons(advice, "May I open the lamp?") == ["referral"]
    assert reasons(advice) == [""]


@each(
    "This summary covers the main points of the short passage.",
    "Please note that this answer is based on the passages alone.",
    "Further clarification or additional information may be required to give a better answer.",
    "The above answer only reflects what the documents say.",
)
def test_a_note_on_the_answer_is_no_claim(note: str) -> None:
    assert reasons(CLAIM + note) == ["", "filler"]


@each(
    "This plan covers water damage.",
    "Additional information is required to open an account.",
    "The above answer costs $5.",
)
def test_a_statement_that_sounds_like_a_note_is_checked(statement: str) -> None:
    assert reasons(CLAIM + statement) == ["", ""]


@each(
    ('For example, "She walked slowly so that the dog could follow."', "What does an adverb do?"),
    (
        "For instance: They left early so that they would be on time.",
        "Which conjunction shows a purpose?",
    ),
    ("For example: They left early so that they could sleep.", 'How is "so that" used?'),
    ("Example: He has been waiting all day.", "When is the present perfect tense used?"),
)
def test_a_sentence_that_shows_a_word_at_work_is_an_example(example: str, question: str) -> None:
    assert reasons("It follows the verb. " + example, question) == ["", "example"]
    assert reasons("It follows the verb. " + example, "Who walked the dog?") == ["", ""]


def test_an_example_that_speaks_about_words_or_gives_figures_is_checked() -> None:
    question = "What does an adverb do?"
    assert reasons("It follows the verb. For example, the word slowly is an adverb.", question) == ["", ""]
    assert reasons("It follows the verb. For example, English has 300 of them today.", question) == ["", ""]


@each(
    ("Pricing (see section 2):", "list_intro"),
    ("Opening hours (Table 4):", "list_intro"),
    ("Fees and taxes (see pages 3-5):", "list_intro"),
    ("The passage mentions three distinct topics:", "list_intro"),
    ("However, Passage 2 provides more detailed steps for Windows 10:", "list_intro"),
    ("There are three plans (see section 2):", ""),
    ("The plan costs $5 (see section 2):", ""),
)
def test_a_line_that_announces_and_points_claims_nothing(line: str, reason: str) -> None:
    assert reasons(f"{line}\n\n- The Basic plan costs five dollars.\n") == [reason, ""]


def test_a_heading_that_points_claims_nothing() -> None:
    assert reasons("## Pricing and fees (see section 2)\n\nThe plan is cheap.") == ["heading", ""]
