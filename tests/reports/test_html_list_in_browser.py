"""The list of the HTML report in a real browser: buttons, news, links to transcripts, waivers, the theme."""

from __future__ import annotations

import re
import shlex
import time
from pathlib import Path

import pytest
from browsing import needs_browser, open_page, open_until, row_of, shown, started, wait_for
from made_runs import changed, plain, run, transcript

from pytest_grounding.model.finding import Waived
from pytest_grounding.reports.write import render

webdriver = pytest.importorskip("selenium.webdriver")
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

pytestmark = needs_browser

STRANGE = 'a b/ü"<#%~'


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    yield from started(tmp_path_factory.mktemp("profile"))


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
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
    made["waived"] = (_with_waiver(report), context)
    for name, (found, known) in made.items():
        (folder / f"{name}.html").write_text(render(found, "html", known), encoding="utf-8")
    return folder


def _with_waiver(report):
    """The same run, in which somebody overruled what is wrong with "broken"."""
    waived = Waived(reason="<b>the index is</b> rebuilt on Friday", by="ann", day="2026-11-20")
    verdicts = tuple(
        item
        if item.id != "broken"
        else item.model_copy(
            update={
                "status": "pass",
                "findings": tuple(
                    found.model_copy(update={"waived": waived, "severity": "info"}) for found in item.findings
                ),
            }
        )
        for item in report.transcripts
    )
    facts = report.run.model_copy(update={"failed": ("invented", "wrong")})
    return report.model_copy(update={"transcripts": verdicts, "run": facts})


def buttons(page):
    """Key of each button -> its number."""
    found = page.find_elements(By.CSS_SELECTOR, ".toggle")
    return {item.get_attribute("data-show"): int(item.find_element(By.TAG_NAME, "b").text) for item in found}


def pressed(page):
    found = page.find_elements(By.CSS_SELECTOR, ".toggle[aria-pressed=true]")
    return [item.get_attribute("data-show") for item in found]


def test_each_button_shows_what_it_counts_under_the_other_filters_too(browser, pages):
    open_page(browser, pages / "news.html")
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


def test_a_page_opens_with_what_changed_and_those_that_need_someone(browser, pages):
    open_page(browser, pages / "news.html")
    assert pressed(browser) == ["need"]
    assert set(shown(browser)[:2]) == {"added", "good"}, "new ones stand first"
    assert "wrong" not in shown(browser)
    said = browser.find_element(By.ID, "changed").text
    assert "2 new, 2 known, 1 repaired." in said
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
    assert flags == {"good": "new", "added": "new", "wrong": "repaired", "broken": "known"}


def test_without_a_baseline_nothing_is_new(browser, pages):
    open_page(browser, pages / "plain.html")
    assert "new" not in buttons(browser)
    assert not browser.find_elements(By.CSS_SELECTOR, "#changed, .flag")


def test_buttons_are_used_by_keyboard_and_say_what_is_pressed(browser, pages):
    open_page(browser, pages / "news.html")
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
def test_a_link_leads_to_its_transcript_in_every_run(browser, pages, name):
    open_page(browser, pages / f"{name}.html", "#t-good")
    assert row_of(browser, "good").get_attribute("open"), "a row that the filter hid is shown"
    at = "return document.activeElement.closest('summary')?.querySelector('.id').textContent"
    assert wait_for(lambda: browser.execute_script(at) == "good")
    browser.execute_script("location.hash = '#t-wrong~chunk2'")
    assert wait_for(lambda: "hr-2" in browser.switch_to.active_element.text)
    chunk = browser.switch_to.active_element
    assert "flash" in chunk.get_attribute("class")
    assert chunk.find_element(By.XPATH, "./ancestor::details") == row_of(browser, "wrong")
    open_page(browser, pages / f"{name}.html", "#t-a~20b~2f~c3~bc~22~3c~23~25~7e")
    assert row_of(browser, STRANGE).get_attribute("open")


def test_a_row_offers_its_own_link(browser, pages):
    open_page(browser, pages / "links.html", "#t-wrong")
    link = row_of(browser, "wrong").find_element(By.CSS_SELECTOR, ".place a")
    assert link.accessible_name == "Link to this transcript"
    assert link.get_attribute("href").endswith("links.html#t-wrong")


def test_transcripts_that_share_an_id_keep_their_links_whatever_stands_beside_them(browser, pages):
    found = []
    for name in ("links", "again"):
        open_page(browser, pages / f"{name}.html")
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


def test_a_link_to_nothing_opens_nothing(browser, pages):
    open_page(browser, pages / "links.html", "#t-%22%5D*<img src=x>")
    assert not browser.find_elements(By.CSS_SELECTOR, "#rows > details[open]")
    assert [item for item in browser.get_log("browser") if item["level"] == "SEVERE"] == []


def test_what_was_waived_is_shown_with_its_reason(browser, pages):
    open_page(browser, pages / "waived.html")
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


def test_a_finding_gives_the_command_that_waives_it(browser, pages):
    open_page(browser, pages / "plain.html", "#t-wrong")
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
    assert browser.execute_script("return String(getSelection())") == command.text
    row.find_element(By.CSS_SELECTOR, ".copy").click()
    said = browser.find_element(By.ID, "said")
    assert wait_for(lambda: said.get_attribute("textContent").startswith("Copied"))
    field = browser.find_element(By.ID, "f-text")
    field.clear()
    field.send_keys(Keys.CONTROL, "v")
    assert field.get_attribute("value") == command.text


def test_no_command_is_offered_that_a_terminal_would_not_show(browser, pages):
    open_page(browser, pages / "odd.html", "#t-wrong")
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
def test_the_theme_is_the_systems_until_somebody_chooses(browser, pages, system, own, other):
    feature = {"name": "prefers-color-scheme", "value": system}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    try:
        # What a page of the test before took back may be under way still, and would take this one's choice.
        assert all(_holds_nothing(browser, pages / "plain.html") for _ in range(5))
        assert look(browser) == own
        button = browser.find_element(By.ID, "theme")
        assert button.accessible_name == "Dark theme"
        button.send_keys(Keys.SPACE)
        assert look(browser) == other
        remembered = open_until(browser, pages / "news.html", lambda: look(browser) == other)
        assert remembered, "the choice is remembered"
        browser.find_element(By.ID, "theme").click()
        assert look(browser) == own
        assert stored(browser) == 0, "the system needs no memory"
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def _holds_nothing(browser, path):
    time.sleep(0.1)
    return open_until(browser, path, lambda: stored(browser) == 0)


def test_the_switch_works_where_a_page_may_store_nothing(browser, pages, tmp_path: Path):
    # A sandboxed frame may run scripts and has no storage.
    page = pages / "plain.html"
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
