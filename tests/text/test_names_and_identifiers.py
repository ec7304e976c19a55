"""Names and identifiers of a claim that no source mentions."""

import pytest
from every import each, table
from growth import grows_at_most
from hypothesis import given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.evidence.identifier_matches import KnownNames
from pytest_grounding.reading import forget
from pytest_grounding.reading.identifiers import identifiers

SOURCE = "You can call the tax office in Bonn on any weekday to check on the status of your yearly return."


def strange_identifiers(text, known):
    """The identifiers of a text that no source has."""
    return [item for item in identifiers(text) if not known.has(item)]


@each(
    ("You can call the QVX to check the status.", ["QVX"]),
    ("The office is run by Anselm Quistara.", ["Anselm Quistara"]),
    ("QVX runs the office.", ["QVX"]),
    # A capital at the start of a sentence, or of a word that names nobody.
    ("Taxes are due.", []),
    ("Bake it at 350 degrees Fahrenheit.", []),
    ("The office is in Bonn.", []),
)
def test_names_that_no_source_has(claim, names):
    assert missing_names(claim, "How is the status of a return checked?") == names


def test_names_of_the_question_are_known_for_every_claim():
    assert missing_names("You can call the QVX now.", "What does the QVX do?") == []
    for _ in range(2):
        assert missing_names("We met Zorro Vega there.", "Who is Zorro Vega?") == []
        assert missing_names("We met Zorro Vega there.", "Who is there?") == ["Zorro Vega"]


def missing_names(answer, question):
    row = {"id": "t", "question": question, "answer": answer, "chunks": [{"id": "a", "text": SOURCE}]}
    [claim] = pg.validate(row).claims
    return [fact.text for fact in claim.facts if (fact.type, fact.status) == ("name", "missing")]


def unknown(answer, source=SOURCE, rules="", **fields):
    row = {"id": "t", "question": "How is the status of a return checked?", "answer": answer, **fields}
    row["chunks"] = [{"id": "a", "text": source}]
    verdict = pg.validate(row, pg.Settings(rules=rules))
    return [(f.severity, f.details["names"]) for f in verdict.findings if f.rule == "unknown_entity"]


def test_an_unknown_name_is_a_note_where_names_decide_nothing():
    source = "You can call the tax office on any weekday to check on the status of your yearly return."
    claim = source.replace("office", "office of Quistara")
    assert unknown(claim, source, "fact.name:info") == [("info", ["Quistara"])]
    assert unknown(claim, source) == []
    assert unknown(claim, claim, "fact.name:info") == []
    history = [{"role": "user", "content": "Does Quistara run it?"}]
    assert unknown(claim, source, "fact.name:info", history=history) == []


@each(
    (SOURCE.replace("Bonn", "Quistara"), SOURCE),
    ("The mayor Anselm Quistara lives on Mars with two cats.", SOURCE),
    # In German, a capital is no sign of a name.
    (
        "Das Finanzamt prüft den Stand der Erklärung in vier Wochen, sagt Quistara.",
        "Das Finanzamt prüft den Stand der Erklärung in vier Wochen.",
    ),
)
def test_a_failing_claim_or_a_german_noun_gets_no_such_note(claim, source):
    assert unknown(claim, source) == []


@each(*table(__file__, "identifiers"))
def test_identifiers_are_read(text, found):
    read = identifiers(text)
    assert [[item.kind, item.text] for item in read] == found
    assert all(text[item.start : item.end] == item.text for item in read)


@given(st.text(max_size=60), st.text(alphabet="aA1_./\\-@:+v() d", max_size=60))
def test_any_text_is_read_and_knows_its_own_names(odd, likely):
    for text in (odd, likely, odd + likely):
        read = identifiers(text)
        assert all(text[item.start : item.end] == item.text for item in read)
        known = KnownNames([text])
        assert [item.text for item in read if not known.has(item)] == []
        assert all(isinstance(known.nearest(item), str) for item in read)


def test_prefixes_and_suffixes_of_known_names_are_known():
    known = KnownNames(["pw_live_123 and order_timeout"])
    text = "pw_live_ pw_test_ _timeout _limit __init__"
    assert [item.text for item in strange_identifiers(text, known)] == [
        "pw_test_",
        "_limit",
        "__init__",
    ]


def test_a_part_of_a_longer_name_is_unknown():
    known = KnownNames(["max_retries_total OPS-43127 v2.41 src/a.pyx xa@b.example"])
    text = "max_retries OPS-4312 v2.4 src/a.py a@b.example"
    assert [item.text for item in strange_identifiers(text, known)] == text.split()


@pytest.mark.parametrize(
    "piece",
    [
        *("a_b{} ", "A{}-1 ", "v1.{} ", "_", "a.b.", "--a", "A1", "()", "a@"),
        pytest.param("x/{}.py ", marks=pytest.mark.slow),
    ],
)
def test_reading_and_looking_up_take_linear_time(piece):
    def work(count):
        text = "".join(piece.format(number) for number in range(count))
        sentences = text.replace("1", "7").split()

        def read():
            # What is kept of the round before would be looked up, and of the longer text not all is kept.
            forget()
            known = KnownNames([text])
            for sentence in sentences:
                strange_identifiers(sentence, known)

        return read

    # Four times the text; the square would cost sixteen times as much.
    assert grows_at_most(9, work(2_000), work(8_000), floor=0.002)
