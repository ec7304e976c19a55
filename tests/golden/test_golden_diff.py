"""What counts as a change in meaning, and how it is graded."""

from collections import Counter

import pytest
from golden_recordings import (
    ANSWER,
    CHUNKS,
    INVENTED,
    PASSPORT,
    PASSPORT_REWORDED,
    REWORDED,
    WRONG_NUMBER,
    edited,
    passport,
    recording,
)
from made_verdicts import claim

from pytest_grounding.golden.diff import compare_recordings
from pytest_grounding.golden.golden_file import RULES, Side, change, grade_of, likeness, ordered_changes, pair


@pytest.fixture
def changes(judged):
    def make(after, before=None):
        return compare_recordings(judged(before or recording()), judged(after))

    return make


def rules(found, *grades):
    return [item.rule for item in found if not grades or item.grade in grades]


SAME = recording()
SHORTER = recording(ANSWER.partition(" Unused")[0])
REFUSAL = recording("I don't have that information in the documents.")
BROKEN, UNCITED = recording(ANSWER.replace("[2]", "[7]")), recording(ANSWER.replace(" [2]", ""))
LISBON = [recording(f"{ANSWER} The office in Lisbon was painted by {n} Italian artists.") for n in (12, 40)]
MORE_CHUNKS = recording(chunks=[*CHUNKS, {"id": "hr-9", "text": "The canteen opens at noon.", "score": 0.5}])
RENAMED = recording(chunks=[{**chunk, "id": f"new-{chunk['id']}", "score": 0.7} for chunk in CHUNKS])
TURNED = ANSWER.replace("[1]", "[x]").replace("[2]", "[1]").replace("[x]", "[2]")
FIRST, SECOND, THIRD = (f"{text}." for text in ANSWER.rstrip(".").split(". "))
RUN_DATA = {"recorded_at": "2026-01-01", "session_id": "7", "response_id": "a", "latency_ms": 12}
#: Golden, new recording, regressions, improvements, and other changes with their number; () for no change.
CASES = [
    (SAME, recording(REWORDED), "", "", {"claim_same_meaning": 3}),
    (passport(), passport(PASSPORT_REWORDED), "", "", {"claim_same_meaning": 4, "claim_reworded": 1}),
    (*LISBON, "claim_changed_meaning", "", {}),
    (recording(WRONG_NUMBER), SAME, "", "claim_gained_support", {}),
    (SAME, recording(chunks=edited("25", "30")), "claim_contradicted", "", {}),
    (SAME, recording(INVENTED), "claim_added_unsupported", "", {}),
    (recording(INVENTED), SAME, "", "hallucination_gone", {}),
    (SAME, SHORTER, "claim_vanished", "", {"claim_vanished": 2}),
    (SHORTER, SAME, "", "", {"claim_added": 2}),
    (SAME, recording(f"{THIRD} {FIRST} {SECOND}"), "", "", ()),
    (SAME, recording(TURNED, chunks=CHUNKS[::-1]), "", "", {"chunks_reranked": 1}),
    (SAME, recording(ANSWER, chunks=CHUNKS[::-1]), "citation_points_away", "", {"citation_points_away": 3}),
    (SAME, RENAMED, "", "", {"chunk_renamed": 2, "chunks_rescored": 1}),
    (SAME, MORE_CHUNKS, "", "", {"chunk_new": 1}),
    (MORE_CHUNKS, SAME, "", "", {"chunk_gone": 1}),
    (SAME, BROKEN, "citation_broken citation_lost", "", {}),
    (BROKEN, SAME, "", "citation_repaired citation_gained", {}),
    (SAME, UNCITED, "citation_lost", "", {}),
    (UNCITED, SAME, "", "citation_gained", {}),
    (SAME, REFUSAL, "answer_declined", "", {"claim_vanished": 0}),
    (REFUSAL, SAME, "", "answer_given finding_gone", {}),
    (SAME, recording(metadata=RUN_DATA), "", "", ()),
    (SAME, recording(f"Hello! {ANSWER}"), "", "", {"text_changed": 1}),
]


@pytest.mark.parametrize(("before", "after", "regression", "improvement", "others"), CASES)
def test_grades_changes(changes, before, after, regression, improvement, others):
    found = changes(after, before=before)
    assert set(rules(found, "regression")) == set(regression.split())
    assert set(rules(found, "improvement")) == set(improvement.split())
    counts = Counter(rules(found))
    assert {name: counts[name] for name in others} == dict(others)
    assert others != () or not found


def test_a_changed_number_is_one_regression(changes):
    found = changes(recording(WRONG_NUMBER))
    (one,) = [item for item in found if item.grade == "regression"]
    assert one.about == "claim"
    assert one.rule in ("claim_contradicted", "claim_lost_support")
    assert (one.old, one.new) == (
        "Employees receive 25 vacation days per year.",
        "Employees receive 30 vacation days per year.",
    )
    assert any("25" in text and "30" in text for text in one.details)
    assert rules(found, "improvement") == []
    assert found[0] == one


