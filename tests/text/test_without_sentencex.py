"""Where the splitter of sentences has no wheel: one sentence, and no other verdicts."""

import subprocess
import sys
from pathlib import Path

GIVEN = '{"id": "a", "question": "When?", "chunks": [], "answer": "At nine."}'


def without(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A process in which sentencex cannot be imported."""
    (tmp_path / "sentencex.py").write_text("raise ImportError('no such wheel')", encoding="utf-8")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from pytest_grounding.cli import main; "
    command = [sys.executable, "-c", f"{code}sys.exit(main({list(words)!r}))"]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)


def test_the_command_line_says_what_is_missing_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.transcript.json").write_text(GIVEN, encoding="utf-8")
    done = without(tmp_path, "check", "a.transcript.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "pytest-grounding: error: sentencex, which splits sentences, cannot be loaded"
    )
    assert "(no such wheel)" in done.stderr
    assert "Alpine" in done.stderr
    assert done.stderr.count("\n") == 1


def test_what_needs_no_sentences_works_all_the_same(tmp_path: Path) -> None:
    done = without(tmp_path, "show", "settings", "--json")
    assert (done.returncode, done.stderr) == (0, "")
