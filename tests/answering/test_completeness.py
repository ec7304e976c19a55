"""Questions in parts: what is left out is named, what is said openly is complete."""

import pytest
from every import each

from pytest_grounding import validate

ACME = ("Acme was founded by Jane Roe in 1990. Today 120 people work there.", "Acme makes anvils and ropes.")
PARTS = "Who founded Acme, when, and how many people work there?"


def judged(question, answer, *chunks, **settings):
    found = [{"id": f"c{n}", "text": text, "score": 0.9} for n, text in enumerate(chunks or ACME, start=1)]
    transcript = {"id": "t", "question": question, "chunks": found, "answer": answer}
    return validate(transcript, settings={"notes": "warn"} | settings)


def left_out(verdict):
    return {part.text: part.status for part in verdict.completeness.left_out}


def rules(verdict):
    return {cause.rule for cause in verdict.causes}


@pytest.mark.row(69)
def test_one_part_of_three_is_incomplete_and_the_others_are_named():
    verdict = judged(PARTS, "Acme was founded by Jane Roe [1].")
    assert left_out(verdict) == {"when": "missing", "how many people work there": "missing"}
    (finding,) = [cause for cause in verdict.causes if cause.rule == "incomplete"]
    assert finding.severity == "warning"
    assert finding.message == (
        '1 of 3 parts of the question are answered: nothing on "when", "how many people work there"'
    )
    assert verdict.status == "review"
    assert "1 of 3 parts" in verdict.self_rag.usefulness.reason
    assert verdict.self_rag.usefulness.value == "not useful"


@each(
    (
        "1) Who founded the choir? 2) How many singers does it have?",
        "The choir has 45 singers [1].",
        ("The choir was founded by Ida Brandt. It has 45 singers.",),
        ["Who founded the choir"],
    ),
    (
        "1. Who built the stadium? 2. How many people does it seat?",
        "The stadium seats 30,000 people [1].",
        ("The stadium was built by Dorn & Sons in 1987. It seats 30,000 people.",),
        ["Who built the stadium"],
    ),
    (
        "How long is the warranty of the lamp? Can it be dimmed?",
        "The warranty of the lamp is 24 months [1].",
        ("The warranty of the lamp is 24 months. The lamp can be dimmed in five steps.",),
        ["Can it be dimmed"],
    ),
    (
        "List the three steps to reset the router.",
        "1. Unplug the cable.\n2. Hold the pin button for ten seconds.",
        ("Unplug the cable. Hold the pin button for ten seconds. Plug the cable in again.",),
        ["third of three steps"],
    ),
    (
        "Does the editor run on both Linux and Windows?",
        "It runs on Linux [1].",
        ("The editor runs on Linux. It runs on Windows too.",),
        ["Windows"],
    ),
)
def test_each_shape_of_parts(question, answer, chunks, missing):
    verdict = judged(question, answer, *chunks)
    assert list(left_out(verdict)) == missing
    assert "incomplete" in rules(verdict)


@each(
    "Jane Roe founded Acme in 1990, and 120 people work there [1].",
    "Jane Roe founded Acme in 1990 [1]. The sources do not say how many people work there.",
    "Founder: Jane Roe\n\n- founded in 1990\n- 120 people work there",
)
def test_answered_or_declined_parts_are_complete(answer):
    verdict = judged(PARTS, answer)
    assert verdict.completeness.complete
    assert "incomplete" not in rules(verdict)


@each(
    ("Where are the terms and conditions?", "They are on the back of the invoice [1]."),
    ("What is the difference between supply and demand?", "Demand sets the price [1]."),
    ("Is the lamp dimmable or only switchable?", "It is dimmable [1]."),
    ("How many sing in the choir as well as play the piano?", "45 people sing and play the piano [1]."),
    ("How much leave do I get? I mean, how many days per year?", "28 days."),
    ("Wo liegt der See, und wie tief ist er?", "Er liegt im Norden."),
    ("", "Nothing."),
)
def test_one_question_has_no_parts(question, answer):
    if not question:
        question = "?"
    verdict = judged(question, answer, "The terms are on the back of the invoice.")
    assert verdict.completeness is None


@each(("off", "warning"), ("warn", "warning"), ("error", "error"))
def test_what_the_sources_hold_is_at_least_a_warning(policy, severity):
    verdict = judged(PARTS, "Acme was founded by Jane Roe [1].", notes=policy)
    found = [cause.severity for cause in verdict.causes if cause.rule == "incomplete"]
    assert found == [severity]


def test_hostile_questions_take_linear_time():
    for piece in ("and when ", "compare a and ", "the a, ", "both x and "):
        verdict = judged((piece * 200)[:1_900] + "?", "Acme was founded by Jane Roe.")
        assert verdict.id == "t"


@each(
    ("The old castle tour takes one hour.", ["the white north harbour ferry"]),
    ("The old castle tour takes one hour, the ferry two.", ["the white north harbour ferry"]),
    ("The white north harbour ferry takes two hours, the tour one.", ["the old castle tour"]),
    ("The white north harbour ferry takes two hours, the castle tour one.", []),
    ("The old castle tour takes one hour, the harbour ferry two.", []),
    ("The old castle tour takes one hour, the white north harbour ferry two.", []),
)
def test_a_thing_is_named_by_half_of_its_words(answer, missing):
    source = "The white north harbour ferry takes two hours. The old castle tour takes one hour."
    question = "Compare the white north harbour ferry with the old castle tour."
    assert [part.text for part in judged(question, answer, source).completeness.left_out] == missing
