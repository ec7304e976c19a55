"""How often the cause of an unsupported claim is right, on a corpus of 2,000 sections.

    python -m benchmarks.root_causes [--show]

The corpus has a section for each row of ``own/root_causes.jsonl`` among random ones from a fixed seed. Rows
that were seen and *locked* rows are printed side by side.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest_grounding as pg
from benchmarks.labelled import rows_of

SECTIONS = 2000
_PLACES = "library pool archive canteen workshop museum station clinic garden theatre school harbour".split()
_THINGS = (
    "ticket locker card permit form course tool parcel bicycle camera boat instrument key manual".split()
)
_SAYS = (
    "A {thing} costs €{n} and is paid at the desk.",
    "The {place} opens at {h} o'clock and closes {m} hours later.",
    "Each {thing} is checked every {m} months by the staff of the {place}.",
    "Members may keep a {thing} for {n} days.",
    "The {thing} of the {place} weighs {m} kilograms.",
    "A lost {thing} is reported to the {place} within {m} days.",
    "Questions about the {thing} are answered in room {n}.",
)


def filler(number: int) -> str:
    """A made-up section, always the same for a number."""
    draw = random.Random(number)
    place, thing = draw.choice(_PLACES), draw.choice(_THINGS)
    says = draw.sample(_SAYS, 3)
    words = [
        say.format(
            place=place, thing=thing, n=draw.randint(12, 99), h=draw.randint(6, 11), m=draw.randint(2, 9)
        )
        for say in says
    ]
    return f"## {thing.capitalize()} {number} of the {place}\n\n{' '.join(words)}"


def write_corpus(folder: Path, rows: list[dict[str, Any]]) -> None:
    """A folder of 50 Markdown files with the sections of the rows among made-up ones."""
    sections = [row["section"] for row in rows]
    sections += [filler(number) for number in range(SECTIONS - len(sections))]
    random.Random(38).shuffle(sections)
    for number in range(50):
        part = sections[number::50]
        (folder / f"part{number:02}.md").write_text("\n\n".join(part) + "\n", encoding="utf-8")


def transcript_of(row: dict[str, Any], corpus: Path) -> dict[str, Any]:
    """The row as a recording in which the retriever returned other sections, or half of the right one."""
    texts = [row["retrieved"]] if "retrieved" in row else []
    texts += [filler(hash_of(row["id"], number)) for number in range(4 - len(texts))]
    made = {
        "id": row["id"],
        "question": row["question"],
        "answer": row["answer"],
        "chunks": [{"id": f"c{number}", "text": text} for number, text in enumerate(texts, start=1)],
    }
    if row["cause"] == "ranked_too_low":
        made["metadata"] = {"candidates": [*texts_as(texts), {"id": "c9", "text": row["section"]}]}
    return made


def texts_as(texts: list[str]) -> list[dict[str, str]]:
    """Chunks as entries of a list of candidates."""
    return [{"id": f"c{number}", "text": text} for number, text in enumerate(texts, start=1)]


def hash_of(name: str, number: int) -> int:
    """The number of a made-up section for a row."""
    return sum(map(ord, name)) * 7 % 1500 + number


def cause_of(verdict: pg.Verdict) -> str:
    """The cause in the verdict, or ""."""
    for finding in verdict.findings:
        for part in finding.parts:
            if "cause" in part.details:
                return str(part.details["cause"]["kind"])
    return ""


def main() -> None:
    """Print how many causes of each kind are right, seen and locked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="print the seen rows that are told wrongly")
    args = parser.parse_args()
    rows = list(rows_of("root_causes"))
    right: Counter[tuple[str, bool]] = Counter()
    total: Counter[tuple[str, bool]] = Counter()
    with tempfile.TemporaryDirectory() as name:
        write_corpus(Path(name), rows)
        for row in rows:
            is_seen = row["role"] != "locked"
            verdict = pg.validate(transcript_of(row, Path(name)), settings={"corpus": name})
            told = cause_of(verdict)
            total[row["cause"], is_seen] += 1
            right[row["cause"], is_seen] += told == row["cause"]
            if args.show and is_seen and told != row["cause"]:
                print(row["id"], row["cause"], "told as", told or "nothing", "|", row["answer"])
    for cause in dict.fromkeys(row["cause"] for row in rows):
        seen, locked = (f"{right[cause, part]} of {total[cause, part]}" for part in (True, False))
        print(f"{cause}: seen {seen}, locked {locked}")
    print(f"all: {sum(right.values())} of {sum(total.values())}")


if __name__ == "__main__":
    main()
