"""The HTML report in a real browser: list, filters, links, waivers, theme, keyboard and print."""

import base64
import json
import re
import shlex

import pytest
from browsing import needs_browser, open_page, open_until, row_of, shown, started, wait_for
from made_runs import changed, hostile_run, plain, run, transcript, with_opinions
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from pytest_grounding.cli import main
from pytest_grounding.model.finding import Waived
from pytest_grounding.reports.write import render_report

pytestmark = needs_browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    yield from started(tmp_path_factory.mktemp("profile"))


@pytest.fixture
def own_browser(tmp_path):
    """A browser of one test: what a page of another test took back may be under way still."""
    yield from started(tmp_path / "profile")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, (report, context) in {"plain": run(plain()), "hostile": hostile_run()}.items():
        (folder / f"{name}.html").write_text(render_report(report, "html", context), encoding="utf-8")
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


def test_the_worst_come_first_and_each_filter_narrows_the_list(page):
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


def test_both_opinions_are_shown_for_a_claim(browser, pages):
    report, context = run(plain())
    path = pages / "judged.html"
    path.write_text(render_report(with_opinions(report), "html", context), encoding="utf-8")
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


def test_a_chip_of_a_broken_citation_explains_why(page):
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


def test_every_control_has_an_accessible_name(page):
    row = opened(page, "good")
    for node in page.find_elements(By.CSS_SELECTOR, "button, a, select, input, summary, [role=button]"):
        if node.is_displayed():
            assert node.accessible_name.strip(), node.get_attribute("outerHTML")
    for selector in ("header", "main", "footer", "aside", "h1"):
        assert page.find_elements(By.CSS_SELECTOR, selector)
    assert row.find_element(By.CSS_SELECTOR, ".inspector").get_attribute("aria-live") == "polite"


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


def test_print_shows_every_column_and_no_controls(paper):
    first = paper.find_element(By.CSS_SELECTOR, "#rows > details > summary")
    assert all(cell.is_displayed() for cell in first.find_elements(By.CSS_SELECTOR, ".num"))
    assert not paper.find_element(By.CSS_SELECTOR, ".filters").is_displayed()
    # "Choose a claim" is of no use there, and a choice that was made is.
    assert not paper.find_element(By.CSS_SELECTOR, ".inspector").is_displayed()
    paper.execute_script("document.querySelector('.answer .claim').click()")
    assert paper.find_element(By.CSS_SELECTOR, ".inspector").is_displayed()
    width = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert paper.execute_script(width)


def test_print_lists_the_wrong_claims_of_open_transcripts(paper):
    assert paper.find_element(By.CSS_SELECTOR, ".paper").text == ""
    paper.execute_script("dispatchEvent(new Event('beforeprint'))")
    (told,) = (block.text for block in paper.find_elements(By.CSS_SELECTOR, ".paper > div"))
    assert "contradicted" in told
    assert "Employees receive 40 vacation days" in told
    paper.execute_script("dispatchEvent(new Event('afterprint'))")
    assert paper.find_element(By.CSS_SELECTOR, ".paper").text == ""


def test_print_takes_at_most_two_pages(paper):
    printed = paper.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    pages_of_it = base64.b64decode(printed["data"]).count(b"/Type /Page\n")
    assert 1 <= pages_of_it <= 2


STRANGE = 'a b/ü"<#%~'


@pytest.fixture(scope="module")
def list_pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    twins = [transcript("twin", f"Employees receive {days} vacation days per year [1].") for days in (40, 41)]
    strange = transcript(STRANGE, "Employees receive 40 vacation days per year [1].")
    made = {
        "plain": run(plain()),
        "news": run(changed(), before=plain()),
        "links": run([*plain(), *twins, strange]),
        "again": run([transcript("aaa", "The moon costs 12 dollars [9]."), strange, *twins, *plain()]),
        "waived": run(plain()),
        "odd": run(plain(), source="it's a\tfolder/$(touch taken).jsonl"),
    }
    report, context = made["waived"]
    made["waived"] = (with_waiver(report), context)
    for name, (found, known) in made.items():
        (folder / f"{name}.html").write_text(render_report(found, "html", known), encoding="utf-8")
    return folder


def with_waiver(report):
    """The same run, in which somebody waived what is wrong with "broken"."""
    waived = Waived(reason="<b>the index is</b> rebuilt on Friday", by="ann", day="2026-11-20")
    verdicts = []
    for item in report.transcripts:
        if item.id == "broken":
            change = {"waived": waived, "severity": "info"}
            findings = tuple(found.model_copy(update=change) for found in item.findings)
            item = item.model_copy(update={"status": "pass", "findings": findings})
        verdicts.append(item)
    facts = report.run.model_copy(update={"failed": ("invented", "wrong")})
    return report.model_copy(update={"transcripts": tuple(verdicts), "run": facts})


