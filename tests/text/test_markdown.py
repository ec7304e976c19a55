from every import each
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.reading.markdown import blank, definitions, mask_spans


def kinds(text: str) -> list[tuple[str, str, str]]:
    return [
        (span.kind, text[span.start : span.end], text[span.inner_start : span.inner_end])
        for span in mask_spans(text)
    ]


@each(
    ("plain words", []),
    ("call `a[1]` now", [("inline_code", "`a[1]`", "a[1]")]),
    ("``a ` b``", [("inline_code", "``a ` b``", "a ` b")]),
    ("one ` alone", []),
    ("two `` and ` differ", []),
    ("`over\ntwo lines`", [("inline_code", "`over\ntwo lines`", "over\ntwo lines")]),
    ("`not over\n\nparagraphs`", []),
    ("`not over\n- items`", []),
    (r"\`escaped\`", []),
    ("`ends with \\`", [("inline_code", "`ends with \\`", "ends with \\")]),
    ("```py\na[1]\n```", [("fence", "```py\na[1]\n```", "a[1]\n")]),
    ("~~~\na\n```\n~~~\nb", [("fence", "~~~\na\n```\n~~~", "a\n```\n")]),
    ("````\n```\n````", [("fence", "````\n```\n````", "```\n")]),
    ("```\nnever closed [1]", [("fence", "```\nnever closed [1]", "never closed [1]")]),
    ("- ```\n  a\n  ```", [("fence", "```\n  a\n  ```", "  a\n")]),
    ("``` not a fence `x`", [("inline_code", "`x`", "x")]),
    ("```\r\na\r\n```\r\nb", [("fence", "```\r\na\r\n```", "a\r\n")]),
    ("[t](u)", [("link_text", "[t]", "t"), ("link_target", "(u)", "u")]),
    (
        "[1](https://a.b)",
        [("link_text", "[1]", "1"), ("link_target", "(https://a.b)", "https://a.b")],
    ),
    (
        '[t](https://a.b/c_(d) "title")',
        [
            ("link_text", "[t]", "t"),
            ("link_target", '(https://a.b/c_(d) "title")', "https://a.b/c_(d)"),
        ],
    ),
    ("[t]( u )", [("link_text", "[t]", "t"), ("link_target", "( u )", "u")]),
    ("[t](<a b>)", [("link_text", "[t]", "t"), ("link_target", "(<a b>)", "a b")]),
    ("[t](not closed", []),
    ("[t](two words)", []),
    ("[t] (u)", []),
    ("[1][2]", []),
    (r"\[1\](u)", []),
    ("![alt](x.png)", [("image", "![alt](x.png)", "alt")]),
    (
        "[`f`](u)",
        [("link_text", "[`f`]", "`f`"), ("inline_code", "`f`", "f"), ("link_target", "(u)", "u")],
    ),
    ("`[t](u)`", [("inline_code", "`[t](u)`", "[t](u)")]),
    ("- [x] done [1]", [("checkbox", "[x]", "x")]),
    ("1. [ ] open", [("checkbox", "[ ]", " ")]),
    ("text [x] here", []),
    ("- [x](u)", [("link_text", "[x]", "x"), ("link_target", "(u)", "u")]),
    ("<https://a.b>", [("autolink", "<https://a.b>", "https://a.b")]),
    ("a < b > c", []),
    ("a <!-- [1] --> b", [("comment", "<!-- [1] -->", " [1] ")]),
    ("[^1]: note", [("definition", "[^1]: note", "note")]),
    (
        "[^1]: note\n    more\nnot more",
        [("definition", "[^1]: note\n    more", "note\n    more")],
    ),
    (
        "[1]: https://a.b\n[2]: a title",
        [
            ("definition", "[1]: https://a.b", "https://a.b"),
            ("definition", "[2]: a title", "a title"),
        ],
    ),
    ("[docs]: https://a.b", [("definition", "[docs]: https://a.b", "https://a.b")]),
    ("[Note]: this is prose", []),
    ("say [1]: https://a.b", []),
    (
        "[the guide][1]\n\n[1]: u",
        [("link_text", "[the guide]", "the guide"), ("definition", "[1]: u", "u")],
    ),
    ("[1][2]\n\n[2]: u", [("definition", "[2]: u", "u")]),
)
def test_spans(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert kinds(text) == expected


def test_code_citation_fills_its_span() -> None:
    text = "See `src/a.py:3-9` and `the file src/a.py:3-9`."
    inner = [text[span.inner_start : span.inner_end] for span in mask_spans(text)]
    assert inner == ["src/a.py:3-9", "the file src/a.py:3-9"]


def test_definitions_by_label_first_one_counts() -> None:
    text = "A [1].\n\n[1]: https://a.b\n[1]: https://c.d\n[^N]: two\n    lines\n"
    assert definitions(text) == {"1": "https://a.b", "^n": "two lines"}
    assert definitions("nothing here") == {}
    assert definitions("```\n[1]: code\n```") == {}


def test_blank_keeps_length_and_line_breaks() -> None:
    text = "a ```\r\nb\r\n``` `c`\n```\nd\n```\ne"
    blanked = blank(text, mask_spans(text))
    assert len(blanked) == len(text)
    assert [i for i, char in enumerate(text) if char in "\r\n"] == [
        i for i, char in enumerate(blanked) if char in "\r\n"
    ]
    assert "d" not in blanked
    assert blanked.endswith("e")


SIGNS = [
    *"[|]|(|)|`|```|\n|\r\n| |    |a|1|!|^|:|<|>|- |x".split("|"),
    *("https://a", "\\", "|", "~~~", "\ud83d", "🙂", "é", "[1]: ", "<!--", "-->", '"'),
]
MARKUP = st.lists(st.sampled_from(SIGNS), max_size=60).map("".join)


@given(MARKUP)
def test_spans_are_ordered_and_lie_in_the_text(text: str) -> None:
    spans = mask_spans(text)
    assert [span.start for span in spans] == sorted(span.start for span in spans)
    outer_end = 0
    holder = None
    for span in spans:
        assert 0 <= span.start <= span.inner_start <= span.inner_end <= span.end <= len(text)
        assert span.start < span.end
        if span.start < outer_end:
            # Only a link's text holds others.
            assert holder is not None
            assert holder.kind == "link_text"
            assert span.end <= holder.end
        else:
            holder, outer_end = span, span.end
    assert len(blank(text, spans)) == len(text)


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    blanked = blank(text, mask_spans(text))
    assert len(blanked) == len(text)
    assert all(text[i] == char or char == " " for i, char in enumerate(blanked))
    assert all(value and value == " ".join(value.split()) for value in definitions(text).values())
