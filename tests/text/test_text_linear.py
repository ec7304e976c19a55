"""Time grows with the length of a text and not with its square, whatever its content."""

from itertools import product

from every import each
from growth import grows_at_most

from pytest_grounding.claims.splitting import extract_claims
from pytest_grounding.reading.markdown import definitions, mask_spans
from pytest_grounding.reading.sentences import segment
from pytest_grounding.reading.visible_text import fold

FLOOR = 0.002
SHAPES = [
    *("a.", "a. ", "(", '"', "“", "「", "[1] ", "... ", "… A", '? "', "A.B.", "Mr. ", "1. ", "(a.) A"),
    *"\n¦- a\n¦# a\n¦> a\n¦| a |\n¦-|-\n¦---\n¦[^1]: a\n¦~~~\n¦``` ¦`¦`a` b. ".split("¦"),
    *("[a](", '[a](b "', "[](( ", "[a][", "![", "<!--", "<a:", "\\`", "**", "*a ", "_a ", "<b "),
    *("; it is", ", and it is", "I do not ", "the passages do not ", "no information about ", "the given "),
    *(
        ". [a](b)",
        "([a](b)",
        "[a](b) " + " " * 20,
        "- a\r  - ",
        "<li>a</li>",
        "</p>\t",
        "A: ",
        "Note: ",
        "see the ",
    ),
    *("passage 1, ", "here is ", "if you ", "please provide ", "unable to ", "for more ", "sources: "),
    *("e\u0301", "\u0301", "\ud83d", "🙂", "\u202e", "\u00ad", "\u0002\n", "\u2028", "¹", "【1】", "ﬁ"),
]
WORK = {
    "claims": lambda text: extract_claims(text, question="what is it"),
    "fold": fold,
    "mask": lambda text: (mask_spans(text), definitions(text)),
}


@each(*product(SHAPES, WORK))
def test_eight_times_the_text_takes_less_than_thirty_times_as_long(shape, name):
    work = WORK[name]
    short = (shape * 1_000)[:1_000]
    long = short * 8
    # Linear work takes 8 times as long, quadratic work 64 times.
    assert grows_at_most(30, lambda: work(short), lambda: work(long), floor=FLOOR)


def test_unclosed_quotes_are_split_in_windows():
    # sentencex alone takes 30 to 40 times as long for 8 times as many of these.
    short, long = "“" * 4_000, "“" * 32_000
    assert grows_at_most(20, lambda: segment(short), lambda: segment(long), floor=FLOOR)
