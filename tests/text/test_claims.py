"""Claims of an answer: what is checked, their bare words, clauses and kinds."""

import json
import re
from pathlib import Path

from every import each, table
from hypothesis import given, settings
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.claims.clauses import kind_of
from pytest_grounding.claims.splitting import extract_claims
from pytest_grounding.engine.pipeline import extract_and_score
from pytest_grounding.engine.registry import builtin_scorer
from pytest_grounding.reading.sentences import segment
from pytest_grounding.settings import Settings

MARKER = re.compile(r"\[\d+\](?!\()|\[[^\[\]]*\]\([^()]*\)|`src[^`]*`")


def claims_of(text, **options):
    markers = [match.span() for match in MARKER.finditer(text)]
    return extract_claims(text, markers=markers, **options)


def reasons(text, question=""):
    return [claim.skip_reason for claim in claims_of(text, question=question)]


@each(*table(__file__, "test_parts_that_are_not_checked"))
def test_parts_that_are_not_checked(text, reason):
    claims = claims_of(text)
    assert [claim.skip_reason for claim in claims] == [reason]
    assert not claims[0].checked


@each(*table(__file__, "test_sentences_that_are_checked"))
def test_sentences_that_are_checked(text):
    assert [(claim.checked, claim.skip_reason) for claim in claims_of(text)] == [(True, "")]


def test_a_repeated_question_is_skipped():
    question = "How much does it cost?"
    assert reasons("How much does it cost? It costs $20.", question) == ["restated_question", ""]
    assert reasons("how much does it cost. It costs $20.", question) == ["restated_question", ""]
    # The answer to a yes/no question repeats its words, and claims them.
    assert reasons("Paris is the capital.", "Is Paris the capital?") == [""]


def test_yes_before_a_statement_is_skipped():
    assert reasons("Yes. The plan includes it.") == ["filler", ""]
    assert reasons("Yes.") == [""]
    assert reasons("No. I do not know.") == ["", "refusal"]


def test_source_lists_run_to_the_next_heading():
    text = "It is red [1].\n\n## Sources\n- [1] The old handbook\n- More.\n\n## Notes\n- It is blue."
    assert reasons(text) == ["", "source_list", "source_list", "source_list", "heading", ""]


def test_an_entry_of_a_source_list_that_is_a_sentence_is_checked():
    text = "It is red [1].\n\n## Sources\n- [1] The handbook is old.\n- More."
    assert reasons(text) == ["", "source_list", "", "source_list"]


def test_a_paragraph_after_a_source_list_is_checked():
    assert reasons("Sources:\n- [1] Handbook\nhttps://a.b\n\nThe plan costs $20.") == [
        "source_list",
        "source_list",
        "source_list",
        "",
    ]
    assert reasons("It offers:\n- References\n- It is red.") == ["list_intro", "", ""]


def test_list_items_take_their_introduction_as_context():
    claims = claims_of("The benefits are:\n- Lower cost [1]\n- It is fast.\n- The team is on call.\n")
    assert [(claim.bare, claim.context, claim.checked) for claim in claims] == [
        ("The benefits are:", "", False),
        ("Lower cost", "The benefits are", True),
        ("It is fast.", "The benefits are", True),
        ("The team is on call.", "", True),
    ]


def test_table_rows_name_their_columns():
    text = (
        "Plans:\n\n| Plan | **Price** | |\n|---|:--:|---|\n| Pro | $20 [1] | x |\n| a \\| b | | |\n\n"
        "| No | header |"
    )
    assert [(claim.bare, claim.skip_reason) for claim in claims_of(text)] == [
        ("Plans:", "list_intro"),
        ("Plan; Price", "table_header"),
        ("|---|:--:|---|", "separator"),
        ("Plan: Pro; Price: $20; x", ""),
        ("Plan: a | b", ""),
        ("No; header", ""),
    ]


