"""Conflicts in other languages than English: nouns with capitals, a free order of words, number words."""

from __future__ import annotations

import pytest

import pytest_grounding as pg
from pytest_grounding.scorers.lexical.conflicts.tongues import is_misread

SOURCES = [
    "Die Garantie beträgt zwei Jahre ab dem Kaufdatum und deckt Materialfehler ab. Der Kunde muss die "
    "Rechnung vorlegen. Schäden durch Wasser sind ausgeschlossen.",
    "Mitarbeiter erhalten 28 Urlaubstage pro Jahr. Anträge werden über das Portal gestellt.",
    "Die Firma hat ihren Sitz in Berlin und wurde 1998 von Anna Keller gegründet.",
]


@pytest.mark.parametrize(
    "claim",
    [
        "Die Garantie gilt zwei Jahre ab Kauf.",
        "Wasserschäden sind von der Garantie ausgeschlossen.",
        "Pro Jahr erhalten Mitarbeiter 28 Tage Urlaub.",
        "Die Garantie deckt Fehler im Material ab.",
        "Anna Keller hat die Firma 1998 gegründet.",
    ],
)
def test_german_nouns_and_turned_sentences_are_no_conflicts(claim: str) -> None:
    found = pg.support(claim, SOURCES, language="de")
    assert found.conflicts == ()
    assert found.probability is not None
    assert found.probability > 0.8


@pytest.mark.parametrize(
    ("claim", "kind", "ours", "theirs"),
    [
        ("Die Firma hat ihren Sitz in Hamburg.", "entity", "Hamburg", "Berlin"),
        ("Der Kunde muss den Ausweis vorlegen.", "entity", "Ausweis", "Rechnung"),
        ("Die Garantie beträgt drei Jahre ab dem Kaufdatum.", "number", "drei", "zwei"),
    ],
)
def test_what_another_word_says_still_is_one(claim: str, kind: str, ours: str, theirs: str) -> None:
    (conflict,) = pg.support(claim, SOURCES, language="de").conflicts
    assert (conflict.kind, conflict.claim_text, conflict.evidence_text) == (kind, ours, theirs)


@pytest.mark.parametrize(
    ("kind", "stretch", "language", "misread"),
    [
        ("entity", "Kauf", "en", False),
        ("entity", "Kauf", "fr", False),
        ("entity", "der Kauf", "de", True),
        ("entity", "Fehler im Material", "de", True),
        ("entity", "Hamburg", "de", False),
        ("number", "28", "de", False),
    ],
)
def test_what_is_misread(kind: str, stretch: str, language: str, misread: bool) -> None:
    assert is_misread(kind, stretch, SOURCES, language) is misread
