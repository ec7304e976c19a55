"""Chunks that a splitter cut: noticed at the end and by their length, and only there."""

import pytest
from every import each

import pytest_grounding as pg
from pytest_grounding.checks.retrieval.quality import common_lengths, cut_reason

WHOLE = (
    "The shop sends a parcel within two days of the order. A customer who is not at home finds a card, and "
    "can fetch the parcel from the post office for a week. Then it goes back, and the price is refunded."
)
MIDDLE, ELLIPSIS = "it ends in the middle of a sentence", "it ends with an ellipsis"


@each(
    (WHOLE[:-1] + " to the", MIDDLE),
    (
        WHOLE + " The price of the parcel is paid by the sender, and the customer who sends it back pa",
        MIDDLE,
    ),
    (WHOLE + " Parcels that are larger than one metre,", MIDDLE),
    (WHOLE + " Few custo", MIDDLE),
    (
        WHOLE + "\n\nParcels from abroad can take longer, because they are held at the customs office for",
        MIDDLE,
    ),
    (WHOLE + " Parcels from abroad are opened by the customs office of the city of Bremer", MIDDLE),
    (WHOLE + " Parcels from abroad...", ELLIPSIS),
    (WHOLE + " Parcels […]", ELLIPSIS),
)
def test_a_cut_is_noticed(text: str, reason: str) -> None:
    assert reason in cut_reason(text)
    (item,) = pg.validate_retrieval("How long does a parcel take?", [text]).relevance
    assert [
        told for told in item.quality_reasons if told.startswith("text looks cut off: ") and reason in told
    ]


@each(
    "",
    "Parcels",
    WHOLE,
    WHOLE + "\n\n## Parcels from abroad",
    WHOLE + "\nParcels from abroad",
    WHOLE + "\n- parcels from abroad\n- parcels of more than a metre\n- parcels with glass in them",
    WHOLE + "\n1. order the parcel\n2. wait for it\n3. fetch it from the post office in the evening",
    WHOLE + "\n\n| size | price |\n|---|---|\n| small | 4 euros |\n| large and heavy | 9 euros, a fee",
    WHOLE + "\n\n    send(parcel, within=2)\n    fetch(parcel)",
    WHOLE + "\n\n```\nsend(parcel)\n```",
    WHOLE + "\nPrice: 4 euros for a small parcel",
    WHOLE + " See also: - Parcels from abroad - Letters - Stamps of the old series",
    WHOLE + " Parcels are tracked (see the card).",
    WHOLE + " He said “wait.”",
    WHOLE + " :( It took long.",
    WHOLE + " An interval is written [0, 1) there.",
    "iPhone parcels are sent on the same day, and without a fee. " + WHOLE,
    "a) the parcel is small. b) the parcel is light. c) the parcel is sent. " + WHOLE,
    "- the parcel is small. \n- the parcel is light. \n- the parcel is sent. " + WHOLE,
    WHOLE.lower(),
    "小包は二日以内に発送されます。不在の場合は、郵便局で一週間受け取ることができます。その後は返送され、代金は返金されます。",
)
def test_what_ends_and_begins_on_purpose_is_whole(text: str) -> None:
    assert cut_reason(text) == ""


def test_chunks_of_one_length_are_cut_by_a_limit() -> None:
    text = " ".join(
        f"Parcel {number} is sent from the shop in Bremen to the town of the buyer." for number in range(40)
    )
    pieces = [text[at : at + 300] for at in range(0, 1500, 300)]
    cut = {number for number, piece in enumerate(pieces) if piece[-1].isalnum() or piece[-1] == " "}
    assert set(common_lengths(pieces)) == cut
    assert len(cut) >= 3
    reasons = [item.quality_reasons for item in pg.validate_retrieval("Who sends parcels?", pieces).relevance]
    assert all("cut at 300 characters, as others are" in reasons[number] for number in cut)


@pytest.mark.parametrize(
    "pieces",
    [
        [WHOLE, WHOLE, WHOLE],
        [WHOLE[:-1] + mark for mark in ".!?"],
        ["Small parcels", "Large parcels", "Heavy parcel"],
        [
            f"| {size:10} | {price:10} euros" + " " * 90 + "x"
            for size, price in (("a", 1), ("b", 2), ("c", 3))
        ],
        [WHOLE[:150], WHOLE[3:153]],
    ],
    ids=["the same text", "full stops", "short", "rows of a table", "only two"],
)
def test_one_length_alone_says_nothing(pieces: list[str]) -> None:
    assert common_lengths(pieces) == {}


CUT = "The shop pays the parcel of a return. After the goods have arrived, refunds are paid by the"
