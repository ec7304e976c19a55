"""Local detectors: read as their profile says, whole, alone, and on the cassette."""

import json
import os
import shutil
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
import tiny_models as tiny
from every import each
from pytest_grounding_extras.detectors import Detector, DetectorScorer, Profile, opened, shipped
from pytest_grounding_extras.detectors.detector import as_support
from pytest_grounding_extras.detectors.folder import of_data
from pytest_grounding_extras.model import main

import pytest_grounding as pg
from pytest_grounding.engine.registry import builtin_scorer
from pytest_grounding.errors import ScorerError
from pytest_grounding.scorers import ClaimText, Scorer
from pytest_grounding.scorers.remote.cassette_file import Tape

PAIR = {"input": "pair", "layout": "class", "index": 2, "limit": 64}
TOKENS = {
    "input": "prompt",
    "layout": "token",
    "index": 1,
    "classes": 2,
    "limit": 64,
    "template": "{question} {count} {passages}",
    "passage": "passage {number} {text}",
    "over_windows": "min",
}
NLI = {"0": "contradiction", "1": "neutral", "2": "entailment"}
CLAIM = "An insured parcel is what customers get."
CHUNKS = [
    {"id": "c1", "text": "Deliveries arrive within a week. The parcel is insured."},
    {"id": "c2", "text": "A garden."},
]


def row(answer, chunks=CHUNKS, **more):
    return {"id": "a", "question": "Is the parcel insured?", "chunks": chunks, "answer": answer, **more}


def softmax(logits, index):
    powers = np.exp(np.asarray(logits) - max(logits))
    return powers[index] / powers.sum()


def nli(folder):
    folder.mkdir(exist_ok=True)
    tiny.pair(folder, 3)
    (folder / "config.json").write_text(json.dumps({"id2label": NLI}))
    tiny.describe(folder, PAIR)
    return folder


def detector(folder, profile=None):
    if profile is not None:
        tiny.describe(folder, profile)
    return Detector(opened(folder))


def test_a_pair_is_read_at_the_class_that_the_profile_names(tmp_path):
    model = detector(nli(tmp_path))
    assert model.score("the parcel", "parcel") == pytest.approx(softmax([-0.5, -0.5, 0.5], 2), abs=1e-6)
    scorer = DetectorScorer(detector(tmp_path), Tape(tmp_path / "c.jsonl"), builtin_scorer())
    assert isinstance(scorer, Scorer)
    chunks = [pg.Chunk(**chunk) for chunk in CHUNKS]
    (score,) = scorer.support([ClaimText(CLAIM)], chunks)
    assert score.method == "semantic_similarity"
    assert score.evidence[0].chunk_id == "c1"
    assert "supported from 0.5" in score.reason


def test_a_logit_and_a_first_position_are_read(tmp_path):
    tiny.pair(tmp_path / "logit", 1)
    model = detector(tmp_path / "logit", {"input": "pair", "layout": "logit", "limit": 64})
    assert model.score("the parcel", "parcel") == pytest.approx(1 / (1 + np.exp(-0.5)), abs=1e-6)

    tiny.first_position(tmp_path / "position")
    text = {"input": "text", "template": "{premise} {claim}", "index": 1, "limit": 64}
    model = detector(tmp_path / "position", {**text, "layout": "position", "classes": 2})
    assert model.score("the parcel", "parcel") == pytest.approx(softmax([0.0, 2.0], 1), abs=1e-6)


def test_a_folder_without_a_profile_is_refused(tmp_path):
    """With the default labels of Transformers, 1 may say supported or hallucinated."""
    tiny.pair(tmp_path, 2)
    (tmp_path / "config.json").write_text(json.dumps({"id2label": {"0": "LABEL_0", "1": "LABEL_1"}}))
    settings = {"scorer": "local", "local_model": str(tmp_path)}
    with pytest.raises(pg.SettingsError, match=r"nothing is guessed: name one of .*hhem"):
        pg.validate(row(CLAIM), settings)
    tiny.describe(tmp_path, {"input": "pair", "layout": "class", "index": 0, "limit": 64})
    inverted = detector(tmp_path).score("the parcel", "parcel")
    assert inverted == pytest.approx(softmax([-0.5, 0.5], 0), abs=1e-6), "what the folder says counts"


