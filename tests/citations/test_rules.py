"""The rules of citations: existence, quotes, links, inline sources, and whose claim a citation supports."""

import itertools

import pytest
from covering import context_of, covered_by
from every import each, table
from hypothesis import given, settings
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.checks.citation.citation_check import covered_claims
from pytest_grounding.citations.naming import valid_inline_citations
from pytest_grounding.citations.syntax import normal_url, source_url
from pytest_grounding.claims.splitting import claim_owners, extract_claims
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.reading.sentences import segment
from pytest_grounding.settings import Settings

CHUNKS = [
    {
        "id": "hr-1",
        "text": "Refunds are paid within 30 days of the purchase. A receipt is needed for every refund.",
        "metadata": {"title": "The refund policy of the shop", "url": "https://example.com/refunds"},
    },
    {
        "id": "hr-2",
        "text": "Employees get 25 days of paid leave a year. Leave is requested in the portal.",
        "metadata": {"chapter_id": "3", "section_number": "2"},
    },
    {"id": "hr-3", "text": "The office in Berlin opens at nine and closes at six on weekdays."},
]
REFUND = "Refunds are paid within 30 days of the purchase"
LEAVE = "Employees get 25 days of paid leave a year"


def validated(answer, settings=None, chunks=CHUNKS, **fields):
    question = "What are the rules for refunds and leave?"
    return pg.validate(
        {"id": "t", "question": question, "chunks": chunks, "answer": answer, **fields}, settings
    )


def of_rule(verdict, rule):
    return [finding for finding in verdict.causes if finding.rule == rule]


def rules(item):
    return [(finding.rule, finding.severity) for finding in item.findings]


# -- source exists


@each(
    ("[9]", "write a number from 1 to 3"),
    ("[0]", "write a number from 1 to 3"),
    ("[-1]", "write a number from 1 to 3"),
    ("[3-1]", "write a number from 1 to 3"),
    ("[hr-9]", "did you mean hr-"),
    ("Chapter 3, Section 7", "did you mean ch 3, sec 2?"),
    ("https://example.com/refund", "did you mean https://example.com/refunds?"),
    ("src/none.py:3", ""),
)
def test_a_source_that_does_not_exist_is_an_error(marker, suggestion):
    verdict = validated(f"{REFUND} {marker}.")
    [item] = verdict.citations
    assert (item.valid, item.chunk_id, item.text) == (False, None, marker)
    assert rules(item) == [("source_exists", "error")]
    [finding] = item.findings
    assert finding.span == (item.start, item.end)
    assert (finding.citation, finding.claim) == (0, 0)
    assert suggestion in finding.suggestion
    assert "chunk hr-1 supports this claim: cite [1]" in finding.suggestion
    assert finding in verdict.findings
    assert (verdict.citation_accuracy, verdict.status) == (0.0, "reject")


def test_only_source_and_nothing_retrieved_have_their_own_words():
    assert (
        "the only source is 1" in validated("A [2].", chunks=CHUNKS[:1]).citations[0].findings[0].suggestion
    )
    assert "nothing was retrieved" in validated("A [2].", chunks=[]).citations[0].findings[0].suggestion


def test_accuracy_counts_each_index_of_a_marker_and_any_order_is_legal():
    verdict = validated(f"{REFUND} [1, 9]. {LEAVE} [2].")
    assert [item.valid for item in verdict.citations] == [True, False, True]
    assert verdict.citation_accuracy == pytest.approx(2 / 3)
    verdict = validated(f"{LEAVE} [2]. {REFUND} [1]. {LEAVE} [2].")
    assert verdict.citation_accuracy == 1.0
    assert not [finding for item in verdict.citations for finding in item.findings]


# -- line range

PART = {"path": "src/a.py", "line_start": 10, "line_end": 20}


