"""The page of a run in parts leads from each transcript to the line that holds its verdict."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from scale_runs import write_rows

from pytest_grounding.cli import main

PARTS = ("--jobs", "1", "--part-size", "2500")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GROUNDING_JOBS", raising=False)
    write_rows(tmp_path / "a.transcripts.jsonl", 12)
    return tmp_path


def details(page: Path) -> dict[str, dict[str, Any]]:
    """What a page holds of its transcripts, by their ids in the page."""
    text = page.read_text(encoding="utf-8")
    names = re.findall(r'<details class="row[^>]* id="t-([^"]+)"', text)
    data = re.findall(r'<script type="application/json" id="d-\d+">(.*?)</script>', text)
    return dict(zip(names, map(json.loads, data), strict=True))


@pytest.mark.parametrize("how", [("-q",), ()], ids=["merged", "row by row"])
@pytest.mark.parametrize("work", ["work", 'a:b "c"<i>#%41?'])
def test_each_transcript_leads_to_the_line_of_its_verdict(
    here: Path, how: tuple[str, ...], work: str
) -> None:
    page = here / "out/page.html"
    words = ["a.transcripts.jsonl", *how, *PARTS, "--work", work]
    assert main(["check", *words, "--report", f"html:{page.relative_to(here)}"]) == 1
    found = details(page)
    assert len(found) == 12
    files = set()
    for name, data in found.items():
        address, place = data["part"]
        assert re.fullmatch(r"[\w.~%/-]+", address), "nothing but a path"
        file = page.parent / unquote(address)
        shown, _, number = place.rpartition(":")
        assert shown == f"../{work}/{file.name}"
        line = json.loads(file.read_text(encoding="utf-8").splitlines()[int(number) - 1])
        assert line["verdict"]["id"] == name
        files.add(file.name)
    assert len(files) > 1


def test_what_is_removed_is_not_linked(here: Path) -> None:
    """Without a folder of its own a run leaves the page of one process, to the byte."""
    for name, words in (("one", ()), ("parts", PARTS)):
        assert main(["check", "a.transcripts.jsonl", "-q", *words, "--report", f"html:{name}.html"]) == 1
    assert not list(here.glob(".grounding-work"))
    assert all("part" not in data for data in details(here / "parts.html").values())
    assert (here / "one.html").read_bytes() == (here / "parts.html").read_bytes()


def test_a_page_on_standard_output_lies_nowhere(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "a.transcripts.jsonl", "-q", *PARTS, "--work", "work", "--report", "html:-"]) == 1
    assert '"part"' not in capsys.readouterr().out


def test_the_page_says_where_all_verdicts_are(here: Path) -> None:
    words = ["-q", *PARTS, "--work", "work <b>", "--set", "report_rows=3", "--report", "html:page.html"]
    assert main(["check", "a.transcripts.jsonl", *words]) == 1
    text = (here / "page.html").read_text(encoding="utf-8")
    assert "All verdicts: <code>work &lt;b&gt;</code>." in text
    assert len(details(here / "page.html")) == 3
