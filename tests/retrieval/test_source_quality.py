"""The quality of chunks: contradictions, versions, and texts that a splitter cut."""

import pytest
from every import each, table
from fixed import Fixed, judge

import pytest_grounding as pg
from benchmarks.labelled import rows_of
from pytest_grounding import validate
from pytest_grounding.checks.retrieval import retrieval_verdict
from pytest_grounding.checks.retrieval.retrieval_check import common_lengths, cut_reason
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.settings import Settings

GOOD = "Customers may return unused items within 30 days of delivery, and get their money back in a week."


def quality(*texts, **metadata):
    chunks = [Chunk(id=f"c{n}", text=text, metadata=metadata) for n, text in enumerate(texts, start=1)]
    scorer = Fixed(*[0.9] * len(texts))
    return retrieval_verdict("Who pays?", chunks, scorers=[scorer], settings=Settings()).relevance


@pytest.mark.row(34)
@each(
    ([GOOD], {"title": "Returns"}, 1.0, ()),
    *(([GOOD], {key: "https://x.example/returns"}, 1.0, ()) for key in ("url", "document", "path", "slug")),
    ([GOOD], {}, 0.9, ("no title or url",)),
    *(([text], {}, 0.0, ("empty text",)) for text in ("", "   ", "\n\t")),
    (
        ["© 2024 Acme. All rights reserved. Privacy Policy | Terms of Use | Follow us"],
        {"title": "t"},
        0.5,
        ("mostly boilerplate",),
    ),
    (["Our privacy policy says that " + GOOD], {"title": "t"}, 1.0, ()),
    (
        [f"{GOOD} This does not hold for items that were made to"],
        {"title": "t"},
        0.8,
        ("text looks cut off: it ends in the middle of a sentence",),
    ),
)
def test_the_quality_of_a_source(texts, metadata, value, reasons):
    (item,) = quality(*texts, **metadata)
    assert (item.quality, item.quality_reasons) == (value, reasons)


@each(
    GOOD + " The deadline for gift cards, which are sold in all shops of the",
    GOOD + " The deadline for gift cards...",
    GOOD + " The deadline for gift cards […] and [truncated]",
)
def test_truncated_text(text):
    assert quality(text)[0].quality_reasons[0].startswith("text looks cut off: it ends ")


@each(GOOD, "Opening hours", "Price list\n- bread: 3 euros\n- cake: 4 euros", "def f():\n    return 1")
def test_whole_text_is_not_called_cut_off(text):
    assert not [reason for reason in quality(text)[0].quality_reasons if "cut" in reason]


@pytest.mark.parametrize(("shared", "value"), [(10, 0.6), (9, 0.6), (8, 1.0), (5, 1.0)])
def test_texts_are_near_duplicates_from_four_fifths_of_common_words(shared, value):
    # Of two texts of ten words, nine common ones are 9 of 11, and eight are 8 of 12.
    words = "lamp pump hose bench cable tower river cloud stone glass".split()
    others = "anvil brush candle drum easel flute gate hinge iron jar".split()
    first, second = (" ".join(text).capitalize() for text in (words, words[:shared] + others[shared:]))
    assert [item.quality for item in quality(f"{first}.", f"{second}.", title="t")] == [1.0, value]


def test_near_duplicates_name_the_first_of_them():
    items = quality(GOOD, "Bread costs 3 euros.", GOOD.replace("a week", "one week"), title="t")
    assert [item.quality_reasons for item in items] == [(), (), ("near-duplicate of chunk 'c1'",)]
    assert items[2].quality == 0.6


OLD, NEW = "The refund window for items is 30 days.", "The refund window for items is 14 days."


@pytest.mark.row(76)
def test_conflicting_sources_show_both_quotes():
    verdict = judge("How long is the refund window?", OLD, NEW)
    (conflict,) = verdict.conflicts
    assert (conflict.kind, conflict.evidence.chunk_id, conflict.evidence.text) == ("number", "c2", NEW)
    assert conflict.message == "chunk 'c1' says '30 days', chunk 'c2' says '14 days'"
    reasons = [item.quality_reasons for item in verdict.relevance]
    assert "conflicts with chunk 'c2': " + conflict.message in reasons[0]
    assert "conflicts with chunk 'c1': " + conflict.message in reasons[1]
    assert verdict.relevance[0].quality == 0.6  # conflict 0.3, no origin 0.1


@each(*table(__file__, "conflicts"))
def test_kinds_of_conflict(question, first, second, kinds):
    assert [conflict.kind for conflict in judge(question, first, second).conflicts] == kinds


def test_irrelevant_chunks_do_not_conflict():
    assert judge("How long is the refund window?", OLD, NEW, scores=[0.9, 0.1]).conflicts == ()