@pytest.mark.row(14)
@each(
    ([PART], "src/a.py:10-20", [], True),
    ([PART, {"path": "src/a.py", "line_start": 21, "line_end": 30}], "src/a.py:12-25", [], True),
    ([PART, {"path": "src/a.py", "line_start": 25, "line_end": 30}], "src/a.py:12-27", ["warning"], True),
    ([PART], "src/a.py:15-40", ["warning"], True),
    ([PART], "src/a.py:30-40", ["error"], False),
    ([PART], "src/a.py:20-10", ["error"], False),
    ([PART], "src/a.py:0", ["error"], False),
    ([{"path": "src/a.py"}], "src/a.py:30-40", ["info"], True),
    ([PART, {"path": "src/a.py"}], "src/a.py:30-40", ["info"], True),
)
def test_line_ranges_without_a_source_root(chunks, citation, expected, valid):
    retrieved = [{"id": f"k{n}", "text": REFUND, "metadata": data} for n, data in enumerate(chunks)]
    [item] = validated(f"{REFUND} ({citation}).", chunks=retrieved).citations
    assert [finding.severity for finding in item.findings if finding.rule == "line_range"] == expected
    assert item.valid is valid
    assert item.target == citation


# -- content match


@each(*table(__file__, "test_a_quotation_that_the_source_holds_is_no_finding"))
def test_a_quotation_that_the_source_holds_is_no_finding(answer):
    assert of_rule(validated(answer), "content_match") == []


def test_a_near_miss_is_explained():
    verdict = validated("The policy says “Refunds are paid within 30 hours of the purchase” [1].")
    [finding] = of_rule(verdict, "content_match")
    assert finding.severity == "warning"
    assert "within 30 [hours → days] of the purchase" in finding.message
    assert finding.details["difference"] == "Refunds are paid within 30 [hours → days] of the purchase"
    assert finding.details["source"] == "Refunds are paid within 30 days of the purchase"
    assert 0.85 <= finding.details["similarity"] < 1
    assert verdict.citations[0].valid, "a warning leaves a citation valid"


@each(
    ("Refunds are usually paid within 30 days of the purchase", "Refunds are [usually →] paid within"),
    ("Refunds are paid within 30 days of purchase", "30 days of [→ the] purchase"),
    ("Refunds are paid within 45 days of the purchase", "within [45 → 30] days"),
)
def test_words_added_left_out_and_changed(quote, difference):
    [finding] = of_rule(validated(f"It says “{quote}” [1]."), "content_match")
    assert difference in finding.details["difference"]


def test_words_that_are_in_no_source_and_words_of_another():
    [finding] = of_rule(validated("It says “Nobody ever gets any money back here” [1]."), "content_match")
    assert "the quoted words are not in chunk hr-1" in finding.message
    [finding] = of_rule(validated(f"It says “{LEAVE}” [1]."), "content_match")
    assert finding.suggestion == "chunk hr-2 contains these words: cite it"


def test_a_providers_quote_is_compared_with_its_source():
    span = {"start": 0, "end": len(REFUND), "text": REFUND, "chunk_ids": ["hr-1"]}
    good = [{**span, "quote": "A receipt is needed for every refund.\r\n"}]
    assert of_rule(validated(f"{REFUND}.", citations=good), "content_match") == []
    bad = [{**span, "quote": "A receipt is needed for each refund."}]
    [finding] = of_rule(validated(f"{REFUND}.", citations=bad), "content_match")
    assert "[every → each]" not in finding.message
    assert "[each → every]" in finding.message


def test_folding_forgives_type_but_not_words():
    chunks = [{"id": "a", "text": "The of\ufb01ce re\u00adopens – at 9\u00a0a.m. – on “week\u200bdays”."}]
    verdict = validated('It says "the office reopens - at 9 a.m. - on weekdays" [1].', chunks=chunks)
    assert of_rule(verdict, "content_match") == []
    verdict = validated('It says "the office reopens - at 8 a.m. - on weekdays" [1].', chunks=chunks)
    assert "[8 → 9]" in of_rule(verdict, "content_match")[0].message


@pytest.mark.row(14)
def test_code_beside_a_code_citation_is_a_quotation():
    chunks = [{"id": "k", "text": "def refund(days=30):\n    return days\n", "metadata": {"path": "a.py"}}]
    assert of_rule(validated("`def refund(days=30)` is in a.py:1.", chunks=chunks), "content_match") == []
    verdict = validated("`def refund(days=45)` is in a.py:1.", chunks=chunks)
    assert "[45 → 30]" in of_rule(verdict, "content_match")[0].message


