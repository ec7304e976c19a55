"""The HTML report in a real browser: filters, chips, the keyboard, and nothing that runs."""

import base64
import json
import re

import pytest
from browsing import needs_browser, open_page, row_of, shown, started, wait_for
from made_runs import HOSTILE, hostile_run, plain, run, with_opinions

from pytest_grounding.reports.write import render

webdriver = pytest.importorskip("selenium.webdriver")
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402

pytestmark = needs_browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    yield from started(tmp_path_factory.mktemp("profile"))


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, (report, context) in {"plain": run(plain()), "hostile": hostile_run()}.items():
        (folder / f"{name}.html").write_text(render(report, "html", context), encoding="utf-8")
    return folder


@pytest.fixture
def page(browser, pages):
    open_page(browser, pages / "plain.html")
    return browser


def opened(page, identifier):
    page.find_element(By.CSS_SELECTOR, "[data-show=all]").click()
    row = row_of(page, identifier)
    row.find_element(By.TAG_NAME, "summary").click()
    assert wait_for(lambda: row.find_elements(By.CSS_SELECTOR, ".answer"))
    return row


def test_the_worst_stand_first_and_each_filter_narrows_the_list(page):
    assert set(shown(page)) == {"wrong", "broken", "invented"}
    page.find_element(By.ID, "f-clear").click()
    ids = shown(page)
    assert ids[-1] == "good"
    assert len(ids) == 4

    Select(page.find_element(By.ID, "f-rule")).select_by_visible_text("source_exists")
    assert shown(page) == ["broken"]

    page.find_element(By.ID, "f-clear").click()
    assert shown(page) == ids
    Select(page.find_element(By.ID, "f-source")).select_by_visible_text("HR handbook")
    assert set(shown(page)) == {"good", "wrong"}

    page.find_element(By.ID, "f-clear").click()
    page.find_element(By.ID, "f-text").send_keys("OCTOPUS monday")
    assert wait_for(lambda: shown(page) == ["invented"])
    page.find_element(By.ID, "f-text").send_keys("nowhere")
    assert wait_for(lambda: shown(page) == [])
    assert page.find_element(By.ID, "none").is_displayed()


def test_both_opinions_stand_beside_a_claim(browser, pages):
    report, context = run(plain())
    path = pages / "judged.html"
    path.write_text(render(with_opinions(report), "html", context), encoding="utf-8")
    open_page(browser, path)
    browser.find_element(By.CSS_SELECTOR, "[data-show=overruled]").click()
    assert len(shown(browser)) == 4
    row = opened(browser, "good")
    row.find_element(By.CSS_SELECTOR, ".claim").click()
    assert wait_for(lambda: "supported (support 0.95): it stands there" in row.text)
    assert "a m: none (says otherwise)" in row.text


def test_a_chip_jumps_to_its_chunk(page):
    row = opened(page, "good")
    chip = row.find_element(By.CSS_SELECTOR, "a.chip")
    assert chip.text == "[1]"
    chip.click()
    target = page.switch_to.active_element
    assert target.get_attribute("class") == "chunk flash"
    assert "HR handbook" in target.text
    assert "Employees receive 25 vacation days per year." in target.text
    assert target.is_displayed()
    assert wait_for(
        lambda: page.execute_script(
            "const b = arguments[0].getBoundingClientRect(); return b.top >= 0 && b.bottom <= innerHeight",
            target,
        )
    )


def test_a_chip_of_a_broken_citation_says_why(page):
    row = opened(page, "broken")
    chip = row.find_element(By.CSS_SELECTOR, "button.chip.broken")
    chip.click()
    assert "no source 7" in row.find_element(By.CSS_SELECTOR, ".inspector").text


def test_a_claim_shows_its_evidence_on_hover_and_by_keyboard_alone(page):
    summary = row_of(page, "wrong").find_element(By.TAG_NAME, "summary")
    summary.send_keys(Keys.ENTER)
    row = row_of(page, "wrong")
    assert wait_for(lambda: row.find_elements(By.CSS_SELECTOR, ".answer .claim"))
    claim = row.find_element(By.CSS_SELECTOR, ".answer .claim[role=button]")
    assert "c-contradicted" in claim.get_attribute("class")
    summary.send_keys(Keys.TAB)
    assert page.switch_to.active_element == claim
    tip = page.find_element(By.ID, "tip")
    assert tip.is_displayed()
    assert "Employees receive 25 vacation days per year." in tip.text
    claim.send_keys(Keys.ESCAPE)
    assert not tip.is_displayed()
    claim.send_keys(Keys.ENTER)
    said = row.find_element(By.CSS_SELECTOR, ".inspector").text
    assert "contradicted" in said
    assert "40" in said
    assert "Employees receive 25 vacation days per year." in said
    assert row.find_elements(By.CSS_SELECTOR, ".chunk mark.on")
    webdriver.ActionChains(page).move_to_element(claim).perform()
    assert wait_for(tip.is_displayed)


