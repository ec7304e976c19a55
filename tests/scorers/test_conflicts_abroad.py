"""Conflicts in other languages than English: nouns with capitals, a free order of words, number words."""

from __future__ import annotations

from every import examples

import pytest_grounding as pg
from pytest_grounding.scorers.builtin.conflicts.name_conflicts import is_common_noun
from pytest_grounding.scorers.builtin.conflicts.sentence_view import Sources
from pytest_grounding.scorers.builtin.token_index import index_of

SOURCES = [
    "Die Garantie beträgt zwei Jahre ab dem Kaufdatum und deckt Materialfehler ab. Der Kunde muss die "
    "Rechnung vorlegen. Schäden durch Wasser sind ausgeschlossen.",
    "Mitarbeiter erhalten 28 Urlaubstage pro Jahr. Anträge werden über das Portal gestellt.",
    "Die Firma hat ihren Sitz in Berlin und wurde 1998 von Anna Keller gegründet.",
]


@examples(
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


@examples(
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


@examples(
    ("stretch", "language", "misread"),
    [
        ("Kauf", "en", False),
        ("Kauf", "fr", False),
        ("der Kauf", "de", True),
        ("Fehler im Material", "de", True),
        ("Hamburg", "de", False),
    ],
)
def test_a_noun_that_the_sources_hold_is_no_name(stretch: str, language: str, misread: bool) -> None:
    sources = Sources([index_of(text, language) for text in SOURCES], language)
    assert is_common_noun(stretch, sources) is misread
