"""Which parts are done, under way, to be done again, or given up: the same whoever executes them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable

from pytest_grounding._wording import counted
from pytest_grounding.errors import GroundingError, InputError
from pytest_grounding.scale.folder import release_inputs
from pytest_grounding.scale.plan import Part, Plan
from pytest_grounding.scale.result import PartResult

#: How often a part whose worker died is given to another one before it is named as not scored.
AGAIN = 2


class WholeNeededError(Exception):
    """An input was cut whose rows belong together; the plan must be made anew with it in one piece."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class Ledger:
    """The parts of a plan and what became of them.

    Args:
        plan: the plan.
        finished: the results of an earlier run of it.

    Attributes:
        results: by the index of the part, those without a score among them.
        rows: rows that were done in this run, finished parts or not.
        rows_before: rows of the parts that an earlier run finished.
        failed: rows of both that failed or could not be read.
        starts_lost: worker processes that gave up before they were ready.
        has_started: some worker process was ready.
    """

    def __init__(self, plan: Plan, finished: Iterable[PartResult] = ()) -> None:
        self.plan = plan
        self.results = {result.place.index: result for result in finished}
        self.resumed = len(self.results)
        self.rows = 0
        self.rows_before = sum(result.rows for result in self.results.values())
        self.failed = sum(_failed_in(result) for result in self.results.values())
        self.starts_lost, self.has_started = 0, False
        self._todo = deque(part for part in plan.parts if part.index not in self.results)
        self._deaths: Counter[int] = Counter()
        self._told: dict[int, tuple[int, int]] = {}
        # Parts of one stream share its copy.
        self._uses = Counter(piece.data for part in self._todo for piece in part.pieces)
        release_inputs(plan, self.results.keys())

    @property
    def is_settled(self) -> bool:
        """Whether something became of each part."""
        return len(self.results) == len(self.plan.parts)

    @property
    def unscored(self) -> list[PartResult]:
        """The parts that were given up, in their order."""
        return [self.results[index] for index in sorted(self.results) if self.results[index].failure]

    def take(self) -> Part | None:
        """The next part to be done, or None where all are done or under way."""
        return self._todo.popleft() if self._todo else None

    def tell(self, part: Part, rows: int, failed: int) -> None:
        """Note that so many more rows of a part are done."""
        before = self._told.get(part.index, (0, 0))
        self._told[part.index] = (before[0] + rows, before[1] + failed)
        self.rows += rows
        self.failed += failed

    def done(self, part: Part, result: PartResult) -> None:
        """Note the result of a part."""
        self._forget(part)
        self.rows += result.rows
        self.failed += _failed_in(result)
        self.results[part.index] = result
        used = [piece.data for piece in part.pieces]
        self._uses.subtract(used)
        if not any(self._uses[data] > 0 for data in used):
            release_inputs(self.plan.model_copy(update={"parts": (part,)}), {part.index})

    def refused(self, part: Part, kind: str, message: str) -> None:
        """Note that a part was not done.

        Args:
            part: the part.
            kind: ``died`` is tried again, ``input`` is given up, and all others end the run.
            message: why, in words.

        Raises:
            WholeNeededError: the input of the part must be kept in one piece.
            InputError: the work folder cannot be written to.
            GroundingError: nothing can be done with these settings.
        """
        self._forget(part)
        if kind == "gathered":
            raise WholeNeededError(message)
        if kind == "disk":
            kept = f"{counted(self._scored, 'finished part')} of {len(self.plan.parts)} are kept"
            hint = f"{kept}: make room and give the same command again"
            raise InputError(f"cannot be written to ({message})", path=self.plan.shown, hint=hint)
        if kind == "died":
            self._deaths[part.index] += 1
            if self._deaths[part.index] <= AGAIN:
                self._todo.appendleft(part)
                return
            message = f"{message}, {self._deaths[part.index]} times"
        elif kind != "input":
            raise GroundingError(message)
        failure = f"{part.description} is not scored: {message}"
        # An input that cannot be read is a problem of the user's, a worker that dies is none.
        counts = {"problems": 1} if kind == "input" else {}
        self.results[part.index] = PartResult(
            plan=self.plan.hash, place=part.place, counts=counts, failure=failure
        )

    def put_back(self, part: Part) -> None:
        """Let a part be taken again that nobody is at any more, for no reason of its own."""
        self._forget(part)
        self._todo.appendleft(part)

    def give_up(self, message: str) -> None:
        """Note that nobody can do the parts that are left, for one reason.

        Args:
            message: why, and what the user can do, in words; what becomes of the run is added.
        """
        left = [part for part in self.plan.parts if part.index not in self.results]
        failure = (
            f"{len(left)} of {counted(len(self.plan.parts), 'part')} are not scored: {message}; "
            f"{counted(self._scored, 'finished part')} kept in {self.plan.shown}; the same command goes on"
        )
        self._todo.clear()
        for part in left:
            self._forget(part)
            self.results[part.index] = PartResult(plan=self.plan.hash, place=part.place, failure=failure)

    @property
    def _scored(self) -> int:
        return sum(not result.failure for result in self.results.values())

    def _forget(self, part: Part) -> None:
        rows, failed = self._told.pop(part.index, (0, 0))
        self.rows -= rows
        self.failed -= failed


def _failed_in(result: PartResult) -> int:
    """Rows of a part that failed or could not be read."""
    return result.counts.get("failed", 0) + result.counts.get("problems", 0)
