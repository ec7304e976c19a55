"""What the check of one part found, as integers that add up in any order and grouping.

The verdicts themselves stand in the part file, JSON Lines in canonical form, one line a row in the order of
the input (`Line`). What is here is bounded, however many rows the part holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from pytest_grounding._jsonio import canonical_json
from pytest_grounding.model._base import Model
from pytest_grounding.model.run import Problem, RecordedJudgements
from pytest_grounding.model.verdict import Status, Verdict

Whole = Annotated[int, Field(strict=True)]
Count = Annotated[int, Field(ge=0, strict=True)]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Table = Mapping[str, Whole]


class Line(Model):
    """One line of a part file: a verdict, or why there is none.

    Attributes:
        verdict: the verdict as `Verdict.as_dict` gives it, with its place; None where the row is no
            transcript.
        problem: place and sentence of a row that could not be read; None beside a verdict.
        wanted: the status that the transcript expects of itself, or None.
        failed: the transcript fails on its own, whatever a baseline holds.
        made: stem of an id that was made of the question, which is numbered over the whole run; else "".
        transcript: the transcript as JSON data, where the plan keeps it for a report, else None.
    """

    verdict: Verdict | None = None
    problem: Problem | None = None
    wanted: Status | None = None
    failed: bool = False
    made: str = ""
    transcript: Mapping[str, Any] | None = None


class Place(Model):
    """Where a part stands in the inputs of its plan.

    Attributes:
        index: position among all parts of the plan, from 0: by it rows keep the order of the inputs.
        path: the input, as it was given or found; the first of several small ones.
        start: first byte of the part in the (unpacked) input; for Parquet the first row group.
        end: one past its last byte or row group.
        line: 1-based line, or row, on which it begins.
        inputs: how many inputs it holds, whole or in part.
    """

    index: Count
    path: str
    start: Count = 0
    end: Count = 0
    line: Annotated[int, Field(ge=1, strict=True)] = 1
    inputs: Count = 1


class Worst(Model):
    """One of the worst rows of a part. ``key`` orders them, the worst first, and holds integers alone.

    Attributes:
        key: rank of the status (0 reject, 1 review, 2 pass), confidence in micro-units (-1: none), index of
            the part, and number of the line in the part file.
        id: id of the transcript.
        offset: first byte of the row's line in the (unpacked) part file.
    """

    key: tuple[Whole, Whole, Whole, Whole]
    id: str
    offset: Count


class PartResult(Model):
    """What `check_partition` found on one part.

    Attributes:
        plan: hash of the plan that it is a part of.
        place: where the part stands.
        file: name of the part file in the work folder, without a folder.
        sha256: of the bytes of the part file as it would be unpacked.
        size: number of these bytes.
        rows: lines of the part file: verdicts and problems.
        counts: name -> number; sums and sums of squares of micro-units are among them.
        tables: name of a table -> key -> number, such as ``findings``, ``not_checked`` and ``confidence``, a
            histogram by twentieths.
        firsts: the first few of what messages name, by id and content: waived findings, failed scorers and
            the days of recording.
        lasts: the last one of them.
        worst: the worst rows, in order, at most as many as the plan says.
        ids: name of the file that lists the verdicts of the part by their ids, see
            `pytest_grounding.scale.entry.Entry`. An id that stands twice is there twice, and both rows are
            counted: who merges parts refuses the later one, as it is done across parts.
        ids_sha256: of the bytes of that file.
        made: stem of a made id -> how often the part made it; such ids are numbered over the whole run, in
            the order of parts and lines, and their lines keep the transcript.
        judgements: how old the recorded judgements are that the part relied on.
        failure: why the part is not scored, in words; "" for a part that is. Such a part has no file.
    """

    schema_version: Literal[1] = 1
    plan: Digest
    place: Place
    file: str = ""
    sha256: str = ""
    size: Count = 0
    rows: Count = 0
    counts: Table = Field(default_factory=dict)
    tables: Mapping[str, Table] = Field(default_factory=dict)
    firsts: Mapping[str, tuple[tuple[str, ...], ...]] = Field(default_factory=dict)
    lasts: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)
    worst: tuple[Worst, ...] = ()
    ids: str = ""
    ids_sha256: str = ""
    made: Mapping[str, Count] = Field(default_factory=dict)
    judgements: tuple[RecordedJudgements, ...] = ()
    failure: str = ""

    def to_json(self) -> str:
        """The result as canonical JSON on one line: equal results give equal bytes."""
        return canonical_json(self.model_dump(mode="json"))

    @classmethod
    def of_json(cls, text: str) -> PartResult:
        """The result that `to_json` wrote.

        Raises:
            ValueError: the text is none.
        """
        return cls.model_validate_json(text)
