"""The report page and the review page under attack: a payload in every field runs and sends nothing."""

import itertools
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from every import each
from made_runs import plain, run, transcript, with_opinions
from page_attacks import PAYLOADS, Attack, put

import pytest_grounding as pg
from pytest_grounding.golden.diff import compare_recordings
from pytest_grounding.golden.golden_file import Golden, Pending
from pytest_grounding.golden.golden_policy import Item
from pytest_grounding.golden.golden_store import GoldenStore
from pytest_grounding.model.comparison import HeldFinding, Ratchet
from pytest_grounding.model.run_report import Problem, RecordedJudgements, RunReport
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.reports import review_text
from pytest_grounding.reports.report_links import LinkContext
from pytest_grounding.reports.write import render_report
from pytest_grounding.settings import Settings
from pytest_grounding.suite.baseline_file import baseline_of
from pytest_grounding.suite.suite_figures import decide_suite

pytest.importorskip("selenium.webdriver")
from browsing import needs_browser, started

pytestmark = needs_browser
#: What a reader does, all at once: open everything, use everything, print.
USE = """
document.querySelectorAll('details').forEach(node => { node.open = true })
const done = arguments[0]
let round = 0
function use() {
  document.querySelectorAll('.claim, .chip, mark, summary, button').forEach(node => {
    for (const name of ['mouseenter', 'mouseover', 'focus', 'focusin']) {
      node.dispatchEvent(new Event(name, {bubbles: true}))
    }
    if (node.tagName !== 'SUMMARY' && node.id !== 'f-clear') node.click()
  })
  document.querySelectorAll('details').forEach(node => { node.open = true })
  dispatchEvent(new Event('beforeprint'))
  if (++round < 3) requestAnimationFrame(use); else requestAnimationFrame(() => done(true))
}
requestAnimationFrame(use)
"""
LOOK = """
const nodes = Array.from(document.querySelectorAll('*'))
return {
  ran: window.__ran === undefined ? null : window.__ran,
  tags: Array.from(new Set(nodes.map(node => node.localName))).sort(),
  handlers: nodes.filter(node => node.getAttributeNames().some(name => name.startsWith('on')))
                 .map(node => node.outerHTML.slice(0, 200)),
  links: Array.from(document.querySelectorAll('[href], [src], [action], [ping], [srcset]'))
              .map(node => node.getAttribute('href') || node.outerHTML.slice(0, 200)),
  asked: performance.getEntriesByType('resource').length,
  text: document.documentElement.textContent,
}
"""


