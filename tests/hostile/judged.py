"""Runs the hostile corpus and counts what came of it."""

from collections import Counter
from typing import NamedTuple

from cases import Case, cases

import pytest_grounding as pg


class Judged(NamedTuple):
    """A case and what came of it.

    Attributes:
        case: the case.
        status: the status of its verdict, ``refused`` where the transcript was refused with a clear error,
            ``crashed`` where anything else was raised.
        reason: the rules that found something, or the error.
    """

    case: Case
    status: str
    reason: str

    @property
    def met(self):
        """Whether what must come of the case came of it."""
        return self.status != "crashed" and (self.status == "pass") == (self.case.outcome == "passes")


class Rate(NamedTuple):
    """How many cases of a family have an outcome, and how many of them met it."""

    met: int
    cases: int

    @property
    def share(self):
        """In [0, 1]; 1.0 where there is no case."""
        return self.met / self.cases if self.cases else 1.0


def judge(case):
    """Validate a case with the settings that everybody gets."""
    try:
        verdict = pg.validate(case.transcript)
    except pg.GroundingError as error:
        return Judged(case, "refused", str(error))
    except Exception as error:  # a crash is what is counted here
        return Judged(case, "crashed", repr(error))
    rules = {finding.rule for finding in verdict.causes if finding.severity != "info"}
    return Judged(case, verdict.status, ", ".join(sorted(rules)))


def judge_all():
    """The whole corpus, judged in its order."""
    return tuple(judge(case) for case in cases())


def rate(judged, outcome, family="", kind=""):
    """Cases that must have an outcome, of a family and a kind or of all ("")."""
    met = [
        one.met
        for one in judged
        if one.case.outcome == outcome and family in ("", one.case.family) and kind in ("", one.case.kind)
    ]
    return Rate(sum(met), len(met))


def table(judged):
    """The rates by family as a table in Markdown."""
    rows = [
        "| family | cases | false caught: number | name | negation | all | harmless flagged |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    families = Counter(one.case.family for one in judged)
    for family in ("", *families):
        caught = [_shown(rate(judged, "caught", family, kind)) for kind in ("number", "name", "negation", "")]
        passed = rate(judged, "passes", family)
        flagged = _shown(Rate(passed.cases - passed.met, passed.cases))
        count = families[family] if family else len(judged)
        cells = [family or "all", f"{count:,}", *caught, flagged]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _shown(of):
    return f"{of.share:.1%}" if of.cases else "-"


def missed(judged):
    """One line a case that did not come out as it must."""
    for one in judged:
        if not one.met:
            case = one.case
            reason = f" ({one.reason})" if one.reason else ""
            where = f"{case.family} / {case.kind or '-'} / {case.name}"
            yield f"{where}: {one.status}{reason}, not {case.outcome}"
