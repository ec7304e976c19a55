"""What the gate guarantees: faults planted into right answers, and the share of them that it stops.

    python -m benchmarks.guarantees [--only mtrag,own] [--limit 20] [--fault unit,date] [--json FILE]

Takes the right answers of each set from people, and of our own sets, that pass as they are, plants every
fault of `pytest_grounding.mutation` into their supported claims, and counts the mutants that do not pass.
Tune and locked rows stand side by side, with the share of right answers that are held back as they are.
Locked rows are scored and never printed. The sample is chosen by hashes, so that the same command always
prints the same.

Files of rows that are right or wrong in one known way (`question`, `chunks`, `answer`, `right`, `kind`), such
as `probes.jsonl`, are printed by kind.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.people import DATA, SIDES
from benchmarks.people import SETS as PEOPLE
from benchmarks.roles import role_of
from pytest_grounding import Settings, Transcript, validate
from pytest_grounding._io.wording import wilson
from pytest_grounding.errors import GroundingError
from pytest_grounding.mutation import FAULTS, Fault
from pytest_grounding.mutation.mutate_files import mutants_of, supported_sites

HERE = Path(__file__).parent
#: Our own sets, and the folder of the files of each.
OWN = {"own": HERE / "own", "answers": HERE / "answers"}
PROBES = ("probes", "layouts", "reported")
DEFAULT = (*PEOPLE, *OWN, "probes")
#: Sums of sets, printed beside them.
POOLS = {"people": PEOPLE, "ours": tuple(OWN)}
ASKED_OF_NOTHING = "What is known about this?"
LONGEST_QUESTION = 2000
SEED = 0
NOTHING = "-"


@dataclass
class Count:
    """How many of how many."""

    hits: int = 0
    total: int = 0

    def add(self, is_hit: bool) -> None:
        """Count one more."""
        self.total += 1
        if is_hit:
            self.hits += 1

    @property
    def per_cent(self) -> str:
        """The share, without digits after the point."""
        return f"{100 * self.hits / self.total:.0f}" if self.total else NOTHING

    @property
    def in_full(self) -> str:
        """The share with its interval and its counts."""
        interval = wilson(self.hits, self.total)
        if interval is None:
            return NOTHING
        low, high = interval
        share = 100 * self.hits / self.total
        return f"{share:5.1f} [{100 * low:.0f}, {100 * high:.0f}] {self.hits}/{self.total}"


@dataclass
class Side:
    """What was counted on one side of a set."""

    held: Count = field(default_factory=Count)
    stopped: dict[str, Count] = field(default_factory=lambda: defaultdict(Count))


@dataclass
class Kind:
    """What was counted of the rows of one kind."""

    stopped: Count = field(default_factory=Count)
    held: Count = field(default_factory=Count)


@dataclass(frozen=True)
class Plan:
    """What is planted, and how much.

    Args:
        data: folder of the sets from people.
        sets: names of the sets.
        faults: what is planted.
        limit: mutants of each fault on each side of a set.
        answers: right answers on each side of a set.
    """

    data: Path
    sets: tuple[str, ...]
    faults: tuple[Fault, ...] = FAULTS
    limit: int = 20
    answers: int = 80


def right_answers(name: str, data: Path) -> Iterator[tuple[str, Transcript]]:
    """The right answers of a set, each with its side."""
    for file in _files_of(name, data):
        with file.open(encoding="utf-8") as stream:
            for number, line in enumerate(stream):
                row = json.loads(line)
                if _is_right(row):
                    is_locked = role_of(file.stem, str(row["group"]), number) == "locked"
                    yield "locked" if is_locked else "tune", _transcript(row, f"{file.stem}-{number}")


def _files_of(name: str, data: Path) -> list[Path]:
    if name in OWN:
        return sorted(OWN[name].glob("*.jsonl"))
    file = data / f"{name}.jsonl"
    return [file] if file.exists() else []


def _is_right(row: dict[str, Any]) -> bool:
    is_whole = bool(row.get("chunks") and row.get("answer", "").strip())
    return is_whole and (row.get("response_supported") is True or row.get("label") == "supported")


def _transcript(row: dict[str, Any], name: str) -> Transcript:
    chunks = [
        {"id": f"c{place}", **({"text": chunk} if isinstance(chunk, str) else chunk)}
        for place, chunk in enumerate(row["chunks"], start=1)
    ]
    question = (row.get("question") or ASKED_OF_NOTHING)[:LONGEST_QUESTION]
    content = {"id": name, "question": question, "answer": row["answer"], "chunks": chunks}
    if "tool_calls" in row:
        content["tool_calls"] = row["tool_calls"]
    return Transcript.model_validate(content)


def _rank(transcript: Transcript) -> str:
    return sha256(transcript.id.encode()).hexdigest()


def measure(name: str, plan: Plan) -> dict[str, Side]:
    """Both sides of a set."""
    found: dict[str, list[Transcript]] = {side: [] for side in SIDES}
    for side, transcript in right_answers(name, plan.data):
        found[side].append(transcript)
    return {side: _measured(sorted(found[side], key=_rank)[: plan.answers], plan) for side in SIDES}


def _measured(transcripts: Sequence[Transcript], plan: Plan) -> Side:
    settings = Settings()
    side = Side()
    passed, verdicts = [], []
    for transcript in transcripts:
        verdict = validate(transcript, settings)
        side.held.add(verdict.status != "pass")
        if verdict.status == "pass":
            passed.append(transcript)
            verdicts.append(verdict)
    sites = supported_sites(passed, verdicts)
    for fault in plan.faults:
        for _, mutant in mutants_of(fault, sites, settings, SEED, plan.limit):
            status = validate(mutant.transcript, settings).status
            side.stopped[fault.name].add(status != "pass")
    return side


def probe_kinds(file: Path) -> dict[str, Kind]:
    """The rows of a file of probes, counted by kind; recordings in another format are left out."""
    kinds: dict[str, Kind] = defaultdict(Kind)
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
        row = json.loads(line)
        recorded = row.get("transcript", row)
        try:
            status = validate(_transcript(recorded, f"{file.stem}-{number}")).status
        except (GroundingError, KeyError, TypeError, ValueError):
            continue
        kind = kinds[row.get("kind", "")]
        count = kind.held if row["right"] else kind.stopped
        count.add(status != "pass")
    return dict(sorted(kinds.items()))


def pooled(sides: Iterable[Side]) -> Side:
    """The sum of several sides."""
    whole = Side()
    for side in sides:
        whole.held.hits += side.held.hits
        whole.held.total += side.held.total
        for name, count in side.stopped.items():
            whole.stopped[name].hits += count.hits
            whole.stopped[name].total += count.total
    return whole


def with_pools(found: dict[str, dict[str, Side]]) -> dict[str, dict[str, Side]]:
    """The sets, and the sums of those from people and of our own."""
    whole = dict(found)
    for pool, names in POOLS.items():
        members = [found[name] for name in names if name in found]
        if members:
            whole[pool] = {side: pooled(member[side] for member in members) for side in SIDES}
    return whole


def table_of_sets(found: dict[str, dict[str, Side]], faults: Sequence[Fault]) -> Iterator[str]:
    """A line a fault, a column a set: per cent stopped of the tune rows, and of the locked ones."""
    wide = max(len(fault.name) for fault in faults) + 2
    columns = {name: max(len(name), 9) + 2 for name in found}

    def line(title: str, cells: Iterable[str]) -> str:
        return f"{title:<{wide}}" + "".join(
            f"{cell:>{width}}" for cell, width in zip(cells, columns.values(), strict=True)
        )

    yield line("tune | locked", found)
    yield line("right held", (_cell([sides[side].held for side in SIDES]) for sides in found.values()))
    for fault in faults:
        counts = ([sides[side].stopped[fault.name] for side in SIDES] for sides in found.values())
        yield line(fault.name, map(_cell, counts))


def _cell(counts: Iterable[Count]) -> str:
    return " | ".join(count.per_cent for count in counts)


def table_of_pools(found: dict[str, dict[str, Side]], faults: Sequence[Fault]) -> Iterator[str]:
    """A line a fault, with intervals and counts."""
    for name in (name for name in POOLS if name in found):
        sides = found[name]
        yield ""
        yield f"{name:<46}{'tune':<28}locked"
        held = [sides[side].held.in_full for side in SIDES]
        yield f"{'right answers held back':<46}{held[0]:<28}{held[1]}"
        for fault in faults:
            stopped = [sides[side].stopped[fault.name].in_full for side in SIDES]
            yield f"{fault.about:<46}{stopped[0]:<28}{stopped[1]}"


def table_of_kinds(name: str, kinds: dict[str, Kind]) -> Iterator[str]:
    """A line a kind: wrong ones stopped, right ones held back."""
    whole = Kind()
    yield ""
    yield f"{name:<46}{'wrong ones stopped':<28}right ones held back"
    for title, kind in kinds.items():
        for part in ("stopped", "held"):
            into, count = getattr(whole, part), getattr(kind, part)
            into.hits += count.hits
            into.total += count.total
        yield f"{title:<46}{kind.stopped.in_full:<28}{kind.held.in_full}"
    yield f"{'all':<46}{whole.stopped.in_full:<28}{whole.held.in_full}"


def as_json(found: dict[str, dict[str, Side]], kinds: dict[str, dict[str, Kind]]) -> str:
    """Every count: hits and total."""

    def pair(count: Count) -> list[int]:
        return [count.hits, count.total]

    sets = {
        name: {
            side: {
                "right held": pair(counted.held),
                **{fault: pair(count) for fault, count in counted.stopped.items() if count.total},
            }
            for side, counted in sides.items()
        }
        for name, sides in found.items()
    }
    probes = {
        name: {title: {"stopped": pair(kind.stopped), "held": pair(kind.held)} for title, kind in of.items()}
        for name, of in kinds.items()
    }
    return json.dumps({"sets": sets, "kinds": probes}, indent=1) + "\n"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = (*PEOPLE, *OWN, *PROBES)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the sets from people")
    parser.add_argument("--only", default=",".join(DEFAULT), help=f"sets, with commas: {', '.join(names)}")
    parser.add_argument("--fault", default="", help="faults, with commas (default: all)")
    parser.add_argument("--limit", type=int, default=20, help="mutants of each fault on each side of a set")
    parser.add_argument("--answers", type=int, default=80, help="right answers on each side of a set")
    parser.add_argument("--json", type=Path, help="file for the counts")
    return parser.parse_args()


def main() -> int:
    """Print the tables."""
    options = _arguments()
    start = time.perf_counter()
    wanted = set(options.fault.split(",")) - {""}
    faults = tuple(fault for fault in FAULTS if not wanted or fault.name in wanted)
    only = tuple(options.only.split(","))
    sets = tuple(name for name in only if name not in PROBES and _files_of(name, options.data))
    plan = Plan(options.data, sets, faults, options.limit, options.answers)
    files = [options.data / f"{name}.jsonl" for name in PROBES if name in only]
    present = [file for file in files if file.exists()]
    if not (sets or present) or not faults:
        print(f"nothing measured: none of {options.only} lies in {options.data}, or no fault has such a name")
        return 2
    found = with_pools({name: measure(name, plan) for name in sets})
    kinds = {file.stem: probe_kinds(file) for file in present}
    if found:
        print("\n".join(table_of_sets(found, faults)))
        print("\n".join(table_of_pools(found, faults)))
    for name, counted in kinds.items():
        print("\n".join(table_of_kinds(name, counted)))
    print(f"\n{time.perf_counter() - start:.0f} s", file=sys.stderr)
    if options.json:
        options.json.write_text(as_json(found, kinds), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
