"""A kind of conflict is one row and one generator: in the tree, and in an extension."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pytest_grounding as pg
from pytest_grounding import hookspecs, registry
from pytest_grounding.errors import SettingsError
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.duel import Candidate, Duel
from pytest_grounding.scorers.lexical.conflicts.kinds import KINDS, Kind

PACKAGE = Path(pg.__file__).parent
TRANSCRIPT = {
    "id": "paint",
    "question": "Which colour has the gate of the old mill?",
    "chunks": [{"id": "c1", "text": "The gate of the old mill is painted blue. Its roof is red."}],
    "answer": "The gate of the old mill is painted red.",
}
FILE = '''
"""Colours that differ."""

from collections.abc import Iterator

from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.duel import Candidate, Duel

COLOURS = ("blue", "green", "red")


def colour_conflicts(contest: Contest) -> Iterator[Candidate]:
    for number, norm in enumerate(contest.claim.norms):
        if norm in COLOURS:
            duel = Duel(contest, number)
            for colour in COLOURS:
                for place in contest.places(colour):
                    duel.meet(place, agrees=colour == norm)
            yield from duel.candidates("colour")
'''
ROW = """    Kind("colour", colour_conflicts, '"red" / "blue"', odds=3.0),\n"""
IMPORT = "from pytest_grounding.scorers.lexical.conflicts.colours import colour_conflicts\n"


def colours_of(verdict: pg.Verdict) -> list[tuple[str, str, str, str]]:
    return [
        (item.kind, item.severity, item.claim_text, item.evidence_text)
        for claim in verdict.claims
        for item in claim.conflicts
    ]


def colour_conflicts(contest: Contest) -> Iterator[Candidate]:
    found: dict[str, Any] = {}
    exec(FILE, found)
    yield from found["colour_conflicts"](contest)


@pytest.fixture
def extension(request: pytest.FixtureRequest) -> Iterator[None]:
    rows: list[Kind] = request.param

    class Extension:
        @hookspecs.hookimpl
        def pytest_grounding_conflict_kinds(self) -> list[Kind]:
            return rows

    added = Extension()
    registry.register(added)
    yield
    registry.unregister(added)


def test_without_the_kind_nothing_is_found() -> None:
    assert colours_of(pg.validate(TRANSCRIPT)) == []


def test_a_kind_is_added_to_the_tree_by_a_file_and_a_row(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "pytest_grounding", ignore=shutil.ignore_patterns("__pycache__"))
    folder = tmp_path / "pytest_grounding" / "scorers" / "lexical" / "conflicts"
    (folder / "colours.py").write_text(FILE, encoding="utf-8")
    table = (folder / "kinds.py").read_text(encoding="utf-8")
    before, found, after = table.partition("from pytest_grounding.scorers.lexical.conflicts.contest")
    table = before + IMPORT + found + after
    before, found, after = table.partition("KINDS: tuple[Kind, ...] = (\n")
    (folder / "kinds.py").write_text(before + found + ROW + after, encoding="utf-8")
    script = (
        "import pytest_grounding as pg\n"
        f"for item in pg.validate({TRANSCRIPT!r}).claims[0].conflicts:\n"
        "    print(item.kind, item.severity, item.claim_text, item.evidence_text)\n"
        f"off = pg.validate({TRANSCRIPT!r}, {{'conflict_thresholds': 'colour=off'}})\n"
        "print(off.claims[0].conflicts)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.splitlines() == ["colour error red blue", "()"]


@pytest.mark.parametrize(
    "extension", [[Kind("colour", colour_conflicts, '"red" / "blue"', odds=3.0)]], indirect=True
)
@pytest.mark.usefixtures("extension")
def test_an_extension_adds_a_kind() -> None:
    verdict = pg.validate(TRANSCRIPT)
    assert colours_of(verdict) == [("colour", "error", "red", "blue")]
    assert verdict.claims[0].status == "contradicted"
    below = pg.validate(TRANSCRIPT, {"conflict_thresholds": "colour=3.5"})
    assert colours_of(below) == [("colour", "warning", "red", "blue")]
    assert colours_of(pg.validate(TRANSCRIPT, {"conflict_thresholds": "colour=off"})) == []


@pytest.mark.parametrize("extension", [[Kind("colour", colour_conflicts, '"red" / "blue"')]], indirect=True)
@pytest.mark.usefixtures("extension")
def test_the_verifier_holds_a_kind_that_it_has_not_learned_for_possible_at_most() -> None:
    assert colours_of(pg.validate(TRANSCRIPT)) == [("colour", "warning", "red", "blue")]


@pytest.mark.parametrize("extension", [[Kind("number", colour_conflicts, "taken")]], indirect=True)
@pytest.mark.usefixtures("extension")
def test_a_name_that_is_taken_is_refused() -> None:
    with pytest.raises(SettingsError, match="two kinds of conflicts have the name 'number'"):
        pg.validate(TRANSCRIPT)


@pytest.mark.parametrize(
    "extension",
    [[Kind("colour", colour_conflicts, "", odds=3.0, languages=frozenset({"fr"}))]],
    indirect=True,
)
@pytest.mark.usefixtures("extension")
def test_a_kind_keeps_to_its_languages() -> None:
    assert colours_of(pg.validate(TRANSCRIPT)) == []


def test_every_generator_looks_only_where_its_row_lets_it() -> None:
    """What a gate keeps out has no candidates: it only saves time."""
    from pytest_grounding.scorers.lexical.conflicts.sources import sources_of
    from pytest_grounding.scorers.lexical.conflicts.view import view_of_claim
    from pytest_grounding.scorers.lexical.tokens import tokenize

    claims = ("All dogs must pay Anna 5 euros.", "It is open.", "no", "Dogs may not enter.")
    source = sources_of("Some dogs may pay Bert 7 euros. It is closed. Yes. Dogs enter.")
    shut = set()
    for claim in claims:
        view = view_of_claim(claim, tokenize(claim))
        for kind in KINDS:
            if not kind.suits(view, "en"):
                shut.add(kind.name)
                assert list(kind.generator(Contest(view, source))) == []
    assert {"number", "modality", "quantifier", "entity"} <= shut


def test_a_duel_is_won_by_the_better_bound_and_lost_to_an_ally() -> None:
    from pytest_grounding.scorers.lexical.conflicts.sources import Place, sources_of
    from pytest_grounding.scorers.lexical.conflicts.view import view_of_claim
    from pytest_grounding.scorers.lexical.tokens import tokenize

    claim = "The gate is red."
    contest = Contest(view_of_claim(claim, tokenize(claim)), sources_of("The gate is blue. The gate is red."))
    place = Place(0, 3)
    assert contest.chunks[0].norms[3] == "blue"
    duel = Duel(contest, 3, margin=0.1)
    assert duel.winner() is None
    duel.differ(0.5, place, "first")
    duel.differ(0.5, Place(0, 1), "second")
    won = duel.winner()
    assert won is not None
    assert won.what == "first"
    duel.agree(0.4)
    assert duel.winner() is None
    beside = Duel(contest, 3)
    beside.differ(0.5, place)
    beside.agree(0.1, contest.spot(place))
    assert beside.winner() is None
