"""How the time of a validation grows with the length of a text of any kind.

Each unit is repeated to 8,000 and to 32,000 characters, in the answer, in a chunk, and in both. Linear work
grows by 4, quadratic work by 16. All texts differ, so that no cache is hit.

    python -m benchmarks.growth [--unit TEXT] [--most 5.0]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import count

SHORT, LONG = 8_000, 32_000
MOST_GROWTH = 5.0
#: Shorter processor times, in seconds, cannot be told from noise.
FLOOR = 0.03
#: How often a pair is measured again before its growth counts.
TRIES = 4
PLACES = ("answer", "chunk", "both")

UNITS = (
    # statements, as whole sentences and without an end
    *("The fee of the plan is 12 euros. ", "The fee of the plan is 12 euros and ", "the fee 12 euros "),
    *("Anna Smith met Bob Jones in Rome. ", "Anna Smith and Bob Jones, ", "Anna Smith ", "NASA ", "A.B. "),
    *(
        "It is not so. ",
        "not ",
        "no ",
        "never not ",
        "n't ",
        "without ",
        "It is not red, and it isn't blue; ",
    ),
    *("may ", "must ", "if ", "because ", "who ", "which is ", "but ", "and ", "or ", "than ", "more than "),
    *(
        "is ",
        "was ",
        "the ",
        "of ",
        "a",
        "a ",
        "a, ",
        "a. ",
        "word ",
        "ing ",
        "x" * 70 + " ",
        "opened closed ",
    ),
    # numbers, tables, dates
    *(
        "12 ",
        "12,",
        "1,234 ",
        "12.5% ",
        "$12 ",
        "12 euros ",
        "12 euros, ",
        "1-2 ",
        "10-20-30-",
        "Plant 7 sold 4711 of 8150 units. ",
        "1/2 ",
        "3 November 2021 ",
    ),
    *(
        "| 12 | 13 |\n",
        "12;13;14\n",
        "12 13 14\n",
        "| Anna | 12 euros |\n",
        "- 12 euros\n",
        "1. 12\n",
        "10:30 ",
    ),
    *("one ", "twenty-one ", "hundred thousand ", "first ", "between 1 and 2 ", "from 1 to 2 ", "over 12 "),
    # refusals, attributions, greetings, questions
    *("I do not know ", "the passages do not mention ", "no information about ", "unable to ", "does not "),
    *("according to the ", "the source says that ", "I'm sorry ", "thank you ", "please ", "let me know "),
    *("here is ", "for more ", "see the ", "sources: ", "what is ", "did you know ", "is it? ", "Note: "),
    # markdown and citations
    *(
        "[1] ",
        "[1]",
        "[1, 2]",
        "[a](b) ",
        "([a](b)) ",
        ". [a](b)",
        "[a](",
        "[a][",
        "![a](b) ",
        "[^1] ",
        "![",
        "](",
    ),
    *(
        "[^1]: a\n",
        "[a]: http://b\n",
        "<!--",
        "<!-- a --> ",
        "`a` ",
        "```\na\n```\n",
        "``` ",
        "~~~\n",
        "<b>",
        "<a:",
    ),
    *(
        "# a\n",
        "- a\n",
        "  - a\n",
        "> a\n",
        "* * *\n",
        "---\n",
        "| a |\n",
        "-|-\n",
        "a | b\n",
        "**a** ",
        "*a ",
        "_a ",
    ),
    *(
        "src/a.py:1-2 ",
        "a.py:1 ",
        "http://a.b/c ",
        "Chapter 3, Section 2 ",
        "§4.1 ",
        "[c] ",
        "【4:0†s】",
        "(Smith, 2020) ",
    ),
    # marks, blanks, scripts
    *(
        '"a" ',
        '"',
        "“",
        "“a” ",
        "'",
        "(",
        "((a) ",
        ")",
        "[",
        "{",
        "<",
        ".",
        "...",
        "… A",
        "!",
        "?",
        "-",
        "- ",
        "—",
        ",",
    ),
    *(
        " ",
        "\t",
        "\n",
        "\r",
        "\r\n",
        "\u00a0",
        "\u2028",
        "\u200b",
        "\u202e",
        ":",
        ": ",
        ";",
        "; it is ",
        "/",
        "\\",
        "@",
        "#",
    ),
    *(
        "e\u0301",
        "\u0301",
        "\ud83d",
        "🙂",
        "\u00ad",
        "¹",
        "²³ ",
        "② ",
        "½ ",
        "ﬁ",
        "費用は十二ユーロです。",
        "費用",
        "ค่าธรรมเนียม",
        "плата 12 ",
    ),
    *("الرسوم ١٢ ", "दर १२ ", "요금 ", "ß", "İ", "ǅ ", "\x00", "\x1b", "a\u0000 ", "𝟙𝟚 ", "Ⅻ "),
)


def transcript(unit: str, length: int, place: str, number: int) -> dict[str, object]:
    """A transcript with a unit repeated to a length at one place; the number makes it unique."""
    text = f"{number} " + unit * (length // len(unit))
    plain = f"The fee of plan {number} is 12 euros. It is not paid by Anna Smith."
    return {
        "id": f"growth-{number}",
        "question": "What is the fee?",
        "answer": text if place in ("answer", "both") else plain,
        "chunks": [{"id": "c", "text": text if place in ("chunk", "both") else plain}],
    }


def seconds(unit: str, length: int, place: str, numbers: Iterator[int]) -> float:
    """Processor time of one validation, in seconds."""
    from pytest_grounding import Transcript, validate

    given = Transcript.model_validate(transcript(unit, length, place, next(numbers)))
    start = time.process_time()
    validate(given)
    return time.process_time() - start


def growth(unit: str, place: str, numbers: Iterator[int], most: float = MOST_GROWTH) -> tuple[float, float]:
    """Growth of the time for four times the text, and the longer time in seconds.

    Of several measurements the shortest counts; a pair within the bound is measured once.
    """
    short = long = float("inf")
    for _ in range(TRIES):
        long = min(long, seconds(unit, LONG, place, numbers))
        if long <= FLOOR:
            return 1.0, long
        short = min(short, seconds(unit, SHORT, place, numbers))
        if long <= most * short:
            break
    return long / max(short, FLOOR / most), long


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--unit", action="append", help="a unit to measure in place of the shipped ones")
    parser.add_argument("--most", type=float, default=MOST_GROWTH, help="growth that is still good")
    options = parser.parse_args()
    numbers = count(1)
    for unit in UNITS:
        seconds(unit, 500, "both", numbers)
    worst: list[tuple[float, float, str, str]] = []
    units = options.unit or UNITS
    for unit in units:
        for place in PLACES:
            factor, taken = growth(unit, place, numbers, options.most)
            worst.append((factor, taken, place, unit))
            if factor > options.most:
                print(f"{unit!a:42} in {place:6} {factor:6.1f} x, {taken:6.2f} s", flush=True)
    failed = sum(factor > options.most for factor, *_ in worst)
    slowest = max(worst, key=lambda item: item[1])
    print(
        f"{len(units)} units in {len(PLACES)} places: {failed} grow by more than {options.most:g} x; most "
        f"{max(worst)[0]:.1f} x; the slowest takes {slowest[1]:.2f} s ({slowest[3]!a} in {slowest[2]})"
    )
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
