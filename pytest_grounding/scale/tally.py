"""What the verdicts of a part add to its result: integers alone, so that any order gives the same sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from pytest_grounding.baseline import tally as suite
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.scale.result import PartResult, Table
from pytest_grounding.settings import Settings


class Tally:
    """Running sums over the verdicts of a part.

    Args:
        settings: the settings of the suite, which say what counts as confident.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._found = suite.Tally()

    def add(self, verdict: Verdict, *, failed: bool = False) -> None:
        """Count a verdict that counts for the suite's figures; ``failed``: it fails on its own."""
        self._found.add(verdict, self._settings, failed=failed)

    def count(self, name: str, number: int = 1) -> None:
        """Add to one of the counts; ``table.key`` is one of a table."""
        self._found.counts[name] += number

    @property
    def counts(self) -> Table:
        """The sums by name."""
        found = self._found.counts
        return {name: found[name] for name in sorted(found) if found[name] and "." not in name}

    @property
    def tables(self) -> Mapping[str, Table]:
        """The tables by name: what the sums ``name.key`` are."""
        prefixes = sorted({name.partition(".")[0] for name in self._found.counts if "." in name})
        tables = {prefix: self._found.with_prefix(prefix) for prefix in prefixes}
        return {prefix: table for prefix, table in tables.items() if table}

    @property
    def firsts(self) -> Mapping[str, tuple[tuple[str, ...], ...]]:
        """The first few of what messages name, see `pytest_grounding.baseline.tally.Tally`."""
        return {name: tuple(items) for name, items in sorted(self._found.firsts.items())}

    @property
    def lasts(self) -> Mapping[str, tuple[str, ...]]:
        """The last one of what messages name."""
        return dict(sorted(self._found.lasts.items()))


def tally_of(result: PartResult) -> suite.Tally:
    """What the verdicts of a part add up to, to be merged with those of other parts."""
    counts = Counter(result.counts)
    for prefix, table in result.tables.items():
        counts.update({f"{prefix}.{name}": number for name, number in table.items()})
    firsts = {name: [tuple(item) for item in items] for name, items in result.firsts.items()}
    return suite.Tally(counts, firsts, dict(result.lasts))
