"""Conflicts between a claim and a source, and pairs that agree in other words."""

from every import each, table
from growth import grows_at_most

import pytest_grounding as pg
from pytest_grounding.evidence.sentence_view import sources_of, view_of_claim
from pytest_grounding.evidence.token_index import index_of
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts import conflicts_between, find_conflicts
from pytest_grounding.scorers.builtin.conflicts.conflict_search import candidates_of, with_bound
from pytest_grounding.scorers.builtin.conflicts.contest import Contest


def kinds(claim, source):
    return [conflict.kind for conflict in conflicts_between(claim, source)]


def candidates(claim, source):
    return candidates_of(Contest(view_of_claim(claim, tokenize(claim)), sources_of(source)))


def against(claim, *chunks, question=""):
    """The conflicts of a claim with the chunks c0, c1, ..."""
    asked = frozenset(token.stem for token in tokenize(question) if not token.is_stop)
    ids = [f"c{number}" for number in range(len(chunks))]
    return find_conflicts(claim, tokenize(claim), [index_of(chunk) for chunk in chunks], ids, given=asked)


#: Some kinds of a conflict, a claim, and a source that contradicts it.
FOUND = table(__file__, "found")


@each(*FOUND)
def test_a_conflict_is_found(expected, claim, source):
    found = kinds(claim, source)
    assert set(found) & set(expected)
    assert len(expected) > 1 or found == expected
    assert "order" not in expected or set(found) <= set(expected)


@each(*table(__file__, "same"))
def test_the_same_in_other_words_and_other_statements_are_not_a_conflict(claim, source):
    assert kinds(claim, source) == []


@each(*[case for case in FOUND if not {"number", "unit", "date", "entity"} & set(case[0])])
def test_opposites_conflict_both_ways_and_a_sentence_does_not_contradict_itself(expected, claim, source):
    assert kinds(claim, claim) == kinds(source, source) == []
    assert "antonym" not in expected or set(kinds(source, claim)) == set(kinds(claim, source))


@each(*table(__file__, "test_words_that_only_look_opposed_are_not"))
def test_words_that_only_look_opposed_are_not(kind, claim, source):
    """A name is no conflict either where groups of people are compared."""
    found = kinds(claim, source)
    assert kind not in found
    assert "entity" not in found


@each(*table(__file__, "test_a_conflict_shows_the_words_that_differ"))
def test_a_conflict_shows_the_words_that_differ(claim, source, kind, ours, theirs):
    (found,) = conflicts_between(claim, source)
    assert (found.kind, found.claim_text, found.evidence_text) == (kind, ours, theirs)
    assert claim[found.claim_start :].startswith(ours)


@each(
    ("Customers pay", "Customers do not pay", "$6 monthly", "not pay the $6 monthly"),
    ("You don't pay", "You pay", "don't pay the $6 monthly", "$6 monthly"),
)
def test_a_denied_value_is_shown_with_its_denial(claim, source, ours, theirs):
    fee = "the $6 monthly fee."
    conflicts = conflicts_between(f"{claim} {fee}", f"{source} {fee}")
    (found,) = (item for item in conflicts if "$6" in item.claim_text)
    assert (found.claim_text, found.evidence_text) == (ours, theirs)
    assert f"{claim} {fee}"[found.claim_start :].startswith(ours)
    assert found.message == f'negation: the claim says "{ours}", the source says "{theirs}"'


def test_a_word_that_excludes_what_the_source_names_is_a_conflict():
    claim = "The tour covers three towns, excluding Bremen and Celle."
    source = "The tour covers three towns: Bremen, Celle and Ulm. It is not held in winter."
    assert [item.claim_text for item in conflicts_between(claim, source)] == ["excluding"]


def test_a_limit_is_read_from_the_words_on_both_sides():
    text = "It takes no more than ten days, or 20 or more."
    at = text.index("ten")
    assert text[slice(*with_bound(text, at, at + 3))] == "no more than ten"
    at = text.index("20")
    assert text[slice(*with_bound(text, at, at + 2))] == "20 or more"
    assert with_bound("ten", 0, 3) == (0, 3)


def test_a_month_that_no_source_names_is_compared_with_the_date_of_the_same_day():
    claim = "On February 23rd the high is 82 degrees."
    source = "The forecast for Aug 23 is 82 degrees and sunny."
    (found,) = (one for one in candidates(claim, source) if one.kind == "date")
    assert claim[found.start : found.end] == "February 23rd"
    assert source[found.rival_start : found.rival_end] == "Aug 23"


