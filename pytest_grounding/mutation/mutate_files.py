"""Plant faults, validate, and report what the gate misses."""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Literal

from pytest_grounding._io.jsonio import canonical_document
from pytest_grounding._io.wording import wilson
from pytest_grounding.engine.pipeline import ENGINE_VERSION, language_of
from pytest_grounding.engine.validation import validate
from pytest_grounding.errors import InputError
from pytest_grounding.model.base import Model
from pytest_grounding.model.transcript import EXPECTED_STATUS, Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.mutation.faults import FAULTS, Fault
from pytest_grounding.mutation.site import REJECTED, Mutant, Site, named_by, sites_of, touched_claims
from pytest_grounding.settings import Settings

DEFAULT_LIMIT = 100
MOST_MODES = 10
Planted = Iterator[tuple[Site, Mutant]]
_LEAST_WORDS = 3  # a claim with fewer words is a table cell or a single number: no change could make it false
_WORD = re.compile(r"[^\W\d_]{2,}")


class Rate(Model):
    """A share with its 95 % interval."""

    count: int
    total: int
    rate: float | None
    low: float | None = None
    high: float | None = None

    @property
    def figures(self) -> tuple[str, str, str]:
        """The count and the total as in "3/4", the share, and its interval."""
        words = f"{self.count}/{self.total}"
        if not self.total:
            return words, "-", "-"
        return words, f"{self.rate:.3f}", f"{self.low:.3f} to {self.high:.3f}"

    @property
    def in_words(self) -> str:
        """The same as one text."""
        words, share, interval = self.figures
        return f"{words} ({share}, 95 % interval {interval})" if self.total else "nothing to measure"

    @classmethod
    def of(cls, count: int, total: int) -> Rate:
        """The share of ``count`` in ``total``, rounded to 6 digits."""
        ends = wilson(count, total)
        if ends is None:
            return cls(count=count, total=total, rate=None)
        low, high = (round(end, 6) for end in ends)
        return cls(count=count, total=total, rate=round(count / total, 6), low=low, high=high)


class Survivor(Model):
    """A mutant whose fault is not named in its verdict."""

    transcript: str
    claim: int
    change: str
    before: str
    after: str
    status: str
    support: float | None
    gate: str


class FaultResult(Model):
    """The results for one kind of fault over all transcripts."""

    fault: str
    about: str
    caught: Rate
    named_by: Mapping[str, int]
    survivors: tuple[Survivor, ...]


class Untouched(Model):
    """The results for the transcripts as recorded."""

    transcripts: Rate
    claims: Rate
    not_passed: tuple[str, ...] = ()


class Minimum(Model):
    """A minimum catch rate."""

    fault: str
    wanted: float
    rate: float | None
    reached: bool


class MutationReport(Model):
    """The report of a run."""

    schema_version: Literal[1] = 1
    seed: int
    limit: int
    settings_hash: str
    engine_version: str
    supported_claims: int
    left_out: tuple[str, ...] = ()
    untouched: Untouched
    overall: Rate
    faults: tuple[FaultResult, ...]
    minimums: tuple[Minimum, ...] = ()
    status: Literal["pass", "fail", "none"] = "none"

    def to_json(self) -> str:
        """The report as a canonical document: equal input gives equal bytes."""
        return canonical_document(self.model_dump(mode="json"))

    def decided(self, wanted: Sequence[tuple[str, float]]) -> MutationReport:
        """The report with minimum catch rates, and whether they were reached."""
        rates = {item.fault: item.caught.rate for item in self.faults} | {"": self.overall.rate}
        minimums = []
        for fault, least in wanted:
            rate = rates.get(fault)
            is_reached = rate is not None and rate >= least
            minimums.append(Minimum(fault=fault, wanted=least, rate=rate, reached=is_reached))
        if not minimums:
            return self
        status = "pass" if all(item.reached for item in minimums) else "fail"
        return self.model_copy(update={"minimums": tuple(minimums), "status": status})


def mutate(
    transcripts: Sequence[Transcript],
    settings: Settings,
    *,
    seed: int = 0,
    limit: int = DEFAULT_LIMIT,
    faults: Sequence[Fault] = FAULTS,
    left_out: Sequence[str] = (),
) -> MutationReport:
    """Plant known faults into supported claims, one at a time, and report which ones the gate names."""
    verdicts = [validate(transcript, settings) for transcript in transcripts]
    sites = supported_sites(transcripts, verdicts)
    if not sites:
        problem = "nothing to mutate: no transcript has a supported claim"
        raise InputError(problem, hint="look at the verdicts: pytest-grounding check")
    results = [_plant_all(fault, sites, settings, seed, limit) for fault in faults]
    planted = sum(item.caught.total for item in results)
    if not planted:
        problem = f"nothing to mutate: no place for {', '.join(fault.name for fault in faults)}"
        raise InputError(problem, hint="choose other faults or other transcripts")
    not_passed = tuple(verdict.id for verdict in verdicts if verdict.status != "pass")
    checked = [claim.status for verdict in verdicts for claim in verdict.claims if claim.checked]
    return MutationReport(
        seed=seed,
        limit=limit,
        settings_hash=settings.fingerprint,
        engine_version=ENGINE_VERSION,
        supported_claims=len(sites),
        left_out=tuple(left_out),
        untouched=Untouched(
            transcripts=Rate.of(len(not_passed), len(verdicts)),
            claims=Rate.of(sum(status in REJECTED for status in checked), len(checked)),
            not_passed=not_passed,
        ),
        overall=Rate.of(sum(item.caught.count for item in results), planted),
        faults=tuple(results),
    )


