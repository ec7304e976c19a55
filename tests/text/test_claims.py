import re

from every import each
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounding.claims.splitting import extract_claims
from pytest_grounding.reading.sentences import segment
from pytest_grounding.reading.spans import Claim

MARKER = re.compile(r"\[\d+\](?!\()|\[[^\[\]]*\]\([^()]*\)|`src[^`]*`")


def claims_of(text: str, **options: str) -> tuple[Claim, ...]:
    markers = [match.span() for match in MARKER.finditer(text)]
    return extract_claims(text, markers=markers, **options)  # type: ignore[arg-type]


def reasons(text: str, question: str = "") -> list[str]:
    return [claim.skip_reason for claim in claims_of(text, question=question)]


@each(
    ("How much does it cost?", "question"),
    ('"Why?"', "question"),
    ("Was kostet es?", "question"),
    ("多少钱？", "question"),
    ("Based on the passages, what is it?", "question"),
    ("If you like it, can I help?", "question"),
    ("Hello!", "greeting"),
    ("Sure!", "greeting"),
    ("Great question!", "greeting"),
    ("Sure, I'd be happy to help.", "greeting"),
    ("I hope this helps!", "greeting"),
    ("Let me know if you have any questions.", "greeting"),
    ("If you need more help, feel free to ask.", "greeting"),
    ("Please provide more context.", "greeting"),
    ("Danke!", "greeting"),
    ("你好！", "greeting"),
    ("Here is what I found:", "filler"),
    ("Sure, here are the steps:", "filler"),
    ("Based on the provided passages, here's how it works:", "filler"),
    ("Based on the passages:", "list_intro"),
    ("Let me explain.", "filler"),
    ("In summary:", "filler"),
    ("See [1].", "filler"),
    ("Step 2:", "filler"),
    ("The benefits are:", "list_intro"),
    ("To reset it, follow these steps:", "list_intro"),
    ("Key features:", "list_intro"),
    ("Sources: [1], [2]", "source_list"),
    ("References: the handbook", "source_list"),
    ("You asked how to make tea.", "restated_question"),
    ("# How to make tea", "heading"),
    ("## Key features", "heading"),
    ("**Overview**", "heading"),
    ("---", "separator"),
    ("***", "separator"),
    ("```\nx = 1\n```", "code"),
    ("[^1]: The handbook, page 3.", "definition"),
    ("[1]: https://a.b", "definition"),
    ("I do not know.", "refusal"),
)
def test_what_is_not_checked(text: str, reason: str) -> None:
    claims = claims_of(text)
    assert [claim.skip_reason for claim in claims] == [reason]
    assert not claims[0].checked


@each(
    "The plan costs $20.",
    "Paris",
    "$20",
    "Yes.",
    "Yes, you can.",
    'He asked, "Why?"',
    "Did you know that bees dance?",
    "It costs $20, is that right?",
    "There are three types:",
    "The plan costs $20 and includes:",
    "Note: It is red.",
    "Step 1: Open the app.",
    "In summary, it is red.",
    "Source: it is made from dried fruit.",
    "Please provide your order number to get a refund.",
    "Feel free to bring pets to the garden.",
    "Enjoy your meal with 20% off.",
    "If you have questions, contact support within 30 days.",
    "# The plan costs $20 a month",
    "**The plan is free.**",
    "Let's say the price is $20.",
    "You cannot cancel.",
    "Der Preis ist hoch.",
    "价格很高。",
)
def test_what_is_checked(text: str) -> None:
    assert [(claim.checked, claim.skip_reason) for claim in claims_of(text)] == [(True, "")]


def test_a_repeated_question_is_named_as_such() -> None:
    question = "How much does it cost?"
    assert reasons("How much does it cost? It costs $20.", question) == ["restated_question", ""]
    assert reasons("how much does it cost. It costs $20.", question) == ["restated_question", ""]
    # The answer to a yes/no question repeats its words, and claims them.
    assert reasons("Paris is the capital.", "Is Paris the capital?") == [""]


def test_yes_is_carried_by_what_follows() -> None:
    assert reasons("Yes. The plan includes it.") == ["filler", ""]
    assert reasons("Yes.") == [""]
    assert reasons("No. I do not know.") == ["", "refusal"]


def test_source_lists_run_to_the_next_heading() -> None:
    text = "It is red [1].\n\n## Sources\n- [1] The old handbook\n- More.\n\n## Notes\n- It is blue."
    assert reasons(text) == ["", "source_list", "source_list", "source_list", "heading", ""]


def test_an_entry_of_a_source_list_that_is_a_sentence_is_checked() -> None:
    text = "It is red [1].\n\n## Sources\n- [1] The handbook is old.\n- More."
    assert reasons(text) == ["", "source_list", "", "source_list"]