# -- semantic alignment, precision, recall


def test_a_source_without_text_is_told_as_such():
    chunks = [{"id": "web-1", "text": " ", "metadata": {"url": "https://example.com/refunds"}}]
    verdict = validated(f"{REFUND}. [Shop](https://example.com/refunds)", chunks=chunks)
    [finding] = of_rule(verdict, "semantic_alignment")
    assert "chunk web-1 has no text, so it cannot be shown to support" in finding.message
    assert finding.suggestion == "record the text of what was retrieved"


@pytest.mark.row(52)
def test_a_wrong_chunk_is_named_and_the_right_one_offered():
    verdict = validated(f"{REFUND} [1]. {LEAVE} [3].")
    [finding] = of_rule(verdict, "semantic_alignment")
    assert (finding.severity, finding.citation, finding.claim) == ("warning", 1, 1)
    assert "chunk hr-3 does not support the claim that cites it" in finding.message
    assert finding.suggestion == "chunk hr-2 supports this claim: cite [2]"
    assert [item.supports for item in verdict.citations] == [True, False]
    assert verdict.citations[0].support is not None
    assert verdict.citations[1].support is not None
    assert verdict.citations[0].support > 0.7 > verdict.citations[1].support
    assert (verdict.citation_precision, verdict.citation_recall) == (0.5, 0.5)


def test_a_source_of_a_part_is_no_wrong_chunk_where_others_hold_the_rest():
    chunks = [
        {
            "id": "n-1",
            "text": "Orbit 4.3. Minimum macOS version is now 13. Orbit 4.2 supported macOS version 12.",
        },
        {"id": "n-2", "text": "Orbit 4.2 brings an offline mode. Minimum macOS version is 12."},
        {"id": "n-3", "text": "The canteen opens at noon and serves soup."},
    ]
    answer = "The minimum macOS version of Orbit 4.3 is 13, while Orbit 4.2 supported macOS version 12"
    verdict = validated(f"{answer} [1][2].", chunks=chunks)
    assert of_rule(verdict, "semantic_alignment") == []
    verdict = validated(f"{answer} [1][3].", chunks=chunks)
    assert [finding.citation for finding in of_rule(verdict, "semantic_alignment")] == [1]


def test_a_source_without_text_is_not_scored():
    chunks = [*CHUNKS, {"id": "web", "text": "", "metadata": {"url": "https://example.com/web"}}]
    verdict = validated(f"{REFUND} [4].", chunks=chunks)
    assert of_rule(verdict, "semantic_alignment") == []
    assert (verdict.citations[0].supports, verdict.citation_precision) == (None, None)


# -- cited claim, missing citations, list entries, offsets, numbering


@each(("off", "info"), ("warn", "warning"), ("error", "error"))
def test_an_answer_without_any_citation_is_missing_them(policy, severity):
    verdict = validated(f"{REFUND}. {LEAVE}.", {"require_citations": policy})
    assert [finding.severity for finding in of_rule(verdict, "missing_citations")] == [severity]
    assert (verdict.citation_accuracy, verdict.citation_precision) == (None, None)
    claimed = [(finding.claim, finding.severity) for finding in of_rule(verdict, "cited_claim")]
    assert claimed == ([] if policy == "off" else [(0, severity), (1, severity)])


def test_a_claim_without_a_citation_is_named_with_a_source():
    verdict = validated(f"{REFUND} [1]. {LEAVE}.", {"require_citations": "warn"})
    [finding] = of_rule(verdict, "cited_claim")
    assert (finding.claim, finding.suggestion) == (1, "chunk hr-2 supports this claim: cite [2]")
    assert verdict.claims[1].suggested_chunk_ids[:1] == ("hr-2",)
    assert of_rule(verdict, "missing_citations") == []


def test_a_refusal_needs_no_citation():
    verdict = validated("I don't have that information.", {"require_citations": "error"})
    assert of_rule(verdict, "missing_citations") == of_rule(verdict, "cited_claim") == []


