"""Accepting and rejecting goldens, one by one and in bulk."""

import json
import re
from html.parser import HTMLParser

import pytest
from every import each
from golden_recordings import ANSWER, CHUNKS, INVENTED, REWORDED, WRONG_NUMBER, recording

from pytest_grounding import Settings
from pytest_grounding.calibration import read_labels
from pytest_grounding.cli import main
from pytest_grounding.errors import InputError
from pytest_grounding.golden.golden_file import Golden
from pytest_grounding.golden.golden_policy import decide_all, pick, settle, waiting
from pytest_grounding.reports.review_text import head_line, marked, parts_of, render
from pytest_grounding.reports.terminal import fit

HOSTILE = '<script>alert(1)</script> \x1b[31mred\x1b[0m \u202eevil & "quoted"'


@pytest.fixture
def here(tmp_path, monkeypatch, store, judged, settings):
    """A folder with four candidates: a regression, an improvement, a neutral one, and a new one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    (tmp_path / "gitconfig").write_text("[user]\n name = Ann\n email = ann@example.org\n")
    for name, before, after in (
        ("worse", ANSWER, WRONG_NUMBER),
        ("better", INVENTED, ANSWER),
        ("other", ANSWER, REWORDED),
        ("fresh", None, ANSWER),
    ):
        if before is not None:
            store.accept(judged(recording(before, name)))
        settle(store, judged(recording(after, name)), settings)
    return store


def names(root="."):
    return [item.id for item in waiting([__import__("pathlib").Path(root)])[0]]


def log_of(store, name):
    return [json.loads(line) for line in store.log_path(name).read_text().splitlines()]


def test_the_gravest_comes_first(here):
    assert names() == ["worse", "fresh", "better", "other"]


def test_the_list_is_for_people(here, capsys):
    assert main(["review", "--list"]) == 1
    out = capsys.readouterr().out
    assert '"worse": 1 regression' in out
    assert "__golden__/worse.golden.json" in out
    assert out.endswith("4 to review\n")


def test_the_list_is_for_scripts(here, capsys):
    assert main(["review", "--list", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["counts"] == {"new": 1, "regression": 1, "improvement": 1, "neutral": 1}
    first = found["pending"][0]
    assert (first["id"], first["grade"]) == ("worse", "regression")
    assert first["changes"][0]["grade"] == "regression"
    assert first["status"]["old"] == "pass"
    assert first["confidence"]["new"] <= 1


def test_a_list_without_a_regression_exits_well(here, capsys):
    main(["review", "reject", "worse"])
    assert main(["review", "--list"]) == 0


def test_accept_makes_it_the_golden_and_logs_who_when_and_why(here, capsys):
    assert main(["review", "accept", "worse", "fresh", "--reason", "the law changed"]) == 0
    assert "accepted __golden__/worse.golden.json" in capsys.readouterr().out
    assert here.golden("worse").transcript.answer == WRONG_NUMBER
    assert names() == ["better", "other"]
    (line,) = log_of(here, "worse")
    assert line["by"] == "Ann <ann@example.org>"
    assert line["reason"] == "the law changed"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", line["at"])
    assert (line["decision"], line["correct"], line["grade"]) == ("accept", True, "regression")


def test_reject_keeps_the_golden_and_fails_the_same_recording_from_then_on(here, judged, settings):
    assert main(["review", "reject", "other", "--reason", "too chatty"]) == 0
    assert here.golden("other").transcript.answer == ANSWER
    again = settle(here, judged(recording(REWORDED, "other")), settings)
    assert (again.state, again.failed) == ("rejected", True)
    assert "Ann" in again.reason
    assert "too chatty" in again.reason
    assert settle(here, judged(recording(ANSWER, "other")), settings).state == "same"
    # Who changes his mind accepts it; the log keeps both.
    settle(here, judged(recording(REWORDED, "other")), settings)
    main(["review", "accept", "other"])
    assert settle(here, judged(recording(REWORDED, "other")), settings).state == "same"
    assert [line["decision"] for line in log_of(here, "other")] == ["reject", "accept"]


def test_all_improvements_at_once(here):
    assert main(["review", "accept", "--improvements"]) == 0
    assert names() == ["worse", "fresh", "other"]
    assert here.golden("better").transcript.answer == ANSWER


def test_all_at_once(here):
    assert main(["review", "accept", "--all", "--reason", "first recording"]) == 0
    assert names() == []
    assert main(["review", "--list"]) == 0


@each(
    (["accept", "nobody"], "no candidate is called 'nobody'"),
    (["accept", "worse", "nobody"], "no candidate is called 'nobody'"),
    (["accept"], "name candidates"),
    (["accept", "worse", "--all"], "one of the three"),
    (["reject", "--improvements"], "only be accepted"),
    ([], "this is not a terminal"),
)
def test_a_wrong_command_decides_nothing(arguments, problem, here, capsys):
    assert main(["review", *arguments]) == 2
    assert problem in capsys.readouterr().err
    assert len(names()) == 4


def test_an_id_in_two_folders_is_named_by_its_golden(here, tmp_path, judged, settings, capsys):
    from pytest_grounding.golden.golden_store import Store

    settle(Store.beside(tmp_path / "unit"), judged(recording(ANSWER, "fresh")), settings)
    assert main(["review", "accept", "fresh"]) == 2
    assert "names 2 candidates" in capsys.readouterr().err
    assert main(["review", "accept", "unit/__golden__/fresh.golden.json"]) == 0
    assert names("unit") == []
    assert "fresh" in names()


def test_a_candidate_whose_golden_moved_on_is_stale(here, judged, capsys):
    here.accept(judged(recording(INVENTED, "other")))
    settle(here, judged(recording(REWORDED, "other")), Settings())
    record = here.pending("other")
    here.accept(judged(recording(ANSWER, "other")))
    here.put_pending(record)
    assert main(["review", "accept", "other"]) == 2
    assert "the golden has changed since; run the tests again" in capsys.readouterr().err
    with pytest.raises(InputError, match="changed since"):
        decide_all(pick(waiting([here.folder])[0], ["other"]), "reject", reason="")
    assert here.golden("other").transcript.answer == ANSWER


def test_a_damaged_candidate_is_said_and_the_others_go_on(here, capsys):
    here.pending_path("other").write_text("{")
    assert main(["review", "--list"]) == 2
    captured = capsys.readouterr()
    assert "other.pending.json" in captured.err
    assert "delete it and run the tests again" in captured.err
    assert "3 to review" in captured.out


def test_decisions_of_people_are_labels_and_those_of_a_policy_are_not(here, judged, settings):
    main(["review", "accept", "worse"])
    main(["review", "reject", "other"])
    settle(here, judged(recording(REWORDED, "better")), settings, policy="update")
    labels = list(read_labels(here.folder / "decisions", settings))
    assert [label.correct for label in labels] == [False, True]
    (line,) = log_of(here, "worse")
    assert labels[1].confidence == line["confidences"]["learned"]
    tiered = list(read_labels(here.log_path("worse"), settings, model="tiered"))
    assert tiered[0].confidence == line["confidences"]["tiered"]
    assert labels[0].group == labels[1].group


# -- the page


class Texts(HTMLParser):
    """Collects the tags, and the text inside of some."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.inside, self.marked = [], [], {"del": [], "ins": [], "mark": []}
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag in self.marked:
            self.inside.append(tag)

    def handle_endtag(self, tag):
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data):
        for tag in self.inside:
            self.marked[tag].append(data)


