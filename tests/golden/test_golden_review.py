"""Accepting and rejecting goldens, one by one and in bulk."""

import errno
import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from golden_recordings import ANSWER, CHUNKS, INVENTED, REWORDED, WRONG_NUMBER, recording

from pytest_grounding import Settings
from pytest_grounding.calibration.labels import read_labels
from pytest_grounding.cli import main
from pytest_grounding.errors import InputError
from pytest_grounding.golden.golden_policy import decide_all, pick, settle_golden, waiting
from pytest_grounding.golden.golden_store import GoldenStore, decisions
from pytest_grounding.reports.review_text import (
    head_line,
    marked_words,
    record_lines,
    render_review,
    review_parts,
)
from pytest_grounding.reports.terminal import wrapped

HOSTILE = '<script>alert(1)</script> \x1b[31mred\x1b[0m \u202eevil & "quoted"'


def prepare(store, judged, *rows):
    """Settle recordings: name, accepted answer or None, and the new one."""
    for name, before, after in rows:
        if before is not None:
            store.accept(judged(recording(before, name)))
        settle_golden(store, judged(recording(after, name)), Settings())
    return store


@pytest.fixture
def here(tmp_path, monkeypatch, store, judged):
    """A folder with four candidates: a regression, an improvement, a neutral one, and a new one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    (tmp_path / "gitconfig").write_text("[user]\n name = Ann\n email = ann@example.org\n")
    rows = [("worse", ANSWER, WRONG_NUMBER), ("better", INVENTED, ANSWER)]
    return prepare(store, judged, *rows, ("other", ANSWER, REWORDED), ("fresh", None, ANSWER))


@pytest.fixture
def here_bulk(here, judged):
    """Two more: another neutral one, and a new one that fails."""
    return prepare(here, judged, ("other-2", ANSWER, REWORDED), ("fresh-bad", None, WRONG_NUMBER))


def names(root="."):
    return [item.id for item in waiting([Path(root)])[0]]


def log_of(store, name):
    return [json.loads(line) for line in store.log_path(name).read_text().splitlines()]


def test_accept_logs_who_when_and_why(here, capsys):
    assert main(["review", "accept", "worse", "fresh", "--reason", "the law changed"]) == 0
    assert "accepted __golden__/worse.golden.json" in capsys.readouterr().out
    assert here.golden("worse").transcript.answer == WRONG_NUMBER
    assert names() == ["better", "other"]
    (line,) = log_of(here, "worse")
    assert line["by"] == "Ann <ann@example.org>"
    assert line["reason"] == "the law changed"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", line["at"])
    assert (line["decision"], line["correct"], line["grade"]) == ("accept", True, "regression")


def test_reject_keeps_the_golden_and_fails_the_same_recording(here, judged, settings):
    assert main(["review", "reject", "other", "--reason", "too chatty"]) == 0
    assert here.golden("other").transcript.answer == ANSWER
    again = settle_golden(here, judged(recording(REWORDED, "other")), settings)
    assert (again.state, again.failed) == ("rejected", True)
    assert "Ann" in again.reason
    assert "too chatty" in again.reason
    assert settle_golden(here, judged(recording(ANSWER, "other")), settings).state == "same"
    # A later decision wins; the log keeps both.
    settle_golden(here, judged(recording(REWORDED, "other")), settings)
    main(["review", "accept", "other"])
    assert settle_golden(here, judged(recording(REWORDED, "other")), settings).state == "same"
    assert [line["decision"] for line in log_of(here, "other")] == ["reject", "accept"]


@pytest.mark.row(53)
def test_a_review_without_a_terminal_decides_nothing(here, capsys):
    assert main(["review"]) == 2
    assert "this is not a terminal" in capsys.readouterr().err
    assert len(names()) == 4


def test_an_id_in_two_folders_is_named_by_its_golden(here, tmp_path, judged, settings, capsys):
    settle_golden(GoldenStore.beside(tmp_path / "unit"), judged(recording(ANSWER, "fresh")), settings)
    assert main(["review", "accept", "fresh"]) == 2
    assert "names 2 candidates" in capsys.readouterr().err
    assert main(["review", "accept", "unit/__golden__/fresh.golden.json"]) == 0
    assert names("unit") == []
    assert "fresh" in names()


def test_only_decisions_of_people_are_labels(here, judged, settings):
    main(["review", "accept", "worse", "--reason", "30 since May"])
    main(["review", "reject", "other"])
    settle_golden(here, judged(recording(REWORDED, "better")), settings, policy="update")
    labels = list(read_labels(here.folder / "decisions", settings))
    assert [label.correct for label in labels] == [False, True]
    (line,) = log_of(here, "worse")
    assert labels[1].confidence == line["confidences"]["learned"]
    tiered = list(read_labels(here.log_path("worse"), settings, model="tiered"))
    assert tiered[0].confidence == line["confidences"]["tiered"]
    assert labels[0].group == labels[1].group


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


def test_the_page_marks_changes(here, capsys):
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


def test_escapes_hostile_recordings(store, judged, settings, tmp_path):
    chunks = [{"id": HOSTILE, "text": f"{HOSTILE} holds 25 chairs.", "score": 0.9}]
    row = recording(f"{HOSTILE} holds 25 chairs.", HOSTILE, chunks)
    store.accept(judged(row))
    changed = {**row, "answer": f"{HOSTILE} holds 30 chairs.", "metadata": {HOSTILE: HOSTILE}}
    outcome = settle_golden(store, judged(changed), settings, test=HOSTILE)
    items, _ = waiting([tmp_path])
    page = render_review(items)
    assert "<script" not in page
    assert "\x1b" not in page
    assert "\u202e" not in page
    for width in (0, 140):
        lines = [*record_lines(outcome.record, items[0].golden, width=width)]
        text = "\n".join(line.text for line in lines)
        assert "script" in text
        assert "\x1b" not in text
        assert "\u202e" not in text


def test_an_empty_page():
    assert "Nothing to review." in render_review([])


def test_marked_pieces_add_up_to_both_texts():
    old, new = marked_words("Refunds take 14 days.", "Refunds take 30 long days.")
    assert "".join(piece.text for piece in old) == "Refunds take 14 days."
    assert "".join(piece.text for piece in new) == "Refunds take 30 long days."
    assert [piece.text for piece in old if piece.is_changed] == ["14"]
    long = "a b " * 9000
    assert [piece.is_changed for side in marked_words(long, f"{long} c") for piece in side] == [False, False]


def test_parts_add_up_to_the_answer(judged):
    golden = judged(recording(f"Hello! {ANSWER}\n\nDone."))
    answer = golden.transcript.answer
    parts = list(review_parts(answer, golden.verdict.claims, {}))
    assert "".join(part.text for part in parts) == answer


def test_breaks_lines_between_words():
    lines = ["    a claim about all the", "      parcels"]
    assert list(wrapped("    a claim about all the parcels", 26)) == lines
    assert list(wrapped("as it is", 0)) == ["as it is"]


def test_the_page_shows_the_deciding_source_beside_a_change(here):
    page = render_review(waiting([here.folder.parent])[0])
    worse = page[page.index(">#</a> worse ") : page.index(">#</a> fresh ")]
    place = worse.index('<div class="pair c-regression">')
    source = worse[worse.index('<div class="source text">', place) :]
    assert "Employees receive 25 vacation days" in source[: source.index("</div>")]
    assert "<code>pytest-grounding review accept worse --reason WHY</code>" in worse
    # What was accepted is not red.
    assert (
        'mark class="g-changed"'
        in worse[worse.index('<section class="accepted">') : worse.rindex("<section")]
    )
    style = page[page.index("<style>") : page.index("</style>")]
    assert not re.search(r"(?m)^[^{]*\bdel\b[^{]*\{[^}]*--bad", style)


def test_marks_a_worse_decision(store, judged):
    store.accept(judged(recording(ANSWER, "moved")))
    candidate = judged(recording(ANSWER, "moved"), Settings(reject_confidence=1.0, accept_confidence=1.0))
    assert candidate.verdict.status == "reject"
    record = settle_golden(store, candidate, Settings(reject_confidence=1.0, accept_confidence=1.0)).record
    assert record.grade == "neutral"
    line = head_line(record, store.golden("moved"))
    assert line.tone == "bad"
    assert "worse decision, " in line.text


def files(store):
    """All goldens, decisions and candidates."""
    found = store.folder.rglob("*.json*")
    return {path.relative_to(store.folder).as_posix(): path.read_bytes() for path in sorted(found)}


def test_a_stale_candidate_stops_the_command(here_bulk, judged, capsys):
    record = here_bulk.pending("other-2")
    here_bulk.accept(judged(recording(INVENTED, "other-2", CHUNKS)))
    here_bulk.put_pending(record)
    before = files(here_bulk)
    for choice in ("--all", "other-2"):
        assert main(["review", "accept", choice]) == 2
        assert "the golden has changed since; run the tests again" in capsys.readouterr().err
    assert files(here_bulk) == before
    with pytest.raises(InputError, match="changed since"):
        decide_all(pick(waiting([here_bulk.folder])[0], ["other-2"]), "accept", reason="")


def test_a_stale_candidate_does_not_keep_the_others_waiting(here_bulk, judged, capsys):
    record = here_bulk.pending("other-2")
    here_bulk.accept(judged(recording(INVENTED, "other-2", CHUNKS)))
    here_bulk.put_pending(record)
    assert main(["review", "accept", "--all", "--reason", "agreed"]) == 2
    told = capsys.readouterr().err
    assert "other-2.golden.json: the golden has changed since; run the tests again" in told
    assert "the others were decided" in told
    assert [item.id for item in waiting([here_bulk.folder])[0]] == ["other-2"]


def test_a_decision_that_was_cut_off_is_in_the_log_and_can_be_made_again(here_bulk, monkeypatch):
    before = here_bulk.golden_path("other-2").read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        assert main(["review", "accept", "other-2", "--reason", "agreed"]) == 2
    assert [line["decision"] for line in decisions(here_bulk, "other-2")] == ["accept"]
    assert here_bulk.golden_path("other-2").read_bytes() == before
    assert main(["review", "accept", "other-2", "--reason", "agreed"]) == 0
    assert here_bulk.pending("other-2") is None
    assert here_bulk.golden_path("other-2").read_bytes() != before
    assert len(log_of(here_bulk, "other-2")) == 1, "else its label would count twice"


def test_a_decision_made_again_is_logged_where_it_says_something_new(here):
    items = pick(waiting([here.folder])[0], ["other"])
    for reason, person, number in (("A", True, 1), ("A", True, 1), ("B", True, 2), ("B", False, 3)):
        decide_all(items, "reject", reason=reason, person=person)
        assert len(log_of(here, "other")) == number


def test_a_policy_that_was_cut_off_is_logged_once(here, judged, settings, monkeypatch):
    candidate = judged(recording(REWORDED, "other"))
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        with pytest.raises(InputError):
            settle_golden(here, candidate, settings, policy="update")
    assert settle_golden(here, candidate, settings, policy="update").state == "accepted"
    assert len(log_of(here, "other")) == 1


def refuse(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
