"""A kind of conflict is one row and one generator, here in an extension."""

from contextlib import contextmanager

import pytest
from every import each

import pytest_grounding as pg
from pytest_grounding import hookspecs
from pytest_grounding.engine import registry
from pytest_grounding.errors import SettingsError
from pytest_grounding.evidence.sentence_view import Place, sources_of, view_of_claim
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts.conflict_search import KINDS, Kind
from pytest_grounding.scorers.builtin.conflicts.contest import Contest, Duel

TRANSCRIPT = {
    "id": "editor",
    "question": "In which channel does the new editor ship?",
    "chunks": [{"id": "c1", "text": "The new editor ships in the main channel."}],
    "answer": "The new editor ships in the beta channel.",
}


def channel_conflicts(contest):
    channels = ("main", "beta", "dev")
    for number, norm in enumerate(contest.claim.norms):
        if norm in channels:
            duel = Duel(contest, number)
            for channel in channels:
                for place in contest.places(channel):
                    duel.meet(place, agrees=channel == norm)
            yield from duel.candidates("channel")


@contextmanager
def extension(*rows):
    class Extension:
        @hookspecs.hookimpl
        def pytest_grounding_conflict_kinds(self):
            return rows

    added = Extension()
    registry.register(added)
    try:
        yield
    finally:
        registry.unregister(added)


@each(
    ({"odds": 3.0}, "error"),
    # Without odds it is at most a possible conflict.
    ({}, "warning"),
    ({"odds": 3.0, "languages": frozenset({"fr"})}, None),
)
def test_an_extension_adds_a_kind(fields, severity):
    with extension(Kind("channel", channel_conflicts, '"beta" / "main"', **fields)):
        verdict = pg.validate(TRANSCRIPT)
    found = [
        (item.kind, item.severity, item.claim_text, item.evidence_text)
        for claim in verdict.claims
        for item in claim.conflicts
    ]
    assert found == ([("channel", severity, "beta", "main")] if severity else [])
    assert (verdict.claims[0].status == "contradicted") == (severity == "error")


def test_a_second_kind_of_the_same_name_is_refused():
    with (
        extension(Kind("number", channel_conflicts, "taken")),
        pytest.raises(SettingsError, match="two kinds of conflicts have the name 'number'"),
    ):
        pg.validate(TRANSCRIPT)


def test_a_closed_gate_hides_no_candidates():
    """What a gate keeps out has no candidates: it only saves time."""

    claims = ("All dogs must pay Anna 5 euros.", "It is open.", "no", "Dogs may not enter.")
    source = sources_of("Some dogs may pay Bert 7 euros. It is closed. Yes. Dogs enter.")
    shut = set()
    for claim in claims:
        view = view_of_claim(claim, tokenize(claim))
        for kind in KINDS:
            if kind.needs is not None and not kind.needs(view):
                shut.add(kind.name)
                assert list(kind.generator(Contest(view, source))) == []
    assert {"number", "modality", "quantifier", "entity"} <= shut


def test_an_ally_beats_a_weaker_rival():

    claim = "The gate is red."
    contest = Contest(view_of_claim(claim, tokenize(claim)), sources_of("The gate is blue. The gate is red."))
    place = Place(0, 3)
    assert contest.chunks[0].norms[3] == "blue"
    duel = Duel(contest, 3, margin=0.1)
    assert duel.winner() is None
    duel.differ(0.5, place, "first")
    duel.differ(0.5, Place(0, 1), "second")
    won = duel.winner()
    assert won.what == "first"
    duel.agree(0.4)
    assert duel.winner() is None
    beside = Duel(contest, 3)
    beside.differ(0.5, place)
    beside.agree(0.1, contest.spot(place))
    assert beside.winner() is None
