"""Plant, validate, count."""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from pytest_grounding.engine import ENGINE_VERSION, validate
from pytest_grounding.engine.road import language_of
from pytest_grounding.errors import InputError
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.mutation.faults import FAULTS, Fault
from pytest_grounding.mutation.naming import is_worse, named_by, touched_claims
from pytest_grounding.mutation.report import FaultResult, Interval, MutationReport, Rate, Survivor, Untouched
from pytest_grounding.mutation.site import Mutant, Site, sites_of
from pytest_grounding.settings import Settings

Progress = Callable[[str, int, int], None]

DEFAULT_LIMIT = 100
#: A claim with fewer words is a table's cell or a stray number: nothing in it could be turned into a lie.
_LEAST_WORDS = 3
_WORD = re.compile(r"[^\W\d_]{2,}")
_REJECTED = ("unsupported", "contradicted", "abstained")


def mutate(
    transcripts: Sequence[Transcript],
    settings: Settings,
    *,
    interval: Interval,
    seed: int = 0,
    limit: int = DEFAULT_LIMIT,
    faults: Sequence[Fault] = FAULTS,
    left_out: Sequence[str] = (),
    progress: Progress | None = None,
) -> MutationReport:
    """Plant known faults into supported claims, one at a time, and see which ones the gate names."""
    verdicts = _validated(transcripts, settings, progress)
    sites = _sites(transcripts, verdicts)
    if not sites:
        raise InputError(
            "nothing to mutate: no transcript has a supported claim",
            hint="look at the verdicts: pytest-grounding check",
        )
    results = []
    for number, fault in enumerate(faults):
        if progress is not None:
            progress(f"planting {fault.name}", number, len(faults))
        results.append(_plant_all(fault, sites, settings, seed, limit, interval))
    planted = sum(item.caught.total for item in results)
    if not planted:
        raise InputError(
            f"nothing to mutate: no place for {', '.join(fault.name for fault in faults)}",
            hint="choose other faults or other transcripts",
        )
    return MutationReport(
        seed=seed,
        limit=limit,
        settings_hash=settings.fingerprint,
        engine_version=ENGINE_VERSION,
        supported_claims=len(sites),
        left_out=tuple(left_out),
        untouched=_untouched(verdicts, interval),
        overall=Rate.of(sum(item.caught.count for item in results), planted, interval),
        faults=tuple(results),
    )


def dice(seed: int, fault: str, transcript: str, claim: int) -> random.Random:
    """The dice of one place, the same in every process and whatever other transcripts there are."""
    return random.Random(_digest("dice", seed, fault, transcript, claim))  # noqa: S311 - dice, no secret


def _digest(*parts: object) -> int:
    text = "\x1f".join(map(str, parts))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def _validated(
    transcripts: Sequence[Transcript], settings: Settings, progress: Progress | None
) -> list[Verdict]:
    verdicts = []
    for number, transcript in enumerate(transcripts):
        if progress is not None:
            progress("validating untouched", number, len(transcripts))
        verdicts.append(validate(transcript, settings))
    return verdicts


def _sites(transcripts: Sequence[Transcript], verdicts: Sequence[Verdict]) -> list[Site]:
    """Every supported claim of every transcript."""
    return [
        site
        for transcript, verdict in zip(transcripts, verdicts, strict=True)
        for site in sites_of(transcript, verdict)
        if site.claim.checked
        and site.claim.status == "supported"
        and len(_WORD.findall(site.text)) >= _LEAST_WORDS
    ]


def _plant_all(
    fault: Fault, sites: Sequence[Site], settings: Settings, seed: int, limit: int, interval: Interval
) -> FaultResult:
    planted = worse = could_be_worse = 0
    means: Counter[str] = Counter()
    survivors: list[Survivor] = []
    for site in _ranked(fault, sites, seed):
        if planted == limit:
            break
        mutant = plant(fault, site, settings, seed)
        if mutant is None:
            continue
        planted += 1
        after = validate(mutant.transcript, settings)
        could_be_worse += site.verdict.status != "reject"
        worse += is_worse(site.verdict, after)
        named = named_by(site.verdict, after, mutant)
        if named is None:
            survivors.append(_survivor(site, mutant, after))
        else:
            means[named] += 1
    return FaultResult(
        fault=fault.name,
        about=fault.about,
        caught=Rate.of(planted - len(survivors), planted, interval),
        named_by=dict(sorted(means.items())),
        gate_worse=Rate.of(worse, could_be_worse, interval),
        survivors=tuple(sorted(survivors, key=lambda item: (item.transcript, item.claim))),
    )


def _ranked(fault: Fault, sites: Sequence[Site], seed: int) -> list[Site]:
    """Places in the order in which a fault tries them."""
    # A place's rank hangs on itself alone, so a limit takes places from all over the transcripts.
    return sorted(
        sites,
        key=lambda site: (
            _digest("place", seed, fault.name, site.transcript.id, site.claim.index),
            site.claim.index,
        ),
    )


def plant(fault: Fault, site: Site, settings: Settings, seed: int) -> Mutant | None:
    """One mutant of one place, or None where the fault has no place there."""
    if fault.is_english and not language_of(site.transcript, settings).lower().startswith("en"):
        return None
    return fault.plant(site, dice(seed, fault.name, site.transcript.id, site.claim.index))


def _survivor(site: Site, mutant: Mutant, after: Verdict) -> Survivor:
    claims = touched_claims(after, mutant)
    weakest = min(claims, key=lambda claim: 1.0 if claim.support is None else claim.support, default=None)
    return Survivor(
        transcript=site.transcript.id,
        claim=site.claim.index,
        change=mutant.change,
        before=mutant.before,
        after=mutant.after,
        status="" if weakest is None else weakest.status,
        support=None if weakest is None else weakest.support,
        gate=after.status,
    )


def _untouched(verdicts: Sequence[Verdict], interval: Interval) -> Untouched:
    not_passed = tuple(verdict.id for verdict in verdicts if verdict.status != "pass")
    checked = [claim for verdict in verdicts for claim in verdict.claims if claim.checked]
    rejected = sum(claim.status in _REJECTED for claim in checked)
    return Untouched(
        transcripts=Rate.of(len(not_passed), len(verdicts), interval),
        claims=Rate.of(rejected, len(checked), interval),
        not_passed=not_passed,
    )


def places(
    transcripts: Sequence[Transcript], verdicts: Sequence[Verdict], settings: Settings, *, limit: int
) -> Iterator[tuple[Site, Mutant]]:
    """Faults of all kinds in supported claims."""
    sites = _sites(transcripts, verdicts)
    for fault in FAULTS:
        planted = 0
        for site in _ranked(fault, sites, 0):
            mutant = plant(fault, site, settings, 0) if planted < limit else None
            if mutant is not None:
                planted += 1
                yield site, mutant
