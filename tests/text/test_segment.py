"""Sentences of any text and language, and what happens without sentencex."""

import re
import subprocess
import sys

from every import each, table
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounding.reading.sentences import LONGEST_SENTENCE, segment

MARKER = re.compile(r"\[\^?\d[^\]]*\]|【[^】]*】|[¹²³]+")


@each(*table(__file__, "sentences"))
def test_sentences_of_prose(language, text, expected):
    """The markers of the text are named, as the engine names them."""
    markers = [match.span() for match in MARKER.finditer(text)]
    assert [piece.text for piece in segment(text, language=language, markers=markers)] == expected


def test_plain_markers_are_found_without_spans():
    text = "It is red.[1] It is blue.² It is【1】 green.[^a] End."
    assert [sentence.text for sentence in segment(text)] == [
        "It is red.[1]",
        "It is blue.²",
        "It is【1】 green.[^a]",
        "End.",
    ]


def test_a_marker_of_any_form_is_given_by_its_span():
    text = "It is red. (src/a.py:3) It is blue."
    spans = [(11, 23)]
    assert text[slice(*spans[0])] == "(src/a.py:3)"
    assert [s.text for s in segment(text, markers=spans)] == ["It is red. (src/a.py:3)", "It is blue."]


@each(*table(__file__, "blocks"))
def test_blocks_of_markdown(text, expected):
    assert [[sentence.kind, sentence.text] for sentence in segment(text)] == expected


def test_blocks_are_numbered_in_order():
    blocks = [sentence.block for sentence in segment("# A\nOne. Two.\n- x\n- y")]
    assert blocks == [0, 1, 1, 2, 3]


def check_partition(text, sentences):
    position = 0
    for sentence in sentences:
        assert sentence.start >= position
        assert sentence.text == text[sentence.start : sentence.end]
        assert sentence.text == sentence.text.strip()
        assert sentence.text
        assert not text[position : sentence.start].strip()
        position = sentence.end
    assert not text[position:].strip()


SIGNS = [
    *(". ", "! ", "… ", "\n", "\n\n", "\r\n", "- ", "1. ", "# ", "> ", "| a | b |\n", "|--|--|\n", "```\n"),
    *'`|**|[1]|【1】|²|[^1]: |A|word |Mr. |No. |vs. |(|)|"|“|」'.split("|"),
    *("「", "と", "。", "\ud83d", "\udc00", "🙂", "e\u0301", "\u202e", "\u200b", "\u2028", "\x0b", "\u0085"),
    *("السعر", "है।", "---\n"),
]
PIECES = st.lists(st.sampled_from(SIGNS), max_size=50).map("".join)


@settings(max_examples=120)
@given(PIECES, st.sampled_from(["en", "ja", "ar", "de", "xx"]))
def test_every_visible_character_lies_in_one_sentence(text, language):
    markers = [match.span() for match in MARKER.finditer(text)]
    check_partition(text, segment(text, language=language, markers=markers))


@given(st.text(), st.lists(st.tuples(st.integers(-5, 40), st.integers(-5, 40)), max_size=4))
def test_any_text_and_any_markers(text, markers):
    check_partition(text, segment(text, markers=markers))


def test_a_very_long_sentence_is_cut_at_spaces():
    long = "word " * 3000 + "end."
    texts = [sentence.text for sentence in segment(f"One. {long} Two.")]
    assert " ".join(texts) == f"One. {long} Two."
    assert texts[0] == "One."
    assert max(map(len, texts)) <= LONGEST_SENTENCE
    assert len(texts) < 20
    many = "It is a sentence of some length. " * 500
    assert [s.text for s in segment(many)] == ["It is a sentence of some length."] * 500


def test_a_very_long_text_without_spaces_is_cut_anywhere():
    long = "費" * 2500
    assert [len(sentence.text) for sentence in segment(long)] == [1000, 1000, 500]


def test_code_is_not_cut():
    code = "```\n" + "x = 1\n" * 500 + "```"
    assert [sentence.text for sentence in segment(code)] == [code]


@each("\u00a0", "\u2009", "\u3000", "\u202f")
def test_a_wide_space_after_an_initial_does_not_crash(blank):
    # The splitter panicked here, which no handler of exceptions catches.
    text = f"It cost 27. I{blank}. And so on."
    check_partition(text, segment(text))


GIVEN = '{"id": "a", "question": "When?", "chunks": [], "answer": "At nine."}'


def without(tmp_path, *words):
    """A process in which sentencex cannot be imported."""
    (tmp_path / "sentencex.py").write_text("raise ImportError('no such wheel')", encoding="utf-8")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from pytest_grounding.cli import main; "
    command = [sys.executable, "-c", f"{code}sys.exit(main({list(words)!r}))"]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)


def test_check_names_the_missing_sentencex_in_one_line(tmp_path):
    (tmp_path / "a.transcript.json").write_text(GIVEN, encoding="utf-8")
    done = without(tmp_path, "check", "a.transcript.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "pytest-grounding: error: sentencex, which splits sentences, cannot be loaded"
    )
    assert "(no such wheel)" in done.stderr
    assert "Alpine" in done.stderr
    assert done.stderr.count("\n") == 1


def test_other_commands_work_without_sentencex(tmp_path):
    done = without(tmp_path, "show", "settings", "--json")
    assert (done.returncode, done.stderr) == (0, "")
