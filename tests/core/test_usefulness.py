"""ISUSE: does an answer address its question, and what follows where it does not."""

import json
import subprocess
from pathlib import Path

import warm_starts
from counted_calls import calls_of
from every import each

import pytest_grounding as pg
from pytest_grounding.checks import selfrag
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.questions import analyse

ACME = (
    "Acme was founded by Jane Roe. It was founded in 1990 in Lisbon because of a bet. Acme sells pens. "
    "Our office is in Berlin. Refunds take 30 days."
)


def judge(question: str, answer: str, text: str = ACME, **settings: object) -> Verdict:
    transcript = {
        "id": "t",
        "question": question,
        "chunks": [{"id": "c1", "text": text, "score": 0.9, "metadata": {"title": "Annual Report 2023"}}],
        "answer": answer,
    }
    return pg.validate(transcript, settings=settings)


def value(verdict: Verdict) -> str:
    return verdict.self_rag.usefulness.value


def rules(verdict: Verdict) -> set[str]:
    return {cause.rule for cause in verdict.causes}


#: A marker, a link, a source or an address holds the number; the answer itself does not.
ONLY_MARKERS = [
    ("When was Acme founded?", "Acme was founded by Jane Roe [1]."),
    ("When was Acme founded?", "Acme was founded by Jane Roe (Source: Annual Report 2023)."),
    ("When was Acme founded?", "Acme was founded by Jane Roe (Annual Report 2023)."),
    ("When was Acme founded?", "Acme was founded by Jane Roe ([history](https://acme.example/2021))."),
    ("When was Acme founded?", "Acme was founded by Jane Roe【4:0†report-2020.pdf】."),
    ("When was Acme founded?", "Acme was founded by Jane Roe https://acme.example/2021/05."),
    ("How many people work at Acme?", "Acme sells pens [1]."),
    ("How much does a pen cost?", "Acme sells pens (see section 4.2)."),
]

OTHER_KIND = [
    ("Who founded Acme?", "Acme was founded in 1990 [1]."),
    ("Who founded Acme?", "Acme was founded in Lisbon [1]."),
    ("Where was Acme founded?", "Acme was founded by Jane Roe [1]."),
    ("Where was Acme founded?", "Acme was founded in 1990 [1]."),
    ("Which city was Acme founded in?", "Acme was founded in 1990 [1]."),
    ("Why was Acme founded?", "Acme was founded in 1990 [1]."),
    ("Why was Acme founded?", "Acme was founded [1]."),
    ("How long do refunds take?", "Our office is in Berlin [1]."),
]

OFF_TOPIC = [
    ("What is the refund policy?", "Our office is in Berlin [1]."),
    ("Which products does Acme sell?", "Our office is in Berlin [1]."),
    ("Is Acme profitable?", "Our office is in Berlin [1]."),
    ("Is Acme profitable?", "Acme sells pens [1]."),
]

ADDRESSED = [
    ("When was Acme founded?", "Acme was founded in 1990 [1]."),
    ("Who founded Acme?", "Jane Roe."),
    ("Who founded Acme?", "Acme was founded by Jane Roe [1]."),
    ("Where was Acme founded?", "Acme was founded in Lisbon [1]."),
    ("Why was Acme founded?", "Acme was founded because of a bet [1]."),
    ("Why was Acme founded?", "Because of a bet [1]."),
    ("How long do refunds take?", "30 days."),
    ("How long do refunds take?", "Thirty days [1]."),
    ("Which products does Acme sell?", "Pens."),
    ("Does Acme sell pens?", "Yes [1]."),
    ("Which city is the office in?", "Berlin."),
    ("Who stars in the film?", "ryan gosling, emma stone"),
    ("What is the password?", "swordfish"),
]


@each(*(ONLY_MARKERS + OTHER_KIND + OFF_TOPIC))
def test_an_answer_to_something_else_is_not_useful_and_is_held_back(question: str, answer: str) -> None:
    verdict = judge(question, answer, not_useful="warn")
    assert value(verdict) == "not useful"
    assert "not_useful" in rules(verdict)
    assert verdict.status != "pass"