@each(
    ("How long do refunds take?", "Refunds take 14 days [1].", "warning"),
    ("How long do refunds take?", "One page says that refunds take 14 days, another one 30 days.", "info"),
    ("Who pays refunds?", "Refunds take 14 days [1].", "info"),
)
def test_warns_of_an_answer_that_chooses_a_source(question, answer, severity):
    chunks = [{"id": "a", "text": "Refunds take 14 days."}, {"id": "b", "text": "Refunds take 30 days."}]
    verdict = validate({"id": "t", "question": question, "chunks": chunks, "answer": answer})
    found = [item.severity for item in verdict.findings if item.rule == "conflicting_sources"]
    assert found == [severity]
    assert severity == "info" or verdict.status == "review"


OLD, NEW = "Refunds are paid within 30 days.", "Refunds are paid within 14 days."


def validated(answer, chunks, question, **more):
    held = [
        {"id": f"c{number}", "text": text, "metadata": known}
        for number, (text, known) in enumerate(chunks, start=1)
    ]
    return pg.validate({"id": "t1", "question": question, "chunks": held, "answer": answer, **more})


def rules_of(verdict):
    return {part.rule for item in verdict.findings for part in item.parts if part.severity != "info"}


@pytest.mark.row(76)
def test_stops_answers_from_the_wrong_version():
    stopped = held = 0
    rows = list(rows_of("versions"))
    for row in rows:
        told = {key: value for key, value in row.items() if key not in ("label", "kind", "group", "role")}
        passes = pg.validate(told).status == "pass"
        stopped += row["label"] == "wrong" and not passes
        held += row["label"] == "supported" and not passes
    assert len(rows) == 120
    assert stopped >= 0.75 * 60, stopped
    assert held <= 0.05 * 60, held


@each(*table(__file__, "outdated"))
def test_metadata_or_the_text_mark_an_outdated_source(answer, chunks, question, more, is_found, status):
    """A question about the past may use one; the version in the question decides, a bare number does not."""
    verdict = validated(answer, chunks, question, **more)
    assert ("outdated_source" in rules_of(verdict)) == is_found
    assert verdict.status == status


def test_the_newer_of_two_conflicting_sources_comes_first():
    chunks = [(OLD, {"date": "2023-05-01"}), (NEW, {"date": "2026-01-01"})]
    newer, older = (validated(said, chunks, "How long do refunds take?") for said in (NEW, OLD))
    assert newer.status == "pass"
    assert older.status == "review"
    assert "outdated_source" in rules_of(older)
    (shown,) = (item for item in newer.findings if item.rule == "conflicting_sources")
    assert [item.chunk_id for item in shown.evidence] == ["c2", "c1"]
    assert "the first one is current" in shown.message


def test_shows_both_sources_when_neither_is_newer():
    verdict = validated(NEW, [(OLD, {}), (NEW, {})], "How long do refunds take?")
    (shown,) = (item for item in verdict.findings if item.rule == "conflicting_sources")
    assert shown.severity == "warning"
    assert {item.text for item in shown.evidence} == {OLD, NEW}


WHOLE = (
    "The shop sends a parcel within two days of the order. A customer who is not at home finds a card, and "
    "can fetch the parcel from the post office for a week. Then it goes back, and the price is refunded."
)


@each(*table(__file__, "cut"))
def test_notices_a_cut_text(text, reason):
    assert reason in cut_reason(text)
    (item,) = pg.validate_retrieval("How long does a parcel take?", [text]).relevance
    assert [
        told for told in item.quality_reasons if told.startswith("text looks cut off: ") and reason in told
    ]


@each(*table(__file__, "test_accepts_complete_texts"))
def test_accepts_complete_texts(text):
    assert cut_reason(text) == ""


def test_chunks_of_equal_length_are_cut():
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
def test_equal_length_alone_is_no_cut(pieces):
    assert common_lengths(pieces) == {}


@each(
    (("A single ticket costs 39 francs. It is valid for a day.", "A return ticket costs 70 francs."), False),
    (("Parking in zone A costs 3 euros.", "Parking in zone B costs 2 euros."), False),
    (("The north lift carries 8 people.", "The south lift carries 12 people."), False),
    (("A single ticket costs 39 francs.", "A single ticket costs 45 francs."), True),
    (("The north lift carries 8 people.", "The north lift carries 12 people."), True),
    (("The museum opens at 9 on Sundays.", "On Sundays the museum opens at 11."), True),
)
def test_only_sentences_about_the_same_thing_contradict_each_other(texts, is_conflict):
    chunks = [{"id": f"c{number}", "text": text} for number, text in enumerate(texts)]
    answer = texts[0].split(". ")[0].rstrip(".") + " [1]."
    found = validate(
        {"id": "t", "question": f"What is said? {answer[:-5]}?", "answer": answer, "chunks": chunks}
    )
    assert any(finding.rule == "conflicting_sources" for finding in found.findings) is is_conflict
