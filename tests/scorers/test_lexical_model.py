"""The model of support: its file, its features and its training."""

import hashlib
import json
import math
from importlib.resources import files
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from growth import grows_at_most

from pytest_grounding.evidence.all_chunks import context_of
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers import ClaimText
from pytest_grounding.scorers.builtin.align import Alignment
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer, Model, logistic, shipped_model
from pytest_grounding.scorers.builtin.features import FEATURES, features_of

HOUSE = files("pytest_grounding.scorers.builtin")
EVIDENCE = files("pytest_grounding.evidence")


def features(claim, *texts, question=""):
    asked = frozenset(token.stem for token in tokenize(question) if not token.is_stop)
    alignment = Alignment(claim, tokenize(claim), context_of(texts), asked, "en")
    return dict(zip(FEATURES, features_of(alignment), strict=True))


def test_the_shipped_model_is_the_file():
    data = json.loads(HOUSE.joinpath("model.json").read_text(encoding="utf-8"))
    assert set(data["weights"]) == set(FEATURES)
    assert data["calibration"]["slope"] > 0
    assert all(math.isfinite(value) for value in data["weights"].values())
    assert Model.from_json(data) == shipped_model()


def test_signs_of_the_weights():
    weights = dict(zip(FEATURES, shipped_model().weights, strict=True))
    for name in ("window", "fresh", "near", "pairs", "runs_of_two", "runs_of_three", "runs_of_five"):
        assert weights[name] >= 0
    for name in ("missing_run", "second_missing", "missing_number", "missing_names", "new_negation"):
        assert weights[name] <= 0


def test_a_model_for_other_features_is_refused():
    data = json.loads(HOUSE.joinpath("model.json").read_text(encoding="utf-8"))
    data["weights"].pop("near")
    with pytest.raises(ValueError, match="other features"):
        Model.from_json(data)


def test_all_tables_together_are_below_two_megabytes():
    entries = [entry for house in (HOUSE, EVIDENCE) for entry in house.iterdir()]
    sizes = {entry.name: len(entry.read_bytes()) for entry in entries if entry.name.endswith(".json")}
    assert {"model.json", "background.json", "stems.json"} <= set(sizes)
    assert sum(sizes.values()) < 2 * 1024 * 1024


def test_features_of_a_verbatim_claim():
    found = features("The red house has twelve windows.", "The red house has twelve windows. It is old.")
    assert found["window"] == found["near"] == found["pairs"] == found["runs_of_five"] == 1.0
    assert found["missing_run"] == found["missing_number"] == found["missing_names"] == 0.0


def test_features_see_what_is_missing():
    found = features("In Berlin the house has 45 balconies.", "The red house has twelve windows.")
    assert found["missing_number"] == 1.0
    assert found["missing_names"] == pytest.approx(math.log(2))
    assert found["missing_run"] > 0
    assert features("The house is not red.", "The house is red.")["new_negation"] == 1.0
    assert features("The house is not red.", "The house isn't red.")["new_negation"] == 0.0


def test_conflicts_and_ceilings_only_lower_the_probability():
    model = Model(
        0.0,
        (0.0,) * len(FEATURES),
        offset=2.0,
        conflict=0.5,
        number_ceiling=0.5,
        nothing_ceiling=0.02,
        part_ceiling=0.69,
    )
    plain = dict.fromkeys(FEATURES, 0.0) | {"window": 1.0}
    base = model.probability(list(plain.values()))
    assert base == pytest.approx(logistic(2.0))
    # Half of a conflict's log odds, and nothing of one that is more likely none.
    assert model.probability(list(plain.values()), conflict=2.0) == pytest.approx(logistic(1.0))
    assert model.probability(list(plain.values()), conflict=1.0) == pytest.approx(logistic(1.5))
    assert model.probability(list(plain.values()), conflict=-1.0) == base
    for part in ("lacks_noun", "strange_part", "strange_phrase", "strange_end"):
        capped = model.probability(list((plain | {part: 1.0}).values()))
        assert capped == pytest.approx(0.69 * base), part
    assert model.probability(list((plain | {"missing_number": 1.0}).values())) == 0.5
    nothing = dict.fromkeys(FEATURES, 0.0)
    assert model.probability(list(nothing.values())) == pytest.approx(logistic(2.0))
    assert model.probability(list((nothing | {"missing_run": 3.0}).values())) == 0.02


