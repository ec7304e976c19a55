"""Measure advice: how often supported claims get a suggestion, and whether it fixes a planted fault.

    python -m benchmarks.advice [--data ../shared/data]

*Locked* rows are left out. For comparison it prints how often a claim conflicts with a source, because each
conflict used to make a suggestion.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.roles import role_of
from benchmarks.verdicts.outcomes import rows_of
from pytest_grounding import Transcript, Verdict, validate
from pytest_grounding.mutation.faults import FAULTS
from pytest_grounding.mutation.mutate_files import dice
from pytest_grounding.mutation.site import sites_of
from pytest_grounding.reading.facts import extract_facts

SETS = ("ragtruth_qa", "begin_dev", "attribution_dev", "wice_dev", "faithbench")
PLANTED = ("new_number", "swapped_number", "unit", "date", "new_entity", "swapped_entity")
#: Faults are planted into the first claims of every so many answers: all of them would take minutes.
_EVERY, _CLAIMS = 3, 3


def answers(data: Path) -> Iterator[tuple[str, dict[str, Any], Transcript]]:
    """The rows that may be read, each with the name of its set."""
    for name in SETS:
        for number, row in rows_of(data / f"{name}.jsonl"):
            if role_of(name, row["group"], number) == "locked":
                continue
            chunks = [{"id": f"c{place}", "text": text} for place, text in enumerate(row["chunks"], start=1)]
            question = row["question"][:2000].strip() or "(no question)"
            given = {
                "id": f"{name}-{number}",
                "question": question,
                "chunks": chunks,
                "answer": row["answer"],
            }
            yield name, row, Transcript.model_validate(given)


def edits_of(verdict: Verdict, claim: int) -> list[dict[str, Any]]:
    """The suggestion for a claim."""
    return [
        cause.details["edit"] for cause in verdict.causes if cause.claim == claim and "edit" in cause.details
    ]


def count_claims(row: dict[str, Any], verdict: Verdict, counts: Counter[tuple[bool, str]]) -> None:
    """Claims by label, those with a conflict, and those with a suggestion."""
    for claim in verdict.claims:
        labels = [
            item["supported"]
            for item in row["claims"]
            if item["start"] < claim.end and claim.start < item["end"]
        ]
        if not claim.checked or not labels or None in labels:
            continue
        right = all(labels)
        counts[right, "claims"] += 1
        counts[right, "conflict"] += any(item.evidence_text for item in claim.conflicts)
        counts[right, "offered"] += bool(edits_of(verdict, claim.index))


def values(text: str) -> list[str]:
    return [fact.key for fact in extract_facts(text)]


def count_planted(transcript: Transcript, verdict: Verdict, counts: Counter[tuple[str, str]]) -> None:
    """Planted value faults: contradicted, with a suggestion, and fixed by it."""
    for place in [site for site in sites_of(transcript, verdict) if site.claim.status == "supported"][
        :_CLAIMS
    ]:
        for fault in FAULTS:
            made = fault.plant(place, dice(0, fault.name, transcript.id, place.claim.index))
            if fault.name not in PLANTED or made is None:
                continue
            after = validate(made.transcript)
            near = [c for c in after.claims if c.start < made.claim_span[1] and made.claim_span[0] < c.end]
            offered = [edit for claim in near for edit in edits_of(after, claim.index)]
            counts[fault.name, "planted"] += 1
            counts[fault.name, "contradicted"] += any(claim.status == "contradicted" for claim in near)
            counts[fault.name, "offered"] += bool(offered)
            if offered:
                answer, edit = made.transcript.answer, offered[0]
                mended = answer[: edit["start"]] + edit["text"] + answer[edit["end"] :]
                counts[fault.name, "restored"] += values(mended) == values(transcript.answer)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.advice", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments = parser.parse_args()
    claims: dict[str, Counter[tuple[bool, str]]] = {name: Counter() for name in SETS}
    planted: Counter[tuple[str, str]] = Counter()
    for number, (name, row, transcript) in enumerate(answers(arguments.data)):
        verdict = validate(transcript)
        count_claims(row, verdict, claims[name])
        if number % _EVERY == 0:
            count_planted(transcript, verdict, planted)
    print("set              label    claims  with a conflict  words offered")
    for name, counts in claims.items():
        for right in (True, False):
            shown = [counts[right, what] for what in ("claims", "conflict", "offered")]
            print(f"{name:<16} {'right' if right else 'wrong':<6} {shown[0]:8} {shown[1]:16} {shown[2]:14}")
    print("\nfault            planted  contradicted  words offered  value restored")
    for fault in PLANTED:
        shown = [planted[fault, what] for what in ("planted", "contradicted", "offered", "restored")]
        print(f"{fault:<16} {shown[0]:7} {shown[1]:13} {shown[2]:14} {shown[3]:15}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
