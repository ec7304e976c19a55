"""Short forms of names, appositions and passives are held, and raise no doubt about a name."""

from __future__ import annotations

from every import examples

from pytest_grounding import validate
from pytest_grounding.scorers.builtin.token_index import index_of, is_cut_from


@examples(
    ("short", "whole", "is_one"),
    [
        ("hibs", "hibernian", True),
        ("dems", "democrats", True),
        ("gulls", "seagulls", True),
        ("wolves", "wolverhampton", True),
        ("art", "arthur", False),
        ("miss", "mississippi", False),
        ("wood", "greenwood", False),
        ("cats", "cats", False),
        ("plans", "planes", False),
        ("", "", False),
    ],
)
def test_a_short_form_is_cut_from_a_name_or_is_the_end_of_a_plural(
    short: str, whole: str, is_one: bool
) -> None:
    assert is_cut_from(short, whole) is is_one


def test_only_capitalised_words_have_short_forms() -> None:
    assert index_of("In 2016 Hibernian won.").name_words.short_form("hibs") == "hibernian"
    assert index_of("Fans of the Seagulls sang.").name_words.short_form("gulls") == "seagul"
    assert index_of("Some democrats met.").name_words.short_form("dems") is None


def doubts(chunk: str, answer: str) -> tuple[str, list[str]]:
    verdict = validate(
        {"id": "x", "question": "What is known?", "chunks": [{"id": "c", "text": chunk}], "answer": answer}
    )
    (claim,) = verdict.claims
    rules = {finding.rule for finding in verdict.causes if finding.claim == claim.index}
    return claim.status, sorted(rules & {"possible_conflict", "contradicted", "unknown_entity"})


HICKS = "Taral Hicks (born September 21, 1974) is an American actress and singer."
LUNA = "Luna Park is run by Ann Wood, a French publicist, and Maria Lund, a Danish engineer."


@examples(
    ("chunk", "answer"),
    [
        ("Hibernian won the cup in 2016.", "Hibs won the cup in 2016."),
        ("Rangers and Hibs remain level on 61 points.", "Rangers and Hibernian remain level on 61 points."),
        ("The Seagulls of Brighton signed Keating.", "The Gulls signed Keating."),
        ("Torquay United are nicknamed the Gulls. Torquay signed Keating.", "The Gulls signed Keating."),
        ("The Model H2 weighs 112 kg.", "The H2 weighs 112 kg."),
        (HICKS, "Hicks is an actress."),
        (HICKS, "T. Hicks is a singer."),
        (HICKS, "Taral Hicks is an American singer."),
        (LUNA, "Ann Wood is a publicist."),
        (LUNA, "Maria Lund is an engineer."),
        ("John Smith founded Acme in Ulm, a city in Germany.", "Ulm is a city in Germany."),
        ("In 1981, Smith founded Acme Works with his brother.", "Acme Works was founded in 1981."),
        ("In 2010 Ann Wood opened the Red Mill near Ulm.", "The Red Mill was opened in 2010."),
    ],
)
def test_another_way_to_name_somebody_is_no_doubt(chunk: str, answer: str) -> None:
    assert doubts(chunk, answer) == ("supported", [])


@examples(
    ("chunk", "answer"),
    [
        ("Rangers lost to Celtic in the final.", "Rangers lost to Hibs in the final."),
        ("The Eagles of Brighton signed Keating.", "The Gulls signed Keating."),
        ("Ann Wood, a French publicist, runs Luna Park.", "Mary Dole runs Luna Park."),
    ],
)
def test_another_name_is_a_doubt(chunk: str, answer: str) -> None:
    assert doubts(chunk, answer)[1] or doubts(chunk, answer)[0] != "supported"