def buttons(page):
    """Key of each button -> its number."""
    found = page.find_elements(By.CSS_SELECTOR, ".toggle")
    return {item.get_attribute("data-show"): int(item.find_element(By.TAG_NAME, "b").text) for item in found}


def pressed(page):
    found = page.find_elements(By.CSS_SELECTOR, ".toggle[aria-pressed=true]")
    return [item.get_attribute("data-show") for item in found]


def test_each_button_shows_as_many_rows_as_it_counts(browser, list_pages):
    open_page(browser, list_pages / "news.html")
    for words in ("", "vacation", "nowhere"):
        field = browser.find_element(By.ID, "f-text")
        field.clear()
        field.send_keys(words)
        field.send_keys(Keys.ENTER)
        for button in browser.find_elements(By.CSS_SELECTOR, ".toggle"):
            button.click()
            key = button.get_attribute("data-show")
            assert pressed(browser) == [key]
            assert len(shown(browser)) == buttons(browser)[key], (words, key)
    browser.find_element(By.ID, "f-clear").click()
    assert pressed(browser) == ["all"]
    assert buttons(browser) == {"need": 4, "new": 2, "reject": 4, "review": 0, "pass": 1, "all": 5}


def test_a_page_opens_with_changes_and_rows_that_need_attention(browser, list_pages):
    open_page(browser, list_pages / "news.html")
    assert pressed(browser) == ["need"]
    assert set(shown(browser)[:2]) == {"added", "good"}, "new ones stand first"
    assert "wrong" not in shown(browser)
    said = browser.find_element(By.ID, "changed").text
    assert "2 new, 2 known, 1 fixed." in said
    assert "mean confidence fell from" in said
    tops = browser.execute_script(
        "return ['changed', 'list', 'h-figures', 'h-baseline'].map(id => "
        "document.getElementById(id).getBoundingClientRect().top)"
    )
    assert tops == sorted(tops)
    # What a table says stands folded, and each reason stands above the list at most once.
    assert not browser.find_element(By.CSS_SELECTOR, ".why-all li").is_displayed()
    browser.find_element(By.CSS_SELECTOR, "[data-show=new]").click()
    assert set(shown(browser)) == {"added", "good"}
    browser.find_element(By.CSS_SELECTOR, "[data-show=all]").click()
    flags = {
        name: row_of(browser, name).find_element(By.CSS_SELECTOR, ".flag").text
        for name in ("good", "added", "wrong", "broken")
    }
    assert flags == {"good": "new", "added": "new", "wrong": "fixed", "broken": "known"}


def test_without_a_baseline_nothing_is_new(browser, list_pages):
    open_page(browser, list_pages / "plain.html")
    assert "new" not in buttons(browser)
    assert not browser.find_elements(By.CSS_SELECTOR, "#changed, .flag")


def test_buttons_work_by_keyboard_and_report_their_state(browser, list_pages):
    open_page(browser, list_pages / "news.html")
    button = browser.find_element(By.CSS_SELECTOR, "[data-show=pass]")
    button.send_keys(Keys.ENTER)
    assert browser.switch_to.active_element == button
    assert shown(browser) == ["wrong"]
    assert browser.find_element(By.ID, "shown").text == "1 of 5 shown, the worst first"
    for item in browser.find_elements(By.CSS_SELECTOR, ".toggle"):
        expected = "true" if item == button else "false"
        assert item.get_attribute("aria-pressed") == expected
        assert re.fullmatch(r"[a-z ]+ \d+", item.accessible_name)


@pytest.mark.parametrize("name", ["links", "again"])
def test_a_link_leads_to_its_transcript_in_every_run(browser, list_pages, name):
    open_page(browser, list_pages / f"{name}.html", "#t-good")
    assert row_of(browser, "good").get_attribute("open"), "a row that the filter hid is shown"
    at = "return document.activeElement.closest('summary')?.querySelector('.id').textContent"
    assert wait_for(lambda: browser.execute_script(at) == "good")
    browser.execute_script("location.hash = '#t-wrong~chunk2'")
    assert wait_for(lambda: "hr-2" in browser.switch_to.active_element.text)
    chunk = browser.switch_to.active_element
    assert "flash" in chunk.get_attribute("class")
    assert chunk.find_element(By.XPATH, "./ancestor::details") == row_of(browser, "wrong")
    open_page(browser, list_pages / f"{name}.html", "#t-a~20b~2f~c3~bc~22~3c~23~25~7e")
    assert row_of(browser, STRANGE).get_attribute("open")


