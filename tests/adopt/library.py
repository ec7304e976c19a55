"""A made-up service that answers questions about a town library, with what it answered.

Four right answers are held back by the engine today: they calculate, or say in words of their own what the
source says. Two answers are wrong. A better engine may let a right one pass; the tests ask only that some
are held back.
"""

import json
import os
import re
import subprocess

import warm_starts
from every import table

CHUNKS = table(__file__, "CHUNKS")

#: Id, question, chunks and answer of what was recorded.
ANSWERS = table(__file__, "ANSWERS")

#: What is planted into a right answer that passes: its id, the words, and what stands there instead.
PLANTED = ("card-lost", "5 euros", "15 euros")


WRONG = frozenset({"film-length", "print-coins"})


def recordings():
    """The recorded answers as transcripts."""
    return [
        {
            "id": identifier,
            "question": question,
            "chunks": [{"id": name, "text": CHUNKS[name]} for name in names.split()],
            "answer": answer,
        }
        for identifier, question, names, answer in ANSWERS
    ]


class Library:
    """A folder with the project, and what a newcomer does in it.

    Args:
        root: an empty folder.
    """

    def __init__(self, root):
        self.root = root
        self.write(
            "pyproject.toml", '[project]\nname = "library"\nversion = "1"\n\n[tool.ruff]\nline-length = 100\n'
        )
        for row in recordings():
            self.record(row)

    def write(self, name, text):
        """Write a file of the project."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def read(self, name):
        """The text of a file of the project."""
        return (self.root / name).read_text(encoding="utf-8")

    def record(self, row):
        """Keep an answer as the recorder does: a file each."""
        self.write(f"answers/{row['id']}.transcript.json", json.dumps(row, indent=2) + "\n")

    def change(self, identifier, old, new):
        """Change words of a recorded answer."""
        name = f"answers/{identifier}.transcript.json"
        text = self.read(name)
        head, mark, answer = text.partition('"answer"')
        assert old in answer, (identifier, old)
        self.write(name, f"{head}{mark}{answer.replace(old, new)}")

    def run(self, *words, cwd=None, **environment):
        """A Python module with arguments, as the newcomer runs it."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTEST_", "VALIDATION_", "HALLUCINATION_", "GITHUB_", "COV_"))
            and name != "CI"
        }
        return subprocess.run(
            [warm_starts.python(), "-m", *words],
            cwd=cwd or self.root,
            env={**kept, "COLUMNS": "120", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", **environment},
            capture_output=True,
            text=True,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            timeout=120,
        )

    def ours(self, *words):
        """``pytest-grounding`` with arguments."""
        return self.run("pytest_grounding", *words)

    def pytest(self, *words):
        """``pytest`` with arguments."""
        return self.run("pytest", "-q", "-p", "no:cacheprovider", *words)

    def git(self, *words):
        """A command of git that must work; what it prints."""
        found = subprocess.run(
            ["git", "-c", "user.name=New", "-c", "user.email=new@example.org", *words],
            cwd=self.root,
            capture_output=True,
            text=True,
        )
        assert found.returncode == 0, found.stdout + found.stderr
        return found.stdout

    def commit(self, message):
        """Commit all that is there."""
        self.git("add", "-A")
        self.git("commit", "-qm", message)

    def files(self):
        """Every file of the project with its content, those of git aside."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and not {".git", "__pycache__"} & set(path.relative_to(self.root).parts)
        }


def failed(found):
    """The transcripts that a run of pytest names as failed."""
    return sorted(re.findall(r"^FAILED \S+::(\S+)", found.stdout, re.MULTILINE))


def green(found):
    """A run of pytest passed, and so did its gate."""
    assert found.returncode == 0, found.stdout + found.stderr
    assert "gate: PASS" in found.stdout


def red(found):
    """A run of pytest failed for the mistakes and for some right answers; the names of all."""
    names = failed(found)
    assert found.returncode == 1
    assert set(names) > WRONG
    return names


def red_by_the_planted_fault_alone(library, *words):
    """Plant one fault: red, and it alone is named; green again without it."""
    identifier, old, new = PLANTED
    library.change(identifier, old, new)
    found = library.pytest(*words)
    assert (found.returncode, failed(found)) == (1, [identifier]), found.stdout
    # Notes name what is waived or known, and give no reason for red.
    lines = found.stdout.rpartition("\ngate: FAIL")[2].partition("\n==")[0].splitlines()
    reasons = "\n".join(line for line in lines if not line.startswith("  note:"))
    assert identifier in reasons
    assert [row[0] for row in ANSWERS if row[0] != identifier and row[0] in reasons] == []
    assert new in found.stdout
    library.change(identifier, new, old)
    green(library.pytest(*words))
