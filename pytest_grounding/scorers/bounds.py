"""What bounds the requests of a run to its judges: the budget and the pace, one for all of them."""

from __future__ import annotations

import os
from pathlib import Path

from pytest_grounding.errors import SettingsError
from pytest_grounding.scorers.cassette import prices_of
from pytest_grounding.scorers.judge.asking import Limits, Pace, workers
from pytest_grounding.scorers.judge.budget import Ledger, limit_of, run_of_many, spent_file
from pytest_grounding.settings import Settings

_limits: dict[tuple[str, ...], Limits] = {}


def limits(settings: Settings) -> Limits:
    """What bounds the requests of this run that go to one cassette.

    Raises:
        SettingsError: the budget or the table of prices is wrong.
    """
    cassette = os.path.abspath(settings.cassette)  # noqa: PTH100 - asked for each transcript
    key = (settings.judge_budget, settings.judge_prices, str(settings.judge_per_minute), cassette)
    if key not in _limits:
        limit = limit_of(settings.judge_budget, prices_of(settings.judge_prices))
        run = run_of_many() if limit is not None else ""
        shared = spent_file(cassette) if run else None
        ledger = Ledger(limit, shared, run) if limit is not None else None
        _limits[key] = Limits(ledger, Pace(settings.judge_per_minute, workers()))
    return _limits[key]


def shared_budgets() -> list[tuple[str, str]]:
    """Cassettes beside which the processes of this run share a budget, each with the run's name."""
    ledgers = [(key[-1], bounds.ledger) for key, bounds in _limits.items()]
    return [(cassette, ledger.run) for cassette, ledger in ledgers if ledger is not None and ledger.file]


def prompt_of(settings: Settings) -> str:
    """The system prompt of the user's own for questions on support, or "".

    Raises:
        SettingsError: its file cannot be read, or holds nothing.
    """
    path = settings.judge_prompt
    if not path:
        return ""
    hint = "name a text file with what the judge is told to do, or leave judge_prompt empty"
    try:
        text = Path(path).read_text(encoding="utf-8-sig").strip()
    except UnicodeDecodeError:
        raise SettingsError(f"judge_prompt = {path!r} is not UTF-8 text; {hint}") from None
    except OSError as error:
        raise SettingsError(f"judge_prompt = {path!r} cannot be read ({error.strerror}); {hint}") from None
    if not text:
        raise SettingsError(f"judge_prompt = {path!r} is empty; {hint}")
    return text


def reset() -> None:
    """Forget what was spent: the next run begins anew."""
    _limits.clear()