def test_a_number_that_another_chunk_gives_for_the_same_words_is_not_a_conflict():
    claim = "The battery lasts 10 hours in flight mode."
    chunks = ["The battery lasts 12 hours on a full charge.", "In flight mode the battery lasts 10 hours."]
    assert against(claim, *chunks) == ()


def test_a_number_that_another_chunk_gives_for_something_else_is_a_conflict():
    claim = "The battery lasts 40 hours on a full charge."
    chunks = ["The battery lasts 12 hours on a full charge.", "The warranty covers 40 hours of repair work."]
    (found,) = against(claim, *chunks)
    assert (found.kind, found.severity, found.evidence.chunk_id) == ("number", "error", "c0")
    assert (found.claim_text, found.evidence_text) == ("40 hours", "12 hours")
    assert found.claim_start == claim.index("40")


def test_a_number_that_no_source_gives_is_missing_and_not_a_conflict():
    claim = "The garden of the old castle has 4711 roses."
    source = "The garden of the old castle has many roses."
    assert conflicts_between(claim, source) == ()
    found = pg.support(claim, [source])
    assert found.missing == ("4711",)
    assert found.probability <= 0.5


def test_a_name_from_elsewhere_in_the_sources_is_a_conflict():
    claim = "The company was founded by Henrik Larsen in a garage."
    chunks = ["The company was founded by Olga Petrova in a garage.", "Today Henrik Larsen leads the board."]
    (found,) = against(claim, *chunks)
    assert (found.kind, found.evidence.chunk_id, found.evidence_text) == ("entity", "c0", "Olga Petrova")
    source = (
        "The first direct tax was imposed by Parliament in 1765. Franklin went to London. "
        "The colonists burned the paper."
    )
    claim = "The first direct tax was imposed by Franklin."
    (found,) = against(claim, source, question="Why were the colonists upset?")
    assert (found.kind, found.evidence_text) == ("entity", "Parliament")


def test_a_name_joined_to_the_same_verb_is_not_an_error():
    claim = "In spring the act was repealed by Congress."
    assert kinds(claim, "In spring the act was repealed by Parliament. Congress met in autumn.") == ["entity"]
    joined = conflicts_between(claim, "In spring the act was repealed by Parliament and Congress.")
    assert "error" not in [item.severity for item in joined]


def test_a_sentence_may_leave_out_the_name_that_the_question_is_about():
    source = "Bucharest lies in Romania. The average temperature in summer is around 23 degrees."
    claim = "The average summer temperature in Bucharest is around 23 degrees."
    assert against(claim, source, question="How warm is Bucharest in summer?") == ()


def test_saying_that_the_sources_do_not_mention_something_is_not_a_conflict():
    claim = "The price of tea is not mentioned in the passages."
    assert against(claim, "The name Teresa means harvester.") == ()


@each(
    ("If this doesn't work, shut the door.", "Shut the door and lock it.", "unsure"),
    ("You may not be able to peel it off.", "You may be able to peel it off.", "unsure"),
    ("Use netting that doesn't entangle birds.", "Use netting that is safe for birds.", "unsaid"),
)
def test_denying_a_condition_or_a_possibility_is_doubtful(claim, source, doubt):
    (found,) = (one for one in candidates(claim, source) if one.kind == "negation")
    assert doubt in found.doubts
    assert not candidates(source, source)


def test_denying_a_fact_has_higher_odds_than_denying_a_possibility():
    (sure,) = conflicts_between("You are not able to peel it off.", "You are able to peel it off.")
    (doubted,) = conflicts_between("You may not be able to peel it off.", "You may be able to peel it off.")
    assert sure.severity == "error"
    assert (sure.log_odds or 0) > (doubted.log_odds or 0) + 0.5


def test_many_names_cost_no_square():
    def work(count):
        names = [f"Person{chr(97 + number % 26)}{chr(97 + number // 26 % 26)}" for number in range(count)]
        claim = " met ".join(names)
        source = " met ".join(reversed(names)) + "."
        return lambda: conflicts_between(claim, source)

    # Four times as many names; the square would cost sixteen times as much.
    assert grows_at_most(9, work(100), work(400), floor=0.005)
