"""Sentences of any text and language, and what happens without sentencex."""

import re
import subprocess
import sys
from pathlib import Path

from every import each
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounding.reading.sentences import LONGEST_SENTENCE, Sentence, segment

MARKER = re.compile(r"\[\^?\d[^\]]*\]|【[^】]*】|[¹²³]+")


def pieces(text: str, language: str = "en") -> list[str]:
    """The sentences of a text whose markers are named, as the engine names them."""
    markers = [match.span() for match in MARKER.finditer(text)]
    return [sentence.text for sentence in segment(text, language=language, markers=markers)]


@each(
    ("It is red. It is blue.", ["It is red.", "It is blue."]),
    ("Dr. Smith lives in the U.S. He is old.", ["Dr. Smith lives in the U.S.", "He is old."]),
    ("It costs $5.00 (vs. $3.50). OK.", ["It costs $5.00 (vs. $3.50).", "OK."]),
    ("It beats vs. No. 6. Ok.", ["It beats vs. No. 6.", "Ok."]),
    ("See Fig. 3 and No. 5. It helps, e.g. Bob.", ["See Fig. 3 and No. 5.", "It helps, e.g. Bob."]),
    ("She said no. 15 people left early.", ["She said no. 15 people left early."]),
    ("She paused… Then left.", ["She paused…", "Then left."]),
    ("He paused… then left.", ["He paused… then left."]),
    ("Well... It works.", ["Well...", "It works."]),
    ('He said "Go." Then he left.', ['He said "Go."', "Then he left."]),
    ("(It is in brackets.) Next one.", ["(It is in brackets.)", "Next one."]),
    ("It is (really) so. Yes.", ["It is (really) so.", "Yes."]),
    ("**Note.** It is red.", ["**Note.**", "It is red."]),
    ("*It is red.* It is blue.", ["*It is red.*", "It is blue."]),
    ("The temp. is 5. It is cold.", ["The temp. is 5.", "It is cold."]),
    ("It has vitamin C. It is good.", ["It has vitamin C.", "It is good."]),
    ("Steps are: 1. Open it. 2. Close it.", ["Steps are:", "1. Open it.", "2. Close it."]),
    ("Use `a.b. C` here. Then `x.Y()`. Done.", ["Use `a.b. C` here.", "Then `x.Y()`.", "Done."]),
    ("See [a. b](https://x.y/z?q=1. A) now. Done.", ["See [a. b](https://x.y/z?q=1. A) now.", "Done."]),
    ("See [docs](https://x.y/a?q=1&b=2). Done.", ["See [docs](https://x.y/a?q=1&b=2).", "Done."]),
    ("No stop at the end", ["No stop at the end"]),
    ("", []),
    (" \n\t ", []),
    ("The sale ends on 5 May. Rooms are cheap.", ["The sale ends on 5 May.", "Rooms are cheap."]),
    ("He told me. Ada left.", ["He told me.", "Ada left."]),
    ("Enter the ID [1]. Press OK. Wait here.", ["Enter the ID [1].", "Press OK.", "Wait here."]),
    ("See art. 12 of the law.", ["See art. 12 of the law."]),
)
def test_sentences_of_prose(text, expected):
    assert pieces(text) == expected


@each(
    ("It is red [1]. It is blue [2].", ["It is red [1].", "It is blue [2]."]),
    ("It is red.[1] It is blue.[2]", ["It is red.[1]", "It is blue.[2]"]),
    ("It is red. [1] It is blue.", ["It is red. [1]", "It is blue."]),
    ("It is red.[1][2] It is blue.", ["It is red.[1][2]", "It is blue."]),
    ("It is red. [1] [2, 3] It is blue.", ["It is red. [1] [2, 3]", "It is blue."]),
    ("In 2011.[1] It rose.", ["In 2011.[1]", "It rose."]),
    ("It is red.【4:0†source】 It is blue.", ["It is red.【4:0†source】", "It is blue."]),
    ("It is red.[^1] It is blue.", ["It is red.[^1]", "It is blue."]),
    ("It is red.² It is blue.", ["It is red.²", "It is blue."]),
    ("[1] It is red. It is blue.", ["[1] It is red.", "It is blue."]),
    ("It is red!\n[1]\nIt is blue.", ["It is red!\n[1]", "It is blue."]),
    ("It is red.\n[1] It is blue.", ["It is red.", "[1] It is blue."]),
    ("- It is red.\n  [1]\n- It is blue.", ["- It is red.\n  [1]", "- It is blue."]),
    ("It is 🙂 red.[1] It is 🙂.[2]", ["It is 🙂 red.[1]", "It is 🙂.[2]"]),
    ("It is red [1] It is blue [2]", ["It is red [1] It is blue [2]"]),
)
def test_markers_stay_with_the_sentence_before(text, expected):
    assert pieces(text) == expected


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