def test_a_row_offers_its_own_link(browser, list_pages):
    open_page(browser, list_pages / "links.html", "#t-wrong")
    link = row_of(browser, "wrong").find_element(By.CSS_SELECTOR, ".place a")
    assert link.accessible_name == "Link to this transcript"
    assert link.get_attribute("href").endswith("links.html#t-wrong")


def test_transcripts_with_the_same_id_keep_their_links(browser, list_pages):
    found = []
    for name in ("links", "again"):
        open_page(browser, list_pages / f"{name}.html")
        rows = browser.find_elements(By.CSS_SELECTOR, "#rows > details")
        found.append(
            {row.get_attribute("id") for row in rows if row.get_attribute("id").startswith("t-twin")}
        )
        browser.execute_script("location.hash = '#t-twin'")
        assert wait_for(lambda: browser.find_elements(By.CSS_SELECTOR, "#rows > details[open]"))
        (opened,) = browser.find_elements(By.CSS_SELECTOR, "#rows > details[open]")
        assert opened.find_element(By.CSS_SELECTOR, ".id").text == "twin"
    assert found[0] == found[1]
    assert len(found[0]) == 2
    assert all(re.fullmatch(r"t-twin~~[0-9a-f]{8}", item) for item in found[0])


def test_a_link_to_nothing_opens_nothing(browser, list_pages):
    open_page(browser, list_pages / "links.html", "#t-%22%5D*<img src=x>")
    assert not browser.find_elements(By.CSS_SELECTOR, "#rows > details[open]")
    assert [item for item in browser.get_log("browser") if item["level"] == "SEVERE"] == []


def test_a_waived_finding_is_shown_with_its_reason(browser, list_pages):
    open_page(browser, list_pages / "waived.html")
    assert buttons(browser)["waived"] == 1
    assert "broken" not in shown(browser)
    browser.find_element(By.CSS_SELECTOR, "[data-show=waived]").click()
    assert shown(browser) == ["broken"]
    row = row_of(browser, "broken")
    assert row.find_element(By.CSS_SELECTOR, ".f-waived").text == "1 waived"
    row.find_element(By.TAG_NAME, "summary").click()
    assert wait_for(lambda: row.find_elements(By.CSS_SELECTOR, ".excuse"))
    said = row.find_element(By.CSS_SELECTOR, ".excuse").text
    assert said == "waived <b>the index is</b> rebuilt on Friday (by ann on 2026-11-20)"
    assert not row.find_elements(By.CSS_SELECTOR, ".open-waive")


def test_a_finding_offers_the_command_that_waives_it(browser, list_pages):
    open_page(browser, list_pages / "plain.html", "#t-wrong")
    row = row_of(browser, "wrong")
    button = row.find_element(By.CSS_SELECTOR, ".open-waive")
    assert button.accessible_name == "Waive contradicted"
    assert button.get_attribute("aria-expanded") == "false"
    button.send_keys(Keys.ENTER)
    assert button.get_attribute("aria-expanded") == "true"
    command = browser.switch_to.active_element
    words = shlex.split(command.text)
    start = ["pytest-grounding", "waive", "suite.transcripts.jsonl", "--id=wrong", "--claim=1"]
    assert words == [*start, "--reason", "WHY"]
    assert wait_for(lambda: browser.execute_script("return String(getSelection())") == command.text)
    row.find_element(By.CSS_SELECTOR, ".copy").click()
    said = browser.find_element(By.ID, "said")
    assert wait_for(lambda: said.get_attribute("textContent").startswith("Copied"))
    field = browser.find_element(By.ID, "f-text")
    field.clear()
    field.send_keys(Keys.CONTROL, "v")
    assert field.get_attribute("value") == command.text


def test_no_command_is_offered_with_invisible_characters(browser, list_pages):
    open_page(browser, list_pages / "odd.html", "#t-wrong")
    row = row_of(browser, "wrong")
    assert row.find_elements(By.CSS_SELECTOR, ".findings li")
    assert not row.find_elements(By.CSS_SELECTOR, ".open-waive")


def look(page):
    """What the page is drawn in, and what its switch says."""
    colour = page.execute_script("return getComputedStyle(document.body).backgroundColor")
    return colour, page.find_element(By.ID, "theme").get_attribute("aria-pressed")


def stored(page):
    """How many things the page keeps."""
    return page.execute_script("return localStorage.length")


LIGHT, DARK = ("rgb(251, 250, 248)", "false"), ("rgb(22, 24, 28)", "true")


