"""Decisions in bulk, taken back, and carried out from the file of a review page."""

import json

import pytest
from golden_recordings import ANSWER, CHUNKS, INVENTED, REWORDED, WRONG_NUMBER, recording

from pytest_grounding.cli import main
from pytest_grounding.errors import InputError
from pytest_grounding.golden import Store
from pytest_grounding.golden.review import decide, pick, waiting
from pytest_grounding.golden.settle import settle
from pytest_grounding.golden.undo import KEPT_STEPS, undo


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
        decide(pick(waiting([tmp_path])[0], ["worse"])[0], "accept", reason="", by="Ann")
    assert len(list(here.folder.glob(".pending/*.undo.json"))) == KEPT_STEPS
    for _ in range(KEPT_STEPS):
        assert undo([tmp_path])
    assert undo([tmp_path]) == []


def test_undo_takes_no_names(here, capsys):
    assert main(["review", "undo", "worse"]) == 2
    assert "write: review undo" in capsys.readouterr().err


# -- the file of a page


def decision(store, name, verb="accept", **changed):
    record = store.pending(name)
    return {
        "id": name,
        "golden": f"__golden__/{name}.golden.json",
        "candidate": record.candidate.hash,
        "against": record.against or "",
        "decision": verb,
        "reason": "",
        **changed,
    }


def export(tmp_path, *decisions, **more):
    path = tmp_path / "decisions.json"
    path.write_text(json.dumps({"schema_version": 1, "decisions": decisions, **more}))
    return str(path)


def test_the_decisions_of_a_page_are_carried_out(here, tmp_path, capsys):
    path = export(
        tmp_path,
        decision(here, "worse", "reject", reason="25 it is"),
        decision(here, "other-1"),
        decision(here, "fresh"),
    )
    assert main(["review", "apply", path]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "rejected __golden__/worse.golden.json",
        "accepted __golden__/other-1.golden.json",
        "accepted __golden__/fresh.golden.json",
    ]
    assert names(tmp_path) == ["fresh-bad", "better", "other-2"]
    assert "25 it is" in here.log_path("worse").read_text()
    # Once more: what is accepted is said to be, and what was rejected waits no more.
    assert main(["review", "apply", path]) == 1
    captured = capsys.readouterr()
    assert "is accepted already: __golden__/fresh.golden.json" in captured.out
    assert captured.err.splitlines() == [
        "__golden__/worse.golden.json: no candidate is called 'worse' any more; run the tests again"
    ]


def test_a_candidate_that_changed_since_is_refused_and_the_others_are_carried_out(
    here, tmp_path, judged, settings, capsys
):
    path = export(tmp_path, *(decision(here, name) for name in ("worse", "other-1", "other-2", "better")))
    # Another recording; another golden; and one whose comparison is of before.
    settle(here, judged(recording(f"{WRONG_NUMBER} Ask the team lead.", "worse")), settings)
    here.golden_path("other-1").unlink()
    record = here.pending("other-2")
    here.accept(judged(recording(INVENTED, "other-2")))
    here.put_pending(record)
    before = files(here)
    assert main(["review", "apply", path]) == 1
    captured = capsys.readouterr()
    assert captured.out == "accepted __golden__/better.golden.json\n"
    refused = captured.err.splitlines()
    assert [line.partition(": ")[0] for line in refused] == [
        f"__golden__/{name}.golden.json" for name in ("worse", "other-1", "other-2")
    ]
    assert "the candidate 'worse' is another one than on the page" in refused[0]
    assert "run the tests again" in refused[1]
    changed = {name for name, text in files(here).items() if before.get(name) != text}
    assert changed == {"better.golden.json", "decisions/better.jsonl"}


def test_an_id_in_two_folders_is_found_by_its_place_or_its_content(
    here, tmp_path, judged, settings, monkeypatch
):
    unit = Store.beside(tmp_path / "unit")
    settle(unit, judged(recording(ANSWER, "fresh", metadata={"n": 1})), settings)
    path = export(tmp_path, decision(unit, "fresh", golden="unit/__golden__/fresh.golden.json"))
    monkeypatch.chdir(tmp_path / "unit")  # the place on the page is that of another folder
    assert main(["review", "apply", path, "--in", str(tmp_path)]) == 0
    assert unit.golden("fresh") is not None
    assert here.golden("fresh") is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "is not JSON"),
        ("[]", "is no export of a review page"),
        ('{"decisions": [{"id": "worse"}]}', "decisions.0.golden"),
        (b"\xff", "is not UTF-8 text"),
        (None, "cannot be read"),
    ],
)
def test_a_file_that_is_none_is_one_sentence_and_decides_nothing(here, tmp_path, text, problem, capsys):
    path = tmp_path / "decisions.json"
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert main(["review", "apply", str(path)]) == 2
    said = capsys.readouterr().err
    assert problem in said
    assert "decisions.json" in said
    assert said.count("\n") == 1
    assert len(names(tmp_path)) == 6


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"decision": "maybe"}, "decisions.1.decision"),
        ({"mood": "good"}, "decisions.1.mood"),
        ({"id": "worse", "golden": "__golden__/worse.golden.json"}, "decides twice on 'worse'"),
    ],
)
def test_a_wrong_decision_stops_all_of_them(here, tmp_path, changed, problem, capsys):
    path = export(tmp_path, decision(here, "worse"), decision(here, "other-1", **changed))
    before = files(here)
    assert main(["review", "apply", path]) == 2
    assert problem in capsys.readouterr().err
    assert files(here) == before


def test_apply_wants_one_file(here, capsys):
    assert main(["review", "apply"]) == 2
    assert "write: review apply decisions.json" in capsys.readouterr().err


def test_a_stale_one_among_many_stops_the_command(here, judged, tmp_path):
    record = here.pending("other-2")
    here.accept(judged(recording(INVENTED, "other-2", CHUNKS)))
    here.put_pending(record)
    before = files(here)
    assert main(["review", "accept", "--all"]) == 2
    assert files(here) == before
    with pytest.raises(InputError, match="changed since"):
        decide(pick(waiting([tmp_path])[0], ["other-2"])[0], "accept", reason="")