def test_everything_that_can_be_used_has_a_name(page):
    row = opened(page, "good")
    for node in page.find_elements(By.CSS_SELECTOR, "button, a, select, input, summary, [role=button]"):
        if node.is_displayed():
            assert node.accessible_name.strip(), node.get_attribute("outerHTML")
    for selector in ("header", "main", "footer", "aside", "h1"):
        assert page.find_elements(By.CSS_SELECTOR, selector)
    assert row.find_element(By.CSS_SELECTOR, ".inspector").get_attribute("aria-live") == "polite"


def test_nothing_of_a_hostile_transcript_runs_or_becomes_markup(browser, pages):
    open_page(browser, pages / "hostile.html")
    assert browser.execute_script("return window.__ran") is None
    browser.find_element(By.CSS_SELECTOR, "[data-show=all]").click()
    browser.find_element(By.ID, "f-open").click()
    assert wait_for(lambda: len(browser.find_elements(By.CSS_SELECTOR, ".inspector")) == 5)
    for claim in browser.find_elements(By.CSS_SELECTOR, ".answer .claim"):
        browser.execute_script(
            "arguments[0].dispatchEvent(new Event('mouseenter')); arguments[0].click()", claim
        )
    for chip in browser.find_elements(By.CSS_SELECTOR, ".chip"):
        browser.execute_script("arguments[0].click()", chip)
    assert browser.execute_script("return window.__ran") is None
    assert browser.find_elements(By.CSS_SELECTOR, "img, iframe, object, embed, base, link, script[src]") == []
    links = browser.execute_script("return Array.from(document.links, a => a.getAttribute('href'))")
    assert links
    assert all(link.startswith(("#", "https://example.org/")) for link in links)
    assert len(browser.find_elements(By.CSS_SELECTOR, "#rows > details")) == 5
    text = browser.find_element(By.TAG_NAME, "body").text
    assert "<script>window.__ran=1</script>" in text
    assert "{{7*7}}" in text
    assert "\\u202e" in text
    assert not re.search("[\u202e\u200b\ufeff\x1b\x07]", text)
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_the_page_asks_for_nothing_but_itself(browser, pages):
    open_page(browser, pages / "hostile.html")
    browser.find_element(By.CSS_SELECTOR, "[data-show=all]").click()
    browser.find_element(By.ID, "f-open").click()
    assert wait_for(lambda: len(browser.find_elements(By.CSS_SELECTOR, ".inspector")) == 5)
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    sent = [event["params"] for event in events if event["method"] == "Network.requestWillBeSent"]
    asked = {item["request"]["url"] for item in sent}
    assert (pages / "hostile.html").as_uri() in asked
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert {url for url in asked if not url.startswith(("file:", "about:", "data:"))} == set()
    assert HOSTILE


def test_the_policy_of_the_page_refuses_a_script_that_was_added(browser, pages, tmp_path):
    text = (pages / "plain.html").read_text(encoding="utf-8")
    planted = tmp_path / "planted.html"
    planted.write_text(text.replace("<main>", "<main><script>window.__ran=1</script>", 1), encoding="utf-8")
    open_page(browser, planted)
    assert browser.execute_script("return window.__ran") is None
    assert any("Content Security Policy" in entry["message"] for entry in browser.get_log("browser"))


@pytest.fixture
def paper(browser, pages):
    """The page with its first transcript open, as wide as a sheet of paper and in the style for print."""
    size = browser.get_window_size()
    browser.set_window_size(700, 900)
    open_page(browser, pages / "plain.html")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    browser.execute_script("document.querySelector('#rows > details').open = true")
    assert wait_for(lambda: browser.find_elements(By.CSS_SELECTOR, ".inspector"))
    yield browser
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    browser.set_window_size(size["width"], size["height"])


def test_paper_shows_every_column_and_no_controls(paper):
    first = paper.find_element(By.CSS_SELECTOR, "#rows > details > summary")
    assert all(cell.is_displayed() for cell in first.find_elements(By.CSS_SELECTOR, ".num"))
    assert not paper.find_element(By.CSS_SELECTOR, ".filters").is_displayed()
    # "Choose a claim" is of no use there, and a choice that was made is.
    assert not paper.find_element(By.CSS_SELECTOR, ".inspector").is_displayed()
    paper.execute_script("document.querySelector('.answer .claim').click()")
    assert paper.find_element(By.CSS_SELECTOR, ".inspector").is_displayed()
    width = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert paper.execute_script(width)


def test_paper_spells_out_what_is_wrong_with_the_claims_of_open_transcripts(paper):
    assert paper.find_element(By.CSS_SELECTOR, ".paper").text == ""
    paper.execute_script("dispatchEvent(new Event('beforeprint'))")
    (told,) = (block.text for block in paper.find_elements(By.CSS_SELECTOR, ".paper > div"))
    assert "contradicted" in told
    assert "Employees receive 40 vacation days" in told
    paper.execute_script("dispatchEvent(new Event('afterprint'))")
    assert paper.find_element(By.CSS_SELECTOR, ".paper").text == ""


def test_paper_is_not_half_empty(paper):
    printed = paper.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    pages_of_it = base64.b64decode(printed["data"]).count(b"/Type /Page\n")
    assert 1 <= pages_of_it <= 2
