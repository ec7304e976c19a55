"""What does a validation cost, stage by stage, and does it grow with the number of claims alone?

Processor time of one process, with texts that no cache has seen. A slow or busy machine slows plain Python as
well, so each figure is also given as a ratio to a fixed piece of Python (counting the words of the same
chunks) that is timed beside each answer. The answers are those of RAGTruth-QA, or generated ones without it.

    python -m benchmarks.speed [--data ../shared/data] [--rounds 3] [--against FOLDER]

``--against`` times another copy of the project in turn. Exit status 1: ten times the claims take more than
`MOST_GROWTH` times as long.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
MOST_GROWTH = 20.0  # Linear is 10; claims times claims would be near 100.
TARGETS = "median 5 ms, p99 25 ms on an idle core"
#: Stage -> the module (or an object in it) and the name of what is timed.
STAGES = {
    "segmentation": [("engine.pipeline", "segment")],
    "claims": [("engine.pipeline", "extract_claims")],
    "citations": [("engine.pipeline", "extract"), ("engine.pipeline.citation", "check")],
    "retrieval": [("engine.pipeline.retrieval", "check")],
    "conflicts": [("scorers.builtin.builtin_scorer", "find_conflicts"), ("checks.consistency", "check")],
    "alignment": [("engine.pipeline", "_score")],
    "confidence": [("engine.pipeline", "measure"), ("engine.pipeline.selfrag", "check")],
    "verdict": [("engine.pipeline", "_verdict"), ("engine.pipeline.hallucination", "check")],
}
_WORD = re.compile(r"\w+")


class Stages:
    """Processor time by stage in seconds, each without its inner stages."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self._inner = [0.0]
        for stage, places in STAGES.items():
            for path, name in places:
                owner = _owner(path)
                setattr(owner, name, self._timed(stage, getattr(owner, name)))
        # The registry holds references to these checks.
        registry = _owner("engine.registry")
        registry.builtin_checks.cache_clear()

    def _timed(self, stage: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **named: Any) -> Any:
            start = time.process_time()
            self._inner.append(0.0)
            try:
                return call(*arguments, **named)
            finally:
                spent = time.process_time() - start
                self.seconds[stage] += spent - self._inner.pop()
                self._inner[-1] += spent

        return timed


def _owner(path: str) -> Any:
    """The module at a path below the package, or an object in it."""
    __import__(f"pytest_grounding.{'.'.join(path.split('.')[:-1])}")
    found: Any = sys.modules["pytest_grounding"]
    for part in path.split("."):
        found = getattr(found, part)
    return found


def made_answers(count: int) -> list[dict[str, Any]]:
    """Answers without data: a few statements about generated chunks, some of them wrong."""
    names = ("Arden", "Bellow", "Corin", "Dalby", "Esk", "Farnham")
    rows = []
    for number in range(count):
        name = names[number % len(names)]
        texts = [
            f"The {name} library number {number} opened in {1900 + number % 90}. It keeps {100 + number} "
            f"maps, and lends them for {7 + part} days. Members pay {10 + part} euros a year. No dogs. " * 3
            for part in range(3)
        ]
        answer = (
            f"The {name} library opened in {1900 + number % 90}. It lends maps for {8 + number % 3} days, "
            f"and members pay 30 euros a year. Dogs are allowed. The rooms were painted by a famous artist."
        )
        rows.append({"question": f"When did the {name} library open?", "chunks": texts, "answer": answer})
    return rows


def answers(data: Path, count: int) -> list[dict[str, Any]]:
    """Rows with question, chunks and answer, from the data folder or generated."""
    file = data / "ragtruth_qa.jsonl"
    if not file.exists():
        return made_answers(count)
    with file.open(encoding="utf-8") as stream:
        return [json.loads(line) for line in stream][:count]


def mapping(row: dict[str, Any], number: int) -> dict[str, Any]:
    """One row as a transcript."""
    chunks = [{"id": f"c{place}", "text": text} for place, text in enumerate(row["chunks"], start=1)]
    question = row["question"][:2000] or "(no question)"
    return {"id": f"speed-{number}", "question": question, "chunks": chunks, "answer": row["answer"]}


