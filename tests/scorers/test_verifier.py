"""The verifier of conflicts: its file, its weights, and the features of a candidate."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts import conflict_search as find
from pytest_grounding.scorers.builtin.conflicts import conflicts_between
from pytest_grounding.scorers.builtin.conflicts.conflict_search import (
    DOUBTS,
    FEATURES,
    GROUPS,
    KINDS,
    Line,
    Verifier,
    candidates_of,
    features_of,
    shipped_verifier,
)
from pytest_grounding.scorers.builtin.conflicts.contest import Contest
from pytest_grounding.scorers.builtin.conflicts.sentence_view import Sources, view_of_claim
from pytest_grounding.scorers.builtin.token_index import index_of

FILE = Path(find.__file__).with_name("verifier.json")
NOTHING = (0.0,) * len(FEATURES)


def seen(claim: str, *chunks: str, kind: str = "") -> list[dict[str, float]]:
    """What is seen of each candidate of a claim, by name."""
    contest = Contest(view_of_claim(claim, tokenize(claim)), Sources([index_of(text) for text in chunks]))
    found = candidates_of(contest)
    return [
        dict(zip(FEATURES, features_of(contest, item, len(found)), strict=True))
        for item in found
        if not kind or item.kind == kind
    ]


def weights(**own: float) -> tuple[float, ...]:
    assert set(own) <= set(FEATURES)
    return tuple(own.get(name, 0.0) for name in FEATURES)


def shipped() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return data


def test_the_shipped_verifier_is_the_file():
    assert Verifier.from_json(shipped()) == shipped_verifier()


def test_the_shipped_weights_and_thresholds_are_finite_and_every_kind_is_in_one_group():
    found = shipped_verifier()
    assert all(math.isfinite(value) for line in found.lines.values() for value in line.weights)
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(kind.name for kind in KINDS)
    assert found.contradicted
    assert set(found.contradicted) <= {kind.name for kind in KINDS}


@pytest.mark.parametrize("name", GROUPS)
@pytest.mark.parametrize("change", ["less", "more", "order"])
def test_a_verifier_for_other_features_is_refused(name, change):
    data = shipped()
    own = data["lines"][name]["weights"]
    if change == "less":
        own.pop("frame_gap")
    elif change == "more":
        own["luck"] = 1.0
    else:
        own["strength"] = own.pop("strength")
    with pytest.raises(ValueError, match=r"other features; run python -m training\.verifier"):
        Verifier.from_json(data)


def test_the_log_odds_are_the_weighted_sum_of_the_kinds_own_line():
    lines = {
        "denials": Line(-1.0, weights(strength=2.0, polarity=0.5)),
        "others": Line(0.5, weights(strength=-4.0)),
    }
    found = Verifier(lines, {}, -1.5)
    features = weights(strength=0.25, polarity=1.0)
    assert found.log_odds("negation", features) == pytest.approx(-1.0 + 0.5 + 0.5)
    assert found.log_odds("number", features) == pytest.approx(0.5 - 1.0)
    assert found.log_odds("converse", NOTHING) == 0.5


def test_a_kind_is_sure_from_its_threshold_on_and_without_one_never():
    found = Verifier({}, {"number": 0.7}, -1.5)
    assert found.is_sure("number", 0.7)
    assert not found.is_sure("number", 0.6999)
    assert not found.is_sure("date", 99.0)


@pytest.mark.parametrize(
    ("intercept", "severities"), [(-1.6, []), (-1.4, ["warning"]), (0.9, ["warning"]), (1.1, ["error"])]
)
def test_thresholds_make_of_a_candidate_nothing_a_warning_or_an_error(monkeypatch, intercept, severities):
    lines = dict.fromkeys(GROUPS, Line(intercept, NOTHING))
    fixed = Verifier(lines, {"number": 1.0}, -1.5)
    monkeypatch.setattr(
        "pytest_grounding.scorers.builtin.conflicts.conflict_search.shipped_verifier", lambda: fixed
    )
    found = conflicts_between("The fee is 50 dollars.", "The fee is 75 dollars.")
    assert [item.severity for item in found] == severities
    assert all(item.log_odds == intercept for item in found)


@pytest.mark.parametrize(
    ("negation", "quantifier", "ours", "theirs"),
    [(2.0, 1.0, "never restarts", "restarts"), (1.0, 2.0, "never", "often")],
)
def test_the_surer_of_two_candidates_for_the_same_words_is_kept(
    monkeypatch, negation, quantifier, ours, theirs
):
    claim, source = "The device never restarts after an update.", "The device often restarts after an update."
    assert len(seen(claim, source, kind="negation")) == len(seen(claim, source, kind="quantifier")) == 1
    lines = dict.fromkeys(GROUPS, Line(0.0, weights(is_negation=negation, is_quantifier=quantifier)))
    fixed = Verifier(lines, {}, 0.5)
    monkeypatch.setattr(
        "pytest_grounding.scorers.builtin.conflicts.conflict_search.shipped_verifier", lambda: fixed
    )
    (found,) = conflicts_between(claim, source)
    assert (found.claim_text, found.evidence_text, found.log_odds) == (ours, theirs, 2.0)


def test_a_word_of_another_sentence_is_not_unknown():
    (alone,) = seen("The Ilme reaches the Leine in Einbeck.", "The Ilme reaches the Leine in Salzburg.")
    assert alone["unknown"] == 1.0
    (helped,) = seen(
        "The Ilme reaches the Leine in Einbeck.",
        "The Ilme reaches the Leine in Salzburg. Markets are held in Einbeck near the Leine.",
    )
    assert helped["unknown"] == 0.0
    assert helped["strength"] <= alone["strength"]


def test_an_ally_lowers_the_log_odds():
    claim, rival = "The Ilme reaches the Leine in Einbeck.", "The Ilme reaches the Leine in Salzburg."
    (plain,) = conflicts_between(claim, rival)
    (helped,) = conflicts_between(claim, f"{rival} Markets are held in Einbeck near the Leine.")
    assert plain.log_odds is not None
    assert helped.log_odds is not None
    assert plain.log_odds > helped.log_odds + 0.2


def test_frames_count_equal_words_left_and_right():
    (found,) = seen(
        "The old fee is 50 dollars per seat.", "The new fee is 75 dollars per seat.", kind="number"
    )
    assert (found["frame_left"], found["frame_right"]) == (2, 2)
    assert found["frame_gap"] == 4.0
    assert (found["near_left"], found["near_right"]) == (1, 1)


def test_a_frame_ends_with_its_sentence_and_at_five_words():
    left = "one red and two blue or three green"
    (long,) = seen(f"They sold {left} boats to Oslo.", f"They sold {left} boats to Bergen.", kind="entity")
    assert long["frame_left"] == 5
    (cut,) = seen("In spring the fee is 50 dollars.", "It is spring. The fee is 75 dollars.", kind="number")
    assert cut["frame_left"] == 3


def test_the_frame_of_the_claims_own_words_is_subtracted():
    claim = "The lower lake is fed by Arn."
    source = "The lower lake is fed by Tolle. The upper lake is fed by Arn."
    (found,) = seen(claim, source, kind="entity")
    assert (found["frame_left"], found["frame_ally"], found["frame_gap"]) == (5, 4, 1)


def test_polarity_is_seen_on_both_sides():
    (ours,) = seen("The plan does not cover teeth.", "The plan covers teeth.", kind="negation")
    assert (ours["denies"], ours["rival_denies"], ours["polarity"]) == (1.0, 0.0, 1.0)
    (theirs,) = seen("The plan covers teeth.", "The plan does not cover teeth.", kind="negation")
    assert (theirs["denies"], theirs["rival_denies"], theirs["polarity"]) == (0.0, 1.0, 1.0)
    assert theirs["other_polarity"] > theirs["same_polarity"] == 0.0


def test_each_doubt_has_its_own_feature():
    (found,) = seen("You may not be able to peel it off.", "You may be able to peel it off.", kind="negation")
    assert {name for name in DOUBTS if found[f"doubt_{name}"]} == {"unsure"}
    (found,) = seen("You are not able to peel it off.", "You are able to peel it off.", kind="negation")
    assert not any(found[f"doubt_{name}"] for name in DOUBTS)


WORDS = st.sampled_from(
    "the a not no all some must may only more less before after safe unsafe open closed Paris Berlin Acme "
    "5 12 % $5 km hours 1998 May once twice , . fee tower costs never n't if who 名前".split()
)
TEXTS = st.lists(WORDS, max_size=14).map(" ".join)


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3))
@example("The fee costs 5 % more.", ["The fee never costs 12 % less.", "Paris is open."])
@example("Acme tower is open.", ["Berlin tower isn't closed .", ""])
def test_features_are_finite_and_as_many_as_their_names(claim, chunks):
    for found in seen(claim, *chunks):
        assert list(found) == list(FEATURES)
        assert all(math.isfinite(value) for value in found.values())
        assert sum(found[f"is_{kind.name}"] for kind in KINDS if kind.trained) <= 1.0
        for share in ("same_polarity", "other_polarity", "missing", "names", "numbers"):
            assert -1e-9 <= found[share] <= 1 + 1e-9, share
        assert 0 <= found["frame_left"] <= 5
        assert found["polarity_gap"] == pytest.approx(found["other_polarity"] - found["same_polarity"])
