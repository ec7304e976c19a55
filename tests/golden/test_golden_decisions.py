"""Decisions in bulk."""

import pytest
from golden_recordings import ANSWER, CHUNKS, INVENTED, REWORDED, WRONG_NUMBER, recording

from pytest_grounding.cli import main
from pytest_grounding.errors import InputError
from pytest_grounding.golden.golden_policy import decide_all, pick, settle, waiting


@pytest.fixture
def here(tmp_path, monkeypatch, store, judged, settings):
    """A folder with candidates of every grade; of the new ones one passes."""
    monkeypatch.chdir(tmp_path)
    for name, before, after in (
        ("worse", ANSWER, WRONG_NUMBER),
        ("better", INVENTED, ANSWER),
        ("other-1", ANSWER, REWORDED),
        ("other-2", ANSWER, REWORDED),
        ("fresh", None, ANSWER),
        ("fresh-bad", None, WRONG_NUMBER),
    ):
        if before is not None:
            store.accept(judged(recording(before, name)))
        settle(store, judged(recording(after, name)), settings)
    return store


def names(folder):
    return [item.id for item in waiting([folder])[0]]


def files(store):
    """All that git would see, and the candidates."""
    found = store.folder.rglob("*.json*")
    return {path.relative_to(store.folder).as_posix(): path.read_bytes() for path in sorted(found)}


def test_grades_are_accepted_in_bulk(here, tmp_path, capsys):
    assert names(tmp_path) == ["worse", "fresh-bad", "fresh", "better", "other-1", "other-2"]
    assert main(["review", "accept", "--neutral"]) == 0
    assert names(tmp_path) == ["worse", "fresh-bad", "fresh", "better"]
    assert main(["review", "accept", "--new", "--improvements"]) == 0
    assert names(tmp_path) == ["worse", "fresh-bad"]
    assert main(["review", "accept", "--neutral"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "nothing to decide on"


@pytest.mark.parametrize("group", ["neutral", "improvements", "new"])
def test_a_bulk_is_only_ever_accepted_and_stands_alone(here, tmp_path, group, capsys):
    assert main(["review", "reject", f"--{group}"]) == 2
    assert f"write: review accept --{group}" in capsys.readouterr().err
    assert main(["review", "accept", "worse", f"--{group}"]) == 2
    assert main(["review", "accept", f"--{group}", "--all"]) == 2
    assert len(names(tmp_path)) == 6


def test_a_stale_one_among_many_stops_the_command(here, judged, tmp_path):
    record = here.pending("other-2")
    here.accept(judged(recording(INVENTED, "other-2", CHUNKS)))
    here.put_pending(record)
    before = files(here)
    assert main(["review", "accept", "--all"]) == 2
    assert files(here) == before
    with pytest.raises(InputError, match="changed since"):
        decide_all(pick(waiting([tmp_path])[0], ["other-2"]), "accept", reason="")
