"""Run the three examples one after the other and say what is seen. Started by ``make demo``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent

STEPS = [
    (
        "docs_assistant",
        "A small RAG program over this project's documentation, with its recorded answers and their tests.",
        0,
    ),
    (
        "no_code",
        "Recorded answers from six fields of work, and not one line of Python: the files are the tests.",
        0,
    ),
    (
        "failing",
        "Seven answers with one planted fault each. Every one of them MUST fail: read what is said of each.",
        1,
    ),
]


def heading(text: str) -> None:
    print(f"\n\033[1m{text}\033[0m" if sys.stdout.isatty() else f"\n## {text}", flush=True)


def main() -> int:
    outcomes = []
    for number, (folder, what, expected) in enumerate(STEPS, start=1):
        heading(f"{number}. examples/{folder}")
        print(what)
        words = ["-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", "."]
        print(f"$ cd examples/{folder} && pytest\n", flush=True)
        status = subprocess.run([sys.executable, *words], cwd=HERE / folder).returncode
        outcomes.append((folder, expected, status))

    heading("What you have seen")
    for folder, expected, status in outcomes:
        wanted = "every answer is grounded" if expected == 0 else "every planted fault was found"
        result = wanted if status == expected else "NOT AS EXPECTED"
        print(f"  examples/{folder:<16} pytest exit status {status} (expected {expected}): {result}")
    print(
        "\nThe first two suites would let a build pass, the third one stops it. Each failure above names\n"
        "the claim, what is wrong with it, the nearest evidence with its chunk, and what to do.\n"
        "Your turn: put a transcript file beside your tests (docs/transcripts.md) and run pytest."
    )
    return 0 if all(status == expected for _, expected, status in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
