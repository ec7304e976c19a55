"""What leads to a refusal, refusals by pronoun, offers and requests; and what may not hide behind them."""

from every import each

from pytest_grounding import validate
from pytest_grounding.claims.splitting import extract_claims, is_declined

FACT = " The fee is due in May."


def reasons(answer: str) -> list[str]:
    return [claim.skip_reason for claim in extract_claims(answer)]


@each(
    ("The sections I have describe wall mounting, but they don't say who installs it.", 2),
    ("I looked through the leave sections, but they say nothing about a funeral.", 2),
    ("I checked the travel section, but it doesn't state the rate.", 2),
    ("I can give you hardware prices, but nothing in these passages states what the work costs.", 2),
    ("I can only tell you about the fee; the rest isn't in my sources.", 2),
    (
        "The price table shows base fees and seats, so it's impossible for me to say what a year costs.",
        1,
    ),
    ("The handbook is short. It doesn't say whether dogs are allowed.", 2),
)
def test_what_leads_to_a_refusal_goes_with_it(answer: str, expected: int) -> None:
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
def test_a_statement_before_a_refusal_is_checked(lead: str) -> None:
    claims = extract_claims(f"{lead}, but the sources do not say who pays for it.")
    assert [(claim.checked, claim.skip_reason) for claim in claims] == [(True, ""), (False, "refusal")]


@each(
    "The plan covers fire. It does not cover hail.",
    "The policy covers fire. It doesn't mention hail.",
    "The sources praise the plan. It does not cover hail.",
    "The guards saw the thief. They did not say nothing was stolen.",
)
def test_a_pronoun_for_something_else_is_no_refusal(answer: str) -> None:
    assert reasons(answer) == ["", ""]


@each(
    "Happy to help with the setup!",
    "I'm happy to explain.",
    "If neither of these fits, tell me more about what you're seeing.",
    "Please tell me which model you have.",
    "If it still blinks, send me a photo of the display.",
)
def test_offers_and_requests_are_no_claims(sentence: str) -> None:
    assert reasons(sentence + FACT) == ["greeting", ""]


@each(
    "If you return it, send me the box.",
    "We're happy to help with flats in Ulm: they cost forty euros.",
    "If the lamp blinks, tell me after 20 minutes which colour it has.",
    "I can answer the part about the file: you can inspect it at any time.",
    "Let me explain – parental leave is paid in gold coins.",
    "Let me know if it helps: parental leave is paid in gold coins.",
)
def test_a_statement_behind_a_lead_in_is_checked(sentence: str) -> None:
    claims = extract_claims(sentence + FACT)
    assert [claim.checked for claim in claims] == [True] * len(claims)


def test_a_wrong_statement_behind_a_lead_in_is_found() -> None:
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


def test_a_partly_declining_right_answer_passes() -> None:
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