def test_a_marker_at_the_end_covers_all_clauses_of_its_sentence():
    verdict = validated(
        f"{REFUND}, and a receipt is needed for every refund [1].", {"require_citations": "error"}
    )
    assert of_rule(verdict, "cited_claim") == []
    assert all(claim.citations == (0,) for claim in verdict.claims)


def test_list_entries_that_the_text_never_mentions():
    verdict = validated(f"{REFUND} [1].", cited_indices=[1, 2, 9])
    listed = [item for item in verdict.citations if item.syntax == "list"]
    assert [(item.target, item.valid, rules(item)) for item in listed] == [
        ("2", True, [("uncited_list_entry", "info")]),
        ("9", False, [("source_exists", "error")]),
    ]
    assert all((item.start, item.end, item.text) == (-1, -1, "") for item in listed)
    assert verdict.citation_accuracy == 0.5, "[1] is valid, 9 is not, 2 was never cited"
    assert (
        pg.clean_answer(
            {"id": "t", "question": "Q?", "chunks": CHUNKS, "answer": "A [1].", "cited_indices": [9]}
        )
        == "A [1]."
    )


def test_a_list_that_the_text_never_mentions_is_no_citation():
    verdict = validated(f"{REFUND}.", cited_indices=[1])
    assert len(of_rule(verdict, "missing_citations")) == 1
    assert verdict.citation_accuracy is None


def test_a_span_that_does_not_fit_is_a_finding():
    outside = {"start": 5, "end": 500, "chunk_ids": ["hr-1"]}
    verdict = validated(f"{REFUND}.", citations=[outside])
    [finding] = of_rule(verdict, "offset_mismatch")
    assert (finding.severity, finding.span) == ("warning", None)
    moved = {"start": 0, "end": 7, "text": "30 days", "chunk_ids": ["hr-1"]}
    verdict = validated(f"{REFUND}.", citations=[moved])
    [finding] = of_rule(verdict, "offset_mismatch")
    start = REFUND.index("30 days")
    assert finding.span == (start, start + 7)


@each(
    ("A [0]. B [1]. C [2].", 1, True),
    ("A [0]. B [3].", 1, False),
    ("A [1]. B [2]. C [3].", 1, False),
    ("A [1]. B [3].", 0, True),
    ("A [0]. B [2].", 0, False),
)
def test_numbering_that_looks_wrong_is_reported(answer, base, noticed):
    verdict = validated(answer, {"index_base": base})
    found = of_rule(verdict, "index_base")
    assert [finding.severity for finding in found] == (["info"] if noticed else [])
    numbers = {chunk["id"]: n for n, chunk in enumerate(CHUNKS, start=base)}
    assert all(numbers[item.chunk_id] == int(item.target) for item in verdict.citations if item.chunk_id)


def test_the_verdict_is_the_same_bytes_twice():
    answer = f"{REFUND} [1, 9]. “{LEAVE} or so” [2][hr-9] https://example.com/x."
    assert validated(answer).to_json() == validated(answer).to_json()


@each(
    *itertools.product(
        ["1-99999999999", "99999999999", f"1-{'9' * 40}", f"{'9' * 40}-{'9' * 41}"],
        ["src/a.py:{}", "`src/a.py:{}`", "src/a.py (lines {})"],
    )
)
def test_lines_that_no_file_has_are_an_invalid_citation_and_not_none(lines, form):
    chunk = {"id": "c", "text": "one\ntwo", "metadata": {"path": "src/a.py", "line_start": 1, "line_end": 2}}
    (citation,) = validated(f"It is so ({form.format(lines)}).", chunks=[chunk]).citations
    assert (citation.syntax, citation.valid) == ("code", False)
    assert "line_range" in [finding.rule for finding in citation.findings]


@each(*table(__file__, "test_address_of_a_source"))
def test_address_of_a_source(metadata, bases, expected):
    chunk = Chunk.model_validate({"id": "c", "text": "x", "metadata": metadata})
    assert source_url(chunk, Settings.of(bases)) == expected


