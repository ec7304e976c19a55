"""A kind of conflict is one row and one generator, in the package and in an extension."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pytest_grounding as pg
from pytest_grounding import hookspecs
from pytest_grounding.engine import registry
from pytest_grounding.errors import SettingsError
from pytest_grounding.scorers.builtin.conflicts.conflict_search import KINDS, Kind
from pytest_grounding.scorers.builtin.conflicts.contest import Contest, Duel

PACKAGE = Path(pg.__file__).parent
TRANSCRIPT = {
    "id": "editor",
    "question": "In which channel does the new editor ship?",
    "chunks": [{"id": "c1", "text": "The new editor ships in the main channel."}],
    "answer": "The new editor ships in the beta channel.",
}
FILE = '''
"""Channels of a release that differ."""

from collections.abc import Iterator

from pytest_grounding.scorers.builtin.conflicts.contest import Contest
from pytest_grounding.scorers.builtin.conflicts.contest import Candidate, Duel

CHANNELS = ("main", "beta", "dev")


def channel_conflicts(contest: Contest) -> Iterator[Candidate]:
    for number, norm in enumerate(contest.claim.norms):
        if norm in CHANNELS:
            duel = Duel(contest, number)
            for channel in CHANNELS:
                for place in contest.places(channel):
                    duel.meet(place, agrees=channel == norm)
            yield from duel.candidates("channel")
'''
ROW = """    Kind("channel", channel_conflicts, '"beta" / "main"', odds=3.0),\n"""
IMPORT = "from pytest_grounding.scorers.builtin.conflicts.channels import channel_conflicts\n"


def channels_of(verdict):
    return [
        (item.kind, item.severity, item.claim_text, item.evidence_text)
        for claim in verdict.claims
        for item in claim.conflicts
    ]


def channel_conflicts(contest):
    found = {}
    exec(FILE, found)
    yield from found["channel_conflicts"](contest)


@pytest.fixture
def extension(request):
    rows = request.param

    class Extension:
        @hookspecs.hookimpl
        def pytest_grounding_conflict_kinds(self):
            return rows

    added = Extension()
    registry.register(added)
    yield
    registry.unregister(added)


def test_without_the_kind_nothing_is_found():
    assert channels_of(pg.validate(TRANSCRIPT)) == []


def test_a_kind_is_added_to_the_tree_by_a_file_and_a_row(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "pytest_grounding", ignore=shutil.ignore_patterns("__pycache__"))
    folder = tmp_path / "pytest_grounding" / "scorers" / "builtin" / "conflicts"
    (folder / "channels.py").write_text(FILE, encoding="utf-8")
    table = (folder / "conflict_search.py").read_text(encoding="utf-8")
    before, found, after = table.partition("from pytest_grounding.scorers.builtin.conflicts.contest")
    table = before + IMPORT + found + after
    before, found, after = table.partition("KINDS: tuple[Kind, ...] = (\n")
    (folder / "conflict_search.py").write_text(before + found + ROW + after, encoding="utf-8")
    script = (
        "import pytest_grounding as pg\n"
        f"for item in pg.validate({TRANSCRIPT!r}).claims[0].conflicts:\n"
        "    print(item.kind, item.severity, item.claim_text, item.evidence_text)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.splitlines() == ["channel error beta main"]


@pytest.mark.parametrize(
    "extension", [[Kind("channel", channel_conflicts, '"beta" / "main"', odds=3.0)]], indirect=True
)
@pytest.mark.usefixtures("extension")
def test_an_extension_adds_a_kind():
    verdict = pg.validate(TRANSCRIPT)
    assert channels_of(verdict) == [("channel", "error", "beta", "main")]
    assert verdict.claims[0].status == "contradicted"


@pytest.mark.parametrize(
    "extension", [[Kind("channel", channel_conflicts, '"beta" / "main"')]], indirect=True
)
@pytest.mark.usefixtures("extension")
def test_a_kind_without_odds_is_at_most_a_possible_conflict():
    assert channels_of(pg.validate(TRANSCRIPT)) == [("channel", "warning", "beta", "main")]


@pytest.mark.parametrize("extension", [[Kind("number", channel_conflicts, "taken")]], indirect=True)
@pytest.mark.usefixtures("extension")
def test_a_second_kind_of_the_same_name_is_refused():
    with pytest.raises(SettingsError, match="two kinds of conflicts have the name 'number'"):
        pg.validate(TRANSCRIPT)


@pytest.mark.parametrize(
    "extension",
    [[Kind("channel", channel_conflicts, "", odds=3.0, languages=frozenset({"fr"}))]],
    indirect=True,
)
@pytest.mark.usefixtures("extension")
def test_a_kind_applies_only_to_its_languages():
    assert channels_of(pg.validate(TRANSCRIPT)) == []


def test_a_closed_gate_hides_no_candidates():
    """What a gate keeps out has no candidates: it only saves time."""
    from pytest_grounding.reading.words import tokenize
    from pytest_grounding.scorers.builtin.conflicts.sentence_view import sources_of, view_of_claim

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
    from pytest_grounding.reading.words import tokenize
    from pytest_grounding.scorers.builtin.conflicts.sentence_view import Place, sources_of, view_of_claim

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
