from collections.abc import Callable

import pytest
from every import each
from growth import grows_at_most
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.reading import forget
from pytest_grounding.reading.identifiers import identifiers
from pytest_grounding.scorers.builtin.identifier_matches import KnownNames, strange_identifiers


@each(
    ("See src/kitchen/chef.py.", [("path", "src/kitchen/chef.py")]),
    ("(`./a.py:12-14`)", [("path", "./a.py")]),
    ("POST /v2/labels/{id}", [("path", "/v2/labels/")]),
    ("请看src/a.py。", [("path", "src/a.py")]),
    ("see handbook.pdf", [("path", "handbook.pdf")]),
    ("Mail help@acme.example!", [("email", "help@acme.example")]),
    ("on www.acme.example/a?b=1, now", [("url", "www.acme.example/a?b=1")]),
    ("s3://bucket/key", [("url", "s3://bucket/key")]),
    ("KITCHEN_LIMIT=3 and $HOME_DIR", [("name", "KITCHEN_LIMIT"), ("name", "HOME_DIR")]),
    ("ns::parse_order, maxRetries", [("name", "parse_order"), ("name", "maxRetries")]),
    ("client.send() and send()", [("function", "client.send"), ("function", "send")]),
    ("2.4.1, v2.4", [("version", "2.4.1"), ("version", "v2.4")]),
    ("A4, 2d6, 3+, v2, W-9", [("code", name) for name in ("A4", "2d6", "3+", "v2", "W-9")]),
    (
        "and/or his/her 24/7 km/h TCP/IP e.g. U.S. p.m. J.R. iPhone PhD 1.5 12.10.2021 1.000.000",
        [],
    ),
    ("well-known Anglo-Saxon --- -- - ... :: // @ @you #tag item(s) f(x) Node.js", []),
    ("", []),
)
def test_what_is_read(text: str, found: list[tuple[str, str]]) -> None:
    read = identifiers(text)
    assert [(item.kind, item.text) for item in read] == found
    assert all(text[item.start : item.end] == item.text for item in read)


@given(st.text(max_size=60), st.text(alphabet="aA1_./\\-@:+v() d", max_size=60))
def test_any_text_is_read_and_knows_its_own_names(odd: str, likely: str) -> None:
    for text in (odd, likely, odd + likely):
        read = identifiers(text)
        assert all(text[item.start : item.end] == item.text for item in read)
        known = KnownNames([text])
        assert [item.text for item in read if not known.has(item)] == []
        assert all(isinstance(known.nearest(item), str) for item in read)


def test_names_that_say_how_others_begin_or_end() -> None:
    known = KnownNames(["pw_live_123 and order_timeout"])
    text = "pw_live_ pw_test_ _timeout _limit __init__"
    assert [item.text for item in strange_identifiers(text, lambda: known)] == [
        "pw_test_",
        "_limit",
        "__init__",
    ]


def test_a_name_is_no_part_of_a_longer_one() -> None:
    known = KnownNames(["max_retries_total OPS-43127 v2.41 src/a.pyx xa@b.example"])
    text = "max_retries OPS-4312 v2.4 src/a.py a@b.example"
    assert [item.text for item in strange_identifiers(text, lambda: known)] == text.split()


@pytest.mark.parametrize(
    "piece",
    [
        *("a_b{} ", "A{}-1 ", "v1.{} ", "_", "a.b.", "--a", "A1", "()", "a@"),
        pytest.param("x/{}.py ", marks=pytest.mark.slow),
    ],
)
def test_reading_and_looking_up_cost_time_in_proportion_to_the_text(piece: str) -> None:
    def work(count: int) -> Callable[[], None]:
        text = "".join(piece.format(number) for number in range(count))
        sentences = text.replace("1", "7").split()

        def read() -> None:
            # What is kept of the round before would be looked up, and of the longer text not all is kept.
            forget()
            known = KnownNames([text])
            for sentence in sentences:
                strange_identifiers(sentence, lambda: known)

        return read

    # Four times the text; the square would cost sixteen times as much.
    assert grows_at_most(9, work(2_000), work(8_000), floor=0.002)
