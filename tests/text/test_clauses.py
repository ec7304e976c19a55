from every import each

from pytest_grounding.claims.splitting import extract_claims

SPLIT = [
    ("The plan costs $20; it includes support.", ["The plan costs $20", "it includes support."]),
    ("It is red, and it is new.", ["It is red", "it is new."]),
    (
        "The act was repealed in 1766, but it had already angered people.",
        [
            "The act was repealed in 1766",
            "it had already angered people.",
        ],
    ),
    (
        "The lessee is the user, and the lessor is the owner.",
        ["The lessee is the user", "the lessor is the owner."],
    ),
    (
        "Emma will play Belle, and Kevin Kline will play Maurice.",
        [
            "Emma will play Belle",
            "Kevin Kline will play Maurice.",
        ],
    ),
    ("It is red, and there are two of them.", ["It is red", "there are two of them."]),
    ("It is red; however, it is not new.", ["It is red", "however, it is not new."]),
    ("It is old, and it's very big, but they sell it.", ["It is old", "it's very big", "they sell it."]),
    (
        "The sources do not say when, but the hotel costs $20.",
        ["The sources do not say when", "the hotel costs $20."],
    ),
    (
        "While the passages do not give a price, they say it is red.",
        [
            "While the passages do not give a price",
            "they say it is red.",
        ],
    ),
    (
        "It works well, although this is not stated in the passages.",
        [
            "It works well",
            "this is not stated in the passages.",
        ],
    ),
    ("- It is red, and it is new.", ["- It is red", "it is new."]),
]

WHOLE = [
    "It is red and new.",
    "It is red, white, and blue.",
    "It sells apples, pears, and the best plums.",
    "If you cancel, you pay $5, and it is gone.",
    "When it rains, the roof leaks, and it is cold.",
    "He says that it is red, and it is new.",
    "She reported that A fell, and that B rose.",
    "You get a refund if you ask, and it is free.",
    "Unlike India, which was split between Hindus, Muslims, and Sikhs after 1947, Vietnam was not.",
    "Key players include Ann for Cardiff; Jonny May, Tom, and Henry for Gloucester.",
    "It lists three things: red ones; blue ones; green ones.",
    "Is it red, and is it new?",
    "It works (it is red, and it is new) well.",
    'He said "it is red, and it is new" today.',
    "Not only is it red, but it is also new.",
    "It runs `a; it is b` here.",
    "Preheat the oven, and then it gets hot.",
    "It is red, but not new.",
    "It grew in 2011, and in 2012.",
    "Some feel sick, although it is rare.",
]


def clauses(text: str) -> list[str]:
    return [claim.text for claim in extract_claims(text)]


@each(*SPLIT)
def test_sentences_that_join_statements_are_split(text: str, expected: list[str]) -> None:
    assert clauses(text) == expected


@each(*WHOLE)
def test_other_sentences_stay_whole(text: str) -> None:
    assert clauses(text) == [text]


def test_clauses_lie_in_the_answer_and_share_their_sentence() -> None:
    text = "One. The plan costs $20, and it includes support. Two."
    claims = extract_claims(text)
    assert [claim.sentence for claim in claims] == [0, 1, 1, 2]
    assert all(claim.text == text[claim.start : claim.end] for claim in claims)
    assert claims[2].context == "The plan costs $20"


def test_only_english_is_split() -> None:
    text = "It is red; it is new."
    assert len(extract_claims(text, language="en")) == 2
    assert len(extract_claims(text, language="de")) == 1


def test_table_rows_and_code_are_not_split() -> None:
    text = "| It is red; it is new. | x |\n\n```\nit is a; it is b\n```"
    assert len(extract_claims(text)) == 2
