"""The file of the waivers: what is written is read, and a bad line is one sentence."""

import json
import re
import threading

import pytest
from every import each, table
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounding.errors import InputError
from pytest_grounding.gate import waivers
from pytest_grounding.gate.waivers import Waiver

LINE = {
    "rule": "unsupported_claim",
    "transcript": "refunds-01",
    "claim": "Refunds take 14 days.",
    "claim_hash": "0123456789abcdef",
    "evidence_hash": "fedcba9876543210",
    "reason": "the handbook says so on another page",
    "by": "Ada <ada@example.org>",
    "day": "2026-11-22",
}
_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_HASH = st.text("0123456789abcdef", min_size=16, max_size=16)
_DAY = st.dates().map(lambda day: day.isoformat())
_WAIVER = st.builds(
    Waiver,
    rule=_TEXT.map(lambda text: f"rule {text}"),
    transcript=_TEXT,
    claim=_TEXT,
    claim_hash=_HASH,
    evidence_hash=_HASH,
    reason=_TEXT.map(lambda text: f"because {text}"),
    by=_TEXT,
    day=_DAY,
    expires=st.just("") | _DAY,
)


@settings(max_examples=60)
@given(st.lists(_WAIVER, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_adding_does_not_matter(tmp_path_factory, held, random):
    folder = tmp_path_factory.mktemp("file")
    by_key = {item.key: item for item in held}
    other = list(by_key.values())
    random.shuffle(other)
    written = waivers.add(folder / "a.jsonl", held)
    assert waivers.read(folder / "a.jsonl") == written
    assert {item.key: item for item in written} == by_key
    for item in other:
        waivers.add(folder / "b.jsonl", [item])
    assert waivers.read(folder / "b.jsonl") == written
    if held:
        assert (folder / "a.jsonl").read_bytes() == (folder / "b.jsonl").read_bytes()


def test_unordered_and_doubled_lines_of_a_merge_are_read(tmp_path):
    path = tmp_path / "w.jsonl"
    other = {**LINE, "transcript": "a", "expires": "2027-01-01"}
    path.write_text("\n".join(json.dumps(item) for item in (LINE, other, LINE)) + "\n\n", "utf-8")
    assert [item.transcript for item in waivers.read(path)] == ["a", "refunds-01"]
    waivers.add(path, [])
    assert len(path.read_text("utf-8").splitlines()) == 2


@each(*table(__file__, "bad lines"))
def test_a_bad_line_is_one_sentence(change, message, tmp_path):
    path = tmp_path / "w.jsonl"
    bad = {key: value for key, value in {**LINE, **change}.items() if value != "missing"}
    path.write_text(f"{json.dumps(LINE)}\n\n{json.dumps(bad)}\n", "utf-8")
    before = path.read_bytes()
    with pytest.raises(InputError, match=re.escape(str(path)) + ":3" + message) as caught:
        waivers.add(path, [Waiver.model_validate({**LINE, "transcript": "new"})])
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", ":2: .*; write one JSON object a line"),
        ("[]", ":1: is not a waiver; write one object a line"),
        ("<<<<<<< HEAD", ":1: .*; it is a mark of a merge conflict: keep what is right"),
        ("rule: unsupported_claim", ":1: .*; write one JSON object a line"),
    ],
)
def test_a_line_that_is_no_object_is_one_sentence(tmp_path, line, message):
    path = tmp_path / "w.jsonl"
    path.write_text(f"{line}\n", "utf-8")
    with pytest.raises(InputError, match=message):
        waivers.read(path)


def test_concurrent_writers_lose_nothing(tmp_path):
    path = tmp_path / "w.jsonl"
    items = [Waiver.model_validate({**LINE, "transcript": str(number)}) for number in range(12)]
    threads = [threading.Thread(target=waivers.add, args=(path, [item])) for item in items]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {item.transcript for item in waivers.read(path)} == {str(number) for number in range(12)}
    assert [item.name for item in tmp_path.iterdir()] == ["w.jsonl"]


def test_removing_one_waiver_keeps_the_others(tmp_path):
    path = tmp_path / "w.jsonl"
    one, two = (Waiver.model_validate({**LINE, "transcript": name}) for name in ("one", "two"))
    waivers.add(path, [one, two])
    assert waivers.remove(path, [one]) == (two,)
    assert waivers.read(path) == (two,)