@pytest.mark.parametrize(("system", "own", "other"), [("light", LIGHT, DARK), ("dark", DARK, LIGHT)])
def test_the_theme_follows_the_system_until_one_is_chosen(own_browser, list_pages, system, own, other):
    page = own_browser
    feature = {"name": "prefers-color-scheme", "value": system}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    open_page(page, list_pages / "plain.html")
    assert stored(page) == 0
    assert look(page) == own
    button = page.find_element(By.ID, "theme")
    assert button.accessible_name == "Dark theme"
    button.send_keys(Keys.SPACE)
    assert look(page) == other
    remembered = open_until(page, list_pages / "news.html", lambda: look(page) == other)
    assert remembered, "the choice is remembered"
    page.find_element(By.ID, "theme").click()
    assert look(page) == own
    assert stored(page) == 0, "the system needs no memory"


def test_the_theme_switch_works_without_storage(browser, list_pages, tmp_path):
    # A sandboxed frame may run scripts and has no storage.
    page = list_pages / "plain.html"
    frame = tmp_path / "frame.html"
    frame.write_text(
        f'<iframe sandbox="allow-scripts" src="{page.as_uri()}" width="900" height="700"></iframe>'
    )
    open_page(browser, frame)
    browser.switch_to.frame(browser.find_element(By.TAG_NAME, "iframe"))
    try:
        before = look(browser)
        browser.find_element(By.ID, "theme").click()
        assert {before, look(browser)} == {LIGHT, DARK}
        with pytest.raises(Exception, match="sandboxed"):
            browser.execute_script("return localStorage.length")
    finally:
        browser.switch_to.default_content()


PRICES = "| plan | price |\n|---|---|\n| Basic | $13 |\n| Plus | $19 |"
PLANS = {"id": "kb-101", "text": f"# Plans\n\n{PRICES}\n\nThe Basic plan costs $13 a month.", "score": 0.9}
MARKDOWN = (
    "## Plans\n\n- The **Basic** plan costs $24 a month [1].\n"
    "- See `plans.md` and [a page](javascript:alert(1)).\n\n"
    f"{PRICES}\n\n<b>not bold</b> ![picture](http://203.0.113.1/x.png)"
)


def plan_row(identifier, answer):
    question = "What does the Basic plan cost?"
    return {"id": identifier, "question": question, "chunks": [PLANS], "answer": answer}


@pytest.fixture(scope="module")
def plan_page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    rows = [plan_row("markdown", MARKDOWN), plan_row("right", "The Basic plan costs $13 a month [1].")]
    rows.append(plan_row("two", "The Plus plan costs $19 [1]. The Basic plan costs $24 a month [1]."))
    (folder / "a.jsonl").write_text("".join(json.dumps(item) + "\n" for item in rows))
    main(["check", str(folder / "a.jsonl"), "--quiet", "--report", f"html:{folder / 'page.html'}"])
    return folder / "page.html"


def test_each_row_shows_the_words_that_differ_without_style_and_script(browser, plan_page, tmp_path):
    open_page(browser, plan_page)
    said = row_of(browser, "two").find_element(By.TAG_NAME, "summary").text
    assert "$24" in said
    assert "≠" in said
    assert "kb-101" in said
    assert "contradicted" not in said
    bare = tmp_path / "bare.html"
    text = plan_page.read_text()
    policy = text[text.index('content="default-src') : text.index('">', text.index('content="default-src'))]
    bare.write_text(text.replace(policy, "content=\"default-src 'none'"))
    open_page(browser, bare)
    assert (
        said.partition("≠")[2].split()[0] in row_of(browser, "two").find_element(By.TAG_NAME, "summary").text
    )


def opened_in(browser, plan_page, identifier):
    open_page(browser, plan_page)
    browser.find_element(By.CSS_SELECTOR, "[data-show=all]").click()
    found = row_of(browser, identifier)
    found.find_element(By.TAG_NAME, "summary").click()
    assert wait_for(lambda: found.find_elements(By.CSS_SELECTOR, ".answer"))
    return found


def test_the_wrong_claim_is_open_and_each_claim_appears_once(browser, plan_page):
    found = opened_in(browser, plan_page, "two")
    inspector = found.find_element(By.CSS_SELECTOR, ".inspector")
    assert inspector.text.startswith("Claim 2: contradicted")
    assert "$13" in inspector.text
    body = found.find_element(By.CSS_SELECTOR, ".body").text
    assert body.count("The Basic plan costs $24 a month") == 1


def test_markdown_is_rendered_and_stays_inert(browser, plan_page):
    found = opened_in(browser, plan_page, "markdown")
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


def test_the_first_row_fits_on_the_screen_of_a_phone(browser, plan_page):
    browser.set_window_size(500, 900)
    try:
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": True},
        )
        open_page(browser, plan_page)
        assert browser.execute_script("return innerWidth") == 400
        top = browser.execute_script(
            "return document.querySelector('#rows > details').getBoundingClientRect().top"
        )
        assert top < 500
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 400
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.set_window_size(1280, 900)
