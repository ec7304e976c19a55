"""What a claim writes otherwise than its source is found there; what only looks alike is not."""

from __future__ import annotations

from every import examples

from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.align import Alignment, without_labels
from pytest_grounding.scorers.builtin.all_chunks import context_of


def missing(claim: str, source: str) -> list[str]:
    alignment = Alignment(claim, tokenize(without_labels(claim)), context_of((source,)), frozenset(), "en")
    return [token.text for token in alignment.missing]


@examples(
    ("claim", "source"),
    [
        ("Ask a coworker.", "Ask a co-worker."),
        ("The coworkers left.", "The co-worker left."),
        ("The dataset is open.", "The data set is open."),
        ("The smartphone has a touchscreen.", "The smart phone has a touch screen."),
        ("It is due upfront.", "It is due up front."),
        ("The hotel has wifi.", "The hotel has Wi-Fi."),
        ("The material is non-flammable.", "The material is nonflammable."),
        ("It costs 5 dollars.", "It costs $5."),
        ("It is 5 centimeters.", "It is 5 cm."),
        ("She finished third.", "She finished 3rd."),
        ("It takes half an hour.", "It takes 30 minutes."),
        ("It closes at noon.", "It closes at 12 pm."),
        ("The French team won.", "The team of France won."),
        ("It opens 24/7.", "It opens 24 hours a day."),
    ],
)
def test_another_spelling_is_found_both_ways(claim: str, source: str) -> None:
    assert missing(claim, source) == []
    assert missing(source, claim) == [] or "24" in source


def test_an_acronym_is_found_where_the_source_spells_it_out() -> None:
    assert missing("The CEO resigned.", "The chief executive officer resigned.") == []


@examples(
    ("claim", "source", "lost"),
    [
        ("A notable success.", "He was not able to come.", "notable"),
        ("The team on line two.", "The team is online.", "line"),
        ("The dataset is open.", "He found the data. Set the table.", "dataset"),
        ("It costs 5 dollars.", "It costs 5 euros.", "dollars"),
        ("She finished third.", "She finished 4th.", "third"),
        ("It takes half an hour.", "It takes 40 minutes.", "half"),
        ("The CEO resigned.", "The chief of each office resigned.", "CEO"),
        ("A seat is free.", "They see at night.", "seat"),
    ],
)
def test_what_only_looks_alike_stays_missing(claim: str, source: str, lost: str) -> None:
    assert lost in missing(claim, source)


@examples("label", ["(passages 1, 2, and 3)", "documents 2, 3 & 4", "(sources 1, or 2)"])
def test_a_list_of_sources_is_one_label(label: str) -> None:
    assert without_labels(f"It rained {label}").strip() == "It rained"


def test_a_word_that_ends_a_sentence_joins_no_other() -> None:
    assert missing("The CEO resigned.", "He is the chief. Executive officer is she.") == ["CEO", "resigned"]


def test_a_word_without_end_is_looked_at_no_further() -> None:
    assert missing("A " + "data" * 5000, "data " * 5000) == ["data" * 5000]
