"""Claims that say what a source denies, part by part, and claims that take a limit off."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pytest_grounding as pg
from benchmarks.apart import measure
from benchmarks.labelled import rows_of
from pytest_grounding.scorers.lexical.conflicts.predications import Predication, predications_of
from pytest_grounding.scorers.lexical.conflicts.view import view_of_claim
from pytest_grounding.scorers.lexical.tokens import tokenize
from training.cases import may_train, told_apart
from training.verifier import ANSWERS

FERRY = "The ferry carries cars and bicycles. Caravans are not carried, and dogs must not be left on deck."
LIBRARY = "Books can be renewed twice; films cannot. No fee is charged for reservations."
POOL = "All lanes are open to members, except lane 4, which is kept for the school."
BOARD = "Only the chair may sign contracts. The treasurer keeps the accounts."
LAKE = "Swimming is allowed from May to September unless the red flag is flying."


def parts(text: str) -> list[Predication]:
    tokens = tokenize(text)
    return list(predications_of(view_of_claim(text, tokens), 0, len(tokens)))


def errors(claim: str, *texts: str) -> list[tuple[str, str, str]]:
    return [
        (item.kind, item.claim_text, item.evidence_text)
        for item in pg.support(claim, list(texts)).conflicts
        if item.severity == "error"
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Webhooks are sent as well; e-mails are not.", [("send", False), ("send", True)]),
        ("The leaves are edible, the berries are not.", [("edibl", False), ("edibl", True)]),
        ("Phones may be carried, but must not be switched on.", [("carri", False), ("switch", True)]),
        ("Interns may not work at home, and neither may drivers.", [("work", True), ("work", True)]),
        ("It keeps neither the name nor the address.", [("name", True)]),
        ("It is poisonous not only in the larvae but also in the adults.", [("poison", False)]),
        ("The crumbs are dry but not brown.", [("dri", False)]),
        ("Parcels are sent at no charge.", [("send", False)]),
    ],
)
def test_a_sentence_is_cut_into_what_it_says_and_denies(text: str, said: list[tuple[str, bool]]) -> None:
    found = [part for part in parts(text) if part.is_stated]
    assert len(found) == len(said)
    for part, (stem, is_denied) in zip(found, said, strict=True):
        assert stem in part.stems
        assert part.is_denied is is_denied


def test_what_a_part_leaves_out_is_taken_over() -> None:
    phones, switched = parts("Phones may be carried, but must not be switched on.")
    assert phones.subject == switched.subject == {"phone"}
    sent, mails = parts("Webhooks are sent in the sandbox; receipts are not.")
    assert mails.is_elided
    assert mails.stems == {"receipt", "send", "sandbox"}
    assert not sent.is_elided


@pytest.mark.parametrize(
    "text",
    [
        "If the door is not shut, the alarm rings.",
        "Unless it is not sealed.",
        "No more than eight can sit.",
        "It never falls below 21 degrees.",
        "Dogs heavier than 8 kg cannot travel.",
    ],
)
def test_conditions_and_bounds_state_nothing_that_could_be_denied(text: str) -> None:
    assert not any(part.is_denied and part.is_stated for part in parts(text))


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("A fee is charged for reservations.", LIBRARY),
        ("A vapour barrier is needed.", "The panels can be cut. A vapour barrier is not needed."),
        ("The flood damaged the bridge.", "The bridge was not damaged by the flood, engineers said."),
        ("The Basic account can share folders.", "The Basic account cannot share folders."),
    ],
)
def test_what_a_source_denies_is_a_contradiction(claim: str, text: str) -> None:
    assert [kind for kind, _, _ in errors(claim, text)] == ["negation"]


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The ferry carries cars.", FERRY),
        ("Dogs may not stay on deck.", FERRY),
        ("Books can be renewed, films can't.", LIBRARY),
        ("Reservations are free.", LIBRARY),
        ("Dogs of up to 8 kg can travel in the cabin.", "Dogs heavier than 8 kg cannot travel in the cabin."),
        ("The panels are plastered but not painted.", "The panels cannot be painted, but can be plastered."),
    ],
)
def test_what_it_says_is_none(claim: str, text: str) -> None:
    assert errors(claim, text) == []


@pytest.mark.parametrize(
    ("claim", "text", "found"),
    [
        (
            "All lanes without exception are open to members.",
            POOL,
            ("limit", "without exception", "except lane 4"),
        ),
    ],
)
def test_a_limit_that_is_taken_off_is_a_contradiction(
    claim: str, text: str, found: tuple[str, str, str]
) -> None:
    assert errors(claim, text) == [found]


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("All lanes but lane 4 are open to members.", POOL),
        ("The lanes are open to members, except for lane 4.", POOL),
        ("Contracts are signed by the chair alone.", BOARD),
        ("The chair may sign contracts.", BOARD),
        ("You can swim from May to September if no red flag is flying.", LAKE),
        ("Swimming is allowed in June.", LAKE),
    ],
)
def test_a_limit_that_is_kept_or_not_spoken_of_is_none(claim: str, text: str) -> None:
    assert errors(claim, text) == []


def test_denials_and_limits_are_words_of_english() -> None:
    row = {"id": "t", "question": "Was gilt?", "language": "de", "answer": "Alle außer Kolv sind not offen."}
    chunk = {"id": "c1", "text": "Alle Inseln sind not bewohnt, except Kolv."}
    claims = pg.validate({**row, "chunks": [chunk]}).claims
    assert not [item for claim in claims for item in claim.conflicts if item.kind in {"limit", "negation"}]


_WORDS = st.sampled_from(
    "the a doors lamps open red not no never only except if unless are is may can but or , ;".split()
)
_TEXT = st.lists(_WORDS, min_size=1, max_size=14).map(" ".join)


@settings(max_examples=100, deadline=None)
@given(_TEXT)
def test_parts_are_stretches_in_order_and_cover_every_word(text: str) -> None:
    tokens = tokenize(text)
    found = parts(text)
    # "No," at the head of an answer is left out.
    assert not found or found[-1].last == len(tokens) - 1
    for one, other in itertools.pairwise(found):
        assert other.first == one.last + 1
    for part in found:
        assert all(part.first <= number <= part.last for number in (*part.own, *part.negators))
        assert not set(part.own) & set(part.negators)


@settings(max_examples=60, deadline=None)
@given(_TEXT)
def test_a_sentence_does_not_contradict_itself(text: str) -> None:
    sentence = text.capitalize() + "."
    kinds = {item.kind for item in pg.support(sentence, [sentence]).conflicts if item.severity == "error"}
    assert not kinds & {"negation", "limit"}


@pytest.mark.parametrize("folder", ["denied", "limits", "exchanged", "framed", "misplaced"])
def test_rows_are_whole_and_say_what_is_wrong(folder: str) -> None:
    rows = rows_of(folder)
    assert {row["label"] for row in rows} == {"supported", folder}
    assert {row["role"] for row in rows} == {"train", "tune", "locked"}
    for row in rows:
        assert row["dataset"] == folder
        assert row["chunks"]
        assert row["question"]
        if row["label"] == folder:
            assert row["answer"].count(row["wrong"]) == 1
        else:
            assert row["wrong"] is None
    assert len({json.dumps([row["chunks"], row["answer"]]) for row in rows}) == len(rows)


def test_locked_rows_train_nothing() -> None:
    cases = list(told_apart("denied", ANSWERS.parent, ("train", "tune")))
    locked = {row["group"] for row in rows_of("denied") if row["role"] == "locked"}
    assert locked
    assert not locked & {case.group for case in cases}
    assert {case.role for case in cases if may_train(case)} == {"train"}
    assert {case.label for case in cases} == {"contradicted", "supported"}


@pytest.mark.parametrize(
    ("folder", "caught", "hit"), [("denied", 0.34, 0.04), ("limits", 0.22, 0.04), ("exchanged", 0.26, 0.04)]
)
def test_rates_on_our_own_rows(folder: str, caught: float, hit: float) -> None:
    rows = [(row["label"], found) for row, found, _ in measure(folder) if row["role"] != "locked"]
    wrong = [found for label, found in rows if label == folder]
    right = [found for label, found in rows if label == "supported"]
    assert min(len(wrong), len(right)) > 150
    assert sum(wrong) >= caught * len(wrong)
    assert sum(right) <= hit * len(right)
