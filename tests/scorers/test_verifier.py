"""The verifier of conflicts: its file, its weights, and the features of a candidate."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_grounding.evidence.sentence_view import Sources, view_of_claim
from pytest_grounding.evidence.token_index import index_of
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts import conflict_search as find
from pytest_grounding.scorers.builtin.conflicts import conflicts_between
from pytest_grounding.scorers.builtin.conflicts.conflict_search import (
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

FILE = Path(find.__file__).with_name("verifier.json")
NOTHING = (0.0,) * len(FEATURES)


def seen(claim, *chunks, kind=""):
    """What is seen of each candidate of a claim, by name."""
    contest = Contest(view_of_claim(claim, tokenize(claim)), Sources([index_of(text) for text in chunks]))
    found = candidates_of(contest)
    return [
        dict(zip(FEATURES, features_of(contest, item, len(found)), strict=True))
        for item in found
        if not kind or item.kind == kind
    ]


def weights(**own):
    assert set(own) <= set(FEATURES)
    return tuple(own.get(name, 0.0) for name in FEATURES)


def shipped():
    data = json.loads(FILE.read_text(encoding="utf-8"))
    return data


def test_the_shipped_verifier_is_the_file():
    assert Verifier.from_json(shipped()) == shipped_verifier()


def test_the_shipped_weights_are_finite_and_cover_every_kind():
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


@pytest.mark.parametrize(
    ("intercept", "severities"), [(-1.6, []), (-1.4, ["warning"]), (0.9, ["warning"]), (1.1, ["error"])]
)
def test_thresholds_decide_the_severity(monkeypatch, intercept, severities):
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


def test_an_ally_lowers_the_log_odds():
    claim, rival = "The Ilme reaches the Leine in Einbeck.", "The Ilme reaches the Leine in Salzburg."
    (plain,) = conflicts_between(claim, rival)
    (helped,) = conflicts_between(claim, f"{rival} Markets are held in Einbeck near the Leine.")
    assert plain.log_odds is not None
    assert helped.log_odds is not None
    assert plain.log_odds > helped.log_odds + 0.2


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
