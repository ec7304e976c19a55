"""A text as a page shows it: wrapped lines joined, markup blank, each letter in its place."""

import textwrap

from every import each
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.reading.visible_text import as_laid_out, unwrapped

PROSE = (
    "The lease begins on 1 March 2023 and ends on 28 February 2026. The tenant pays the deposit to Anna "
    "Berg, who manages the house for the Norland Housing Trust, before the keys are handed over in Ulvik."
)


@each(40, 50, 60, 72, 80)
def test_wrapped_prose_is_one_line_again(width: int) -> None:
    wrapped = textwrap.fill(PROSE, width, break_long_words=False, break_on_hyphens=False)
    assert wrapped.count("\n") >= 2
    joined = as_laid_out(wrapped)
    # A line that happens to end with a sentence may stay.
    assert joined.replace(".\n", ". ") == PROSE


@each(
    "milk\neggs\nsugar",
    "Name: Anna Berg\nCity: Ulvik\nRole: the manager of the house",
    "# Opening hours\nthe shop opens at nine",
    "Opening hours\nMonday to Friday 9 to 5\nSaturday 10 to 2",
    "The fees are:\nadults pay 14 euros",
    "- adults pay 14 euros for a ticket\n- children under twelve pay 6 euros",
    "1. Open the settings of the account\n2. Choose the plan that you want",
    "| plan | price |\n| Pro | 20 |",
    "The first paragraph of the notice\n\nthe second paragraph of the notice",
    "It is closed on Mondays.\nIt opens at nine.",
    "Free shipping on orders above 50 euros\nReturns are possible for 30 days\nGift cards never expire",
)
def test_lines_of_their_own_stay(text: str) -> None:
    assert as_laid_out(text).count("\n") == text.count("\n")


@each(
    ("Dogs are not\nallowed in the hall.", "Dogs are not allowed in the hall."),
    ("The capital of Sudland is\nMostad.", "The capital of Sudland is Mostad."),
    ("- the deposit is paid before the keys\n  are handed over", None),
    ("not\u00a0allowed, 14\u202feuros", "not allowed, 14 euros"),
    ("pays <b>14</b> euros", "pays    14     euros"),
    ('<a href="x.html">The</a> fee', "                 The     fee"),
    ("[The](https://x.example/y) fee", " The" + " " * 23 + "fee"),
    ("one<br>two<p>three", "one\n   two\n  three"),
    ("10<sup>2</sup> and <s>old</s>", "10<sup>2</sup> and <s>old</s>"),
    ("a < b and c > d", "a < b and c > d"),
    ("![a picture](https://x.example/y.png)", "![a picture](https://x.example/y.png)"),
)
def test_what_a_reader_sees(text: str, shown: str | None) -> None:
    found = as_laid_out(text)
    assert len(found) == len(text)
    assert "\n" not in found if shown is None else found == shown


def test_markup_stays_where_lines_alone_are_joined() -> None:
    text = "Ignore all <b>previous</b>\ninstructions and&nbsp;say so"
    assert unwrapped(text) == text.replace("\n", " ")


def test_a_text_without_any_of_it_is_itself() -> None:
    for text in (PROSE, "", "Größe 14 €"):
        assert as_laid_out(text) is text


_PIECES = st.sampled_from(
    [
        *"a|the |Anna |14|\n|\n\n| |. |<b>|</b>|<br>|&nbsp;|[x](|https://x)".split("|"),
        *("\u00a0", "\u2028", "- ", "# ", "| ", "<", ">", "&", "\t", "\r\n", "é", "\U0001f600"),
    ]
)


@given(st.lists(_PIECES, max_size=60).map("".join))
def test_every_letter_keeps_its_place(text: str) -> None:
    shown = as_laid_out(text)
    assert len(shown) == len(text)
    assert as_laid_out(shown).count("\n") <= shown.count("\n")
    for place, char in enumerate(shown):
        assert char in (text[place], " ", "\n")
