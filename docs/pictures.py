"""Make the pictures of the pages anew, from the examples, in a Chromium without a window.

python docs/pictures.py
"""

from __future__ import annotations

import contextlib
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.pages import browser  # noqa: E402
from pytest_grounding.cli import main as command  # noqa: E402

IMAGES = ROOT / "docs" / "images"
#: Shows the evidence of the worst claim of the transcript that is open.
_OPEN = """
const done = arguments[0], row = document.querySelector('#rows > details:not([hidden])')
row.open = true
row.addEventListener('toggle', () => {
  row.querySelector('.answer .c-contradicted').click()
  requestAnimationFrame(() => setTimeout(done))
})
"""


def report(folder: Path) -> None:
    """The report of the examples, held against a baseline in which one of the wrong ones was right."""
    suite = folder / "suite"
    suite.mkdir()
    for name in ("failing", "no_code"):
        for file in sorted((ROOT / "examples" / name).glob("*.json*")):
            (suite / file.name).write_bytes(file.read_bytes())
    with contextlib.chdir(folder):
        command(["baseline", "baseline.json", "suite"])
        leave = suite / "hr_parental_leave.transcript.json"
        text = leave.read_text(encoding="utf-8")
        before, answer, after = text.partition('"answer"')
        leave.write_text(f"{before}{answer}{after.replace('16 weeks', '26 weeks')}", encoding="utf-8")
        command(["check", "suite", "--quiet", "--baseline", "baseline.json", "--report", "html:report.html"])
    with browser("1180,1300") as driver:
        driver.get((folder / "report.html").as_uri())
        driver.execute_async_script(_OPEN)
        driver.save_screenshot(str(IMAGES / "report.png"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        report(Path(name))
