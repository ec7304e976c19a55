"""Training of the verifier of conflicts on made-up cases: fit, folds and thresholds."""

import math
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pytest_grounding
from pytest_grounding.scorers.builtin.conflicts.conflict_search import FEATURES

if TYPE_CHECKING:
    from training import cases as made
    from training import verifier as training
else:
    made = pytest.importorskip("training.cases", reason="training stands beside the sources alone")
    training = pytest.importorskip("training.verifier")

NAMES = list(FEATURES)


def candidate(kind="number", **own):
    assert set(own) <= set(NAMES)
    return made.Candidate(kind, tuple(own.get(name, 0.0) for name in NAMES))


def case(label, *candidates, group="g", three_way=True):
    return made.Case("ragtruth_qa", group, "train", label, "", three_way, candidates)


def scored(label, odds, kind="number", three_way=True):
    """Cases of a label, each with the log odds of its one candidate."""
    return [(case(label, candidate(kind), three_way=three_way), [(kind, value)]) for value in odds]


def limits(*rows):
    everything = [row for part in rows for row in part]
    return training.thresholds([row[0] for row in everything], [[row[1] for row in everything]])


def test_the_fit_ignores_uninformative_features():
    draw = np.random.default_rng(5)
    features = np.column_stack([draw.normal(size=600), draw.normal(size=600), np.ones(600)])
    labels = (features[:, 0] + draw.normal(size=600) > 0.5).astype(float)
    intercept, weights = training.fit(features, labels, np.ones(600))
    assert weights[0] > 1.0
    assert abs(weights[1]) < 0.3
    assert weights[2] == 0.0, "what is the same in all cases tells nothing"
    chance = 1 / (1 + np.exp(-(intercept + features @ weights)))
    assert chance.mean() == pytest.approx(labels.mean(), abs=1e-6)


def test_a_contradiction_trains_on_its_best_candidate_and_other_claims_on_all():
    weak, strong = candidate(strength=0.2, cover=0.1), candidate(strength=0.2, cover=0.9)
    features, labels, weights = training.rows_of(
        [
            case("contradicted", weak, strong),
            case("supported", weak, strong),
            case("planted", strong),
            case("unsupported", strong),
            case("contradicted"),
        ],
        beside=0.5,
    )
    assert features.tolist() == [list(c.features) for c in (strong, weak, strong, strong)]
    assert labels.tolist() == [1, 0, 0, 1]
    assert weights.tolist() == [1.0, 1.0, 1.0, training.WEIGHTS["planted"]]


def test_denials_train_the_line_of_denials_alone():
    def cases(strength):
        numbers = [
            case(label, candidate(strength=float(label == "contradicted") + 0.1 * (n % 3)))
            for label in ("contradicted", "supported")
            for n in range(30)
        ]
        denials = [
            case(label, candidate("negation", strength=strength * (label == "contradicted")))
            for label in ("contradicted", "supported")
            for _ in range(30)
        ]
        return numbers + denials

    one, other = training.verifier_of(cases(1.0)), training.verifier_of(cases(-1.0))
    at = NAMES.index("strength")
    assert one.lines["others"] == other.lines["others"]
    assert one.lines["others"].weights[at] > 0.5
    assert one.lines["denials"].weights[at] > 0.5 > -0.5 > other.lines["denials"].weights[at]
    assert one.contradicted == {}


def test_no_case_is_scored_by_a_model_that_saw_its_group():
    groups = [f"group {number}" for number in range(40)]
    folds = {training.fold_of(group) for group in groups}
    assert folds == set(range(training.FOLDS))

    def cases(flipped):
        rows = []
        for number, group in enumerate(groups):
            is_one = (number % 2 == 0) != (group == flipped)
            both = candidate(strength=number % 2 + 0.01 * number), candidate("negation", cover=number % 3)
            rows.append(case("contradicted" if is_one else "supported", *both, group=group))
        return rows

    plain, changed = training.out_of_fold(cases("")), training.out_of_fold(cases(groups[7]))
    own = training.fold_of(groups[7])
    for number, group in enumerate(groups):
        assert (plain[number] == changed[number]) is (training.fold_of(group) == own)
    assert [kind for kind, _ in plain[0]] == ["number", "negation"]