def dice(seed: int, fault: str, transcript: str, claim: int) -> random.Random:
    """The random generator of one place, equal in every process and independent of other transcripts."""
    return random.Random(_digest("dice", seed, fault, transcript, claim))  # noqa: S311 - dice, no secret


def _digest(*parts: object) -> int:
    text = "\x1f".join(map(str, parts))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def supported_sites(transcripts: Sequence[Transcript], verdicts: Sequence[Verdict]) -> list[Site]:
    """Every supported claim that is long enough to be made false."""
    pairs = zip(transcripts, verdicts, strict=True)
    sites = [site for transcript, verdict in pairs for site in sites_of(transcript, verdict)]
    supported = [site for site in sites if site.claim.checked and site.claim.status == "supported"]
    return [site for site in supported if len(_WORD.findall(site.text)) >= _LEAST_WORDS]


def _plant_all(fault: Fault, sites: Sequence[Site], settings: Settings, seed: int, limit: int) -> FaultResult:
    means: Counter[str] = Counter()
    survivors: list[Survivor] = []
    for site, mutant in mutants_of(fault, sites, settings, seed, limit):
        after = validate(mutant.transcript, settings)
        named = named_by(site.verdict, after, mutant)
        if named is not None:
            means[named] += 1
            continue
        claims = touched_claims(after, mutant)
        weakest = min(claims, key=lambda claim: 1.0 if claim.support is None else claim.support, default=None)
        survivor = Survivor(
            transcript=site.transcript.id,
            claim=site.claim.index,
            change=mutant.change,
            before=mutant.before,
            after=mutant.after,
            status="" if weakest is None else weakest.status,
            support=None if weakest is None else weakest.support,
            gate=after.status,
        )
        survivors.append(survivor)
    return FaultResult(
        fault=fault.name,
        about=fault.about,
        caught=Rate.of(means.total(), means.total() + len(survivors)),
        named_by=dict(sorted(means.items())),
        survivors=tuple(sorted(survivors, key=lambda item: (item.transcript, item.claim))),
    )


def mutants_of(fault: Fault, sites: Sequence[Site], settings: Settings, seed: int, limit: int) -> Planted:
    """The mutants of one fault, up to a limit."""

    def rank(site: Site) -> tuple[int, int]:
        # A place's rank depends on it alone, so a limit selects places from all transcripts.
        return _digest("place", seed, fault.name, site.transcript.id, site.claim.index), site.claim.index

    planted = 0
    for site in sorted(sites, key=rank):
        if planted == limit:
            return
        if fault.is_english and not language_of(site.transcript, settings).lower().startswith("en"):
            continue
        mutant = fault.plant(site, dice(seed, fault.name, site.transcript.id, site.claim.index))
        if mutant is not None:
            planted += 1
            yield site, mutant


def failure_modes(
    transcripts: Sequence[Transcript], settings: Settings, faults: Sequence[Fault], seed: int, limit: int
) -> list[Transcript]:
    """Mutants that the gate rejects, each with another kind of fault, as recordings that must be rejected."""
    sites = supported_sites(transcripts, [validate(item, settings) for item in transcripts])
    found: list[Transcript] = []
    for fault in faults:
        tried = (mutant.transcript for _, mutant in mutants_of(fault, sites, settings, seed, limit))
        rejected = (made for made in tried if validate(made, settings).status == "reject")
        if len(found) < MOST_MODES and (made := next(rejected, None)) is not None:
            metadata = {**made.metadata, EXPECTED_STATUS: "reject"}
            found.append(made.model_copy(update={"id": f"{made.id}-{fault.name}", "metadata": metadata}))
    return found


def places(
    transcripts: Sequence[Transcript], verdicts: Sequence[Verdict], settings: Settings, *, limit: int
) -> Planted:
    """Faults of all kinds in supported claims."""
    sites = supported_sites(transcripts, verdicts)
    return chain.from_iterable(mutants_of(fault, sites, settings, 0, limit) for fault in FAULTS)
