"""What a reader sees first: the words that differ, the gravest claim open, and text laid out, still inert."""

import json

import pytest
from browsing import needs_browser, open_page, row_of, started, wait_for

from pytest_grounding.cli import main

webdriver = pytest.importorskip("selenium.webdriver")
from selenium.webdriver.common.by import By  # noqa: E402

pytestmark = needs_browser

PRICES = "| plan | price |\n|---|---|\n| Basic | $13 |\n| Plus | $19 |"
CHUNK = {"id": "kb-101", "text": f"# Plans\n\n{PRICES}\n\nThe Basic plan costs $13 a month.", "score": 0.9}
MARKDOWN = (
    "## Plans\n\n- The **Basic** plan costs $24 a month [1].\n"
    "- See `plans.md` and [a page](javascript:alert(1)).\n\n"
    f"{PRICES}\n\n<b>not bold</b> ![picture](http://203.0.113.1/x.png)"
)


def row(identifier, answer):
    question = "What does the Basic plan cost?"
    return {"id": identifier, "question": question, "chunks": [CHUNK], "answer": answer}


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    yield from started(tmp_path_factory.mktemp("profile"))


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    rows = [row("markdown", MARKDOWN), row("right", "The Basic plan costs $13 a month [1].")]
    rows.append(row("two", "The Plus plan costs $19 [1]. The Basic plan costs $24 a month [1]."))
    (folder / "a.jsonl").write_text("".join(json.dumps(item) + "\n" for item in rows))
    main(["check", str(folder / "a.jsonl"), "--quiet", "--report", f"html:{folder / 'page.html'}"])
    return folder / "page.html"


def test_each_row_says_the_words_that_differ_without_style_and_script(browser, page, tmp_path):
    open_page(browser, page)
    said = row_of(browser, "two").find_element(By.TAG_NAME, "summary").text
    assert "$24" in said
    assert "≠" in said
    assert "kb-101" in said
    assert "contradicted" not in said
    bare = tmp_path / "bare.html"
    text = page.read_text()
    policy = text[text.index('content="default-src') : text.index('">', text.index('content="default-src'))]
    bare.write_text(text.replace(policy, "content=\"default-src 'none'"))
    open_page(browser, bare)
    assert (
        said.partition("≠")[2].split()[0] in row_of(browser, "two").find_element(By.TAG_NAME, "summary").text
    )


def opened(browser, page, identifier):
    open_page(browser, page)
    browser.find_element(By.CSS_SELECTOR, "[data-show=all]").click()
    found = row_of(browser, identifier)
    found.find_element(By.TAG_NAME, "summary").click()
    assert wait_for(lambda: found.find_elements(By.CSS_SELECTOR, ".answer"))
    return found


def test_the_wrong_claim_is_open_and_each_claim_stands_once(browser, page):
    found = opened(browser, page, "two")
    inspector = found.find_element(By.CSS_SELECTOR, ".inspector")
    assert inspector.text.startswith("Claim 2: contradicted")
    assert "$13" in inspector.text
    body = found.find_element(By.CSS_SELECTOR, ".body").text
    assert body.count("The Basic plan costs $24 a month") == 1


def test_markdown_is_laid_out_and_stays_inert(browser, page):
    found = opened(browser, page, "markdown")
    answer = found.find_element(By.CSS_SELECTOR, ".answer")
    assert answer.find_element(By.CSS_SELECTOR, ".head").text.endswith("Plans")
    assert len(answer.find_elements(By.CSS_SELECTOR, ".item")) == 2
    assert answer.find_element(By.TAG_NAME, "strong").text == "Basic"
    assert answer.find_element(By.TAG_NAME, "code").text == "plans.md"
    for place in (answer, found.find_element(By.CSS_SELECTOR, ".chunktext")):
        cells = [cell.text.split("\n")[-1] for cell in place.find_elements(By.TAG_NAME, "td")]
        assert cells == ["plan", "price", "Basic", "$13", "Plus", "$19"]
    assert "<b>not bold</b> ![picture](http://203.0.113.1/x.png)" in answer.text
    assert answer.find_elements(By.CSS_SELECTOR, "b, img, a:not(.chip)") == []


def test_on_a_telephone_the_first_row_stands_on_the_first_screen(browser, page):
    browser.set_window_size(500, 900)
    try:
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": True},
        )
        open_page(browser, page)
        assert browser.execute_script("return innerWidth") == 400
        top = browser.execute_script(
            "return document.querySelector('#rows > details').getBoundingClientRect().top"
        )
        assert top < 500
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 400
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.set_window_size(1280, 900)
