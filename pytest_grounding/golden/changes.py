"""What can change between two recordings, and the rule that grades each change."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from pytest_grounding.model._base import Model

Grade = Literal["regression", "improvement", "neutral"]

GRADES: tuple[Grade, ...] = ("regression", "improvement", "neutral")


class Rule(NamedTuple):
    """How a rule grades, and when it applies, in words."""

    grade: Grade
    when: str


_BAD: Grade = "regression"
_GOOD: Grade = "improvement"
_SAME: Grade = "neutral"

RULES: dict[str, Rule] = {
    # -- claims
    "claim_contradicted": Rule(_BAD, "a source now says otherwise than the claim"),
    "claim_lost_support": Rule(_BAD, "the claim was supported and is not any more"),
    "claim_not_scored": Rule(_BAD, "the claim was supported and could not be scored now"),
    "claim_changed_meaning": Rule(_BAD, "the claim says something else, and no source changed with it"),
    "claim_added_unsupported": Rule(_BAD, "a new claim that no source supports"),
    "claim_vanished": Rule(_BAD, "a supported claim that the answer does not make any more"),
    "claim_gained_support": Rule(_GOOD, "the claim was not supported and is now"),
    "hallucination_gone": Rule(_GOOD, "an unsupported claim is not made any more"),
    "claim_follows_source": Rule(_SAME, "the claim says something else, as its changed source does"),
    "claim_restates_accepted": Rule(
        _SAME, "scored as unsupported, but it says the same as the accepted claim from the same source"
    ),
    "claim_waived": Rule(_SAME, "a person waived what was found on the claim"),
    "claim_rests_the_same": Rule(
        _SAME, "scored lower, but its words and its whole evidence are the same as before"
    ),
    "claim_reworded": Rule(_SAME, "the same claim in other words"),
    "claim_moved": Rule(_SAME, "the same claim in another place of the answer"),
    "claim_support_shifted": Rule(_SAME, "between supported and borderline, or among the unsupported"),
    "claim_merged": Rule(_SAME, "still said, as part of other claims"),
    "claim_split": Rule(_SAME, "was said before, as part of another claim"),
    "claim_added": Rule(_SAME, "a new claim that the sources support"),
    "text_changed": Rule(_SAME, "words that make no claim to check: greetings, headings, questions"),
    # -- the answer as a whole
    "answer_declined": Rule(_BAD, "declines, though the retrieval holds the answer"),
    "answer_declines_rightly": Rule(_SAME, "declines, and the retrieval does not hold the answer"),
    "answer_given": Rule(_GOOD, "answers where it declined before"),
    "usefulness_lost": Rule(_BAD, "does not address the question any more"),
    "usefulness_gained": Rule(_GOOD, "addresses the question now"),
    # -- citations
    "citation_broken": Rule(_BAD, "a citation that does not hold"),
    "citation_lost": Rule(_BAD, "a source that the claim cited is cited nowhere any more"),
    "citation_points_away": Rule(_BAD, "cites another source now, which does not support the claim"),
    "citation_repaired": Rule(_GOOD, "a citation that did not hold is gone or repaired"),
    "citation_gained": Rule(_GOOD, "a claim without a citation has a valid one now"),
    "citation_repointed": Rule(_SAME, "cites another source, which supports the claim as well"),
    "citation_moved": Rule(_SAME, "the source is cited elsewhere in the answer"),
    # -- retrieval
    "rating_dropped": Rule(_BAD, "the retrieval is rated lower"),
    "answer_lost": Rule(_BAD, "the chunks hold less of the answer than before"),
    "rating_raised": Rule(_GOOD, "the retrieval is rated higher"),
    "answer_found": Rule(_GOOD, "the chunks hold more of the answer than before"),
    "chunk_new": Rule(_SAME, "a chunk that was not retrieved before"),
    "chunk_gone": Rule(_SAME, "a chunk that is not retrieved any more"),
    "chunk_edited": Rule(_SAME, "the same id with another text"),
    "chunk_renamed": Rule(_SAME, "the same text under another id"),
    "chunks_reranked": Rule(_SAME, "the same chunks in another order"),
    "chunks_rescored": Rule(_SAME, "the same chunks with other retrieval scores"),
    # -- figures and findings
    "confidence_dropped": Rule(_BAD, "lower by the tolerance or more, and no other regression explains it"),
    "confidence_raised": Rule(_GOOD, "higher by the tolerance or more, and no other improvement explains it"),
    "verdict_worse": Rule(_BAD, "the gate decides worse, and no other regression explains it"),
    "verdict_better": Rule(_GOOD, "the gate decides better, and no other improvement explains it"),
    "finding_new": Rule(_BAD, "a rule found an error or a warning that it did not find before"),
    "finding_gone": Rule(_GOOD, "an error or a warning is not found any more"),
    "follows": Rule(_SAME, "a figure that moved because of a change listed above it"),
    # -- everything else
    "question_changed": Rule(_SAME, "another question under the same id"),
    "recording_changed": Rule(_SAME, "something else in the recording: metadata, filters, history"),
    "engine_changed": Rule(_SAME, "the accepted recording is judged otherwise by the present engine"),
    "settings_changed": Rule(_SAME, "the accepted recording is judged otherwise under the present settings"),
}

#: Rules that say something about the tools and nothing about the program under test.
TOOL_RULES = ("engine_changed", "settings_changed")

#: Rules under which the answer says the same: what lies beside it changed.
BESIDE_RULES = frozenset(
    {
        "chunk_new",
        "chunk_gone",
        "chunk_edited",
        "chunk_renamed",
        "chunks_reranked",
        "chunks_rescored",
        "recording_changed",
        *TOOL_RULES,
    }
)


class Change(Model):
    """One difference in meaning between an accepted and a new recording."""

    about: str
    rule: str
    grade: Grade
    message: str
    old: str = ""
    new: str = ""
    old_claim: int | None = None
    new_claim: int | None = None
    details: tuple[str, ...] = ()


def change(
    about: str,
    rule: str,
    message: str,
    *,
    old: str = "",
    new: str = "",
    claims: tuple[int | None, int | None] = (None, None),
    details: Iterable[str] = (),
) -> Change:
    """A change with the grade of its rule; an unknown rule is a KeyError."""
    return Change(
        about=about,
        rule=rule,
        grade=RULES[rule].grade,
        message=message,
        old=old,
        new=new,
        old_claim=claims[0],
        new_claim=claims[1],
        details=tuple(details),
    )


def ordered(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Regressions first, then improvements, then what is neutral; else in the order they came."""
    return tuple(sorted(changes, key=lambda item: GRADES.index(item.grade)))


def grade_of(changes: Iterable[Change]) -> Grade:
    """The grade of a whole: one regression makes it one, else one improvement does."""
    grades = {item.grade for item in changes}
    return next((grade for grade in GRADES if grade in grades), "neutral")


def only_tools(changes: Iterable[Change]) -> bool:
    """Nothing changed but the engine or the settings, and something did."""
    rules = [item.rule for item in changes]
    return bool(rules) and all(rule in TOOL_RULES for rule in rules)
