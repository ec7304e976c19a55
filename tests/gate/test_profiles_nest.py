"""What a stricter profile passes, a milder one passes too."""

import json
from pathlib import Path

import pytest

import pytest_grounding as pg

ROOT = Path(__file__).resolve().parents[2] / "benchmarks"
ORDER = ("strict", "default", "lenient")


def transcripts():
    """Our own labelled rows, every fortieth, plain and with a citation behind each sentence."""
    found = []
    for path in sorted((ROOT / "own").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines()[::40]:
            row = json.loads(line)
            if not isinstance(row.get("answer"), str) or not row.get("chunks"):
                continue
            chunks = [
                {"id": f"c{number}", "text": text if isinstance(text, str) else text["text"], "score": 0.9}
                for number, text in enumerate(row["chunks"])
            ]
            plain = {"id": "t", "question": row.get("question") or "?", "chunks": chunks}
            found.append({**plain, "answer": row["answer"]})
            found.append({**plain, "answer": row["answer"].rstrip(".") + " [1]."})
    return found


@pytest.mark.skipif(not (ROOT / "own").exists(), reason="only the package is here")
def test_strict_passes_no_more_than_default_and_default_no_more_than_lenient():
    settings = {name: pg.Settings(profile=name) for name in ORDER}
    passed = dict.fromkeys(ORDER, 0)
    for given in transcripts():
        passes = [pg.validate(given, settings[name]).status == "pass" for name in ORDER]
        assert passes == sorted(passes), (dict(zip(ORDER, passes, strict=True)), given["answer"])
        for name, one in zip(ORDER, passes, strict=True):
            passed[name] += one
    assert 0 < passed["strict"] < passed["default"] < passed["lenient"]
