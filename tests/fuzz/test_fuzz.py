"""A fixed number of strange transcripts at every run, and all that once broke something."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from invariants import check_file, check_transcript, check_value
from strategies import files, transcripts, values

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.json"))


@settings(max_examples=150)
@given(transcripts())
def test_transcripts(made):
    check_transcript(made)


@settings(max_examples=100)
@given(values)
def test_values_of_any_kind(made):
    check_value(made)


@settings(max_examples=60)
@given(files())
def test_files(made):
    check_file(made)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_what_once_broke_something(path):
    check_transcript(json.loads(path.read_text(encoding="utf-8")))


def test_the_corpus_is_there():
    assert len(CORPUS) >= 8
