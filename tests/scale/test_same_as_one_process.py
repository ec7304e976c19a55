"""``check --jobs`` means what ``check`` means, to the byte, whatever the inputs and the options."""

import json
from pathlib import Path

import pytest
from scale_runs import row, write_rows

from pytest_grounding.cli import main


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("GROUNDING_JOBS", raising=False)
    monkeypatch.setattr("pytest_grounding.scale.plan.SMALLEST", 400)

    def run(*words):
        capsys.readouterr()
        status = main(["check", *map(str, words)])
        told = capsys.readouterr()
        return status, told.out, told.err

    return run


def _same(check, *words, jobs=1):
    plain = check(*words)
    parts = check(*words, "--jobs", jobs)
    assert parts == plain
    assert not Path(".grounding-work").exists(), "a run that is done leaves nothing behind"
    return plain


def test_many_files_bad_rows_and_double_ids(tmp_path, check):
    write_rows(tmp_path / "a.transcripts.jsonl", 12)
    write_rows(tmp_path / "b.transcripts.jsonl", 5, first=100)
    bad = [json.dumps(row(200)), "{no json", "", json.dumps(row(3)), '{"id": "x", "question": "Q?"}']
    (tmp_path / "c.transcripts.jsonl").write_text("\n".join(bad) + "\n", encoding="utf-8")
    for number in range(4):
        (tmp_path / f"d{number}.transcript.json").write_text(json.dumps(row(300 + number)), encoding="utf-8")
    (tmp_path / "empty.transcripts.jsonl").write_text("\n \n", encoding="utf-8")
    (tmp_path / "latin.transcripts.jsonl").write_bytes(
        b"\xef\xbb\xbf" + json.dumps(row(400)).encode() + b"\n\xff\xfe\n" + json.dumps(row(401)).encode()
    )
    status, out, errors = _same(check, ".", "missing.jsonl", jobs=3)
    assert status == 2
    assert "c.transcripts.jsonl:2" in errors
    assert "'r3' is the id of another transcript too, at a.transcripts.jsonl:4" in errors
    assert "latin.transcripts.jsonl:2" in errors
    assert "empty.transcripts.jsonl: is empty" in errors
    assert "missing.jsonl: does not exist" in errors
    assert "r5" in out


def test_reports_a_baseline_and_settings_of_folders(tmp_path, check):
    (tmp_path / "strict").mkdir()
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\ngrounding_fail_on = review\ngrounding_directories =\n    strict: require_citations=error\n"
    )
    write_rows(tmp_path / "a.transcripts.jsonl", 9)
    plain = row(50)
    plain["answer"] = plain["answer"].replace(" [1]", "")
    expected = {**row(51, is_right=False), "metadata": {"expected_status": "reject"}}
    (tmp_path / "strict/b.transcripts.jsonl").write_text(f"{json.dumps(plain)}\n{json.dumps(expected)}\n")
    assert main(["baseline", "base.json", "."]) == 0
    wrong = {**row(3, is_right=False)}
    lines = (tmp_path / "a.transcripts.jsonl").read_text().splitlines()
    lines[3] = json.dumps(wrong)
    (tmp_path / "a.transcripts.jsonl").write_text("\n".join(lines) + "\n")
    words = [".", "--baseline", "base.json", "--report", "html:r.html", "--report", "junit:r.xml"]
    plain_run = check(*words)
    written = [(tmp_path / name).read_bytes() for name in ("r.html", "r.xml")]
    assert check(*words, "--jobs", 1) == plain_run
    assert [(tmp_path / name).read_bytes() for name in ("r.html", "r.xml")] == written
    assert "flipped" in plain_run[1]
    status, out, _ = _same(check, ".", "--baseline", "base.json", "--set", "baseline_gate=new")
    assert (status, "known" in out) == (1, True)
    _same(check, ".", "--set", "fail_on=reject", "--profile", "lenient", "--json")