def fixed(texts: list[str]) -> int:
    """The piece of plain Python for comparison: count the words, ten times."""
    counts: dict[str, int] = {}
    for _ in range(10):
        for text in texts:
            for word in _WORD.findall(text):
                counts[word] = counts.get(word, 0) + 1
    return len(counts)


def measure(data: Path, count: int, *, stages: bool) -> dict[str, Any]:
    """Seconds per answer, of the fixed piece beside each, and optionally by stage."""
    from pytest_grounding import Transcript, validate
    from pytest_grounding.engine import validation

    rows = answers(data, count)
    transcripts = [Transcript.model_validate(mapping(row, number)) for number, row in enumerate(rows)]
    validate(Transcript.model_validate(mapping(made_answers(1)[0], -1)))
    taken = Stages() if stages else None
    times, plain = [], []
    for transcript, row in zip(transcripts, rows, strict=True):
        start = time.process_time()
        validation.validate(transcript)
        middle = time.process_time()
        fixed(row["chunks"])
        times.append(middle - start)
        plain.append(time.process_time() - middle)
    return {"times": times, "plain": plain, "stages": dict(taken.seconds) if taken else {}}


def growth() -> list[tuple[str, float]]:
    """Growth of the time for ten times the claims, by kind of claim; the chunks stay the same."""
    from pytest_grounding import Transcript, validate

    texts = [
        f"The fee of plan {n} is {n * 13 + 1} euros. Anna Smith{n} met Bob Jones{n} in Rome."
        for n in range(40)
    ]
    kinds = {
        "numbers": lambda n: f"The fee of plan {n} is {n * 13} euros.",
        "names": lambda n: f"Anna Smith{n} met Bob Jones{n} in Paris.",
        "words": lambda n: f"Reader {n} finds the quiet rooms pleasant and the staff rather slow.",
    }
    found = []
    for name, sentence in kinds.items():
        seconds = []
        for count in (50, 500):
            answer = " ".join(sentence(1000 + number) for number in range(count))
            row = {"question": "What is the fee?", "chunks": texts, "answer": answer}
            transcript = Transcript.model_validate(mapping(row, count))
            tries = []
            for _ in range(5):
                start = time.process_time()
                validate(transcript)
                tries.append(time.process_time() - start)
            seconds.append(min(tries))
        found.append((name, seconds[1] / seconds[0]))
    return found


#: A fresh process, in processor time: importing pydantic (with one model), then everything that `validate`
#: imports, then a first validation and a second one of the same text; their difference is one-time work.
_START = """
import json, sys, time
until = time.process_time
given = json.loads(sys.argv[1])
marks = [until()]
from pydantic import BaseModel
class One(BaseModel):
    one: int
marks.append(until())
import pytest_grounding
pytest_grounding.validate
transcript = pytest_grounding.Transcript.model_validate(given)
marks.append(until())
pytest_grounding.validate(transcript)
marks.append(until())
pytest_grounding.validate(transcript)
marks.append(until())
print(json.dumps([1000 * (b - a) for a, b in zip(marks, marks[1:])]))
"""
STARTS = ("pydantic", "engine", "first validation", "again")


