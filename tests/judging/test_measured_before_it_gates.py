"""A judge is measured against people, and decides nothing before it was."""

import json
import shlex

import pytest
from test_judges_in_a_run import CHUNK, folder, server  # noqa: F401

import pytest_grounding as pg
from pytest_grounding.calibration.labels import JudgedPair, agreement, kappa
from pytest_grounding.cli import main
from pytest_grounding.scorers.remote import scorer_factory as remote
from pytest_grounding.scorers.remote.judge import Ruling

#: Words -> what people said; the judge of these tests calls just the ones with a 45 unsupported.
LABELS = [
    ("Refunds are paid within 14 days of the return.", True),
    ("Refunds are paid within 45 days of the return.", False),
    ("Items must be unused.", True),
    ("Items must be in their box.", False),
    ("Shipping is free from 50 euros.", True),
    ("Shipping is free from 45 euros.", False),
    ("Returned items must be unused.", True),
    ("The shop pays refunds within 14 days.", True),
]
JUDGE = ("--set", "judge=cohere")


def write_labels(path, labels=LABELS):
    rows = []
    for number, (text, supported) in enumerate(labels):
        transcript = {
            "id": f"l{number}",
            "question": f"What holds for returns, part {number}?",
            "chunks": [{"id": "h", "text": CHUNK}],
            "answer": text,
        }
        label = {"text": text, "supported": supported}
        rows.append({"transcript": transcript, "correct": supported, "claims": [label]})
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def run(capsys, *argv):
    remote.reset()
    status = main([*argv])
    remote.reset()
    out = capsys.readouterr()
    return status, out.out, out.err


def test_kappa_is_that_of_cohen():
    # Cohen 1960, table 1 collapsed; and two raters by hand: seen .7, chance .5.
    assert kappa(20, 5, 10, 15) == pytest.approx(0.4)
    assert kappa(5, 0, 0, 5) == 1.0
    assert kappa(0, 5, 5, 0) == -1.0
    assert kappa(25, 25, 25, 25) == 0.0
    assert kappa(7, 0, 0, 0) is None
    assert kappa(0, 0, 0, 0) is None


def test_intervals_contain_the_figure_and_resample_whole_groups():
    pairs = [JudgedPair(f"g{n % 20}", n % 4 == 0, n % 4 == 0 or n % 7 == 0) for n in range(200)]
    first, again = agreement(pairs), agreement(list(reversed(pairs)))
    assert first == again
    for name in ("base_rate", "kappa", "catch", "false_rejection"):
        estimate = getattr(first, name)
        assert estimate.low <= estimate.value <= estimate.high
    assert first.catch.value == 1.0
    assert first.catch.low < 1.0, "fifty of fifty leave some doubt"
    # The same in every row of a group says no more than one row of it.
    once = [JudgedPair(f"g{n}", n % 2 == 0, n % 3 == 0) for n in range(30)]
    many = agreement([pair for pair in once for _ in range(20)])
    alone = agreement(once)
    assert many.kappa.high - many.kappa.low == pytest.approx(alone.kappa.high - alone.kappa.low)
    assert agreement([]) is None


def test_missing_recordings_are_reported_with_the_command_that_records_them(folder, server, capsys):  # noqa: F811
    write_labels(folder / "labels.jsonl")
    argv = ("calibrate", "--judge", "labels.jsonl", *JUDGE)
    status, _, err = run(capsys, *argv, "-o", "judges.json")
    assert status == 1
    assert "8 claims without a ruling" in err
    assert "Refunds are paid within 14 days" in err
    assert not (folder / "judges.json").exists()
    again = shlex.split(err.splitlines()[-1].partition(": ")[2])
    assert again[0] == "pytest-grounding"
    assert run(capsys, *again[1:])[0] == 0
    before = len(server.seen)
    assert run(capsys, *argv)[0] == 0
    assert len(server.seen) == before


