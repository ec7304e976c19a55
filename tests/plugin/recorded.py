"""Transcripts that the tests of the pytest layer write to files."""

import json

CHUNK = {"id": "hr-1", "text": "Employees receive 25 vacation days per year.", "score": 0.9}
QUESTION = "How many vacation days do employees receive per year?"


def good(identifier="good", **more):
    answer = "Employees receive 25 vacation days per year [1]."
    second = {"id": "hr-2", "text": "All employees receive 25 days of paid vacation each year.", "score": 0.8}
    return {"id": identifier, "question": QUESTION, "chunks": [CHUNK, second], "answer": answer, **more}


def low(identifier):
    """Passes its own test where fail_on is reject, and is not confident."""
    return good(
        identifier, answer="Employees receive 25 vacation days per year. The office is painted purple."
    )


def bad(identifier="bad", **more):
    """An invented claim that cites a chunk that was never retrieved."""
    answer = "The cafeteria serves grilled octopus on every Monday [7]."
    return {"id": identifier, "question": QUESTION, "chunks": [CHUNK], "answer": answer, **more}


def write(folder, name, *rows):
    """Write one document, or one row a line where the name ends in .jsonl; text goes as it is."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def section(result):
    """The lines of the summary section of a run."""
    lines = result.stdout.lines
    starts = [number for number, line in enumerate(lines) if line.strip("=").strip() == "grounding"]
    assert len(starts) == 1, result.stdout.str()
    end = next(n for n in range(starts[0] + 1, len(lines)) if lines[n].startswith("===="))
    return lines[starts[0] + 1 : end]