@each(*ADDRESSED)
def test_an_answer_to_the_question_is_useful(question: str, answer: str) -> None:
    verdict = judge(question, answer)
    assert value(verdict) == "useful"
    assert "not_useful" not in rules(verdict)


def test_it_alone_holds_the_answer_back_and_lowers_the_term() -> None:
    verdict = judge(
        "When was Acme founded?",
        "Acme was founded by Jane Roe [1].",
        not_useful="warn",
        confidence_model="self_rag",
    )
    assert verdict.status == "review"
    assert verdict.confidence == verdict.confidences["self_rag"] == 0.75
    terms = {term.name: term.value for term in verdict.confidence_breakdown.terms}
    assert terms == {"relevance": 1.0, "support": 1.0, "usefulness": 0.0}
    finding = next(f for f in verdict.findings if f.rule == "not_useful")
    assert finding.severity == "warning"
    assert finding.message.endswith("a when question, and the answer contains no date")


@each(("off", "info", "pass"), ("warn", "warning", "review"), ("error", "error", "reject"))
def test_the_policy_says_how_grave_it_is(policy: str, severity: str, status: str) -> None:
    verdict = judge("When was Acme founded?", "Acme was founded by Jane Roe [1].", not_useful=policy)
    assert [f.severity for f in verdict.findings if f.rule == "not_useful"] == [severity]
    assert verdict.status == status
    assert verdict.confidences["self_rag"] == 0.75


@each("", "I don't have that information.", "   ")
def test_an_empty_or_declining_answer_has_findings_of_its_own(answer: str) -> None:
    assert "not_useful" not in rules(judge("When was Acme founded?", answer))


def test_half_an_answer_is_not_judged_by_its_kind() -> None:
    answer = "The sources do not say what a pen costs. Acme sells pens [1]."
    assert "not_useful" not in rules(judge("How much does a pen cost?", answer))


@each(
    ("Wann wurde Acme gegründet?", "Acme verkauft Stifte [1].", "Acme verkauft Stifte."),
    ("Acme 创立于何时？", "Acme 卖笔 [1]。", "Acme 卖笔。"),
    ("leasing meaning", "Renting for a term [1].", "Renting for a term."),
    ("And then?", "Acme sells pens [1].", "Acme sells pens."),
    (
        "I ride for transportation.",
        "Cyclists are called bikers too [1].",
        "Cyclists are called bikers too.",
    ),
    ("Where did he grow up?", "Roe is a founder [1].", "Roe is a founder of Acme."),
)
def test_other_languages_and_keywords_are_not_judged(question: str, answer: str, text: str) -> None:
    assert "not_useful" not in rules(judge(question, answer, text))


def test_a_long_list_of_numbers_costs_no_square() -> None:
    question = analyse("Where are refunds made?")

    def calls(count: int) -> int:
        numbers = " ".join(map(str, range(count)))
        return calls_of(lambda: selfrag._holds(numbers, question.parts[0], question))

    calls(10)
    # Four times as many numbers; the square would cost sixteen times as much.
    assert 0 < calls(2_000) < 5 * calls(500)


def test_the_command_line_tells_it_and_fails(tmp_path: Path) -> None:
    chunk = {"id": "c1", "text": ACME, "score": 0.9}
    transcript = {
        "id": "t",
        "question": "When was Acme founded?",
        "chunks": [chunk],
        "answer": "Acme was founded by Jane Roe [1].",
    }
    file = tmp_path / "t.json"
    file.write_text(json.dumps(transcript), encoding="utf-8")
    done = subprocess.run(
        [warm_starts.python(), "-m", "pytest_grounding", "check", str(file), "--set", "not_useful=warn"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 1
    assert "the answer does not address the question: a when question" in done.stdout