def test_agreement_is_printed_and_written_and_lets_the_judge_decide(folder, server, capsys):  # noqa: F811
    write_labels(folder / "labels.jsonl")
    measure = ("calibrate", "--judge", "labels.jsonl", *JUDGE, "--set", "record=new", "-o", "judges.json")
    status, out, err = run(capsys, *measure)
    assert status == 0, err
    # Two of three bad ones are caught, and none of five good ones is rejected.
    assert "by claims: 8 of 8 questions, base rate 38%" in out
    assert "catches 67%" in out
    assert "rejects 0%" in out
    assert "    kappa " in out
    (row,) = json.loads((folder / "judges.json").read_text())["measured"]
    assert row["kappa"] == pytest.approx(kappa(2, 1, 0, 5), abs=1e-6)
    assert row["kappa_95"][0] <= row["kappa"] <= row["kappa_95"][1]
    assert (row["judge"], row["model"], row["number"]) == ("cohere", "command-a-03-2025", 8)
    written = (folder / "judges.json").read_bytes()
    assert run(capsys, *measure)[0] == 0
    assert (folder / "judges.json").read_bytes() == written

    wide = [*JUDGE, "--set", "judge_scope=all"]
    _, out, _ = run(capsys, "check", "a.transcripts.jsonl", *wide, "--set", "record=new", "--json")
    free = verdicts(out)
    gate = ["--set", "judge_measured=judges.json", "--set", "judge_min_agreement"]
    _, out, _ = run(capsys, "check", "a.transcripts.jsonl", *wide, *gate[:3], f"{gate[3]}=0.6", "--json")
    assert [strip(item) for item in verdicts(out)] == [strip(item) for item in free]
    # A higher bar, another prompt, no measurement at all: it only warns.
    for more in (("0.9", "below judge_min_agreement = 0.9"), ("0.6", "is not measured")):
        extra = [*gate[:3], f"{gate[3]}={more[0]}"] if more[0] == "0.9" else ["--set", f"{gate[3]}=0.6"]
        _, out, _ = run(capsys, "check", "a.transcripts.jsonl", *wide, *extra, "--json")
        report = json.loads(out)
        plain = {item["id"]: item for item in engine_alone(capsys)}
        for item in report["transcripts"]:
            assert item["status"] == plain[item["id"]]["status"]
            assert [claim["status"] for claim in item["claims"]] == [
                claim["status"] for claim in plain[item["id"]]["claims"]
            ]
            assert any(more[1] in finding["message"] for finding in item["findings"])
        assert any("only warns" in note for note in report["gate"]["notes"])


def verdicts(out):
    return json.loads(out)["transcripts"]


def strip(verdict):
    return {name: value for name, value in verdict.items() if name not in ("settings_hash", "rejection")}


def engine_alone(capsys):
    _, out, _ = run(capsys, "check", "a.transcripts.jsonl", "--json")
    return verdicts(out)


INVENTED = {
    "id": "a",
    "question": "How long do refunds take?",
    "chunks": [{"id": "h", "text": CHUNK}],
    "answer": "Refunds are paid within 45 days of the return.",
}


class Says:
    """A judge of an extension with one word for everything."""

    def __init__(self, word):
        self.name, self.model, self.word = "mine", "m1", word

    def support(self, claim, chunks, *, question=""):
        return Ruling(self.word, "so it says")


class Extension:
    def __init__(self, word):
        self.word = word

    @pg.hookimpl
    def pytest_grounding_judges(self):
        return [Says(self.word)]


@pytest.mark.parametrize("word", ["full", "none"])
@pytest.mark.parametrize("text", [INVENTED["answer"], "Refunds are paid within 14 days of the return."])
def test_an_unmeasured_judge_neither_passes_nor_fails_anything(word, text):
    extension = Extension(word)
    pg.register(extension)
    try:
        given = {**INVENTED, "answer": text}
        settings = {"judge": "mine", "judge_scope": "all"}
        alone = pg.validate(given)
        warned = pg.validate(given, {**settings, "judge_min_agreement": 0.5})
        decided = pg.validate(given, settings)
    finally:
        pg.unregister(extension)
    assert warned.status == alone.status
    assert [claim.status for claim in warned.claims] == [claim.status for claim in alone.claims]
    assert warned.confidence == alone.confidence
    assert warned.claims[0].opinions.judge.value == word
    # A judge settles words, never a value that no source has.
    assert (decided.status == "pass") is (word == "full" and "45" not in text)
    notes = [finding for finding in warned.findings if finding.rule == "judge_warns"]
    assert notes
    assert {finding.severity for finding in notes} == {"info"}
    says_no = word == "none" and "14" in text
    assert says_no == any(finding.claim is not None for finding in notes)


@pytest.mark.parametrize("content", ["", "[]", '{"measured": [{"judge": 1}]}', '{"measured": 3}', "\x00"])
def test_an_invalid_file_of_measurements_is_one_sentence(tmp_path, content):
    path = tmp_path / "judges.json"
    path.write_text(content)
    extension = Extension("full")
    pg.register(extension)
    try:
        with pytest.raises(pg.SettingsError, match="contains no agreement of judges; write it with"):
            pg.validate(
                INVENTED,
                {
                    "judge": "mine",
                    "judge_scope": "all",
                    "judge_min_agreement": 0.5,
                    "judge_measured": str(path),
                },
            )
    finally:
        pg.unregister(extension)


def test_a_judge_that_always_says_yes_agrees_by_chance_alone():
    pairs = [JudgedPair(f"q{number}", number % 3 == 0, False) for number in range(60)]
    found = agreement(pairs).kappa
    assert [f"{value:.2f}" for value in found] == ["0.00", "0.00", "0.00"]