@each(*table(__file__, "addresses"))
def test_addresses_that_are_the_same_in_other_words(left, right, are_equal):
    assert None not in (normal_url(left), normal_url(right))
    assert (normal_url(left) == normal_url(right)) is are_equal


@each(
    *("", "x", "mailto:a@b.c", "https://", "https://[::1", "http://a:b:c", "https://a.b:99999", "\ud800"),
    "http://" + "a" * 5_000,
)
def test_what_is_not_an_address(address):
    assert normal_url(address) is None


def test_inline_citations_say_where_and_what():
    source = {"title": "Refunds", "slug": "refunds", "payload_id": 7, "chunk_type": "text"}
    code = {"path": "src/a.py", "line_start": 1, "line_end": 9}
    transcript = Transcript.model_validate(
        {
            "id": "t",
            "question": "How long?",
            "chunks": [
                {"id": "a", "text": "Thirty days.", "metadata": source},
                {"id": "b", "text": "Code.", "metadata": code},
            ],
            "answer": "🎉 Thirty days [1, 7]. See src/a.py:2-3 [9].",
            "cited_indices": [1, 2],
        }
    )
    settings = Settings.of({"link_base": "https://docs.example.com/base/"})
    verdict = pg.validate(transcript, settings)
    found = valid_inline_citations(transcript, verdict.citations, settings)
    assert [(item.index, item.position, item.text, item.title, item.url, item.path) for item in found] == [
        (1, 14, "[1, 7]", "Refunds", "https://docs.example.com/base/refunds", None),
        (2, 26, "src/a.py:2-3", "src/a.py", None, "src/a.py"),
    ]
    assert [(item.slug, item.payload_id, item.chunk_type) for item in found] == [
        ("refunds", "7", "text"),
        (None, None, None),
    ]
    assert all(transcript.answer[item.position : item.end] == item.text for item in found)
    assert [verdict.citations[item.citation].chunk_id for item in found] == ["a", "b"]
    zero = Settings.of({"index_base": 0})
    assert [item.index for item in valid_inline_citations(transcript, verdict.citations, zero)] == [0, 1]


@each(*table(__file__, "owner_and_cover"))
def test_owner_and_cover(text, expected):
    """Each marker has the claim that owns it, and those that it covers."""
    context = context_of(text)
    found = zip(context.citations, context.owners, covered_claims(context), strict=True)
    assert [[citation.text, owner, list(covered)] for citation, owner, covered in found] == expected


def test_a_citation_that_stands_nowhere_has_no_owner():
    text = "It is red."
    claims, sentences = extract_claims(text), segment(text)
    assert claim_owners(claims, sentences, [(-1, -1), (0, 2), (50, 53)]) == (None, 0, None)
    assert claim_owners((), (), [(0, 3)]) == (None,)


PARTS = ["It is red", ". ", ", and it is blue", "; it is old", "[1]", " [2]", "\n", "- ", "| a | b |\n", "? "]


@given(st.lists(st.sampled_from(PARTS), max_size=30).map("".join))
def test_each_owner_holds_or_precedes_its_citation(text):
    context = context_of(text)
    claims = context.claims
    found = zip(context.citations, context.owners, covered_claims(context), strict=True)
    for citation, owner, covered in found:
        assert owner is not None
        assert claims[owner].start <= citation.start
        assert owner in covered
        assert list(covered) == list(range(covered[0], covered[-1] + 1))
        assert len({claims[index].sentence for index in covered}) == 1


_PARTS = [
    *("Refunds take 30 days", "the shop opens at nine", "a receipt is needed for every refund"),
    *(" and ", " but ", ", while ", "; ", ", ", " because it is late", "\n\n", "- ", ". ", "? "),
    *(" [1]", " [2]", "[3]", ".[1] ", ". [2] ", " [1], ", " ([2]) "),
]
ANSWERS = st.lists(st.sampled_from(_PARTS), min_size=1, max_size=12).map("".join)


@given(ANSWERS)
@settings(max_examples=100, deadline=None)
def test_all_citations_at_once_cover_what_each_covers_alone(answer):
    context = context_of(answer)
    assert covered_claims(context) == [covered_by(context, at) for at in range(len(context.citations))]
