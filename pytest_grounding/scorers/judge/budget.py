"""What a run may spend on judges: every request is weighed before it is sent.

An estimate is never below what a request can take: no tokeniser makes more tokens of a text than it has
bytes, and a reply has a longest length. So a run stops before its budget is passed, and not after.

Processes of one run (workers of pytest-xdist, the jobs of a check) share the budget by a small file beside
the cassette, ``NAME.spent``, under a lock.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pytest_grounding._lock import is_torn, locked, write_all
from pytest_grounding.errors import BudgetError, SettingsError
from pytest_grounding.scorers.cassette import Prices, Tokens

TOKENS = "tokens"
#: What services wrap around a prompt: the marks of its turns, and a schema that is told in words.
_WRAPPED = 256
_FORM = re.compile(r"([0-9]+(?:\.[0-9]+)?|\.[0-9]+)\s*(.*)", re.DOTALL)
_SLACK = 1e-9
#: Of a line of the shared file: run, day, and the changes of the three sums.
_PARTS = 5


@dataclass(frozen=True, slots=True)
class Limit:
    """The budget of a run: so many tokens, or so much of the unit of the prices.

    Attributes:
        most: what may be spent.
        unit: ``tokens``, or the unit of the prices (which may be empty).
        in_tokens: whether tokens are counted, and not money.
        prices: the user's table.
    """

    most: float
    unit: str
    in_tokens: bool
    prices: Prices

    def cost(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """What so many tokens of a model take from the budget; None where its price is not known."""
        if self.in_tokens:
            return float(input_tokens + output_tokens)
        rate = self.prices.rate(model)
        return None if rate is None else rate.price(input_tokens, output_tokens)

    def shown(self, amount: float) -> str:
        """An amount for people."""
        number = f"{amount:.0f}" if self.in_tokens else f"{amount:.6g}"
        return f"{number} {self.unit}".strip()


def limit_of(budget: str, prices: Prices) -> Limit | None:
    """The budget that the setting ``judge_budget`` asks for, or None where there is none.

    Raises:
        SettingsError: it is no amount, or is in money without a table of prices.
    """
    text = budget.strip()
    if not text:
        return None
    found = _FORM.fullmatch(text)
    hint = "write an amount in the unit of judge_prices, such as 2.50, or tokens, such as 200000 tokens"
    if found is None:
        raise SettingsError(f"judge_budget = {budget!r} is no amount; {hint}")
    most, unit = float(found[1]), found[2].strip()
    if unit.casefold() in ("tokens", "token"):
        return Limit(most, TOKENS, True, prices)
    if not prices.rates:
        raise SettingsError(f"judge_budget = {budget!r} needs the table judge_prices; or {hint}")
    if unit and unit != prices.unit:
        named = f"the unit of judge_prices is {prices.unit!r}" if prices.unit else "judge_prices has no unit"
        raise SettingsError(f"judge_budget = {budget!r}: {named}; {hint}")
    return Limit(most, prices.unit, False, prices)


def most_tokens(system: str, user: str, schema: Mapping[str, Any]) -> int:
    """An upper bound of the tokens of a request."""
    # A schema may go as a parameter, and once more in words with every object closed.
    form = json.dumps(schema)
    texts = (system, user, form, form, form)
    return _WRAPPED + sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)


@dataclass(slots=True)
class _Sums:
    """What was spent, and what requests under way may take at most."""

    spent: float = 0.0
    under_way: float = 0.0
    refused: int = 0

    def add(self, entry: list[Any]) -> None:
        """Add the changes of a line."""
        self.spent += entry[2]
        self.under_way = max(0.0, self.under_way + entry[3])
        self.refused += entry[4]


@dataclass
class Ledger:
    """Keeps a run within its limit; safe for threads, and with a file for processes too.

    Args:
        limit: the budget.
        file: where the processes of a run share it; None keeps it in this one.
        run: what names the run in the file.
    """

    limit: Limit
    file: Path | None = None
    run: str = ""
    _sums: _Sums = field(default_factory=_Sums)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _read: int = 0

    def reserve(self, model: str, input_tokens: int, output_tokens: int) -> float:
        """Set aside what a request may take at most.

        Where it does not fit beside the requests under way, these are waited for, so that what is asked does
        not depend on which of them is back first.

        Returns:
            The amount, to be handed to `settle`.

        Raises:
            BudgetError: it could pass the budget; nothing is to be asked.
        """
        amount = self.limit.cost(model, input_tokens, output_tokens)
        if amount is None:
            problem = f"judge_prices has no price of {model}, so judge_budget cannot hold; it was not asked"
            raise BudgetError(problem)
        with self._changed:
            while True:
                with self._shared() as sums:
                    if sums.spent + sums.under_way + amount <= self.limit.most + _SLACK:
                        sums.under_way += amount
                        return amount
                    # Another process may be killed with its requests: nobody waits for those.
                    if self.file is not None or not sums.under_way > _SLACK:
                        sums.refused += 1
                        spent = sums.spent
                        break
                self._changed.wait()
        raise BudgetError(
            f"not asked: the budget of the run is {self.limit.shown(self.limit.most)} (judge_budget), "
            f"{self.limit.shown(spent)} are spent, and this request may take {self.limit.shown(amount)}"
        )

    def settle(self, amount: float, model: str, tokens: Tokens | None) -> None:
        """Put what a request took in place of what was set aside for it; all of that where nobody tells."""
        taken = amount
        if tokens is not None and tokens.input_tokens is not None and tokens.output_tokens is not None:
            taken = self.limit.cost(model, tokens.input_tokens, tokens.output_tokens) or 0.0
        with self._changed:
            with self._shared() as sums:
                sums.under_way = max(0.0, sums.under_way - amount)
                sums.spent += taken
            self._changed.notify_all()

    @property
    def refused(self) -> int:
        """How many requests were not asked in this run, as far as known."""
        with self._changed, self._shared() as sums:
            return sums.refused

    @contextmanager
    def _shared(self) -> Iterator[_Sums]:
        """The sums, with what other processes of the run have added; what is changed is added for them.

        The file is only ever appended to: a process that is killed in the middle leaves half a line, which
        counts for nothing, and what it had set aside stays set aside.
        """
        if self.file is None:
            yield self._sums
            return
        sums = self._sums
        try:
            with locked(self.file) as handle:
                for line in _lines(handle, self._read):
                    self._read += len(line)
                    sums.add(_entry(line, self.run))
                before = (sums.spent, sums.under_way, sums.refused)
                yield sums
                after = (sums.spent, sums.under_way, sums.refused)
                change = [now - was for now, was in zip(after, before, strict=True)]
                if any(change):
                    data = (json.dumps([self.run, _today(), *change]) + "\n").encode("utf-8")
                    data = (b"\n" if is_torn(handle) else b"") + data
                    write_all(handle, data)
                    self._read += len(data)
        except OSError as error:
            problem = f"{self.file}: cannot be written ({error.strerror or error})"
            raise BudgetError(f"not asked: judge_budget is kept there, and {problem}") from None


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def _lines(handle: int, start: int) -> list[bytes]:
    """The whole lines from a byte on."""
    os.lseek(handle, start, os.SEEK_SET)
    data = os.read(handle, max(1, os.fstat(handle).st_size - start))
    return data[: data.rfind(b"\n") + 1].splitlines(keepends=True)


def _entry(line: bytes, run: str = "") -> list[Any]:
    """Run, day and changes of a line; of another run, or of half a line, the changes are none."""
    with suppress(ValueError, UnicodeDecodeError):
        value = json.loads(line.decode("utf-8"))
        if isinstance(value, list) and len(value) == _PARTS and (not run or value[0] == run):
            return value
    return ["", "", 0.0, 0.0, 0]


def spent_file(cassette: str | os.PathLike[str]) -> Path:
    """Where processes of a run share what they spent on the judgements of a cassette."""
    path = Path(cassette)
    return path.with_name(f"{path.name}.spent")


def runs_of(cassette: str | os.PathLike[str]) -> list[str]:
    """The names of the runs that have set something aside, each once, in the order of their first line."""
    path = spent_file(cassette)
    data = path.read_bytes() if path.exists() else b""
    names = [str(_entry(line)[0]) for line in data.splitlines()]
    return [name for name in dict.fromkeys(names) if name]


def forget(cassette: str | os.PathLike[str], run: str) -> None:
    """Take a run that is over out of the shared file, and the file away with the last one."""
    path = spent_file(cassette)
    if not path.exists():
        return
    yesterday = (datetime.now(UTC).date() - timedelta(days=1)).isoformat()
    with suppress(OSError), locked(path) as handle:
        others = [_entry(line) for line in _lines(handle, 0)]
        # A run of yesterday that is still there was killed.
        if all(name in (run, "") or str(day) < yesterday for name, day, *_ in others):
            path.unlink()


def run_of_many(environ: Mapping[str, str] = os.environ) -> str:
    """What names the run that this process is one of many of, or "" where it is alone."""
    name = environ.get("PYTEST_XDIST_TESTRUNUID", "") or environ.get("GROUNDING_RUN", "")
    if name:
        return name
    from multiprocessing import parent_process

    parent: Any = parent_process()
    return f"process {parent.pid}" if parent is not None else ""
