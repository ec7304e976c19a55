"""The report page and the review page under attack: a payload in every field runs and sends nothing."""

import itertools
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from every import each
from made_runs import plain, run, transcript, with_opinions
from markdown_it import MarkdownIt
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
from browsing import needs_browser, open_page, started

pytestmark = needs_browser
#: Shows each text as a page of its own within this one, and calls back when all are loaded.
SHOW = """
const [pages, done] = [arguments[0], arguments[1]]
const loaded = pages.map(text => new Promise(resolve => {
  const frame = document.createElement('iframe')
  frame.width = 1280
  frame.height = 400
  frame.onload = resolve
  frame.srcdoc = text
  document.body.append(frame)
}))
Promise.all(loaded).then(() => done(loaded.length))
"""
#: What a reader does, all at once: open everything, use everything, print.
USE = """
const done = arguments[0]
const pages = Array.from(frames)
let round = 0
function openAll(page) {
  page.document.querySelectorAll('details').forEach(node => { node.open = true })
}
function use(page) {
  openAll(page)
  page.document.querySelectorAll('.claim, .chip, mark, summary, button').forEach(node => {
    for (const name of ['mouseenter', 'mouseover', 'focus', 'focusin']) {
      node.dispatchEvent(new page.Event(name, {bubbles: true}))
    }
    if (node.tagName !== 'SUMMARY' && node.id !== 'f-clear') node.click()
  })
  openAll(page)
  page.dispatchEvent(new page.Event('beforeprint'))
}
function useAll() {
  pages.forEach(use)
  if (++round < 3) requestAnimationFrame(useAll); else requestAnimationFrame(() => done(true))
}
requestAnimationFrame(useAll)
"""
LOOK = """
const value = ran => ran === undefined ? null : ran
return Array.from(frames).map(page => {
  const nodes = Array.from(page.document.querySelectorAll('*'))
  return {
    ran: value(page.__ran) || value(window.__ran),
    address: page.location.href,
    tags: Array.from(new Set(nodes.map(node => node.localName))).sort(),
    handlers: nodes.filter(node => node.getAttributeNames().some(name => name.startsWith('on')))
                   .map(node => node.outerHTML.slice(0, 200)),
    links: Array.from(page.document.querySelectorAll('[href], [src], [action], [ping], [srcset]'))
                .map(node => node.getAttribute('href') || node.outerHTML.slice(0, 200)),
    asked: page.performance.getEntriesByType('resource').length,
    text: page.document.documentElement.textContent,
  }
})
"""
OWN_LINKS = ("#", "https://example.org/")


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
    """A report over a run in which as much as possible is said."""

    kind = "html"

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
        return render_report(report, self.kind, LinkContext(transcripts))


class MarkdownPage(ReportPage):
    """The same report in Markdown, rendered with its HTML as it is: GitHub, besides, removes what may run."""

    def page(self, name, address):
        """The page with a payload in every field; without one, the plain page."""
        markdown = MarkdownIt("gfm-like", {"html": True, "linkify": False})
        return f"<!doctype html><body>{markdown.render(super().page(name, address))}"


class CommentPage(MarkdownPage):
    """The comment on a pull request."""

    kind = "pr-comment"


class SummaryPage(MarkdownPage):
    """The summary of a step."""

    kind = "github-summary"


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


TARGETS = {"report": ReportPage, "comment": CommentPage, "summary": SummaryPage, "review": ReviewPage}


@pytest.fixture(scope="module")
def targets():
    return {kind: target() for kind, target in TARGETS.items()}


def look(browser, folder, pages):
    """Show pages beside each other, use all of them, and say what is in each, and what was requested."""
    path = folder / "frames.html"
    path.write_text("<!doctype html><meta charset=utf-8><body>", encoding="utf-8")
    open_page(browser, path)
    assert browser.execute_async_script(SHOW, pages) == len(pages)
    assert browser.execute_async_script(USE)
    found = browser.execute_script(LOOK)
    assert browser.current_url == path.as_uri(), "the page went elsewhere"
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    sent = [event["params"] for event in events if event["method"] == "Network.requestWillBeSent"]
    assert sent, "the log of requests holds not even that of the page"
    own = (path.as_uri(), "about:srcdoc")
    return found, [item["request"]["url"] for item in sent if item["request"]["url"] not in own]


@pytest.fixture(scope="module")
def attacked(browser, targets, outside, tmp_path_factory):
    """Each page by its kind and payload, the plain one by "", and what the pages of a kind requested."""
    address, _ = outside
    folder = tmp_path_factory.mktemp("attacked")
    names = ["", *PAYLOADS]
    found, requests = {}, {}
    for kind, target in targets.items():
        pages = [target.page(name, address) for name in names]
        seen, requests[kind] = look(browser, folder, pages)
        found |= {(kind, name): page for name, page in zip(names, seen, strict=True)}
    return found, requests


def test_the_attack_reaches_the_fields(targets):
    assert len(PAYLOADS) == len(set(PAYLOADS.values())) == 32
    assert {kind: target.places > 80 for kind, target in targets.items()} == dict.fromkeys(TARGETS, True)


@each(*itertools.product(TARGETS, PAYLOADS))
def test_no_payload_runs(kind, name, attacked, outside):
    pages, _ = attacked
    found, plain_page = pages[kind, name], pages[kind, ""]
    assert found["address"] == "about:srcdoc"
    assert found["ran"] is None
    assert found["handlers"] == []
    assert set(found["tags"]) - set(plain_page["tags"]) == set()
    assert [link for link in found["links"] if not link.startswith(OWN_LINKS)] == []
    assert found["asked"] == 0
    # The attack arrived: what it says stands there to be read.
    assert "window.__ran=1" in found["text"] or outside[0] in found["text"]


def test_no_payload_sends_a_request(attacked, outside):
    _, requests = attacked
    assert requests == {kind: [] for kind in TARGETS}
    assert outside[1] == []


@each("image", "script", "end of everything", "picture")
def test_an_unsafe_page_would_be_noticed(name, browser, outside, tmp_path):
    """The same look at a page that shows a payload as it is: an attack that works is noticed."""
    address, asked = outside
    pages = ["<!doctype html><body>x", f"<!doctype html><body>{put(name, address, 'x')}"]
    (safe, unsafe), requests = look(browser, tmp_path, pages)
    assert set(unsafe["tags"]) - set(safe["tags"])
    assert requests
    assert asked
    assert name == "picture" or unsafe["ran"] == 1
    asked.clear()
