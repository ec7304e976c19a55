"""Relations in a sentence, claims that turn one round, and opposites that agree from the other side."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.scorers.lexical.conflicts.relations import Relation, relations_of
from pytest_grounding.scorers.lexical.conflicts.view import view_of_claim
from pytest_grounding.scorers.lexical.tokens import tokenize


def told(text: str) -> dict[str, tuple[set[str], set[str]]]:
    """For each word that relates, in lower case, the words of its two sides."""
    view = view_of_claim(text, tokenize(text))

    def words(side: tuple[int, ...]) -> set[str]:
        return {view.norms[number] for number in side}

    return {
        view.norms[one.word]: (words(one.first), words(one.second))
        for one in relations_of(view, 0, len(view.tokens))
        if one.sort in {"verb", "noun"} or view.norms[one.word] not in {"of"}
    }


def errors(claim: str, *texts: str) -> list[str]:
    return [item.kind for item in pg.support(claim, list(texts)).conflicts if item.severity == "error"]


@pytest.mark.parametrize(
    ("text", "word", "first", "second"),
    [
        ("Larkfield acquired the mill.", "acquired", {"larkfield"}, {"mill"}),
        ("The mill was acquired by Larkfield.", "acquired", {"larkfield"}, {"mill"}),
        ("The mill, acquired by Larkfield in May, makes paper.", "acquired", {"larkfield"}, {"mill"}),
        ("Larkfield, which acquired the mill, makes paper.", "acquired", {"larkfield"}, {"mill"}),
        ("Unplug the fryer before you remove the cover.", "before", {"fryer"}, {"cover"}),
        ("Before you remove the cover, unplug the fryer.", "before", {"fryer"}, {"cover"}),
        ("Remove the cover after you unplug the fryer.", "after", {"fryer"}, {"cover"}),
        ("Data is copied from staging to production.", "from", {"data"}, {"staging"}),
        ("The north tower is taller than the south tower.", "than", {"north"}, {"south"}),
        ("The cache filled because the disk was slow.", "because", {"cache"}, {"disk"}),
        ("The disk was slow, so the cache filled.", "so", {"cache"}, {"disk"}),
        ("Vell is the old capital of Orro.", "capital", {"vell"}, {"orro"}),
    ],
)
def test_what_stands_on_which_side(text: str, word: str, first: set[str], second: set[str]) -> None:
    ours, theirs = told(text)[word]
    assert first <= ours
    assert second <= theirs
    assert not first & theirs
    assert not second & ours


@pytest.mark.parametrize(
    ("source", "wrong", "right"),
    [
        (
            "Larkfield acquired Pine Mill in 2006 for 1.65 billion crowns.",
            "Pine Mill acquired Larkfield in 2006.",
            "Pine Mill was acquired by Larkfield in 2006.",
        ),
        (
            "The landlord must give the tenant 30 days' notice before ending the lease.",
            "The tenant must give the landlord 30 days' notice before ending the lease.",
            "The tenant must be given 30 days' notice by the landlord.",
        ),
        (
            "The scheduler sends each task to a worker, and the worker reports its status to the scheduler.",
            "The worker sends each task to the scheduler.",
            "Each task is sent to a worker by the scheduler.",
        ),
        (
            "Brannock beat Ellery 3-1 at home on Saturday.",
            "Ellery beat Brannock 3-1 on Saturday.",
            "Ellery lost to Brannock 3-1 on Saturday.",
        ),
        (
            "Data is copied from the staging bucket to the production bucket every night.",
            "Data is copied from the production bucket to the staging bucket every night.",
            "Every night, data goes from the staging bucket to the production bucket.",
        ),
        (
            "The north tower is taller than the south tower.",
            "The south tower is taller than the north tower.",
            "The south tower is smaller than the north tower.",
        ),
        (
            "Model A is faster than Model B but uses more memory.",
            "Model B is faster than Model A.",
            "Model A is faster than Model B.",
        ),
    ],
)
def test_a_relation_that_is_turned_round(source: str, wrong: str, right: str) -> None:
    assert "exchange" in errors(wrong, source)
    assert errors(right, source) == []


def test_what_a_source_says_both_ways_round_is_no_conflict() -> None:
    source = "Orla teaches Finn the harp. On Sundays Finn teaches Orla the drums."
    assert "exchange" not in errors("Finn teaches Orla the drums.", source)
    assert "exchange" not in errors("Orla teaches Finn the harp.", source)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Lake Tass lies south of Nether Soke.", "Nether Soke lies two miles north of Lake Tass."),
        ("Spelt takes up less water than rye.", "Rye flour takes up more water than spelt."),
        ("The receiver is heavier than the sender.", "The sender is lighter than the receiver."),
        ("Downstream of Castle Hale lies Dunmouth.", "Castle Hale lies upstream of Dunmouth."),
        ("Monday was named by fewer people than Friday.", "More people named Friday than Monday."),
    ],
)
def test_opposites_agree_from_the_other_side(claim: str, source: str) -> None:
    assert errors(claim, source) == []


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The sender is heavier than the receiver.", "The sender is lighter than the receiver."),
        ("Rye takes up less water than spelt.", "Rye takes up more water than spelt."),
        ("Castle Hale lies downstream of Dunmouth.", "Castle Hale lies upstream of Dunmouth."),
    ],
)
def test_opposites_of_the_same_side_do_not(claim: str, source: str) -> None:
    assert errors(claim, source)


_WORDS = st.sampled_from(
    "the a mill Larkfield Orla was by before after than from to taller sends , . because and which of".split()
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(_WORDS, min_size=1, max_size=30).map(" ".join))
def test_sides_lie_in_the_sentence_and_hold_words_that_tell(text: str) -> None:
    view = view_of_claim(text, tokenize(text))
    for one in relations_of(view, 0, len(view.tokens)):
        assert isinstance(one, Relation)
        assert one.first
        assert one.second
        assert one.word not in (*one.first, *one.second)
        assert all(0 <= number < len(view.tokens) for number in (*one.first, *one.second))


@settings(max_examples=60, deadline=None)
@given(st.lists(_WORDS, min_size=3, max_size=20).map(" ".join))
def test_a_sentence_turns_nothing_of_itself_round(text: str) -> None:
    sentence = text.capitalize() + "."
    assert "exchange" not in errors(sentence, sentence)