@pytest.fixture(scope="module")
def outside():
    """A server that no page may reach, and what it was asked for."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        def do_POST(self):
            self.do_GET()

        def log_message(self, format, *args):
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
        server.shutdown()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    for driver in started(tmp_path_factory.mktemp("profile")):
        driver.set_script_timeout(60)
        yield driver


CHANGED = (
    transcript("good", "Employees receive 30 vacation days per year [1]. Unused days expire in March [9]."),
    transcript(
        "new", "Employees receive 25 vacation days per year. See `src/a.py:3` and https://example.org/x."
    ),
)


def with_ratchet(report):
    """The run with what only stands in it where known findings decide."""
    assert report.gate.baseline is not None
    found = HeldFinding(
        transcript="good", rule="r", severity="error", words="w", message="m", hash="0123456789abcdef"
    )
    ratchet = Ratchet(line="0 known, 1 new, 1 gone", known=0, new=(found,), gone=(found,))
    against = report.gate.baseline.model_copy(update={"ratchet": ratchet})
    return report.model_copy(update={"gate": report.gate.model_copy(update={"baseline": against})})


class ReportPage:
    """The report over a run in which as much as possible is said."""

    def __init__(self):
        settings = Settings()
        before, _ = run(plain())
        given = [*plain()[1:], *CHANGED]
        judgements = (RecordedJudgements(scorer="s", model="m", oldest="2026-01-01", youngest="2026-01-02"),)
        problems = (Problem(place="bad.json:3", message="is not a transcript"),)
        facts = {"problems": problems, "missing": {"gone": "skipped"}, "left_out": {"known": "xfail"}}
        found, context = run(given, promised=("--grounding",), judgements=judgements, **facts)
        report = decide_suite(found, settings, baseline_of(before, settings), refresh="pytest")
        report = with_opinions(with_ratchet(report))
        self._report = Attack(report.as_dict(), RunReport.model_validate)
        self._transcripts = {
            key: Attack(json.loads(item.model_dump_json()), Transcript.model_validate)
            for key, item in context.transcripts.items()
        }
        self.places = len(self._report.places) + len(
            set().union(*(item.places for item in self._transcripts.values()))
        )

    def page(self, name, address):
        """The page with a payload in every field; without one, the plain page."""
        anything = {"question_max_length": 10**9}
        transcripts = {
            put(name, address, key): Transcript.model_validate(
                item.with_payload(name, address), context=anything
            )
            for key, item in self._transcripts.items()
        }
        report = RunReport.model_validate(self._report.with_payload(name, address))
        return render_report(report, "html", LinkContext(transcripts))


class ReviewPage:
    """The review of a changed recording and of a new one."""

    def __init__(self):
        before, after = _golden(plain()[0]), _golden(CHANGED[0])
        changed = Pending(
            candidate=after, against=before.hash, changes=compare_recordings(before, after), test="test_it"
        )
        new = Pending(candidate=_golden(CHANGED[1]), against=None, test="test_it")
        self._golden = Attack(before.model_dump(mode="json"), Golden.model_validate)
        self._pending = [
            Attack(item.model_dump(mode="json"), Pending.model_validate) for item in (changed, new)
        ]
        self.places = len(self._golden.places) + len(self._pending[0].places)

    def page(self, name, address):
        """The page with a payload in every field; without one, the plain page."""
        store = GoldenStore(Path(put(name, address, "here")))
        golden = Golden.model_validate(self._golden.with_payload(name, address))
        changed, new = [Pending.model_validate(item.with_payload(name, address)) for item in self._pending]
        stale = put(name, address, "stale")
        return review_text.render_review([Item(store, changed, golden, stale), Item(store, new, None)])


def _golden(recorded):
    return Golden.of(recorded, pg.validate(recorded))


@pytest.fixture(scope="module")
def targets():
    return {"report": ReportPage(), "review": ReviewPage()}


def look(browser, path):
    """Load a page, use all of it, and say what is there."""
    for kind in ("browser", "performance"):
        browser.get_log(kind)
    browser.get(path.as_uri())
    assert browser.execute_async_script(USE)
    found = browser.execute_script(LOOK)
    assert browser.current_url == path.as_uri(), "the page went elsewhere"
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    sent = [event["params"] for event in events if event["method"] == "Network.requestWillBeSent"]
    assert sent, "the log of requests holds not even that of the page"
    found["requests"] = [item["request"]["url"] for item in sent if item["request"]["url"] != path.as_uri()]
    return found


@pytest.fixture(scope="module")
def tags(browser, targets, tmp_path_factory):
    """The elements of each page where nobody attacks it."""
    found = {}
    for kind, target in targets.items():
        path = tmp_path_factory.mktemp("plain") / f"{kind}.html"
        path.write_text(target.page("", ""), encoding="utf-8")
        found[kind] = set(look(browser, path)["tags"])
    return found


def test_the_attack_reaches_the_fields(targets):
    assert len(PAYLOADS) == 16
    assert targets["report"].places > 80
    assert targets["review"].places > 80


@each(*itertools.product(PAYLOADS, ["report", "review"]))
def test_no_payload_runs_or_sends_a_request(name, kind, browser, outside, targets, tags, tmp_path):
    address, asked = outside
    path = tmp_path / "page.html"
    path.write_text(targets[kind].page(name, address), encoding="utf-8")
    found = look(browser, path)
    assert found["ran"] is None
    assert found["handlers"] == []
    assert set(found["tags"]) - tags[kind] == set()
    assert [link for link in found["links"] if not link.startswith(("#", "https://example.org/"))] == []
    assert (asked, found["requests"], found["asked"]) == ([], [], 0)
    # The attack arrived: what it says stands there to be read.
    assert "window.__ran=1" in found["text"] or address in found["text"]


def test_an_unsafe_page_would_be_noticed(browser, outside, tmp_path):
    """The same look at a page that shows a payload as it is: an attack that works is noticed."""
    address, asked = outside
    path = tmp_path / "page.html"
    path.write_text(f"<!doctype html><body>{put('image', address, 'x')}", encoding="utf-8")
    found = look(browser, path)
    assert found["handlers"]
    assert found["requests"]
    assert asked
    asked.clear()
