"""What a test writes is what runs, however fast it is written again."""

import os
import subprocess
import sys
from pathlib import Path


def test_a_process_runs_the_newer_of_two_files_of_one_second(tmp_path: Path) -> None:
    seen = []
    for value in ("30", "45"):
        (tmp_path / "value.py").write_text(f"print({value})\n")
        os.utime(tmp_path / "value.py", (1_000_000_000, 1_000_000_000))
        done = subprocess.run(
            [sys.executable, "-c", "import value"], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        seen.append(done.stdout.strip())
    assert seen == ["30", "45"]
