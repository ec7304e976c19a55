"""The pictures show what the commands print now, and a page that shows one says in words what is on it."""

import re
import shutil
import sys
from importlib import import_module
from xml.etree import ElementTree

import pytest
from doc_blocks import ROOT, pages

IMAGES = ROOT / "docs" / "images"
#: Pictures of a page and their widths.
PAGES_SHOWN = {"report.png": 1180, "report-narrow.png": 400}
_SHOWN = re.compile(r"!\[(?P<words>[^\]]*)\]\((?P<target>[^)]+)\)")


@pytest.fixture(scope="module")
def docs():
    """The scripts that make the pictures: of all, and of a terminal."""
    before = list(sys.path)
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        return import_module("pictures"), import_module("terminal")
    finally:
        sys.path[:] = before


@pytest.mark.parametrize("name", ["first-test.svg", "check.svg"])
def test_a_picture_of_a_terminal_shows_what_is_printed_now(name, docs):
    pictures, terminal = docs
    kept = terminal.shown((IMAGES / name).read_text(encoding="utf-8"))
    assert kept == terminal.shown(pictures.drawn(name)), "run: python docs/pictures.py terminal"
    assert "45 days" in kept
    assert "gate: FAIL" in kept


def test_the_names_of_the_pictures_are_those_of_the_script(docs):
    assert {path.name for path in IMAGES.iterdir()} == {*docs[0].TERMINAL, *PAGES_SHOWN}


def test_colours_blanks_and_long_lines_stay_in_the_picture(docs):
    terminal = docs[1]
    long = " ".join(f"word{number}" for number in range(40))
    text = f"\x1b[31m\x1b[1mE\x1b[0m   <a> & b\n\n\x1b[32m{long}\x1b[0m\n{'x' * 150}\n"
    picture = terminal.svg(text, "a & b")
    ElementTree.fromstring(picture)
    shown = terminal.shown(picture).split("\n")
    assert shown[:2] == ["E   <a> & b", ""]
    assert max(map(len, shown)) <= terminal.WIDTH
    assert "".join(shown[2:]).replace(" ", "") == f"{long}{'x' * 150}".replace(" ", "")
    assert all(word in f" {long} " for word in shown[2].split())
    assert picture.count('fill="#ff7b72" font-weight="bold"') == 1
    assert picture.count('fill="#7ee787"') == len(shown) - 4


def test_every_picture_is_shown_and_described():
    shown = set()
    for page in pages():
        for found in _SHOWN.finditer(page.read_text(encoding="utf-8")):
            file = page.parent / found["target"]
            assert file.is_file(), f"{page.name} shows {found['target']}, which is not there"
            assert len(found["words"].split()) >= 5, f"{page.name} does not say what {file.name} shows"
            shown.add(f"{page.name} {file.name}")
    assert {row.split()[1] for row in shown} == {path.name for path in IMAGES.iterdir()}
    assert shown >= {
        "README.md first-test.svg",
        "README.md report.png",
        "index.md first-test.svg",
        "report.md report.png",
        "report.md report-narrow.png",
        "cli.md check.svg",
    }


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("chromedriver") is None, reason="needs Chromium and its driver")
def test_the_pictures_of_a_page_can_be_made(docs, tmp_path, monkeypatch):
    monkeypatch.setattr(docs[0], "IMAGES", tmp_path)
    (tmp_path / "work").mkdir()
    docs[0].report(tmp_path / "work")
    for name, width in PAGES_SHOWN.items():
        made = (tmp_path / name).read_bytes()
        # Width and height stand in the first chunk.
        assert int.from_bytes(made[16:20]) == width
        assert len(made) > len((IMAGES / name).read_bytes()) / 2