def starts(copies: dict[str, Path], rounds: int) -> dict[str, list[list[float]]]:
    """Milliseconds of each of `STARTS` in fresh processes with compiled files, the copies in turn."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    given = json.dumps(mapping(made_answers(1)[0], 0))
    taken: dict[str, list[list[float]]] = {name: [] for name in copies}
    # The first process of each copy compiles, and does not count.
    for number in range(rounds + 1):
        for name, folder in copies.items():
            command = [sys.executable, "-c", _START, given]
            path = f"{folder}{os.pathsep}{environment.get('PYTHONPATH', '')}"
            told = subprocess.run(
                command,
                cwd=folder,
                env=environment | {"PYTHONPATH": path},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            if number:
                taken[name].append(json.loads(told))
    return taken


def show_start(name: str, runs: list[list[float]]) -> None:
    """Print the costs of a process: the least of several runs, and the median."""
    parts = list(zip(*runs, strict=True))
    listed = ", ".join(
        f"{part} {min(times):.0f} ({statistics.median(times):.0f})"
        for part, times in zip(STARTS, parts, strict=True)
    )
    both = [run[0] + run[1] for run in runs]
    print(
        f"start, {name}: import {min(both):.0f} ms ({statistics.median(both):.0f}), "
        f"{min(both) / min(parts[0]):.2f} x pydantic alone; {listed}"
    )


def imports(folder: Path) -> Counter[str]:
    """Milliseconds to import the engine by group of modules, with compiled files."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-X", "importtime", "-c", "import pytest_grounding; pytest_grounding.validate"]
    best: dict[str, int] = {}
    for _ in range(4):
        told = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=True
        ).stderr
        for own, module in re.findall(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)", told):
            best[module] = min(int(own), best.get(module, int(own)))
    groups: Counter[str] = Counter()
    for module, own in best.items():
        parts = module.split(".")
        ours = parts[0] == "pytest_grounding"
        pydantic = parts[0].startswith("pydantic") or parts[0] in {"annotated_types", "typing_inspection"}
        groups[".".join(parts[:2]) if ours else "pydantic" if pydantic else "others"] += own
    return Counter({name: round(own / 1000) for name, own in groups.items()})


def in_copy(folder: Path, options: argparse.Namespace, *, stages: bool) -> dict[str, Any]:
    """One measurement in a fresh process of a copy of the project."""
    own = str(Path(__file__).resolve())
    code = (
        "import sys, json; from pathlib import Path; sys.path.insert(0, sys.argv[1]); "
        f"sys.path.append({str(ROOT)!r}); import pytest_grounding; "
        f"import importlib.util as u; s = u.spec_from_file_location('speed', {own!r}); "
        "m = u.module_from_spec(s); s.loader.exec_module(m); "
        f"print(json.dumps(m.measure(Path(sys.argv[2]), {options.answers}, stages={stages})))"
    )
    command = [sys.executable, "-c", code, str(folder), str(options.data)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def show(name: str, runs: list[dict[str, Any]]) -> None:
    """Print the best of several runs for each answer."""
    times = [1000 * min(values) for values in zip(*(run["times"] for run in runs), strict=True)]
    plain = [1000 * min(values) for values in zip(*(run["plain"] for run in runs), strict=True)]
    ordered = sorted(times)
    ratio = statistics.median(a / b for a, b in zip(times, plain, strict=True))
    slow = ordered[int(len(ordered) * 0.99)]
    print(
        f"{name:12} median {statistics.median(times):6.2f} ms, p99 {slow:6.2f} ms, "
        f"mean {statistics.fmean(times):6.2f} ms, {ratio:5.2f} x the fixed piece"
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--answers", type=int, default=500, help="answers at most")
    parser.add_argument("--rounds", type=int, default=3, help="runs of which the best counts")
    parser.add_argument(
        "--against", type=Path, help="another copy of the project, timed in turn with this one"
    )
    options = parser.parse_args()
    options.data = options.data.resolve()
    copies = {"this": ROOT} | ({"the other": options.against.resolve()} if options.against else {})
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in copies}
    for _ in range(options.rounds):
        for name, folder in copies.items():
            runs[name].append(in_copy(folder, options, stages=False))
    print(f"a validation ({TARGETS}):")
    for name, found in runs.items():
        show(name, found)
    seconds = in_copy(ROOT, options, stages=True)["stages"]
    total = sum(seconds.values())
    print("share of the stages: " + ", ".join(f"{s} {100 * seconds.get(s, 0) / total:.0f} %" for s in STAGES))
    print("what a process pays once, ms, the least of several (median):")
    for name, found_starts in starts(copies, 3 * options.rounds).items():
        show_start(name, found_starts)
    for name, folder in copies.items():
        groups = imports(folder)
        listed = ", ".join(f"{group} {own}" for group, own in groups.most_common(8))
        print(f"import by module, {name}: {sum(groups.values())} ms: {listed}")
    grown = growth()
    print("ten times the claims: " + ", ".join(f"{name} {factor:.1f} x" for name, factor in grown))
    return int(any(factor > MOST_GROWTH for _, factor in grown))


if __name__ == "__main__":
    raise SystemExit(main())