@pytest.mark.parametrize("model", ["pair", "labels"])
def test_an_output_of_unknown_form_is_an_error(tmp_path, model):
    """The labels of tokens, read as one class a text, were a figure like any other."""
    if model == "pair":
        tiny.pair(tmp_path, 3)
        profile = TOKENS
    else:
        tiny.labels(tmp_path)
        profile = {**PAIR, "index": 1}
    used = detector(tmp_path, profile)
    asked = partial(used.tokens, "q", ["a"], "b c") if model == "pair" else partial(used.score, "a b", "c")
    with pytest.raises(ScorerError, match="this is not the profile of this model"):
        asked()
    verdict = pg.validate(row(CLAIM), {"scorer": "local", "local_model": str(tmp_path)})
    assert any("not the profile of this model" in finding.message for finding in verdict.findings)


def test_evidence_at_the_end_of_a_long_passage_is_read_and_nothing_is_cut(tmp_path):
    model = detector(nli(tmp_path))
    filler = "The office has a garden and a fence. " * 40
    alone = model.score("The parcel is insured.", "insured parcel")
    assert model.score(filler + "The parcel is insured.", "insured parcel") == pytest.approx(alone, abs=1e-6)
    assert model.score(filler, "insured parcel") < 0.5
    unbroken = "garden " * 300 + "parcel insured"
    assert model.score(unbroken, "insured parcel") == pytest.approx(alone, abs=1e-6)


def test_a_claim_that_is_longer_than_the_model_abstains_and_says_so(tmp_path):
    nli(tmp_path)
    long = "The parcel is " + "very " * 80 + "insured."
    verdict = pg.validate(row(long), {"scorer": "local", "local_model": str(tmp_path)})
    assert [claim.status for claim in verdict.claims] == ["abstained"]
    assert verdict.status != "pass"
    assert any("longer than the 64 tokens" in finding.message for finding in verdict.findings)


def test_scores_do_not_depend_on_other_claims(tmp_path):
    model = detector(nli(tmp_path))
    pairs = [("the parcel", "parcel"), ("garden " * 30, "garden"), ("", "week"), ("week", "x")]
    alone = [model.score(*pair) for pair in pairs]
    assert [model.score(*pair) for pair in reversed(pairs)] == alone[::-1]
    assert [Detector(opened(tmp_path)).score(*pair) for pair in pairs] == alone


def test_labels_of_tokens_become_spans_and_the_support_of_claims(tmp_path):
    tiny.labels(tmp_path)
    tiny.describe(tmp_path, TOKENS)
    answer = "The parcel is insured. The office is of purple marble and of garden soil."
    verdict = pg.validate(row(answer), {"scorer": "local", "local_model": str(tmp_path)})
    fine, invented = verdict.claims
    share = softmax([3.0, -3.0], 0)
    assert (
        fine.support == pytest.approx(as_support(share, of_data(TOKENS, place="t")), abs=1e-4)
        or fine.method == "exact_match"
    )
    assert invented.status == "unsupported"
    assert "purple marble" in invented.reason
    # Offsets are those of the answer, whatever stands before a word.
    tokens = detector(tmp_path).tokens("q", ["x"], "é \U0001f600 purple")
    assert [(item.start, item.end) for item in tokens if item.share > 0.5] == [(4, 10)]


def test_passages_that_do_not_fit_together_are_read_in_groups_and_any_may_support(tmp_path):
    tiny.unread(tmp_path)
    model = detector(tmp_path, {**TOKENS, "limit": 40})
    passages = ["the parcel is insured", "x " * 20, "the garden", "y " * 60, "deliveries week"]
    shares = {item.start: item.share for item in model.tokens("q", passages, "parcel garden week purple")}
    assert [shares[start] < 0.5 for start in (0, 7, 14, 19)] == [True, True, True, False]
    doubting = detector(tmp_path, {**TOKENS, "limit": 40, "over_windows": "max"})
    assert all(item.share > 0.5 for item in doubting.tokens("q", passages, "parcel garden week purple"))