def test_a_paragraph_behind_a_source_list_is_checked() -> None:
    assert reasons("Sources:\n- [1] Handbook\nhttps://a.b\n\nThe plan costs $20.") == [
        "source_list",
        "source_list",
        "source_list",
        "",
    ]
    assert reasons("It offers:\n- References\n- It is red.") == ["list_intro", "", ""]


def test_bullets_are_items_with_what_announces_them() -> None:
    claims = claims_of("The benefits are:\n- Lower cost [1]\n- It is fast.\n- The team is on call.\n")
    assert [(claim.bare, claim.context, claim.checked) for claim in claims] == [
        ("The benefits are:", "", False),
        ("Lower cost", "The benefits are", True),
        ("It is fast.", "The benefits are", True),
        ("The team is on call.", "", True),
    ]


def test_table_rows_name_their_columns() -> None:
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


@each(
    ("**It** is *very* `red`.", "It is very red."),
    ("It is red [1].", "It is red."),
    ("It is red.[1][2]", "It is red."),
    ("It is red [1], blue [2], and green [3].", "It is red, blue, and green."),
    ("It is red ([1], [2]).", "It is red."),
    ("It is red (see [1]).", "It is red."),
    ("According to [1], it is red.", "It is red."),
    ("It is red, as stated in [1].", "It is red."),
    ("- It is red.", "It is red."),
    ("1. It is red.", "It is red."),
    ("- [x] It is red.", "It is red."),
    ("> It is red.\n> It is", "It is red."),
    ("## It is red and it is so", "It is red and it is so"),
    ("The [pricing page](https://a.b) says $20.", "The pricing page says $20."),
    ("It costs $20 [source](https://a.b).", "It costs $20."),
    ("It costs $20. [Source](https://a.b)", "It costs $20."),
    ("![logo](a.png) It is red.", "It is red."),
    ("It runs `__init__` and `*args`.", "It runs __init__ and *args."),
    ("It costs 5 * 3 * 2 and a_b_c.", "It costs 5 * 3 * 2 and a_b_c."),
    ("It is<br>red<b>!</b>", "It is red!"),
    (r"It is 5\* red\_blue.", "It is 5* red_blue."),
    ("According to the provided passages, it is red.", "It is red."),
    ("Based on the given context, it is red.", "It is red."),
    ("According to passage 2, it is red.", "It is red."),
    ("However, according to the text, it is red.", "It is red."),
    ("Passage 3 states that it is red.", "It is red."),
    ("Genetics: According to passage 1, oil is hereditary.", "Genetics: Oil is hereditary."),
    ("It is red (Passage 2).", "It is red."),
    ("It is red (source: passages 1 and 3).", "It is red."),
    ("It is red according to the provided passages.", "It is red."),
    ("Sure, here is what I found: It is red.", "It is red."),
    ("According to the CDC, it is safe.", "According to the CDC, it is safe."),
    ("Based on the route, it takes an hour.", "Based on the route, it takes an hour."),
    ("In 2011, it was red.", "In 2011, it was red."),
    ('He said "it is red" twice.', 'He said "it is red" twice.'),
    ("It is red ,  and   new .", "It is red, and new."),
    ("It uses .NET and 3.5 g.", "It uses .NET and 3.5 g."),
)
def test_bare_words(text: str, bare: str) -> None:
    assert claims_of(text)[0].bare == bare


@each(
    ("The plan is Pro. It costs $20.", "The plan is Pro."),
    ("The plan is Pro. However, this costs $20.", "The plan is Pro."),
    ("The plan is Pro. If they cancel, you lose.", "The plan is Pro."),
    ("The plan is Pro [1]. Its price is $20.", "The plan is Pro."),
    ("The plan is Pro. What is it? It costs $20.", "The plan is Pro."),
    ("The plan is Pro. The price is $20.", ""),
    ("## Pro\n\nIt costs $20.", ""),
    ("Hello! It costs $20.", ""),
    ("It costs $20.", ""),
    ("## Pro plan\n\n- $20", "Pro plan"),
)
def test_context(text: str, context: str) -> None:
    assert claims_of(text)[-1].context == context


def test_sentences_given_are_used() -> None:
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
def test_any_text_any_question_any_markers(text: str, question: str, markers: list[tuple[int, int]]) -> None:
    for claim in extract_claims(text, question=question, markers=markers):
        assert claim.text == text[claim.start : claim.end]


@each("(Passage 1)", "Passages 2 and 3.", "[Source 2]", "See document 3.", "Doc 1, 2")
def test_a_bare_reference_states_nothing(answer: str) -> None:
    claims = extract_claims(f"The plan costs 20 euros a month.\n\n{answer}\n")
    assert [claim.checked for claim in claims] == [True, False]
    assert claims[1].skip_reason == "source_list"


@each("42", "2019", "See you pay 20 euros.", "The documents are stored for 2 years.")
def test_what_only_looks_like_a_reference_is_checked(answer: str) -> None:
    assert [claim.checked for claim in extract_claims(answer, question="How many?")] == [True]
