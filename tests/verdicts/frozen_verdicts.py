"""The verdicts that are frozen: examples, everyday claims and hand-written cases, and how each came out.

    python tests/verdicts/frozen_verdicts.py

writes them anew, after a change that is meant to change verdicts.
"""

import hashlib
import json
from pathlib import Path

from pytest_grounding import load_transcripts, validate

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FILE = HERE / "frozen.json"
RENEW = "python tests/verdicts/frozen_verdicts.py"


def everyday():
    """Claims beside their sources; each is named by file and line."""
    for file in sorted((ROOT / "tests" / "scorers").glob("everyday*.txt")):
        source = ""
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            if line.startswith("= "):
                source = line[2:]
            elif line.startswith(("+ ", "- ")):
                chunk = {"id": "1", "text": source}
                row = {"id": file.stem, "question": "What is said?", "chunks": [chunk], "answer": line[2:]}
                yield f"{file.name}:{number}", row


def cases():
    """The hand-written cases, each named by its id."""
    for file in sorted(HERE.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            chunks = [{"id": str(place), "text": text} for place, text in enumerate(case["chunks"], start=1)]
            asked = {"question": case["question"] or "(no question)"}
            yield case["id"], {"id": case["id"], "answer": case["answer"], "chunks": chunks} | asked


def verdicts():
    """All of them, by name."""
    for path in sorted((ROOT / "examples").rglob("*.transcript*.json*")):
        for transcript in load_transcripts(path):
            yield f"{path.name}: {transcript.id}", validate(transcript)
    for name, row in (*everyday(), *cases()):
        yield name, validate(row)


def told(verdict):
    """A verdict in a few words, and the hash of all of it."""
    confidence = "none" if verdict.confidence is None else f"{verdict.confidence:.2f}"
    claims = ", ".join(claim.status for claim in verdict.claims) or "no claim"
    digest = hashlib.sha256(verdict.to_json().encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{verdict.status} {confidence}: {claims} ({digest})"


def main():
    """Write the file anew."""
    found = {name: told(verdict) for name, verdict in verdicts()}
    FILE.write_text(json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{len(found)} verdicts written to {FILE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