@each(*table(__file__, "test_bare_words"))
def test_bare_words(text, bare):
    assert claims_of(text)[0].bare == bare


@each(*table(__file__, "test_context"))
def test_context(text, context):
    assert claims_of(text)[-1].context == context


def test_given_sentences_are_used():
    text = "It is red. It is blue."
    sentences = segment(text)[:1]
    assert [claim.text for claim in extract_claims(text, sentences=sentences)] == ["It is red."]
    assert extract_claims("") == ()


SIGNS = [
    *"It is red¦. ¦! ¦? ¦, and it is ¦; ¦: ¦\n¦\n\n¦- ¦1. ¦# ¦> ¦| a | b |\n".split("¦"),
    *'|--|--|\n¦```\n¦`¦**¦[1]¦[^1]: ¦(¦)¦"¦I do not know¦the passages do not say '.split("¦"),
    *"According to passage 2, |Sources: |Here is |Yes|\ud83d|🙂|e\u0301|\u202e|\u200b".split("|"),
    *("[t](u)", "https://a.b/c", "\\", "<b>", "_a_", "是。", "نعم؟", "I think ", "therefore ", "---\n"),
]


@settings(max_examples=300)
@given(st.lists(st.sampled_from(SIGNS), max_size=40).map("".join), st.sampled_from(["en", "de", "zh", ""]))
def test_claims_of_any_text(text: str, language: str) -> None:
    markers = [match.span() for match in MARKER.finditer(text)]
    sentences = segment(text, language=language, markers=markers)
    claims = extract_claims(text, question="What is it?", language=language, markers=markers)
    assert [claim.index for claim in claims] == list(range(len(claims)))
    assert {claim.sentence for claim in claims} == set(range(len(sentences)))
    position = 0
    for claim in claims:
        sentence = sentences[claim.sentence]
        assert position <= claim.start < claim.end
        assert sentence.start <= claim.start
        assert claim.end <= sentence.end
        assert claim.text == text[claim.start : claim.end]
        assert claim.checked == (not claim.skip_reason)
        assert "\n" not in claim.bare
        assert not claim.checked or any(char.isalnum() for char in claim.bare)
        position = claim.end


@given(
    st.text(), st.text(max_size=30), st.lists(st.tuples(st.integers(-5, 40), st.integers(-5, 40)), max_size=4)
)
def test_any_text_any_question_any_markers(text, question, markers):
    for claim in extract_claims(text, question=question, markers=markers):
        assert claim.text == text[claim.start : claim.end]


@each("(Passage 1)", "Passages 2 and 3.", "[Source 2]", "See document 3.", "Doc 1, 2")
def test_a_bare_reference_is_not_a_claim(answer):
    claims = extract_claims(f"The plan costs 20 euros a month.\n\n{answer}\n")
    assert [claim.checked for claim in claims] == [True, False]
    assert claims[1].skip_reason == "source_list"


@each("42", "2019", "See you pay 20 euros.", "The documents are stored for 2 years.")
def test_a_sentence_like_a_reference_is_checked(answer):
    assert [claim.checked for claim in extract_claims(answer, question="How many?")] == [True]


LINES = Path(__file__).with_name("answers.jsonl").read_text(encoding="utf-8").splitlines()
ANSWERS = [json.loads(line) for line in LINES]


def claims_of_answer(answer, question="What?"):
    chunks = [{"id": "c", "text": "x"}, {"id": "d", "text": "y"}]
    transcript = pg.Transcript.model_validate(
        {"id": "t", "question": question, "chunks": chunks, "answer": answer}
    )
    return extract_and_score(transcript, Settings(), [builtin_scorer()])[0].claims


@each(*ANSWERS)
def test_an_answer_yields_its_claims(row):
    claims = claims_of_answer(row["answer"], row.get("question", "What?"))
    assert [claim.bare for claim in claims if claim.checked] == row["claims"]
    assert [claim.skip_reason for claim in claims if not claim.checked] == row.get("left_out", [])
    assert all(row["answer"][claim.start : claim.end] == claim.text for claim in claims)


