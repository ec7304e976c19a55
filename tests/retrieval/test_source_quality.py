"""Section 4.6: the quality of each chunk, and chunks that contradict each other."""

from every import each
from fixed import Fixed, judge

from pytest_grounding import validate
from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.checks.retrieval import check, validate_retrieval
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.model.verdict import ChunkRelevance
from pytest_grounding.settings import Settings

GOOD = "Customers may return unused items within 30 days of delivery, and get their money back in a week."


def quality(*texts: str, **metadata: str) -> tuple[ChunkRelevance, ...]:
    chunks = [Chunk(id=f"c{n}", text=text, metadata=metadata) for n, text in enumerate(texts, start=1)]  # type: ignore[arg-type]
    scorer = Fixed(*[0.9] * len(texts))
    return validate_retrieval("Who pays?", chunks, scorers=[scorer], settings=Settings()).relevance


def test_a_good_source_has_full_quality_and_no_reason() -> None:
    (item,) = quality(GOOD, title="Returns")
    assert (item.quality, item.quality_reasons) == (1.0, ())


@each("title", "url", "document", "path", "slug")
def test_any_origin_will_do(key: str) -> None:
    assert quality(GOOD, **{key: "https://x.example/returns"})[0].quality_reasons == ()


def test_no_origin() -> None:
    assert (quality(GOOD)[0].quality, quality(GOOD)[0].quality_reasons) == (0.9, ("no title or url",))


@each("", "   ", "\n\t")
def test_empty_text(text: str) -> None:
    assert (quality(text)[0].quality, quality(text)[0].quality_reasons) == (0.0, ("empty text",))


@each(
    GOOD + " The deadline for gift cards, which are sold in all shops of the",
    GOOD + " The deadline for gift cards...",
    GOOD + " The deadline for gift cards […] and [truncated]",
)
def test_truncated_text(text: str) -> None:
    assert quality(text)[0].quality_reasons[0].startswith("text looks cut off: it ends ")


@each(GOOD, "Opening hours", "Price list\n- bread: 3 euros\n- cake: 4 euros", "def f():\n    return 1")
def test_whole_text_is_not_called_cut_off(text: str) -> None:
    assert not [reason for reason in quality(text)[0].quality_reasons if "cut" in reason]


def test_near_duplicates_name_the_first_of_them() -> None:
    items = quality(GOOD, "Bread costs 3 euros.", GOOD.replace("a week", "one week"), title="t")
    assert [item.quality_reasons for item in items] == [(), (), ("near-duplicate of chunk 'c1'",)]
    assert items[2].quality == 0.6


def test_boilerplate() -> None:
    (item,) = quality(
        "© 2024 Acme. All rights reserved. Privacy Policy | Terms of Use | Follow us", title="t"
    )
    assert (item.quality, item.quality_reasons) == (0.5, ("mostly boilerplate",))
    assert quality("Our privacy policy says that " + GOOD, title="t")[0].quality == 1.0


OLD, NEW = "The refund window for items is 30 days.", "The refund window for items is 14 days."


def test_conflicting_sources_show_both_quotes() -> None:
    verdict = judge("How long is the refund window?", OLD, NEW)
    (conflict,) = verdict.conflicts
    assert (conflict.kind, conflict.evidence.chunk_id, conflict.evidence.text) == ("number", "c2", NEW)
    assert conflict.message == "chunk 'c1' says '30 days', chunk 'c2' says '14 days'"
    reasons = [item.quality_reasons for item in verdict.relevance]
    assert "conflicts with chunk 'c2': " + conflict.message in reasons[0]
    assert "conflicts with chunk 'c1': " + conflict.message in reasons[1]
    assert verdict.relevance[0].quality == 0.6  # conflict 0.3, no origin 0.1


@each(
    ("Gift cards can be returned in the shop.", "Gift cards cannot be returned in the shop.", "negation"),
    (
        "The library was opened on 3 May 2024 in Bonn.",
        "The library was opened on 9 June 2024 in Bonn.",
        "date",
    ),
    ("A cabin bag may weigh 8 kilograms.", "A cabin bag may weigh 10 kilograms.", "number"),
)
def test_kinds_of_conflict(first: str, second: str, kind: str) -> None:
    assert [conflict.kind for conflict in judge("What is the rule?", first, second).conflicts] == [kind]


@each(
    (OLD, OLD),
    (OLD, "The refund window for items is one month, or 30 days."),
    (OLD, "Gift cards are valid for 14 days."),
    ("On Monday the rain will reach 5 mm in Leeds.", "On Friday the rain will reach 9 mm in Leeds."),
    (OLD, ""),
)
def test_sources_that_do_not_contradict(first: str, second: str) -> None:
    assert judge("How long is the refund window?", first, second).conflicts == ()


def test_irrelevant_chunks_contradict_nobody() -> None:
    assert judge("How long is the refund window?", OLD, NEW, scores=[0.9, 0.1]).conflicts == ()


def test_the_check_reports_a_conflict_as_a_finding() -> None:
    transcript = Transcript(
        id="t",
        question="How long is the refund window?",
        chunks=(Chunk(id="old", text=OLD), Chunk(id="new", text=NEW)),
        answer="30 days.",
    )
    scorer = Fixed(0.9, 0.9)
    context = CheckContext(
        transcript=transcript,
        settings=Settings(),
        language="en",
        sentences=(),
        claims=(),
        citations=(),
        owners=(),
        supports=(),
        scorer=scorer,
    )
    outcome = check(context, scorers=[scorer])
    (finding,) = outcome.findings
    assert finding.rule == "conflicting_sources"
    assert [piece.text for piece in finding.evidence] == [OLD, NEW]
    assert finding.details["chunk_ids"] == ["old", "new"]
    assert len(outcome.retrieval.conflicts) == 1


@each(
    ("How long do refunds take?", "Refunds take 14 days [1].", "warning"),
    (
        "How long do refunds take?",
        "One page says that refunds take 14 days, another one 30 days.",
        "info",
    ),
    ("Who pays refunds?", "Refunds take 14 days [1].", "info"),
)
def test_an_answer_that_chooses_between_two_sources_is_warned_of(
    question: str, answer: str, severity: str
) -> None:
    chunks = [{"id": "a", "text": "Refunds take 14 days."}, {"id": "b", "text": "Refunds take 30 days."}]
    verdict = validate({"id": "t", "question": question, "chunks": chunks, "answer": answer})
    found = [item.severity for item in verdict.findings if item.rule == "conflicting_sources"]
    assert found == [severity]
    assert severity == "info" or verdict.status == "review"
