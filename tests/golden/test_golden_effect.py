"""What waits for a person and what does not, and what no chunk beside a claim changes."""

import json

import pytest
from golden_recordings import (
    ANSWER,
    CHUNKS,
    INVENTED,
    PASSPORT_CHUNKS,
    REWORDED,
    WRONG_NUMBER,
    edited,
    passport,
    recording,
)
from hypothesis import given
from hypothesis import settings as settings_of
from hypothesis import strategies as st

from pytest_grounding import Settings, Transcript, validate
from pytest_grounding._io.jsonio import canonical_document, content_hash
from pytest_grounding.cli import main
from pytest_grounding.golden.diff import compare_recordings
from pytest_grounding.golden.golden_file import Golden, golden_text, read_golden
from pytest_grounding.golden.golden_policy import settle_golden, waiting
from pytest_grounding.golden.golden_store import GoldenStore
from pytest_grounding.model.finding import Waived

CANTEEN = {"id": "hr-9", "text": "The canteen opens at noon and serves soup.", "score": 0.5}
BESIDE = {
    "another chunk": {"chunks": [*CHUNKS, CANTEEN]},
    "other scores": {"chunks": [{**chunk, "score": 0.75} for chunk in CHUNKS]},
    "another name": {"chunks": [{**chunk, "id": f"v2-{chunk['id']}"} for chunk in CHUNKS]},
    "more words in a source": {"chunks": edited("week.", "week. Ask the secretary for the form.")},
    "metadata": {"metadata": {"model_version": "2"}},
}


@pytest.fixture
def settled(store, judged, settings):
    """Accepts one recording, then settles another one."""

    def make(after, before=None, **more):
        store.accept(judged(before or recording()))
        return settle_golden(store, judged(after), settings, **more)

    return make


@pytest.mark.parametrize("name", BESIDE)
def test_changes_beside_the_answer_need_no_review(settled, store, name, tmp_path):
    before = recording(metadata={"model_version": "1"})
    after = {**before, **BESIDE[name]}
    outcome = settled(after, before)
    assert (outcome.state, outcome.failed) == ("unaffected", False)
    assert outcome.record.changes
    assert waiting([tmp_path])[0] == []
    # It is not accepted either: the next run is compared with what a person saw.
    assert store.golden("vacation").transcript.chunks[0].score == 0.9


@pytest.mark.row(39)
@pytest.mark.parametrize(
    ("after", "state"),
    [
        (recording(REWORDED, chunks=[*CHUNKS, CANTEEN]), "changed"),
        (recording(WRONG_NUMBER, chunks=[*CHUNKS, CANTEEN]), "regressed"),
        (recording(ANSWER.replace(" [2]", " [7]"), chunks=[*CHUNKS, CANTEEN]), "regressed"),
        (recording(f"Good question! {ANSWER}"), "changed"),
        ({**recording(), "question": "How many days off are there?"}, "changed"),
    ],
)
def test_a_changed_answer_or_question_needs_review(settled, tmp_path, after, state):
    assert settled(after).state == state
    assert len(waiting([tmp_path])[0]) == 1


def test_the_policy_decides_what_becomes_the_golden(settled, store):
    after = recording(chunks=[*CHUNKS, CANTEEN])
    for policy, state, chunks in (
        ("check", "unaffected", 2),
        ("new", "unaffected", 2),
        ("improvements", "accepted", 3),
        ("update", "accepted", 3),
    ):
        assert settled(after, policy=policy).state == state
        assert len(store.golden("vacation").transcript.chunks) == chunks


def test_notices_another_decision_about_the_same_answer(store, judged, settings, tmp_path):
    golden = judged(recording())
    settled = golden.model_copy(update={"settings_hash": "other"})
    store.accept(settled)
    assert settle_golden(store, golden, settings).state == "same"
    # The recording is the same, but the settings of that time gave another decision.
    verdict = golden.verdict.model_copy(update={"status": "review"})
    store.accept(settled.model_copy(update={"verdict": verdict}))
    assert settle_golden(store, golden, settings).state == "changed"
    assert [item.id for item in waiting([tmp_path])[0]] == ["vacation"]