def test_other_weights_can_be_tried():
    model = Model(-50.0, (0.0,) * len(FEATURES))
    chunks = [Chunk(id="a", text="The red house has windows.")]
    found = LexicalScorer(model).support([ClaimText("A house is red.")], chunks)[0]
    assert found.probability < 0.001


def _synthetic_rows():
    nouns = "river castle engine garden tower market bridge forest valley harbour".split()
    rows = []
    for number in range(60):
        seed = hashlib.sha256(str(number).encode()).digest()
        thing, other, odd = (nouns[seed[k] % len(nouns)] for k in range(3))
        source = f"The old {thing} near the {other} was built in {1900 + number} by local workers."
        good = number % 2 == 0
        claim = (
            f"Local workers built the {thing} in {1900 + number}."
            if good
            else f"The {odd} costs {number + 3} dollars and belongs to Nora."
        )
        rows.append(
            {
                "group": str(number // 2),
                "question": f"Who built the {thing}?",
                "chunks": [source],
                "answer": claim,
                "claims": [{"text": claim, "start": 0, "end": len(claim), "supported": good}],
                "response_supported": good,
            }
        )
    return rows


@pytest.fixture
def training(monkeypatch):
    """The training scripts stand beside the package, and are not part of what is installed."""
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2]))
    pytest.importorskip("training")


@pytest.mark.usefixtures("training")
def test_the_same_rows_train_the_same_bytes(tmp_path):
    from benchmarks.roles import role_of
    from training.examples import see_all
    from training.rows import load
    from training.train import document, train

    texts = []
    for run in ("one", "two"):
        folder = tmp_path / run
        folder.mkdir()
        lines = [json.dumps(row) for row in _synthetic_rows()]
        (folder / "ragtruth_qa.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        seen = see_all(load("ragtruth_qa", folder))
        texts.append(json.dumps(document(seen, *train(seen)), sort_keys=True))
    assert texts[0] == texts[1]
    content = json.loads(texts[0])
    free = sum(role_of("ragtruth_qa", str(number)) != "locked" for number in range(30))
    assert 0 < free < 30
    assert content["trained_on"] == {"ragtruth_qa": {"supported": free, "unsupported": free}}
    assert content["weights"]["window"] > 0


@pytest.mark.usefixtures("training")
def test_the_shipped_stems_are_those_of_the_lists():
    from training.background import stems_of_lists

    shipped = json.loads(EVIDENCE.joinpath("stems.json").read_text(encoding="utf-8"))
    assert "paris" in shipped.pop("capitalised").split()
    assert shipped == stems_of_lists()


@pytest.mark.usefixtures("training")
def test_the_fit_is_the_minimum_under_the_signs():
    from training.fit import balance, fit, fit_map

    draw = np.random.default_rng(3)
    rows = draw.normal(size=(400, len(FEATURES)))
    labels = (rows[:, 0] - rows[:, 1] + draw.normal(size=400) > 0).astype(float)
    fitted = fit(rows, labels, balance(labels))
    weights = dict(zip(FEATURES, fitted.weights, strict=True))
    assert weights["window"] > 0.3
    assert weights["fresh"] == 0.0, "the data speaks against coverage: the sign holds it at 0"
    slope, offset = fit_map(fitted.scores(rows), labels, np.ones(400))
    chance = 1 / (1 + np.exp(-(slope * fitted.scores(rows) + offset)))
    assert chance.mean() == pytest.approx(labels.mean(), abs=1e-3)


def test_ten_times_the_text_does_not_cost_its_square():
    claim = "The alpha of the beta is not the gamma of 1999 in the harbour of Berlin. " * 3
    texts = [
        " ".join(f"The alpha {n} of the beta is in the harbour of gamma." for n in range(100 * times))
        for times in (1, 10)
    ]
    # Another text each time: what is kept of one would be looked up.
    runs = count()
    short, long = (lambda text=text: features(claim, f"{text} {next(runs)}") for text in texts)
    assert grows_at_most(30, short, long)
