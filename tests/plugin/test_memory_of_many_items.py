"""What a run holds of each transcript, beside what pytest holds of any test: both measured in one process."""

from __future__ import annotations

import json
import re
import subprocess

import pytest
import warm_starts

NUMBER = 100
#: Bytes that a transcript may take at the end of a run, above a plain parametrized test.
MOST = 1_000
PROBE = """
import gc, json, sys, tracemalloc
from pathlib import Path
import pytest
from pytest_grounding import _spill

TEXT = "Refunds are paid within 30 days of the return."
ROW = {"question": "How long do refunds take?", "answer": TEXT + " [1]"}
ROW["chunks"] = [{"id": "c1", "text": TEXT}]
PLAIN = "import pytest\\n@pytest.mark.parametrize('n', range(%d), ids=str)\\ndef test_it(n): pass\\n"


class Held:
    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self):
        gc.collect()
        tracemalloc.start()

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self):
        gc.collect()
        self.bytes = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()


def run(name, number, plain):
    folder = Path(name)
    folder.mkdir()
    if plain:
        (folder / f"test_{name}.py").write_text(PLAIN % number)
    else:
        lines = (json.dumps({"id": f"r{n}", **ROW}) + "\\n" for n in range(number))
        (folder / "a.transcripts.jsonl").write_text("".join(lines))
    held = Held()
    status = pytest.main(["-q", "-p", "no:cacheprovider", f"--rootdir={name}", name], plugins=[held])
    assert status == 0, status
    return held.bytes / number


number = int(sys.argv[1])
# As in a run of thousands: what is put away lies in a file.
_spill.Pile.__init__.__defaults__ = (1,)
# What is loaded and cached once is no cost of a transcript.
run("first", 2, False), run("second", 2, True)
print("measured:", json.dumps([run("plain", number, True), run("ours", number, False)]))
"""


def test_a_transcript_costs_little_more_than_any_test(pytester: pytest.Pytester) -> None:
    probe = pytester.path / "probe.py"
    probe.write_text(PROBE)
    done = subprocess.run(
        [warm_starts.python(), str(probe), str(NUMBER)],
        cwd=pytester.path,
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.search(r"measured: (.*)", done.stdout)
    assert found is not None, done.stdout + done.stderr
    plain, ours = json.loads(found[1])
    # As objects its verdict and transcript take some 40,000 bytes, packed some 3,000. What is made once falls
    # to either, a few thousand bytes in all.
    assert 0 < plain / 2 < ours < plain + MOST, f"{ours - plain:,.0f} bytes a transcript above a plain test"