@each(
    ("zh", "价格是20美元。很便宜！真的吗？是的。", ["价格是20美元。", "很便宜！", "真的吗？", "是的。"]),
    ("zh", "这是真的。[1]下一句。", ["这是真的。[1]", "下一句。"]),
    ("ja", "彼は「はい。」と言った。次の文。", ["彼は「はい。」と言った。", "次の文。"]),
    ("ja", "東京は首都です。[2] 人口は多い。", ["東京は首都です。[2]", "人口は多い。"]),
    ("hi", "यह योजना है। क्या यह सही है? हाँ।", ["यह योजना है।", "क्या यह सही है?", "हाँ।"]),
    ("ar", "السعر 20 دولارًا. هل هذا صحيح؟ نعم!", ["السعر 20 دولارًا.", "هل هذا صحيح؟", "نعم!"]),
    (
        "de",
        "Er kam am 3. Mai mit Dr. Müller. Er blieb z. B. hier.",
        ["Er kam am 3. Mai mit Dr. Müller.", "Er blieb z. B. hier."],
    ),
    (
        "de",
        "Für Bahnfahrten wird die 2. Klasse erstattet. Es gibt 2. Danach kam nichts.",
        ["Für Bahnfahrten wird die 2. Klasse erstattet.", "Es gibt 2.", "Danach kam nichts."],
    ),
    (
        "und",
        "Das Haus ist aus dem 19. Jahrhundert. Es steht noch.",
        ["Das Haus ist aus dem 19. Jahrhundert.", "Es steht noch."],
    ),
    ("en", "I am 3. He is 5.", ["I am 3.", "He is 5."]),
    (
        "fr",
        "M. Dupont est là. Il dit « Oui. » Puis il part.",
        ["M. Dupont est là.", "Il dit « Oui. »", "Puis il part."],
    ),
    ("es", "El Sr. García llegó. ¿Qué hora es? ¡Hola!", ["El Sr. García llegó.", "¿Qué hora es?", "¡Hola!"]),
    ("ru", "Он родился в 1990 г. в Москве. Потом уехал.", ["Он родился в 1990 г. в Москве.", "Потом уехал."]),
    ("ko", "가격은 20달러입니다. 맞습니까? 네.", ["가격은 20달러입니다.", "맞습니까?", "네."]),
    ("zh-Hans-CN", "一。二。", ["一。", "二。"]),
    ("xx", "One. Two.", ["One.", "Two."]),
    ("", "One. Two.", ["One.", "Two."]),
    ("en_US", "One. Two.", ["One.", "Two."]),
    ("not a tag!", "One. Two.", ["One.", "Two."]),
)
def test_sentences_of_other_languages(language, text, expected):
    assert pieces(text, language) == expected


def shapes(text: str) -> list[tuple[str, str]]:
    return [(sentence.kind, sentence.text) for sentence in segment(text)]


@each(
    ("# Title\nText. More.", [("heading", "# Title"), ("prose", "Text."), ("prose", "More.")]),
    ("Title\n=====\nText.", [("heading", "Title\n====="), ("prose", "Text.")]),
    ("A full sentence.\n---\nNext.", [("prose", "A full sentence."), ("heading", "---"), ("prose", "Next.")]),
    ("**Title**\nText.", [("heading", "**Title**"), ("prose", "Text.")]),
    ("**It costs $20.**", [("prose", "**It costs $20.**")]),
    ("- one. two\n- three", [("list_item", "- one."), ("list_item", "two"), ("list_item", "- three")]),
    (
        "1. one\n2) two\n(3) three",
        [("list_item", "1. one"), ("list_item", "2) two"), ("list_item", "(3) three")],
    ),
    ("* one\n  goes on\n* two", [("list_item", "* one\n  goes on"), ("list_item", "* two")]),
    (
        "| a | b |\n|---|---|\n| 1. x | 2 |",
        [("table_row", "| a | b |"), ("table_row", "|---|---|"), ("table_row", "| 1. x | 2 |")],
    ),
    (
        "a | b\n--|--\n1 | 2\n\nx | y",
        [("table_row", "a | b"), ("table_row", "--|--"), ("table_row", "1 | 2"), ("prose", "x | y")],
    ),
    ("> one. two\n> goes on.\n\nend", [("quote", "> one."), ("quote", "two\n> goes on."), ("prose", "end")]),
    ("A:\n```\nx. Y.\n```\nB.", [("prose", "A:"), ("code", "```\nx. Y.\n```"), ("prose", "B.")]),
    ("A.[^1]\n\n[^1]: B. C.", [("prose", "A.[^1]"), ("definition", "[^1]: B. C.")]),
    (
        "A long line that was wrapped somewhere by its\nWriter goes on.",
        [("prose", "A long line that was wrapped somewhere by its\nWriter goes on.")],
    ),
    ("Short line\nAnother line", [("prose", "Short line"), ("prose", "Another line")]),
    ("Short line\ngoes on", [("prose", "Short line\ngoes on")]),
    ("One.\r\n\r\nTwo.", [("prose", "One."), ("prose", "Two.")]),
    ("- a\n\n- b", [("list_item", "- a"), ("list_item", "- b")]),
)
def test_blocks_of_markdown(text, expected):
    assert shapes(text) == expected


def test_blocks_are_numbered_in_order():
    blocks = [sentence.block for sentence in segment("# A\nOne. Two.\n- x\n- y")]
    assert blocks == [0, 1, 1, 2, 3]


def check_partition(text: str, sentences: tuple[Sentence, ...]) -> None:
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


@settings(max_examples=300)
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


def without(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
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
