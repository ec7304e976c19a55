"""Links that only name a source: which they are, and that finding them takes no longer than reading them."""

import random
import re
import subprocess
import sys

import pytest
from every import each

from pytest_grounding.reading.markdown import label_links, mask_spans

# What hung: each of these took more than half a minute.
HUNG = (
    "The fee is 12 euros ([Price list](https://shop.example/prices), p. 3).",
    "The fee is 12 euros. ([a](b) " + "[a](https://shop.example/prices) " * 40 + "x).",
    "It is so. " + "[a](b)    " * 60 + "goes on",
)
_WORK = """
import sys, pytest_grounding as pg
answer = sys.argv[1]
chunk = {"id": "c", "text": "The fee is 12 euros."}
given = {"id": "t", "question": "What?", "answer": answer, "chunks": [chunk]}
print(pg.validate(given).status, pg.clean_answer(given) != "")
"""


@pytest.mark.parametrize("answer", HUNG, ids=["link and page", "group of many", "row of many"])
def test_an_ordinary_link_does_not_hang(answer: str) -> None:
    # Far above what an idle or a busy machine takes for it, far below what the exponential search took.
    done = subprocess.run(
        [sys.executable, "-c", _WORK, answer], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.split()[1] == "True"


def labels(text: str) -> list[str]:
    return [text[start:end] for start, end in label_links(text, mask_spans(text))]


@each(
    ("It is red. [Handbook](https://a.example/x)", ["[Handbook](https://a.example/x)"]),
    ("It is red ([Handbook](/a), [Guide](/b)).", ["([Handbook](/a), [Guide](/b))"]),
    ("It is red (see also: [H](/a) and [G](/b)).", ["(see also: [H](/a) and [G](/b))"]),
    ("The [price list](/a) says so. It is red.", []),
    ("It is red ([Handbook](/a), p. 3).", []),
    ("Red. [H](/a), [G](/b)\nBlue. [I](/c)", ["[H](/a), [G](/b)", "[I](/c)"]),
    ("Red! — [H](/a). Blue ([I](/c)).", ["[H](/a)", "([I](/c))"]),
)
def test_labels_are_found_at_their_places(text: str, expected: list[str]) -> None:
    assert labels(text) == expected


def test_a_link_is_found_like_one_sign_in_its_place() -> None:
    # Long links and short ones: what is found is the same words at other offsets.
    pieces = ["[a](/b)", ". ", ", ", " and ", "(", ")", " ", "x", "\n", "A", "see ", "1", "-"]
    rng = random.Random(16)
    for _ in range(400):
        made = "".join(rng.choice(pieces) for _ in range(rng.randint(1, 14)))
        longer = made.replace("[a](/b)", "[some words](https://long.example/address)")
        back = [
            one.replace("[some words](https://long.example/address)", "[a](/b)") for one in labels(longer)
        ]
        assert back == labels(made), made
        assert all(re.search(r"\]\(", one) for one in back)