def test_nested_items_take_the_items_above_as_context():
    answer = (
        "The plans:\n\n- Basic\n  - 10 GB of storage\n  - It costs $5\n    - $4 in June\n- Pro\n"
        "\t- 100 GB of storage\n\nSupport is free."
    )
    found = {claim.bare: claim.context for claim in extract_claims(answer) if claim.checked}
    assert found == {
        "10 GB of storage": "The plans Basic",
        "It costs $5": "The plans Basic",
        "$4 in June": "The plans Basic It costs $5",
        "100 GB of storage": "The plans Pro",
        "Support is free.": "",
    }


@each("[1]", "[Handbook]", "[[1]]", "[the handbook of 2021]")
def test_a_link_after_a_full_stop_is_a_label_of_any_length(label):
    for length in (1, 9, 10, 40, 400):
        link = f"{label}(https://x.org/{'a' * length})"
        first, second = claims_of_answer(f"Refunds take 14 days. {link} They are free. {link}")
        assert (first.bare, first.text) == ("Refunds take 14 days.", f"Refunds take 14 days. {link}")
        assert (second.bare, second.text) == ("They are free.", f"They are free. {link}")


@each(1, 40, 400)
def test_a_bare_address_after_a_full_stop_is_a_label(length):
    address = f"https://x.org/{'a' * length}"
    first, second = claims_of_answer(f"Refunds take 14 days. {address} They are free.")
    assert (first.text, second.text) == (f"Refunds take 14 days. {address}", "They are free.")


def test_a_link_at_the_start_of_a_sentence_belongs_to_it():
    text = "It is red. [Apple](u://x) sells it."
    assert [piece.text for piece in segment(text, markers=[(11, 12), (17, 25)])] == [
        "It is red.",
        "[Apple](u://x) sells it.",
    ]


def clauses(text):
    return [claim.text for claim in extract_claims(text)]


@each(*table(__file__, "SPLIT"))
def test_sentences_that_join_statements_are_split(text, expected):
    assert clauses(text) == expected


@each(*table(__file__, "WHOLE"))
def test_other_sentences_are_not_split(text):
    assert clauses(text) == [text]


def test_clauses_are_slices_and_share_their_sentence():
    text = "One. The plan costs $20, and it includes support. Two."
    claims = extract_claims(text)
    assert [claim.sentence for claim in claims] == [0, 1, 1, 2]
    assert all(claim.text == text[claim.start : claim.end] for claim in claims)
    assert claims[2].context == "The plan costs $20"


def test_only_english_is_split():
    text = "It is red; it is new."
    assert len(extract_claims(text, language="en")) == 2
    assert len(extract_claims(text, language="de")) == 1


def test_table_rows_and_code_are_not_split():
    text = "| It is red; it is new. | x |\n\n```\nit is a; it is b\n```"
    assert len(extract_claims(text)) == 2


@each(*table(__file__, "test_kinds_of_claims"))
def test_kinds_of_claims(sentence, kind):
    assert kind_of(sentence).kind == kind


def test_confidence_in_a_kind_is_higher_for_clear_signs():
    assert kind_of("Therefore, it is red.").confidence > kind_of("It is likely red.").confidence
    assert kind_of("The plan costs $20.").confidence > kind_of("The plan costs little.").confidence
    for sentence in ("It is red.", "I love it.", "It seems to be red.", ""):
        assert 0.0 <= kind_of(sentence).confidence <= 1.0


def test_facts_and_inferences_are_checked_and_opinions_are_not():
    claims = extract_claims("It is red. Therefore, it is old. Personally, I love it.")
    assert [(claim.kind, claim.checked, claim.skip_reason) for claim in claims] == [
        ("fact", True, ""),
        ("inference", True, ""),
        ("opinion", False, "opinion"),
    ]
