"""What counts as a change in meaning, and how it is graded."""

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

from pytest_grounding.golden.diff import compare
from pytest_grounding.golden.golden_file import RULES, Side, change, grade_of, likeness, ordered, pair


@pytest.fixture
def changes(judged):
    def make(after, before=None):
        return compare(judged(before or recording()), judged(after))

    return make


def rules(found, *grades):
    return [item.rule for item in found if not grades or item.grade in grades]


def test_every_sentence_reworded_is_no_regression(changes):
    found = changes(recording(REWORDED))
    assert rules(found, "regression", "improvement") == []
    assert rules(found).count("claim_reworded") == 3


def test_a_single_number_changed_is_exactly_that_regression(changes):
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


def test_a_number_changed_among_reworded_sentences_is_exactly_that_regression(changes):
    found = changes(recording(REWORDED.replace("25", "30")))
    (one,) = [item for item in found if item.grade == "regression"]
    assert "30 days" in one.new
    assert "25" in one.old


def test_a_longer_answer_reworded_throughout_is_no_regression(changes):
    found = changes(passport(PASSPORT_REWORDED), before=passport())
    assert rules(found, "regression", "improvement") == []
    assert rules(found).count("claim_reworded") == 5


@pytest.mark.parametrize(
    ("old", "new"), [("82 euros", "92 euros"), ("three weeks", "four weeks"), ("32 euros", "23 euros")]
)
@pytest.mark.parametrize("answer", [PASSPORT, PASSPORT_REWORDED])
def test_any_one_number_of_a_longer_answer_is_exactly_one_regression(changes, answer, old, new):
    assert answer.count(old) == 1
    found = changes(passport(answer.replace(old, new)), before=passport())
    (one,) = [item for item in found if item.grade == "regression"]
    assert one.about == "claim"
    assert old in one.old
    assert new in one.new


def test_another_number_in_a_claim_that_was_never_supported_is_no_rewording(changes):
    before, after = (f"{ANSWER} The office in Lisbon was painted by {n} Italian artists." for n in (12, 40))
    found = changes(recording(after), before=recording(before))
    assert rules(found, "regression") == ["claim_changed_meaning"]


def test_a_corrected_number_is_an_improvement(changes):
    found = changes(recording(), before=recording(WRONG_NUMBER))
    assert grade_of(found) == "improvement"
    assert rules(found, "improvement") == ["claim_gained_support"]


def test_a_number_that_follows_its_source_is_neutral_and_is_shown(changes):
    found = changes(recording(WRONG_NUMBER, chunks=edited("25", "30")))
    assert grade_of(found) == "neutral"
    (one,) = [item for item in found if item.rule == "claim_follows_source"]
    assert any("25" in text and "30" in text for text in one.details)
    assert "chunk_edited" in rules(found)


def test_an_answer_that_does_not_follow_its_source_is_a_regression(changes):
    found = changes(recording(chunks=edited("25", "30")))
    assert rules(found, "regression") == ["claim_contradicted"]


def test_an_invented_claim_is_a_regression_and_its_removal_an_improvement(changes):
    assert rules(changes(recording(INVENTED)), "regression") == ["claim_added_unsupported"]
    back = changes(recording(), before=recording(INVENTED))
    assert "hallucination_gone" in rules(back, "improvement")
    assert rules(back, "regression") == []


def test_a_supported_claim_that_vanished_is_a_regression_and_one_that_came_is_neutral(changes):
    shorter = ANSWER.partition(" Unused")[0]
    found = changes(recording(shorter))
    assert set(rules(found, "regression")) == {"claim_vanished"}
    assert rules(found, "regression").count("claim_vanished") == 2
    longer = changes(recording(), before=recording(shorter))
    assert rules(longer, "regression") == []
    assert rules(longer).count("claim_added") == 2


def test_moved_claims_are_no_change(changes):
    first, second, third = (f"{text}." for text in ANSWER.rstrip(".").split(". "))
    found = changes(recording(f"{third} {first} {second}"))
    assert rules(found, "regression", "improvement") == []
    assert rules(found) == []


def test_citations_are_followed_to_the_text_of_their_chunk(changes):
    turned = ANSWER.replace("[1]", "[x]").replace("[2]", "[1]").replace("[x]", "[2]")
    found = changes(recording(turned, chunks=CHUNKS[::-1]))
    assert rules(found) == ["chunks_reranked"]
    stale = changes(recording(ANSWER, chunks=CHUNKS[::-1]))
    assert rules(stale, "regression").count("citation_points_away") == 3


