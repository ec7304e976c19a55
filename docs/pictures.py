"""Make the pictures of README and pages anew, from what the commands print and write now.

python docs/pictures.py            all; those of pages need Chromium and its driver
python docs/pictures.py terminal   only those of a terminal, which need nothing
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

import terminal  # noqa: E402

IMAGES = ROOT / "docs" / "images"
#: File of README -> its fenced block.
_FILE = re.compile(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", re.DOTALL)
_SCROLL = "document.querySelector('#rows > details[open]').scrollIntoView({behavior: 'instant'})"
_TELEPHONE = {"width": 400, "height": 900, "deviceScaleFactor": 1, "mobile": True}
#: Shows the evidence of the worst claim of the transcript that is open.
_OPEN = """
const done = arguments[0], row = document.querySelector('#rows > details:not([hidden])')
row.open = true
row.addEventListener('toggle', () => {
  row.querySelector('.answer .c-contradicted').click()
  requestAnimationFrame(() => setTimeout(done))
})
"""


def _printed(command: str, folder: Path) -> str:
    """What a command prints in a terminal of 100 columns, with colours."""
    program = Path(sys.executable).parent
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("CI", "BUILD_NUMBER", "NO_COLOR") and not name.startswith(("PYTEST_", "COV_"))
    }
    kept |= {"COLUMNS": "100", "PYTHONIOENCODING": "utf-8", "PYTHONHASHSEED": "0", "FORCE_COLOR": "1"}
    kept["PATH"] = f"{program}{os.pathsep}{kept.get('PATH', '')}"
    done = subprocess.run(  # noqa: S603 - the commands stand below
        command.split(),
        cwd=folder,
        env=kept,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    return done.stdout


def _lines(text: str, first: str, last: str) -> str:
    """The lines from the first that holds one text to the next that holds another."""
    lines = text.split("\n")
    begin = next(number for number, line in enumerate(lines) if first in terminal.plain(line))
    end = next(number for number in range(begin, len(lines)) if last in terminal.plain(lines[number]))
    return "\n".join(lines[begin : end + 1])


def first_test(folder: Path) -> str:
    """README's first test: its failure and the gate, without the table between them."""
    for name, text in _FILE.findall((ROOT / "README.md").read_text(encoding="utf-8")):
        (folder / name).write_text(text, encoding="utf-8")
    found = _printed("pytest -q --color=yes -p no:cacheprovider test_refunds.py", folder)
    failure = _lines(found, "def test_refunds", "test_refunds.py:")
    gate = _lines(found, "gate: FAIL", "1 transcript failed")
    return f"$ pytest -q test_refunds.py\n...\n{failure}\n...\n{gate}\n"


def check(folder: Path) -> str:
    """`check` on one of the wrong examples."""
    name = "changed_number.transcript.json"
    shutil.copy(ROOT / "examples" / "failing" / name, folder)
    return f"$ pytest-grounding check {name}\n" + _printed(f"pytest-grounding check {name}", folder)


#: Picture -> what it shows, and who makes its text.
TERMINAL = {
    "first-test.svg": (
        "pytest shows the wrong claim, the sentence of the source, and what to write",
        first_test,
    ),
    "check.svg": ("pytest-grounding check: a rejected transcript, the figures and the gate", check),
}


def drawn(name: str) -> str:
    """The picture of a terminal, from a run of now."""
    title, made = TERMINAL[name]
    with tempfile.TemporaryDirectory() as folder:
        return terminal.svg(made(Path(folder)), title)


def report(folder: Path) -> None:
    """The report of the examples against a baseline in which a wrong one was right, wide and narrow."""
    from benchmarks.pages import browser
    from pytest_grounding.cli import main as command

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
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", _TELEPHONE)
        driver.execute_script(_SCROLL)
        driver.save_screenshot(str(IMAGES / "report-narrow.png"))


def main() -> None:
    """Write the pictures that were asked for."""
    for name in TERMINAL:
        (IMAGES / name).write_text(drawn(name), encoding="utf-8", newline="\n")
    if sys.argv[1:] != ["terminal"]:
        for made in (report,):
            with tempfile.TemporaryDirectory() as folder:
                made(Path(folder))


if __name__ == "__main__":
    main()
