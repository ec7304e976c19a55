"""Decisions in bulk, taken back, and carried out from the file of a review page."""

import pytest
from golden_recordings import ANSWER, CHUNKS, INVENTED, REWORDED, WRONG_NUMBER, recording

from pytest_grounding.cli import main
from pytest_grounding.errors import InputError
from pytest_grounding.golden.decisions import KEPT_STEPS, undo
from pytest_grounding.golden.golden_policy import settle
from pytest_grounding.golden.golden_store import Store
from pytest_grounding.golden.review_steps import decide_all, pick, waiting


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
    found = [path for path in store.folder.rglob("*.json*") if not path.name.endswith(".undo.json")]
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


@pytest.mark.parametrize(
    "decision",
    [
        ["accept", "worse", "--reason", "the law changed"],
        ["reject", "worse", "other-1", "--reason", "no"],
        ["accept", "--neutral"],
        ["accept", "--all"],
        ["accept", "fresh"],
    ],
    ids=" ".join,
)
def test_a_decision_is_taken_back_to_the_byte(here, tmp_path, decision, capsys):
    before = files(here)
    main(["review", *decision])
    assert files(here) != before
    assert main(["review", "undo"]) == 0
    assert files(here) == before
    assert "taken back: " in capsys.readouterr().out
    assert main(["review", "undo"]) == 0
    assert capsys.readouterr().out == "nothing to take back\n"


def test_decisions_are_taken_back_one_after_the_other_the_last_first(here, tmp_path):
    start = files(here)
    main(["review", "reject", "worse"])
    middle = files(here)
    main(["review", "accept", "--neutral"])
    main(["review", "undo"])
    assert files(here) == middle
    main(["review", "undo"])
    assert files(here) == start


def test_the_last_decision_counts_also_in_another_folder(here, tmp_path, judged, settings):
    other = Store.beside(tmp_path / "unit")
    settle(other, judged(recording(ANSWER, "apart")), settings)
    main(["review", "accept", "other-1", "other-2"])
    main(["review", "accept", "apart"])
    main(["review", "undo"])
    assert other.golden("apart") is None
    assert here.golden("other-1").transcript.answer == REWORDED
    main(["review", "undo"])
    assert here.golden("other-1").transcript.answer == ANSWER


def test_a_candidate_that_a_later_run_made_stays_when_a_rejection_is_taken_back(here, judged, settings):
    main(["review", "reject", "worse"])
    settle(here, judged(recording(INVENTED, "worse")), settings)
    main(["review", "undo"])
    assert here.pending("worse").candidate.transcript.answer == INVENTED


@pytest.mark.parametrize("touched", ["golden", "log", "undo"])
def test_what_somebody_else_changed_since_is_left_alone(here, judged, touched, capsys):
    main(["review", "accept", "other-1", "other-2"])
    if touched == "golden":
        here.accept(judged(recording(INVENTED, "other-2")))
    elif touched == "log":
        with here.log_path("other-2").open("a") as log:
            log.write("{}\n")
    else:
        (path,) = here.folder.glob(".pending/other-2.*.undo.json")
        path.write_text("{")
    before = files(here)
    capsys.readouterr()
    assert main(["review", "undo"]) == 2
    said = capsys.readouterr().err
    assert "other-2" in said
    assert said.count("\n") == 1
    # All of it or nothing: the other one of the step stands, too.
    assert files(here) == before


def test_old_steps_are_forgotten(here, tmp_path, judged, settings):
    for number in range(KEPT_STEPS + 5):
        answer = f"Employees receive 25 vacation days per year [1]. Note {number} is in the handbook."
        settle(here, judged(recording(answer, "worse")), settings)
        decide_all(pick(waiting([tmp_path])[0], ["worse"]), "accept", reason="", by="Ann")
    assert len(list(here.folder.glob(".pending/*.undo.json"))) == KEPT_STEPS
    for _ in range(KEPT_STEPS):
        assert undo([tmp_path])
    assert undo([tmp_path]) == []


def test_undo_takes_no_names(here, capsys):
    assert main(["review", "undo", "worse"]) == 2
    assert "write: review undo" in capsys.readouterr().err


def test_a_stale_one_among_many_stops_the_command(here, judged, tmp_path):
    record = here.pending("other-2")
    here.accept(judged(recording(INVENTED, "other-2", CHUNKS)))
    here.put_pending(record)
    before = files(here)
    assert main(["review", "accept", "--all"]) == 2
    assert files(here) == before
    with pytest.raises(InputError, match="changed since"):
        decide_all(pick(waiting([tmp_path])[0], ["other-2"]), "accept", reason="")