def test_a_threshold_uses_all_splits_together():
    claims = [case(label, candidate()) for label in ("contradicted", "supported") for _ in range(20)]

    def deal(strength):
        return [[("number", strength if claim.label == "contradicted" else -1.0)] for claim in claims]

    assert training.thresholds(claims, [deal(2.0)]) == {"number": 2.0}
    assert training.thresholds(claims, [deal(3.0)]) == {"number": 3.0}
    assert training.thresholds(claims, [deal(3.0), deal(2.0)]) == {"number": 2.0}
    rare = [[] for _ in range(25)]
    few = training.thresholds(claims, [[*deal(2.0)[:15], *rare], [*deal(2.0)[:15], *rare]])
    assert few == {}, "15 cases stay 15, however often they are dealt"


def test_a_threshold_lies_where_right_ones_end_and_wrong_ones_begin():
    right = scored("contradicted", [1.0 + number / 100 for number in range(40)])
    wrong = scored("unsupported", [0.5 - number / 100 for number in range(40)])
    assert limits(right, wrong) == {"number": 1.0}


def test_a_rare_or_mostly_wrong_kind_gets_no_threshold():
    few = scored("contradicted", [2.0] * 29, kind="date")
    bad = scored("unsupported", [3.0] * 40, kind="order") + scored("contradicted", [2.0] * 5, kind="order")
    good = scored("contradicted", [2.0] * 30, kind="unit")
    assert limits(few, bad, good) == {"unit": 2.0}


def test_false_hits_on_supported_claims_raise_a_threshold():
    # Where people told but two labels apart, precision is not known: what is hit of supported claims is.
    right = scored("contradicted", [float(number) for number in range(40)])
    hit = scored("supported", [10.5] * 3, three_way=False)
    enough = math.ceil(3 / training._FALSE[("others",)].supported)
    silent = [(case("supported"), []) for _ in range(enough)]
    assert limits(right, hit, silent) == {"number": training._LEAST_ODDS["others"]}
    assert limits(right, hit, silent[: enough // 4]) == {"number": 11.0}


def test_planted_cases_do_not_count_as_right():
    planted = scored("planted", [2.0] * 100)
    wrong = scored("unsupported", [2.5] * 20)
    assert limits(planted, wrong) == {}
    assert limits(planted) == {"number": 2.0}


LABELS = ("contradicted",) * 6 + ("unsupported", "supported", "planted")
RANKED = st.lists(
    st.tuples(st.sampled_from(LABELS), st.sampled_from(["number", "date"])), min_size=70, max_size=120
)


#: Supported claims of which the share that may be hit is nearly one.
ENOUGH = 950


@settings(max_examples=25)
@given(RANKED)
def test_thresholds_keep_precision_and_the_share_of_false_hits(ranked):
    rows = [
        row
        for rank, (label, kind) in enumerate(ranked)
        for row in scored(label, [5.0 - rank / 20], kind, three_way=label != "supported")
    ]
    silent = [(case("supported"), []) for _ in range(ENOUGH)]
    found = limits(rows, silent)
    hits = [c.label for c, ((name, odds),) in rows if odds >= found.get(name, 99.0)]
    right, wrong = hits.count("contradicted"), hits.count("unsupported")
    assert right >= training.PRECISION * (right + wrong)
    count = ENOUGH + sum(label == "supported" for label, _ in ranked)
    assert hits.count("supported") <= training._FALSE[("others",)].supported * count
    if ranked[0][0] == "contradicted" and sum(kind == ranked[0][1] for _, kind in ranked) >= 30:
        assert right > 0


@pytest.mark.parametrize("command", ["background", "denials", "train", "verifier"])
def test_a_folder_without_the_sets_leaves_the_shipped_weights(command, tmp_path):
    shipped = [*Path(pytest_grounding.__file__).parent.rglob("*.json")]
    before = [file.read_bytes() for file in shipped]
    run = subprocess.run(
        [sys.executable, "-m", f"training.{command}", str(tmp_path)],
        cwd=Path(training.__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert run.stderr.startswith(f"{tmp_path}: not there: ragtruth_qa.jsonl, ")
    assert shipped
    assert [file.read_bytes() for file in shipped] == before