def test_the_page_shows_old_and_new_with_the_changes_marked(here, capsys):
    assert main(["review", "--html", "page.html"]) == 0
    page = (here.folder.parent / "page.html").read_text(encoding="utf-8")
    found = Texts(page)
    assert "25" in found.marked["del"]
    assert "30" in found.marked["ins"]
    assert any("30 vacation days" in text for text in found.marked["mark"])
    assert found.tags.count("article") == 4
    assert "http" not in re.sub(r"http-equiv", "", page)
    assert "script" not in found.tags
    assert "script-src &#39;none&#39;" in page
    assert main(["review", "--html", "page2.html"]) == 0
    assert (here.folder.parent / "page2.html").read_text(encoding="utf-8") == page


def test_nothing_in_a_recording_reaches_the_page_or_the_terminal_as_code(store, judged, settings, tmp_path):
    chunks = [{"id": HOSTILE, "text": f"{HOSTILE} holds 25 chairs.", "score": 0.9}]
    row = recording(f"{HOSTILE} holds 25 chairs.", HOSTILE, chunks)
    store.accept(judged(row))
    changed = {**row, "answer": f"{HOSTILE} holds 30 chairs.", "metadata": {HOSTILE: HOSTILE}}
    outcome = settle(store, judged(changed), settings, test=HOSTILE)
    items, _ = waiting([tmp_path])
    page = render(items)
    assert "<script" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    from pytest_grounding.reports.review_text import record_lines

    for width in (0, 140):
        lines = [*record_lines(outcome.record, items[0].golden, width=width)]
        text = "\n".join(line.text for line in lines)
        assert "script" in text
        assert "\x1b" not in text
        assert "\u202e" not in text


