"""A suite split among several jobs: each writes a shard, and the merged shards are decided."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from pytest_grounding._io.jsonio import canonical_document, content_hash, write_atomic
from pytest_grounding._io.wording import counted_list
from pytest_grounding.engine.pipeline import ENGINE_VERSION
from pytest_grounding.errors import InputError
from pytest_grounding.model.run_report import RunReport, Shard, finite
from pytest_grounding.settings import Settings
from pytest_grounding.suite.baseline_file import PLACES, changed, read_one

# Settings besides judging: they may differ between jobs, and do not affect the decision.
_DOING = ("remote_", "record", "cassette", "self_correction", "audit")


def shard_of(
    report: RunReport,
    settings: Settings,
    *,
    name: str,
    tests: Iterable[str] = (),
    deselected: Iterable[str] = (),
    ran: Iterable[str] = (),
) -> Shard:
    """The report of one job."""
    values = changed(settings)
    bare = RunReport.of(report.transcripts, report.run)
    own, left = tuple(sorted(set(tests))), tuple(sorted(deselected))
    return Shard(
        engine_version=ENGINE_VERSION,
        settings_hash=settings.fingerprint,
        settings={key: values[key] for key in values if key not in PLACES and not key.startswith(_DOING)},
        parts={content_hash([name, list(own), bare.as_dict()]): name},
        tests=own,
        deselected=left,
        ran=tuple(sorted(ran)) if left else own,
        report=bare,
    )


def merge_shards(shards: Sequence[Shard]) -> Shard:
    """Merge several shards; neither order nor grouping matters."""
    if not shards:
        raise InputError("there is no shard to merge", hint="name the files of --grounding-shard-report")
    ordered = sorted(shards, key=lambda shard: sorted(shard.parts))
    first = ordered[0]
    parts: dict[str, str] = {}
    owner: dict[str, Shard] = {}
    for shard in ordered:
        _refuse_mismatch(first, shard)
        for digest, name in shard.parts.items():
            if digest in parts:
                raise InputError(f"shard {name!r} is there twice", hint="give each job's report once")
            parts[digest] = name
        for test in shard.tests:
            if test in owner:
                hint = "give each job its own part of the suite, and the report of one attempt alone"
                both = f"{_name_of_shard(owner[test])} and {_name_of_shard(shard)}"
                raise InputError(f"shards {both} both ran {test}", hint=hint)
            owner[test] = shard
    report = first.report.merge(*(shard.report for shard in ordered[1:]))
    return Shard(
        engine_version=first.engine_version,
        settings_hash=first.settings_hash,
        settings=first.settings,
        parts={digest: parts[digest] for digest in sorted(parts)},
        tests=tuple(sorted(owner)),
        deselected=tuple(sorted({test for shard in ordered for test in shard.deselected})),
        ran=tuple(sorted({test for shard in ordered for test in shard.ran})),
        report=report,
    )


def _refuse_mismatch(first: Shard, other: Shard) -> None:
    between = f"shards {_name_of_shard(first)} and {_name_of_shard(other)}"
    if first.engine_version != other.engine_version:
        problem = f"{between} come from different engines ({first.engine_version}, {other.engine_version})"
        raise InputError(problem, hint="run all jobs with one version of the package")
    sides = first.settings, other.settings
    names = sorted(key for key in {*sides[0], *sides[1]} if sides[0].get(key, ...) != sides[1].get(key, ...))
    if names or first.settings_hash != other.settings_hash:
        problem = f"{between} come from different settings ({', '.join(names) or 'other fingerprint'})"
        raise InputError(problem, hint="run all jobs with the same settings")


def _name_of_shard(shard: Shard) -> str:
    return " + ".join(map(repr, sorted(shard.parts.values())))


def whole_report(shard: Shard) -> RunReport:
    """The report of merged shards; partial if tests that one shard left out ran in no other."""
    missing = sorted(set(shard.deselected).difference(shard.ran))
    if not missing:
        return shard.report
    why = counted_list("test", missing, "left out by a shard and run by none")
    run = shard.report.run.model_copy(update={"narrowed": (*shard.report.run.narrowed, why)})
    return shard.report.model_copy(update={"run": run})


def check_number(shard: Shard, expected: int) -> None:
    """Refuse a merge with a report too few or too many."""
    found = len(shard.parts)
    if found != expected:
        names = ", ".join(sorted(shard.parts.values()))
        what = "is missing" if found < expected else "is too many"
        number = abs(expected - found)
        hint = "a job that failed early leaves no report; look at its log"
        raise InputError(f"{found} of {expected} shards were given ({names}): {number} {what}", hint=hint)


def settings_of_shards(shard: Shard) -> Settings:
    """The settings of the jobs, as far as they affect the decision on the build."""
    return Settings.of({key: value for key, value in shard.settings.items() if key != "profile"})


def write_shard(shard: Shard, path: str | os.PathLike[str]) -> None:
    """Write a shard as canonical JSON, atomically."""
    write_atomic(path, canonical_document(spelled(shard.model_dump(mode="json"))))


def spelled(value: Any) -> Any:
    """The same value with NaN and infinities as strings: JSON lacks them, and they must not be hidden."""
    return finite(value, "NaN")


def read_shard(path: str | os.PathLike[str]) -> Shard:
    """Read a shard."""
    hint = "give a file that --grounding-shard-report wrote"
    value, shard = read_one(os.fspath(path), Shard, "shard", hint)
    if isinstance(value["report"].get("run", {}).get("whole"), bool):
        return shard
    # Without this field the run may have been a partial one.
    facts = shard.report.run.model_copy(update={"whole": False})
    return shard.model_copy(update={"report": RunReport.of(shard.report.transcripts, facts)})
