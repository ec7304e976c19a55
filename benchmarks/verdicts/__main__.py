"""Verdicts on labelled answers: what passes, what is stopped, what is wrongly contradicted.

    python -m benchmarks.verdicts [--data ../shared/data] [--part claims answers planted own prices]

*Tune* rows (seen during development) and *locked* rows (never read) are printed side by side; their
difference measures over-fitting. Locked rows are counted and never printed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks.verdicts.outcomes import ANSWERS, CASES, SERVICES, Outcome, cases, outcomes, planted
from benchmarks.verdicts.tables import both, share, strict_precision, table
from pytest_grounding.settings import Settings
from training.rows import DATA

ANSWER_SETS = ("ragtruth_qa", "mtrag", "lfqa")
SETS = (
    "ragtruth_qa", "mtrag", "lfqa", "factscore", "faithbench", "begin_dev", "attribution_dev", "wice_dev",
    "qags_cnndm", "summedits", "bump", "dialfact", "factcheckgpt", "cliff_goyal", "sick",
)  # fmt: skip
PLANTED = ("ragtruth_qa", "mtrag", "begin_dev", "summedits")
FAULTS = (
    "unit",
    "date",
    "swapped_number",
    "new_number",
    "negation",
    "antonym",
    "quantifier",
    "swapped_entity",
)
PARTS = ("claims", "answers", "planted", "own", "prices")
_SCALE = (0.5, 0.6, 0.7, 0.8, 0.9)


def gates() -> dict[str, Settings]:
    """The settings with a price: the profiles, and a range of thresholds."""
    # Few labelled answers cite sources: requiring citations is a separate question.
    plain = {"require_citations": "off"}
    found = {name: Settings.of({**plain, "profile": name}) for name in ("default", "strict", "lenient")}
    for value in _SCALE:
        limits = {"borderline_threshold": value, "supported_threshold": min(1.0, round(value + 0.1, 2))}
        found[f"support from {value}"] = Settings.of(limits)
    return found


def _run(task: tuple[str, Path, Settings]) -> list[Outcome]:
    kind, file, settings = task
    return list((outcomes if kind == "labelled" else planted)(file, settings))


def collect(tasks: list[tuple[str, Path, Settings]], jobs: int) -> list[list[Outcome]]:
    """The outcomes of each task."""
    if jobs == 1:
        return [_run(task) for task in tasks]
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        return list(pool.map(_run, tasks))


def claims_part(found: list[Outcome]) -> str:
    """Claims: supported ones called contradicted, and contradictions found."""
    rows = []
    for name in (*SETS, "all"):
        sets = SETS if name == "all" else (name,)
        false = both(found, sets, "supported:contradicted", "supported")
        refused = both(found, sets, "supported:bad", "supported")
        caught = both(found, sets, "contradiction:contradicted", "contradiction")
        rows.append([name, *false, *refused, *caught])
    head = ["set", "falsely contradicted: tune", "locked", "supported but refused: tune", "locked",
            "contradictions caught: tune", "locked"]  # fmt: skip
    precise = [
        str(strict_precision(found, side, without)) for without in ("", "sick") for side in ("tune", "locked")
    ]
    return (
        table(head, rows) + "\n\nOf what is called contradicted where people told three labels apart, right: "
        f"{precise[0]} % (tune), {precise[1]} % (locked). Without the pairs of captions of SICK, most of "
        f"which show two pictures: {precise[2]} % (tune), {precise[3]} % (locked)."
    )


def answers_part(runs: dict[str, list[Outcome]]) -> str:
    """Answers: right ones that pass and wrong ones stopped, by profile."""
    rows = []
    for gate in ("default", "strict", "lenient"):
        for name in (*ANSWER_SETS, *SERVICES, "own answers"):
            sets = SERVICES if name == "own answers" else (name,)
            right = both(runs[gate], sets, "right:pass", "right")
            passed = both(runs[gate], sets, "wrong:pass", "wrong")
            rows.append([gate, name, *right, *passed])
    return table(["gate", "set", "right ones pass: tune", "locked", "wrong ones pass: tune", "locked"], rows)


def planted_part(found: list[Outcome]) -> str:
    """Planted faults called contradicted."""
    rows = [
        [
            name,
            *both(found, PLANTED, f"{name}:contradicted", name),
            *both(found, PLANTED, f"{name}:bad", name),
        ]
        for name in ("planted", *FAULTS, "untouched")
    ]
    head = ["planted", "contradicted: tune", "locked", "contradicted or unsupported: tune", "locked"]
    return table(head, rows)


def own_part() -> str:
    """Cases of the tests, by expectation and by part."""
    rows = []
    for file in ("short_predicates", "examples"):
        counts: Counter[tuple[str, str]] = Counter()
        good: Counter[tuple[str, str]] = Counter()
        for case, verdict in cases(CASES / f"{file}.jsonl", Settings()):
            key = case["expect"], case["part"]
            bad = {claim.status for claim in verdict.claims} & {"contradicted", "unsupported"}
            counts[key] += 1
            if case["expect"] == "stop":
                good[key] += verdict.status != "pass"
            elif case["expect"] == "pass":
                good[key] += not bad
            elif case["expect"] == "unchecked":
                good[key] += not any(claim.checked for claim in verdict.claims)
            else:
                good[key] += "contradicted" not in bad
        rows += [
            [
                file,
                expect,
                part,
                f"{good[expect, part]} of {total} ({100 * good[expect, part] / total:.0f} %)",
            ]
            for (expect, part), total in sorted(counts.items())
        ]
    return table(["cases", "expected", "part", "as expected"], rows)


def prices_part(runs: dict[str, list[Outcome]]) -> tuple[str, list[dict[str, object]]]:
    """What each gate costs and catches, on locked rows."""
    rows, kept = [], []
    for gate, found in runs.items():
        for name in (*ANSWER_SETS, "own answers"):
            sets = SERVICES if name == "own answers" else (name,)
            groups = [item.counts for item in found if item.dataset in sets and item.side == "locked"]
            figures = {
                "right_pass": share(groups, "right:pass", "right"),
                "wrong_stopped": share(groups, "wrong:pass", "wrong"),
                "falsely_contradicted": share(groups, "supported:contradicted", "supported"),
            }
            values = {key: figure.value for key, figure in figures.items()}
            values["wrong_stopped"] = 1.0 - values["wrong_stopped"]
            rows.append([gate, name, *(f"{100 * value:.1f}" for value in values.values())])
            kept.append(
                {"gate": gate, "set": name, **{key: round(value, 4) for key, value in values.items()}}
            )
    head = ["gate", "set", "right answers that pass", "wrong ones stopped", "supported claims contradicted"]
    return table(head, rows), kept


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verdicts", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--part", nargs="*", choices=PARTS, default=list(PARTS))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    sections = sections_of(options.data, options.part, options.jobs)
    print("\n\n".join(f"### {title}\n\n{body}" for title, (body, _) in sections.items()))
    return 0


Section = tuple[str, list[dict[str, object]]]


def sections_of(data: Path, parts: list[str], jobs: int) -> dict[str, Section]:
    """The tables asked for, by title."""
    found: dict[str, Section] = {}
    default = Settings()
    if "claims" in parts:
        tasks = [("labelled", data / f"{name}.jsonl", default) for name in SETS]
        found["Claims"] = claims_part([row for rows in collect(tasks, jobs) for row in rows]), []
    if "answers" in parts or "prices" in parts:
        known = gates()
        wanted = list(known) if "prices" in parts else ["default", "strict", "lenient"]
        files = [data / f"{name}.jsonl" for name in ANSWER_SETS] + [
            ANSWERS / f"{name}.jsonl" for name in SERVICES
        ]
        tasks = [("labelled", file, known[gate]) for gate in wanted for file in files]
        done = iter(collect(tasks, jobs))
        runs = {gate: sum((next(done) for _ in files), list[Outcome]()) for gate in wanted}
        if "answers" in parts:
            found["Answers"] = answers_part(runs), []
        if "prices" in parts:
            found["Prices"] = prices_part(runs)
    if "planted" in parts:
        tasks = [("planted", data / f"{name}.jsonl", default) for name in PLANTED]
        found["Planted faults"] = planted_part([row for rows in collect(tasks, jobs) for row in rows]), []
    if "own" in parts:
        found["Cases of the tests"] = own_part(), []
    return found


if __name__ == "__main__":
    sys.exit(main())