def test_what_is_recorded_is_replayed_without_weights_and_libraries(tmp_path, installed):
    model, away = nli(tmp_path / "model"), tmp_path / "away"
    assert main(["describe", str(model), "--profile", str(profile_file(tmp_path))]) == 0
    rows, cassette = tmp_path / "t.jsonl", tmp_path / "c.jsonl"
    rows.write_text(json.dumps(row("Customers get an insured parcel. The office is of marble.")) + "\n")

    def ran(mode):
        command = [sys.executable, "-c", SCRIPT, str(rows), str(model), str(cassette), mode]
        known = {**os.environ, **installed}
        return subprocess.run(command, capture_output=True, text=True, check=False, env=known)

    recorded = ran("new")
    assert recorded.returncode == 0, recorded.stderr
    assert "onnxruntime" in recorded.stderr
    # As in CI: the description is in the repository, the weights are not.
    shutil.copytree(model, away)
    for name in ("model.onnx", "tokenizer.json", "config.json"):
        (model / name).unlink()
    replayed = ran("none")
    assert replayed.stderr.strip() == "[]"
    assert without_mode(replayed) == without_mode(recorded)
    cassette.unlink()
    missed = json.loads(ran("none").stdout)
    assert {claim["status"] for claim in missed["claims"]} == {"abstained"}
    # Where the weights are, nothing need be recorded.
    shutil.copytree(away, model, dirs_exist_ok=True)
    assert without_mode(ran("none")) == without_mode(recorded)


SCRIPT = """
import sys
import pytest_grounding as pg
(given,) = pg.load_transcripts(sys.argv[1])
names = ("local_model", "cassette", "record")
verdict = pg.validate(given, {"scorer": "local", **dict(zip(names, sys.argv[2:], strict=True))})
from pytest_grounding.scorers.remote import scorer_factory
scorer_factory.flush()
print(verdict.model_dump_json())
print(sorted({"onnxruntime", "tokenizers"} & set(sys.modules)), file=sys.stderr)
"""


def without_mode(run):
    """The verdict without the hash of the settings, which tells whether a run records."""
    value = json.loads(run.stdout)
    value.pop("settings_hash")
    value.get("rejection") and value["rejection"].pop("audit_id")
    return value


def profile_file(folder):
    file = folder / "profile.json"
    file.write_text(json.dumps(PAIR))
    return file


def test_other_bytes_than_the_described_ones_are_refused(tmp_path, capsys):
    nli(tmp_path)
    assert main(["describe", str(tmp_path), "--profile", str(profile_file(tmp_path))]) == 0
    assert main(["verify", str(tmp_path)]) == 0
    tiny.pair(tmp_path, 2)
    assert main(["verify", str(tmp_path)]) == 1
    assert "model.onnx: is not the file that grounding-model.json describes" in capsys.readouterr().out
    with pytest.raises(pg.SettingsError, match=r"model\.onnx is not the file"):
        detector(tmp_path).score("a", "b")


@each(
    ({**PAIR, "layout": "token"}, "layout token goes with input prompt"),
    ({**PAIR, "index": -1}, "index says which output is read"),
    ({**PAIR, "lable": "x"}, "'lable' is not a field of a profile"),
    ({**PAIR, "limit": "many"}, "limit = 'many': input should be a valid integer"),
    ({**PAIR, "input": "text"}, "holds {premise} once"),
    ({**PAIR, "threshold": 1}, "threshold lies between 0 and 1"),
    ({**PAIR, "window": "marks"}, "window and window_size go together"),
    ([PAIR], "a profile is an object"),
    ("nobody", "'nobody' is not known; the profiles are"),
)
def test_a_wrong_profile_is_one_sentence_with_file_and_field(profile, message, tmp_path):
    nli(tmp_path)
    tiny.describe(tmp_path, profile)
    with pytest.raises(pg.SettingsError, match=r"grounding-model\.json") as caught:
        opened(tmp_path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_without_a_model_is_a_wrong_setting(tmp_path):
    with pytest.raises(pg.SettingsError, match=r"must hold model.onnx"):
        opened(tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"nothing")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(pg.SettingsError, match="cannot be loaded"):
        detector(tmp_path, PAIR).score("a", "b")


@pytest.mark.row(67)
def test_every_shipped_profile_is_whole():
    assert {"hhem-2.1-open", "factcg-deberta-v3-large"} <= set(shipped())
    for name, profile in shipped().items():
        assert (profile.name, bool(profile.model), bool(profile.licence), bool(profile.source)) == (
            name,
            True,
            True,
            True,
        )


def test_what_the_authors_call_supported_is_supported_here():
    profile = Profile(name="x", threshold=0.5)
    assert [as_support(value, profile) for value in (0.0, 0.49999, 0.5, 1.0)] == [0.0, 0.699986, 0.7, 1.0]
    steps = [as_support(value / 100, profile) for value in range(101)]
    assert steps == sorted(steps)