def test_a_changed_number_among_reworded_sentences_is_one_regression(changes):
    found = changes(recording(REWORDED.replace("25", "30")))
    (one,) = [item for item in found if item.grade == "regression"]
    assert "30 vacation days" in one.new
    assert "25" in one.old


@pytest.mark.parametrize(
    ("old", "new"), [("82 euros", "92 euros"), ("three weeks", "four weeks"), ("32 euros", "23 euros")]
)
@pytest.mark.parametrize("answer", [PASSPORT, PASSPORT_REWORDED])
def test_a_changed_number_in_a_longer_answer_is_one_regression(changes, answer, old, new):
    assert answer.count(old) == 1
    found = changes(passport(answer.replace(old, new)), before=passport())
    (one,) = [item for item in found if item.grade == "regression"]
    assert one.about == "claim"
    assert old in one.old
    assert new in one.new


def test_a_number_that_follows_its_source_is_neutral(changes):
    found = changes(recording(WRONG_NUMBER, chunks=edited("25", "30")))
    assert grade_of(found) == "neutral"
    (one,) = [item for item in found if item.rule == "claim_follows_source"]
    assert any("25" in text and "30" in text for text in one.details)
    assert "chunk_edited" in rules(found)


def test_a_citation_moves_to_another_sentence(judged):
    answer = ANSWER.replace("per year [1]. Unused", "per year. Unused")
    alone = {"citation_scope": "sentence"}
    found = compare_recordings(judged(recording(), alone), judged(recording(answer), alone))
    assert rules(found, "regression") == ["citation_lost"]
    assert "cited only at other claims" in found[0].message


def test_a_retrieval_that_lost_the_answer_is_a_regression(changes):
    other = [{"id": "x", "text": "The canteen opens at noon and closes at two.", "score": 0.4}]
    found = changes(recording(chunks=other))
    assert {"rating_dropped", "answer_lost"} & set(rules(found, "regression"))


@pytest.mark.parametrize(
    ("old", "new", "rule", "grade"),
    [
        ("good", "partial", "rating_dropped", "regression"),
        ("partial", "poor", "rating_dropped", "regression"),
        ("poor", "partial", "rating_raised", "improvement"),
        ("partial", "good", "rating_raised", "improvement"),
    ],
)
def test_a_retrieval_is_rated_higher_or_lower(judged, old, new, rule, grade):
    def rated(rating):
        golden = judged(recording())
        retrieval = golden.verdict.retrieval.model_copy(update={"rating": rating})
        return golden.model_copy(
            update={"verdict": golden.verdict.model_copy(update={"retrieval": retrieval})}
        )

    (found,) = compare_recordings(rated(old), rated(new))
    assert (found.rule, found.grade) == (rule, grade)
    assert f"{old} -> {new}" in found.message


def test_reports_every_other_difference(changes):
    found = changes(
        recording(metadata={"model_version": "b"}), before=recording(metadata={"model_version": "a"})
    )
    assert rules(found) == ["recording_changed"]
    assert found[0].message == 'metadata.model_version: "a" -> "b"'
    found = changes(recording(filters={"year": 2026}, language="en"))
    assert set(rules(found)) == {"recording_changed"}
    assert any("filters" in text for text in found[0].details)
    chunks = [{**CHUNKS[0], "metadata": {"page": "7"}}, CHUNKS[1]]
    assert rules(changes(recording(chunks=chunks))) == ["recording_changed"]


def test_does_not_count_figures_that_follow_from_a_change(changes):
    assert {item.about for item in changes(recording(WRONG_NUMBER))} == {"claim"}


def test_every_rule_is_graded_and_explained():
    assert {rule.grade for rule in RULES.values()} == {"regression", "reworded", "improvement", "neutral"}
    assert all(rule.when for rule in RULES.values())
    with pytest.raises(KeyError):
        change("claim", "no_such_rule", "")


def test_sorts_changes_by_grade():
    names = ("chunk_new", "claim_gained_support", "claim_reworded", "claim_vanished")
    found = ordered_changes([change("claim", name, "") for name in names])
    assert [item.grade for item in found] == ["regression", "reworded", "improvement", "neutral"]
    assert [grade_of(found[number:]) for number in range(4)] == [item.grade for item in found]


def test_long_answers_are_compared_in_reasonable_time(judged):
    sentences = [
        f"Room {number} of building {number % 7} holds {number + 3} chairs." for number in range(200)
    ]
    chunk = {"id": "c", "text": " ".join(sentences), "score": 0.9}
    one = judged(recording(" ".join(sentences[:150]), chunks=[chunk]))
    other = judged(recording(" ".join(sentences[50:]), chunks=[chunk]))
    found = compare_recordings(one, other)
    assert rules(found).count("claim_added") <= 50
    assert found


def test_pairs_claims_with_the_same_numbers():
    def side(words, numbers):
        return Side(claim(), words, frozenset(words.split()), frozenset(numbers.split()), (), 0.0)

    old = side("fee euro 10", "10")
    same, other = side("fee cost 10", "10"), side("fee euro 20", "20")
    assert likeness(old, same) > likeness(old, other) > 0.5
    assert pair([old], [other, same]) == [(0, 1)]