def test_renamed_and_rescored_chunks_are_the_same_sources(changes):
    chunks = [{**chunk, "id": f"new-{chunk['id']}", "score": 0.7} for chunk in CHUNKS]
    found = changes(recording(chunks=chunks))
    assert rules(found, "regression") == []
    assert rules(found).count("chunk_renamed") == 2
    assert "chunks_rescored" in rules(found)


def test_chunks_that_came_and_went(changes):
    other = {"id": "hr-9", "text": "The canteen opens at noon.", "score": 0.5}
    assert "chunk_new" in rules(changes(recording(chunks=[*CHUNKS, other])))
    found = changes(recording(), before=recording(chunks=[*CHUNKS, other]))
    assert "chunk_gone" in rules(found)
    assert rules(found, "regression") == []


def test_a_broken_citation_is_a_regression_and_its_repair_an_improvement(changes):
    broken = recording(ANSWER.replace("[2]", "[7]"))
    assert "citation_broken" in rules(changes(broken), "regression")
    back = changes(recording(), before=broken)
    assert "citation_repaired" in rules(back, "improvement")
    assert rules(back, "regression") == []


def test_a_source_that_is_cited_nowhere_any_more_is_lost(changes):
    bare = recording(ANSWER.replace(" [2]", ""))
    found = changes(bare)
    assert rules(found, "regression") == ["citation_lost"]
    assert rules(changes(recording(), before=bare), "improvement") == ["citation_gained"]


def test_a_citation_that_another_sentence_took_over_only_moved(judged):
    answer = ANSWER.replace("per year [1]. Unused", "per year. Unused")
    alone = {"citation_scope": "sentence"}
    found = compare(judged(recording(), alone), judged(recording(answer), alone))
    assert "citation_moved" in rules(found)
    assert rules(found, "regression") == []


def test_declining_where_the_answer_is_held_is_a_regression(changes):
    found = changes(recording("I don't have that information in the documents."))
    assert "answer_declined" in rules(found, "regression")
    assert "claim_vanished" not in rules(found)
    back = changes(recording(), before=recording("I don't have that information in the documents."))
    assert "answer_given" in rules(back, "improvement")


def test_a_retrieval_that_lost_the_answer_is_a_regression(changes):
    other = [{"id": "x", "text": "The canteen opens at noon and closes at two.", "score": 0.4}]
    found = changes(recording(chunks=other))
    assert {"rating_dropped", "answer_lost"} & set(rules(found, "regression"))


def test_what_differs_between_any_two_recordings_is_no_change(changes):
    metadata = {"recorded_at": "2026-01-01", "session_id": "7", "response_id": "a", "latency_ms": 12}
    assert changes(recording(metadata=metadata)) == ()


def test_every_other_difference_of_a_recording_is_said(changes):
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


def test_words_that_make_no_claim_are_one_neutral_change(changes):
    found = changes(recording(f"Hello! {ANSWER}"))
    assert rules(found, "regression") == []
    assert "text_changed" in rules(found)


def test_figures_that_follow_from_a_graded_change_are_not_counted_twice(changes):
    found = changes(recording(WRONG_NUMBER))
    assert {item.about for item in found if item.rule == "follows"} == {"confidence", "verdict"}


def test_every_rule_is_graded_and_explained():
    assert {rule.grade for rule in RULES.values()} == {"regression", "improvement", "neutral"}
    assert all(rule.when for rule in RULES.values())
    with pytest.raises(KeyError):
        change("claim", "no_such_rule", "")


def test_the_gravest_change_comes_first():
    found = ordered(
        [change("claim", name, "") for name in ("claim_reworded", "claim_gained_support", "claim_vanished")]
    )
    assert [item.grade for item in found] == ["regression", "improvement", "neutral"]
    assert grade_of(found[1:]) == "improvement"


def test_long_answers_are_compared_in_reasonable_time(judged):
    sentences = [
        f"Room {number} of building {number % 7} holds {number + 3} chairs." for number in range(400)
    ]
    chunk = {"id": "c", "text": " ".join(sentences), "score": 0.9}
    one = judged(recording(" ".join(sentences[:300]), chunks=[chunk]))
    other = judged(recording(" ".join(sentences[100:]), chunks=[chunk]))
    found = compare(one, other)
    assert rules(found).count("claim_added") + rules(found).count("claim_split") <= 100
    assert found


def test_of_two_claims_as_alike_by_words_the_one_with_the_same_numbers_is_the_nearer():
    def side(words, numbers):
        return Side(claim(), words, frozenset(words.split()), frozenset(numbers.split()), (), 0.0)

    old = side("fee euro 10", "10")
    same, other = side("fee cost 10", "10"), side("fee euro 20", "20")
    assert likeness(old, same) > likeness(old, other) > 0.5
    assert pair([old], [other, same]) == [(0, 1)]
