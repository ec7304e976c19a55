"""Invisible characters inside a number, in a source or an answer, change no verdict."""

import pytest

import pytest_grounding as pg

SIGNS = {
    "zero width space": "\u200b",
    "soft hyphen": "\u00ad",
    "zero width joiner": "\u200d",
    "word joiner": "\u2060",
    "byte order mark": "\ufeff",
    "left to right mark": "\u200e",
    "right to left mark": "\u200f",
    "grapheme joiner": "\u034f",
    "variation selector": "\ufe0f",
    "isolate": "\u2066",
    "Hangul filler": "\u3164",
    "Hangul first filler": "\u115f",
    "language tag": "\U000e0001",
    "tag of a digit": "\U000e0030",
}
ROWS = [
    ("How long do refunds take?", "Refunds are paid within {} days of the return.", "14", "45"),
    ("What does it cost?", "The ticket costs {} euros for adults.", "1250", "1350"),
    ("When was it built?", "The bridge was built in {} by the town.", "1987", "1978"),
    ("What is the limit?", "The limit is {} kg for each bag.", "23.5", "32.5"),
    ("What is the number?", "Call {} for help.", "555-0199", "555-0991"),
]


def status(question, source, answer):
    chunk = {"id": "c", "text": source}
    return pg.validate({"id": "t", "question": question, "chunks": [chunk], "answer": answer}).status


@pytest.mark.parametrize("sign", SIGNS.values(), ids=list(SIGNS))
@pytest.mark.parametrize(("question", "text", "right", "wrong"), ROWS)
def test_a_number_with_an_invisible_sign_is_that_number(question, text, right, wrong, sign):
    noisy = right[:1] + sign + right[1:]
    plain = status(question, text.format(right), text.format(right))
    for source, answer in ((noisy, right), (right, noisy), (noisy, noisy)):
        assert status(question, text.format(source), text.format(answer)) == plain
    assert status(question, text.format(noisy), text.format(wrong)) == "reject"
