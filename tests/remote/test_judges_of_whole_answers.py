"""The real SDK against a server: claims of an answer in one request, old cassettes."""

import json
from pathlib import Path

from loopback import Server, answers, chat

import pytest_grounding as pg
from pytest_grounding.scorers.remote import scorer_factory as remote

GIVEN = {
    "id": "refunds",
    "question": "How are refunds paid?",
    "chunks": [
        {
            "id": "c1",
            "text": "Payment goes to the original card. The warranty does not cover water damage.",
            "score": 0.9,
        }
    ],
    "answer": "The money arrives on the same plastic that was charged. The warranty covers water damage. "
    "Payment goes to the original card.",
}


def validated(path: Path, record: str, **settings: object) -> str:
    """The verdict as JSON, by a process that knows of nothing before."""
    remote.reset()
    return pg.validate(GIVEN, {"cassette": str(path), "record": record, **settings}).to_json()


def records(path: Path) -> list[dict[str, object]]:
    remote.reset()
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_one_request_for_an_answer_and_the_replay_is_equal(server: Server, tmp_path: Path) -> None:
    path, settings = tmp_path / "c.jsonl", {"judge": "cohere", "judge_scope": "all"}
    recorded = validated(path, "new", **settings)
    kinds = [sorted(body["response_format"]["json_schema"]["properties"]) for _, body, _ in server.seen]
    assert kinds == [["rulings"]]
    verdict = pg.Verdict.model_validate_json(recorded)
    assert [claim.status for claim in verdict.claims] == ["supported"] * 3
    assert verdict.status == "pass"
    seen = len(server.seen)
    assert validated(path, "none", **settings) == recorded
    assert len(server.seen) == seen


def test_records_of_single_claims_replay_as_they_are(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    for sentence in GIVEN["answer"].split(". "):  # type: ignore[attr-defined]
        alone = {**GIVEN, "answer": sentence.rstrip(".") + "."}
        pg.validate(alone, {"cassette": str(path), "record": "new", "judge": "cohere", "judge_scope": "all"})
    assert {item["parameters"]["prompt"] for item in records(path)} == {"support"}  # type: ignore[index]
    seen = len(server.seen)
    for record in ("none", "new"):
        replayed = pg.Verdict.model_validate_json(validated(path, record, judge="cohere", judge_scope="all"))
        assert [claim.status for claim in replayed.claims] == ["supported"] * 3
    assert len(server.seen) == seen


def test_a_reply_of_the_wrong_form_is_asked_for_claim_by_claim(server: Server, tmp_path: Path) -> None:
    wrong = {
        **chat({"messages": [], "response_format": {"json_schema": _RELEVANCE}}),
        "finish_reason": "MAX_TOKENS",
    }
    server.faults = [answers(200, wrong)]
    path = tmp_path / "c.jsonl"
    recorded = validated(path, "new", judge="cohere", judge_scope="all")
    assert len(server.seen) == 4
    assert '"abstained"' not in recorded
    assert validated(path, "none", judge="cohere", judge_scope="all") == recorded


_RELEVANCE = {"properties": {"value": {"enum": ["relevant"]}}}


def test_a_judge_that_lacks_its_record_passes_nothing(tmp_path: Path) -> None:
    for scope in ("doubtful", "all"):
        verdict = pg.Verdict.model_validate_json(
            validated(tmp_path / "c.jsonl", "none", judge_scope=scope, judge="cohere")
        )
        kept = "abstained" if scope == "all" else "supported"
        assert [claim.status for claim in verdict.claims] == ["unsupported", "contradicted", kept]
        assert verdict.fallbacks