def test_accepts_by_name_what_needs_no_review(settled, store, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    settled(recording(chunks=[*CHUNKS, CANTEEN]))
    assert main(["review", "--list"]) == 0
    out = capsys.readouterr().out
    assert "nothing to review" in out
    assert "1 more: only chunks, scores, settings or engine changed; nothing to review" in out
    assert main(["review", "accept", "--all"]) == 0
    assert "nothing to decide on" in capsys.readouterr().out
    assert main(["review", "accept", "vacation"]) == 0
    assert len(store.golden("vacation").transcript.chunks) == 3


def test_a_rejected_recording_still_fails(settled, store, judged, settings, tmp_path):
    after = recording(chunks=[*CHUNKS, CANTEEN])
    settled(after)
    main(["review", "reject", "vacation", "--in", str(tmp_path)])
    assert settle_golden(store, judged(after), settings).state == "rejected"
    assert [item.id for item in waiting([tmp_path])[0]] == ["vacation"]


# -- the same words and the same evidence

SENTENCES = [
    "The canteen opens at noon and serves soup.",
    "Bicycles are parked behind the library.",
    "Every laptop is replaced after four years.",
    "The museum in Lyon shows paintings by Monet.",
    "Invoices are sent on the last Friday of a month.",
    "A kangaroo can jump nine metres.",
]


@settings_of(max_examples=40)
@given(st.lists(st.sampled_from(SENTENCES), unique=True, max_size=5), st.data())
def test_other_chunks_do_not_change_claims(texts, data):
    beside = [{"id": f"x-{number}", "text": text, "score": 0.4} for number, text in enumerate(texts)]
    kept = [chunk for chunk in beside if data.draw(st.booleans())]
    for row, chunks in ((recording(), CHUNKS), (passport(), PASSPORT_CHUNKS)):
        # The cited chunks stay first.
        before, after = (_golden({**row, "chunks": [*chunks, *more]}) for more in (beside, kept))
        assert [
            item for item in compare_recordings(before, after) if item.about in ("claim", "citation")
        ] == []
        assert [claim.support for claim in before.verdict.claims] == [
            claim.support for claim in after.verdict.claims
        ]


def _golden(row):
    transcript = Transcript.model_validate(row)
    return Golden.of(transcript, validate(transcript))


def test_a_lower_score_on_the_same_evidence_is_no_regression_of_the_claim(judged):
    before = judged(recording())
    after = _with_claims(judged(recording(chunks=[*CHUNKS, CANTEEN])), status="unsupported", support=0.6)
    found = compare_recordings(before, after)
    assert [item.rule for item in found if item.about == "claim"] == ["claim_rests_the_same"] * 3
    assert [item.rule for item in found if item.grade == "regression"] == ["verdict_worse"]
    # A contradicting source is a regression, and so is other evidence.
    worse = _with_claims(after, status="contradicted")
    assert {item.rule for item in compare_recordings(before, worse) if item.about == "claim"} == {
        "claim_contradicted"
    }
    other = _with_claims(after, evidence=())
    assert {item.rule for item in compare_recordings(before, other) if item.about == "claim"} == {
        "claim_lost_support"
    }


def test_a_waived_claim_is_no_regression(judged):
    before, after = judged(recording()), judged(recording(WRONG_NUMBER))
    assert [item.rule for item in compare_recordings(before, after) if item.grade == "regression"] == [
        "claim_contradicted"
    ]
    waived = Waived(reason="30 since May", by="Ann", day="2026-01-02")
    claims = tuple(
        claim.model_copy(update={"waived": waived}) if claim.status == "contradicted" else claim
        for claim in after.verdict.claims
    )
    found = compare_recordings(
        before, _with(after, claims=claims, findings=(), status="pass", confidence=1.0)
    )
    assert [item.rule for item in found] == ["claim_waived"]


def _with(golden, **values):
    return Golden.of(golden.transcript, golden.verdict.model_copy(update=values))


def _with_claims(golden, **values):
    claims = tuple(claim.model_copy(update=values) for claim in golden.verdict.claims)
    return _with(golden, claims=claims, status="review", confidence=0.5)


# -- no nulls

ROWS = (
    recording(metadata={"note": None, "more": {"nothing": None, "n": 1}}),
    recording(""),
    recording("I don't have that information."),
    recording("Hello!", chunks=[]),
    recording(INVENTED, chunks=[{"id": "a", "text": ""}]),
)


@pytest.mark.parametrize("row", ROWS, ids=range(len(ROWS)))
def test_a_golden_file_contains_no_nulls(row, judged, store, tmp_path):
    golden = judged(row)
    store.accept(golden)
    text = store.golden_path("vacation").read_text()
    assert "null" not in text
    read = store.golden("vacation")
    assert read.hash == golden.hash
    assert read.verdict.to_json() == golden.verdict.to_json()
    # A file of an older release contains nulls.
    value = golden.model_dump(mode="json")
    old = tmp_path / "old.json"
    old.write_text(canonical_document({**value, "hash": content_hash(value)}))
    assert "null" in old.read_text()
    assert read_golden(old).hash == golden.hash
    assert settle_golden(store, golden, Settings()).state == "same"
    store.golden_path("vacation").write_text(old.read_text())
    assert settle_golden(store, golden, Settings()).state == "same"


def test_names_a_missing_field(judged, store):
    golden = judged(recording())
    value = json.loads(golden_text(golden))
    del value["hash"], value["verdict"]["confidence_model"]
    store.accept(golden)
    store.golden_path("vacation").write_text(canonical_document({**value, "hash": content_hash(value)}))
    with pytest.raises(
        Exception, match=r"another version of pytest-grounding \(field verdict.confidence_model\)"
    ):
        GoldenStore(store.folder).golden("vacation")


def test_upgrade_accepts_what_needs_no_review(judged, settings, store, tmp_path, capsys):
    golden = judged(recording())
    claims = tuple(claim.model_copy(update={"support": 0.81}) for claim in golden.verdict.claims)
    before = golden.verdict.model_copy(update={"confidence": 0.71, "claims": claims})
    store.accept(golden.model_copy(update={"engine_version": "0", "verdict": before}))
    outcome = settle_golden(store, golden, settings)
    assert (outcome.state, outcome.record.only_tools) == ("unaffected", True)
    assert waiting([tmp_path])[0] == []
    assert main(["review", "upgrade", "--yes", "--in", str(tmp_path)]) == 0
    assert "engine 0 ->" in capsys.readouterr().out
    assert store.golden("vacation").engine_version == golden.engine_version
