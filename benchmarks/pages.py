"""The HTML report of a large suite: its size, the time to write it, and how soon a browser can use it.

The transcripts of `examples` are repeated under new ids; the baseline lacks some of them and has better
verdicts for others. Times in the browser are medians over loads in headless Chromium: until the page is
usable (the script has run and the list is filtered), and from a click until the next frame.

    python -m benchmarks.pages [--transcripts 2000] [--loads 5] [--json] [--keep PAGE.html]
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest_grounding as pg
from pytest_grounding.engine.transcript_input import iter_transcripts
from pytest_grounding.gate import fails
from pytest_grounding.model.run_report import RunFacts, RunReport
from pytest_grounding.reports import html
from pytest_grounding.reports.report_links import LinkContext
from pytest_grounding.reports.write import render_report
from pytest_grounding.settings import Settings
from pytest_grounding.suite.baseline_file import baseline_of
from pytest_grounding.suite.suite_figures import decide_suite

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
PATTERNS = ("*.transcript.json", "*.transcripts.jsonl", "docs.jsonl")

_FLAGS = (
    "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage --hide-scrollbars"
)
_LOADED = """
const times = performance.getEntriesByType('navigation')[0]
return {usable_ms: times.loadEventEnd, nodes: document.querySelectorAll('*').length}
"""
#: Acts, and calls back after the next frame.
_TIMED = """
const done = arguments[0], start = performance.now()
%s
requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)))
"""
_ACTIONS = {
    "button_ms": "document.querySelector('[data-show=all]').click()",
    "words_ms": "const field = document.getElementById('f-text'); field.value = 'the rate'; "
    "field.form.dispatchEvent(new Event('submit', {cancelable: true}))",
    "open_ms": "document.getElementById('f-clear').click(); "
    "document.querySelector('#rows > details').open = true",
    "theme_ms": "document.getElementById('theme').click()",
}


def suite(size: int) -> tuple[RunReport, LinkContext]:
    """A decided run over this many transcripts, compared with a baseline."""
    settings = Settings()
    files = sorted(path for pattern in PATTERNS for path in EXAMPLES.rglob(pattern))
    known = [row.transcript for path in files for row in iter_transcripts(str(path)) if row.transcript]
    judged = [(item, pg.validate(item, settings)) for item in known]
    transcripts, verdicts = [], []
    for number, (item, verdict) in enumerate(islice(cycle(judged), size)):
        name = f"{item.id}-{number:04}"
        transcripts.append(item.model_copy(update={"id": name}))
        facts = {"id": name, "transcript_hash": name, "source": "all.transcripts.jsonl", "line": number + 1}
        verdicts.append(verdict.model_copy(update=facts))
    found = RunReport.of(
        verdicts, RunFacts(failed=tuple(item.id for item in verdicts if fails(item, settings)))
    )
    baseline = baseline_of(decide_suite(found, settings), settings)
    entries = [
        entry.model_copy(update={"status": "pass"}) if number % 5 == 0 else entry
        for number, entry in enumerate(baseline.transcripts)
        if number % 97
    ]
    report = decide_suite(found, settings, baseline.model_copy(update={"transcripts": tuple(entries)}))
    by_hash = {item.transcript_hash: row for item, row in zip(verdicts, transcripts, strict=True)}
    html.MOST = size
    return report, LinkContext(by_hash)


@contextmanager
def browser(size: str = "1280,900") -> Iterator[Any]:
    """Headless Chromium.

    Args:
        size: width and height in pixels.
    """
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome") or ""
    for flag in (*_FLAGS.split(), f"--window-size={size}"):
        options.add_argument(flag)
    driver = webdriver.Chrome(
        options=options, service=Service(executable_path=shutil.which("chromedriver") or "")
    )
    try:
        yield driver
    finally:
        driver.quit()


def measure(page: Path, loads: int) -> dict[str, float]:
    """Medians over several loads of a page, in milliseconds, and the number of its elements."""
    found: list[dict[str, float]] = []
    with browser() as driver:
        for _ in range(loads):
            driver.get("about:blank")
            driver.get(page.resolve().as_uri())
            times = dict(driver.execute_script(_LOADED))
            times.update(
                {name: driver.execute_async_script(_TIMED % action) for name, action in _ACTIONS.items()}
            )
            found.append(times)
    return {name: statistics.median(item[name] for item in found) for name in found[0]}


def is_good(figures: dict[str, float]) -> bool:
    """Whether the page has at most 15 MB, is usable within 2 s, and answers each click within 0.5 s."""
    clicks = max(figures.get(name, 0.0) for name in _ACTIONS)
    return figures["size_mb"] <= 15 and figures.get("usable_ms", 0.0) <= 2000 and clicks <= 500


def main() -> int:
    """Measure and print; return 0 if the figures are good."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--transcripts", type=int, default=2000)
    parser.add_argument("--loads", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--keep", type=Path, help="write the page here and keep it")
    args = parser.parse_args()
    report, context = suite(args.transcripts)
    start = time.perf_counter()
    text = render_report(report, "html", context)
    figures: dict[str, float] = {"render_s": time.perf_counter() - start, "size_mb": len(text.encode()) / 1e6}
    with tempfile.TemporaryDirectory() as folder:
        page = args.keep or Path(folder) / "report.html"
        page.write_text(text, encoding="utf-8")
        if shutil.which("chromedriver"):
            figures.update(measure(page, args.loads))
    if args.json:
        print(json.dumps({name: round(value, 3) for name, value in figures.items()}, indent=1))
    else:
        for name, value in figures.items():
            print(f"{name:<10} {value:>10.1f}")
        if "usable_ms" not in figures:
            print("Chromium and its driver are not installed: nothing was measured in a browser")
    return int(not is_good(figures))


if __name__ == "__main__":
    sys.exit(main())