def test_a_page_over_nothing_says_so():
    assert "Nothing to review." in render([])


def test_pieces_give_both_texts_back():
    old, new = marked("Refunds take 14 days.", "Refunds take 30 long days.")
    assert "".join(piece.text for piece in old) == "Refunds take 14 days."
    assert "".join(piece.text for piece in new) == "Refunds take 30 long days."
    assert [piece.text for piece in old if piece.is_changed] == ["14"]
    long = "a b " * 9000
    assert [piece.is_changed for side in marked(long, f"{long} c") for piece in side] == [False, False]


def test_an_answer_is_cut_without_a_gap(judged):
    golden: Golden = judged(recording(f"Hello! {ANSWER}\n\nDone."))
    answer = golden.transcript.answer
    parts = list(parts_of(answer, golden.verdict.claims, {}))
    assert "".join(part.text for part in parts) == answer


def test_lines_are_broken_between_words():
    lines = ["    a claim about all the", "      parcels"]
    assert list(fit("    a claim about all the parcels", 26)) == lines
    assert list(fit("as it is", 0)) == ["as it is"]


def test_a_change_stands_beside_the_source_that_decides_and_the_accepted_text_is_not_red(here):
    page = render(waiting([here.folder.parent])[0])
    worse = page[page.index(">#</a> worse ") : page.index(">#</a> fresh ")]
    place = worse.index('<div class="pair c-regression">')
    source = worse[worse.index('<div class="source">', place) :]
    assert "Employees receive 25 vacation days" in source[: source.index("</div>")]
    style = page[page.index("<style>") : page.index("</style>")]
    assert not re.search(r"(?m)^[^{]*\bdel\b[^{]*\{[^}]*--bad", style)


def test_a_decision_that_is_worse_is_not_neutral_whatever_changed(store, judged):
    store.accept(judged(recording(ANSWER, "moved")))
    candidate = judged(recording(ANSWER, "moved"), Settings(reject_confidence=0.99, accept_confidence=1.0))
    assert candidate.verdict.status == "reject"
    record = settle(store, candidate, Settings(reject_confidence=0.99, accept_confidence=1.0)).record
    assert record.grade == "neutral"
    line = head_line(record, store.golden("moved"))
    assert line.tone == "bad"
    assert "worse decision, " in line.text


@pytest.fixture
def here_bulk(tmp_path, monkeypatch, store, judged, settings):
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


def names_bulk(folder):
    return [item.id for item in waiting([folder])[0]]


def files(store):
    """All that git would see, and the candidates."""
    found = store.folder.rglob("*.json*")
    return {path.relative_to(store.folder).as_posix(): path.read_bytes() for path in sorted(found)}


def test_grades_are_accepted_in_bulk(here_bulk, tmp_path, capsys):
    assert names_bulk(tmp_path) == ["worse", "fresh-bad", "fresh", "better", "other-1", "other-2"]
    assert main(["review", "accept", "--neutral"]) == 0
    assert names_bulk(tmp_path) == ["worse", "fresh-bad", "fresh", "better"]
    assert main(["review", "accept", "--new", "--improvements"]) == 0
    assert names_bulk(tmp_path) == ["worse", "fresh-bad"]
    assert main(["review", "accept", "--neutral"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "nothing to decide on"


@pytest.mark.parametrize("group", ["neutral", "improvements", "new"])
def test_a_bulk_is_only_ever_accepted_and_stands_alone(here_bulk, tmp_path, group, capsys):
    assert main(["review", "reject", f"--{group}"]) == 2
    assert f"write: review accept --{group}" in capsys.readouterr().err
    assert main(["review", "accept", "worse", f"--{group}"]) == 2
    assert main(["review", "accept", f"--{group}", "--all"]) == 2
    assert len(names_bulk(tmp_path)) == 6


def test_a_stale_one_among_many_stops_the_command(here_bulk, judged, tmp_path):
    record = here_bulk.pending("other-2")
    here_bulk.accept(judged(recording(INVENTED, "other-2", CHUNKS)))
    here_bulk.put_pending(record)
    before = files(here_bulk)
    assert main(["review", "accept", "--all"]) == 2
    assert files(here_bulk) == before
    with pytest.raises(InputError, match="changed since"):
        decide_all(pick(waiting([tmp_path])[0], ["other-2"]), "accept", reason="")
