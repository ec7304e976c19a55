"""What a reader sees is checked, wherever Markdown puts it; what is not is named."""

from typing import Any

from every import each

import pytest_grounding as pg

CHUNK = "The contract runs for 12 months. The fee is 12 euros a month."
TRUE, FALSE = "The fee is 12 euros a month.", "The contract runs for 36 months"


def validate(answer: str, **settings: Any) -> pg.Verdict:
    chunks = [{"id": "c", "text": CHUNK, "score": 0.9}]
    question = "How long does the contract run, and what is the fee?"
    return pg.validate({"id": "t", "question": question, "chunks": chunks, "answer": answer}, settings)


WRAPPINGS = {
    "link": "[{}](https://a.example/x)",
    "link behind a sentence": TRUE + " [{}](https://a.example/x)",
    "link that goes on": TRUE + " [{}](/terms), and so on.",
    "link in parentheses": "The fee is 12 euros a month ([{}](https://a.example/x)).",
    "link after a dash": TRUE + " - [{}](/terms)",
    "footnote": TRUE + "[^1]\n\n[^1]: {}.",
    "second sentence of a footnote": TRUE + "[^1]\n\n[^1]: See the handbook. {}.",
    "indented line of a footnote": TRUE + "[^a]\n\n[^a]: See the handbook.\n    {}.",
    "list of sources": TRUE + "\n\nSources:\n- [Handbook](https://a.example)\n- {}.",
    "numbered references": TRUE + "\n\n## References\n1. {}.",
    "alternative of an image": TRUE + " ![{}](a.png)",
    "image alone": "![{}](a.png)\n\n" + TRUE,
    "image in a sentence": "See ![{}](a.png) for the fee of 12 euros a month.",
}


@each(*WRAPPINGS)
def test_a_false_statement_is_found_in_whatever_shows_it(wrapping: str) -> None:
    verdict = validate(WRAPPINGS[wrapping].format(FALSE))
    assert verdict.status == "reject"
    wrong = [claim.text for claim in verdict.claims if claim.status in ("contradicted", "unsupported")]
    assert any("36 months" in text for text in wrong)
    for claim in verdict.claims:
        assert WRAPPINGS[wrapping].format(FALSE)[claim.start : claim.end] == claim.text


@each(*WRAPPINGS)
def test_a_true_statement_passes_in_it(wrapping: str) -> None:
    verdict = validate(WRAPPINGS[wrapping].format("The contract runs for 12 months"))
    assert {claim.status for claim in verdict.claims} <= {"supported", "unchecked"}


@each(
    TRUE + " [Handbook](/a)",
    TRUE + " ([Terms and conditions of the contract](/a), [Fees](/b))",
    TRUE + " [How refunds and fees work](/a)",
    TRUE + "[^1]\n\n[^1]: Handbook, p. 3.",
    TRUE + "\n\nSources:\n- [Handbook of the contract](/a)\n- Price list, page 3.\n- https://a.example/b",
    TRUE + " ![Chart of the fees](a.png)",
    TRUE + " ![](a.png)",
)
def test_names_of_sources_are_no_statements(answer: str) -> None:
    verdict = validate(answer)
    assert [claim.status for claim in verdict.claims if claim.checked] == ["supported"]


@each(
    (TRUE + "\n\n<!-- Mind the fee. -->", "comment"),
    ("---\ntitle: Fees\ntags:\n  - fee\n---\n" + TRUE, "front_matter"),
    (TRUE + "\n\n[docs]: https://a.example 'The handbook'", "definition"),
    (TRUE + "\n\n```\nfee = 36\n```", "code"),
)
def test_what_is_not_rendered_is_named_and_not_checked(answer: str, reason: str) -> None:
    verdict = validate(answer)
    assert verdict.not_checked.get(reason, 0) > 0
    assert [claim.status for claim in verdict.claims if claim.checked] == ["supported"]


@each(
    f"```\n{FALSE}.\nThe fee is 99 euros a month.\n```\n{TRUE}",
    f"<!-- {FALSE}. And so on. -->\n\n{TRUE}",
    f"---\ntitle: {FALSE}. The fee is 99 euros.\n---\n{TRUE}",
)
def test_an_answer_of_which_most_was_not_checked_does_not_pass_silently(answer: str) -> None:
    verdict = validate(answer)
    finding = next(item for item in verdict.causes if item.rule == "nothing_checked")
    assert (verdict.status, finding.severity) == ("review", "warning")
    assert validate(answer, nothing_checked="pass").status == "pass"
    assert validate(answer, nothing_checked="fail").status == "reject"


def test_code_that_is_no_prose_does_not_count() -> None:
    code = "\n".join(f"value_{number} = compute({number})" for number in range(50))
    assert "nothing_checked" not in {item.rule for item in validate(f"{TRUE}\n```\n{code}\n```").causes}


@each("x", "5 km", "...", "#", "- -\n- -", "[1]", "( )", "**", "\u200b", "‐")
def test_an_answer_with_nothing_to_check_is_no_pass(answer: str) -> None:
    assert validate(answer).status != "pass"
