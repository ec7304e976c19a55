"""Check that a change of the code leaves every verdict byte-identical.

Two copies of the project validate the same rows; only hashes of the verdicts are kept and compared, so that
locked rows can be included. The rows are the labelled answers of the data folder and what the repository has:
examples, everyday claims, hand-written cases and the answers of the benchmarks.

    python -m benchmarks.same_verdicts [--data ../shared/data] [--every 1] --write FILE
    python -m benchmarks.same_verdicts [--data ../shared/data] [--every 1] --against FILE

Exit status 1: verdicts differ; the first ones are named by file and line.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pytest_grounding import load_transcripts, support, validate

ROOT = Path(__file__).resolve().parents[1]
SHOWN = 20


def rows_of(file: Path, every: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of a file as transcripts, each named by file and line."""
    with file.open(encoding="utf-8") as stream:
        for number, line in enumerate(stream, start=1):
            if (number - 1) % every:
                continue
            row = json.loads(line)
            texts = row.get("chunks") or []
            chunks = [
                {"id": f"c{place}", "text": text} if isinstance(text, str) else text
                for place, text in enumerate(texts, start=1)
            ]
            question = (row.get("question") or "")[:2000] or "(no question)"
            given = {
                "id": f"row-{number}",
                "question": question,
                "chunks": chunks,
                "answer": row.get("answer") or "",
            }
            yield f"{file.parent.name}/{file.name}:{number}", given


def digest(text: str) -> str:
    """SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def found(data: Path, every: int) -> Iterator[tuple[str, str]]:
    """Name and hash of each verdict."""
    for file in sorted((ROOT / "examples").rglob("*.transcript*.json*")):
        for number, transcript in enumerate(load_transcripts(file)):
            yield f"{file.name}:{number}", digest(validate(transcript).to_json())
    for file in sorted((ROOT / "tests" / "scorers").glob("everyday*.txt")):
        source = ""
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            if line.startswith("= "):
                source = line[2:]
            elif line.startswith(("+ ", "- ")):
                given = {
                    "id": file.stem,
                    "question": "What is said?",
                    "chunks": [{"id": "1", "text": source}],
                }
                yield f"{file.name}:{number}", digest(validate(given | {"answer": line[2:]}).to_json())
                yield f"{file.name}:{number} alone", digest(repr(support(line[2:], [source])))
    own = [ROOT / "tests" / "verdicts", ROOT / "tests" / "text", *sorted((ROOT / "benchmarks").iterdir())]
    files = [file for folder in own if folder.is_dir() for file in sorted(folder.glob("*.jsonl"))]
    for file in (*files, *sorted(data.glob("*.jsonl"))):
        for name, given in rows_of(file, every):
            try:
                yield name, digest(validate(given).to_json())
            except Exception as error:
                yield name, digest(f"{type(error).__name__}: {error}")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--every", type=int, default=1, help="only each N-th row of a file")
    parser.add_argument("--write", type=Path, help="the file that keeps the hashes")
    parser.add_argument("--against", type=Path, help="a file of hashes to compare with")
    options = parser.parse_args()
    hashes = dict(found(options.data, options.every))
    print(f"{len(hashes)} verdicts, together {digest(json.dumps(hashes, sort_keys=True))[:16]}")
    if options.write is not None:
        options.write.write_text(json.dumps(hashes, indent=0, sort_keys=True), encoding="utf-8")
    if options.against is None:
        return 0
    kept = json.loads(options.against.read_text(encoding="utf-8"))
    other = [name for name, value in hashes.items() if kept.get(name) != value]
    for name in other[:SHOWN]:
        print(f"another verdict: {name}")
    print(f"{len(other)} of {len(hashes)} differ from {options.against.name}")
    return int(bool(other))


if __name__ == "__main__":
    raise SystemExit(main())
