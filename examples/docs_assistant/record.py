"""Ask every question of ``questions.txt`` and record the exchanges as transcripts.

Run it when the assistant or the documentation has changed, and review the difference like any other.
"""

from __future__ import annotations

import json
from pathlib import Path

from assistant import Assistant

HERE = Path(__file__).resolve().parent


def main() -> None:
    assistant = Assistant()
    questions = (HERE / "questions.txt").read_text(encoding="utf-8").splitlines()
    lines = [
        json.dumps(assistant.ask(question), ensure_ascii=False, sort_keys=True) for question in questions
    ]
    target = HERE / "transcripts" / "docs.jsonl"
    target.parent.mkdir(exist_ok=True)
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"recorded {len(lines)} transcripts in {target.relative_to(HERE)}")


if __name__ == "__main__":
    main()