def test_sources_waivers_and_an_audit_log(tmp_path, check):
    rows = [row(number, is_right=number % 4 != 1) for number in range(12)]
    for number, item in enumerate(rows):
        item["chunks"][0]["metadata"] = {"document": "even.md" if number % 2 == 0 else "odd.md"}
    (tmp_path / "a.transcripts.jsonl").write_text("".join(json.dumps(item) + "\n" for item in rows))
    status, out, _ = _same(check, ".", "--source", "odd.md", "--json")
    assert status == 1
    assert len(json.loads(out)["transcripts"]) == 6
    check(".", "--json")
    assert main("waive a.transcripts.jsonl --id r1 --number 1 --reason agreed --by me --yes".split()) == 0
    _same(check, ".", "--json")
    plain = check(".", "--set", "audit=one.log", "--quiet")
    parts = check(".", "--set", "audit=two.log", "--quiet", "--jobs", 1)
    assert parts[1].replace("two.log", "one.log") == plain[1]
    one, two = (
        sorted(json.loads(line)["verdict_id"] for line in (tmp_path / name).read_text().splitlines())
        for name in ("one.log", "two.log")
    )
    assert one == two
    assert len(one) == 12


def _runs(*traces):
    """Runs as LangSmith exports them, one a line: all chains first, then what they retrieved."""
    chains, retrievers = [], []
    for name in traces:
        common = {"trace_id": name, "start_time": "2025-03-01T10:00:00.000000", "error": None, "extra": {}}
        question = f"How long does {name} take?"
        chain = {"id": name, "parent_run_id": None, "name": "RetrievalQA", "run_type": "chain"}
        chains.append(
            {**common, **chain, "inputs": {"question": question}, "outputs": {"output": "It takes 3 days."}}
        )
        documents = [{"page_content": "It takes 3 days.", "metadata": {}, "type": "Document"}]
        retriever = {"id": f"{name}2", "parent_run_id": name, "name": "R", "run_type": "retriever"}
        outputs = {"documents": documents}
        retrievers.append({**common, **retriever, "inputs": {"query": question}, "outputs": outputs})
    return chains + retrievers


def test_foreign_formats_made_ids_and_rows_that_belong_together(tmp_path, check):
    deepeval = {"input": "How long?", "actual_output": "It takes 3 days.", "retrieval_context": ["3 days."]}
    (tmp_path / "a.jsonl").write_text((json.dumps(deepeval) + "\n") * 7)
    (tmp_path / "b.jsonl").write_text((json.dumps({**deepeval, "actual_output": "5 days."}) + "\n") * 3)
    # The runs of one trace lie apart: the first line tells that in one file, only the last in the other.
    (tmp_path / "runs.jsonl").write_text("".join(json.dumps(item) + "\n" for item in _runs("a", "b")))
    lines = [json.dumps(item) for item in [row(1), row(2), row(3), *_runs("c")]]
    (tmp_path / "mixed.jsonl").write_text("\n".join(lines))
    (tmp_path / "table.csv").write_text("id,question,answer,chunk 1\nt1,How long?,3 days.,It takes 3 days.\n")
    names = ("a.jsonl", "b.jsonl", "runs.jsonl", "mixed.jsonl", "table.csv")
    status, out, _ = _same(check, *names, "--json")
    assert status == 1
    found = [item["id"] for item in json.loads(out)["transcripts"]]
    assert len(set(found)) == len(found) == 10 + 2 + 4 + 1
    assert any(name.endswith("-9") for name in found)


def test_a_work_folder_is_not_validated(tmp_path, check):
    write_rows(tmp_path / "a.jsonl", 6)
    plain = check(".", "--json")
    for _ in range(2):
        assert check(".", "--json", "--jobs", 1, "--work", "parts") == plain
    assert (tmp_path / "parts/000001.jsonl").is_file()
    assert check(".", "--json") == plain
    assert check("**/*.jsonl", "--json", "--jobs", 1)[0] == 1


def test_the_variable_and_the_shape_of_a_run(check, tmp_path, monkeypatch):
    write_rows(tmp_path / "a.transcripts.jsonl", 6)
    plain = check("a.transcripts.jsonl")
    monkeypatch.setenv("GROUNDING_JOBS", "2")
    assert check("a.transcripts.jsonl", "--work", "kept") == plain
    names = sorted(path.name for path in (tmp_path / "kept").iterdir())
    assert names[:3] == [".grounding-work.lock", "000000.jsonl", "000001.jsonl"]
    assert names[-1] == "manifest.jsonl"
    monkeypatch.setenv("GROUNDING_JOBS", "many")
    status, _, errors = check("a.transcripts.jsonl")
    assert status == 2
    assert "jobs = 'many' is not a number of worker processes; write a number from 1, or auto" in errors
    status, _, errors = check("a.transcripts.jsonl", "--jobs", "2", "--engine", "spark")
    assert (status, "write processes, dask or dask=tcp://HOST:PORT" in errors) == (2, True)
