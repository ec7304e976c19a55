"""Each pattern of the lexicon does what its file says, and its gate lets through whatever it matches."""

import json
import re
from itertools import islice

import pytest
from every import each
from hypothesis import given, settings
from hypothesis import strategies as st
from matching_texts import matching

from pytest_grounding.lexicon import patterns as room
from pytest_grounding.lexicon.patterns import FOLDER, SHARED, parts, pattern, patterns_of, source
from training import gates

PACKAGE = FOLDER.parents[1]
FILES = sorted(path.stem for path in FOLDER.glob("*.txt") if path.stem != SHARED)
EVERY = [(file, name) for file in FILES for name in patterns_of(file).entries]


def asked(file, name, text):
    """Whether a pattern matches as its users ask it."""
    compiled = re.compile(source(file, name), re.IGNORECASE)
    found = compiled.match(text) if patterns_of(file).entries[name].is_at_start else compiled.search(text)
    return found is not None


def likely(file, name, text):
    """Whether the gate of a pattern lets a text through."""
    number = list(patterns_of(file).entries).index(name)
    every = parts(file)
    return every.patterns[number] in every.likely(text)


@each(*EVERY)
def test_examples(file, name):
    entry = patterns_of(file).entries[name]
    assert len(entry.reason.split()) >= 2 or len(entry.reason) > 5
    assert len(set(entry.matching)) >= 2
    assert [text for text in entry.matching if not asked(file, name, text)] == []
    assert [text for text in entry.others if asked(file, name, text)] == []
    # What matches nothing but what it should is not a pattern that matches everything.
    assert entry.others or asked(file, name, "")
    assert all(likely(file, name, text) for text in entry.matching)


def test_every_pattern_that_a_module_asks_for_is_in_its_file():
    asked_for = set()
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for holder, file in re.findall(r'^(\w+) = PatternFile\("(\w+)"\)$', text, re.MULTILINE):
            asked_for |= {(file, name) for name in re.findall(rf"\b{holder}\.(\w+)", text)}
    assert len(asked_for) > 50
    assert asked_for <= set(EVERY)
    assert not hasattr(room.PatternFile("bare"), "nothing")


@pytest.mark.slow
@each(*FILES)
def test_the_gates_are_fresh(file):
    shipped = json.loads((FOLDER / "gates.json").read_text(encoding="utf-8"))
    assert sorted(shipped) == FILES
    fresh = {name: gates.needs_of(source(file, name)) for name in patterns_of(file).entries}
    assert shipped[file] == fresh, "run python -m training.gates"
    assert list(shipped[file]) == list(fresh)


@each(*EVERY)
def test_a_gate_lets_through_what_its_pattern_matches(file, name):
    made = matching(source(file, name), re.IGNORECASE, seed=f"{file} {name}", tries=1_000)
    texts = list(islice(made, 40))
    assert len(set(texts)) > 2, "the walk through the pattern found too few texts that it matches"
    assert [text for text in texts if not likely(file, name, text)] == []
    assert all(parts(file).search(text) for text in texts)
    assert all(pattern(file, name).search(text) for text in texts)


@settings(max_examples=100, deadline=None)
@given(
    st.from_regex(
        r"\A(?:[abc](?:\?|\{1,2\})?|\((?:[abc]{1,3}\|){1,2}(?:[abc]{1,3}|d?)\)(?:\?|\{1,2\})?"
        r"|\(\?=[abc]{1,2}\)|\[ab\]|\\b|\.){1,6}\Z"
    ),
    st.text("abcd", max_size=8),
)
def test_needs_of_any_pattern_stand_in_what_it_matches(form, text):
    needs = gates.needs_of(form)
    for found in re.compile(form, re.IGNORECASE).finditer(text.upper()):
        # What is looked ahead at stands behind the match.
        held = text if "(?=" in form else found[0].lower()
        assert all(any(letters in held for letters in group) for group in needs), needs


@each(
    (r"\bnowhere to be (?:found|seen)\b", [["nowhere to be "]]),
    (r"(?:guess|speculat)(?:e|ing)?", [["guess", "speculat"]]),
    (r"\w+ (?:chapter|passage)s?", [["chapter", "passage"]]),
    (r"(?:chapter|\w+)", []),
    (r"\w+(?= (?:chapter|passage))", [["chapter", "passage"]]),
    (r"\w+(?:, \w+(?= chapter))?", []),
    (r"(?:chapter)?", []),
    (r"x", []),
)
def test_needs_are_the_rare_letters(form, needs):
    found = gates.needs_of(form)
    assert [sorted(text.strip() for text in group) for group in found] == [
        sorted(text.strip() for text in group) for group in needs
    ]


def test_no_piece_is_left_over():
    """A piece that no pattern uses is gone with its last user."""
    bodies = {}
    for file in (*FILES, SHARED):
        held = patterns_of(file)
        bodies[file] = " ".join([*held.pieces.values(), *(entry.body for entry in held.entries.values())])
    for file in (*FILES, SHARED):
        where = " ".join(bodies.values()) if file == SHARED else bodies[file]
        assert [name for name in patterns_of(file).pieces if f"{{{name}}}" not in where] == []


@pytest.mark.parametrize(
    "written",
    [
        "[one] a reason\n    a\n[one] a reason\n    b\n",
        "(one) a reason\n    a\n[one] a reason\n    b\n",
        "one a reason\n    a\n",
    ],
)
def test_an_unknown_piece_is_refused(tmp_path, monkeypatch, written):
    (tmp_path / "made.txt").write_text(written, encoding="utf-8")
    monkeypatch.setattr(room, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match=r"made.txt:\d: neither a pattern nor a piece of a new name"):
        patterns_of("made")


def test_pieces_and_words_are_put_in(tmp_path, monkeypatch):
    (tmp_path / "made.txt").write_text(
        "(end) how it ends\n    ings?|{refusals.answers}\n[one] a reason\n    read {end}[ ]\n    |write\n"
    )
    monkeypatch.setattr(room, "FOLDER", tmp_path)
    assert source("made", "one").startswith("read (?:ings?|(?:answer|")
    assert source("made", "one").endswith("))[ ]|write")
    patterns_of.cache_clear()
    room._piece.cache_clear()
