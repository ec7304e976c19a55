"""The review page in a real browser: decisions by mouse and keys, kept, exported, and carried out."""

import json

import pytest

from pytest_grounding import Settings, Transcript, validate
from pytest_grounding.cli import main
from pytest_grounding.golden import Golden, Store
from pytest_grounding.golden.review import waiting
from pytest_grounding.golden.settle import settle

webdriver = pytest.importorskip("selenium.webdriver")
from browsing import needs_browser, open_page, open_until, started, wait_for  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

pytestmark = needs_browser
CHUNK = {"id": "hr-1", "text": "Employees receive 25 vacation days per year.", "score": 0.9}
RIGHT = "Employees receive 25 vacation days per year [1]."
WRONG = "Employees receive 30 vacation days per year [1]."
REWORDED = "Each year, every employee receives 25 days of vacation [1]."
INVENTED = f"{RIGHT} The office in Lisbon was painted purple by Italian artists."
#: Name -> the answer before and the one now, the gravest first.
CANDIDATES = {
    "worse-1": (RIGHT, WRONG),
    "worse-2": (RIGHT, WRONG),
    "fresh": (None, RIGHT),
    "better": (INVENTED, RIGHT),
    "other-1": (RIGHT, REWORDED),
    "other-2": (RIGHT, REWORDED),
}


@pytest.fixture(scope="module")
def downloads(tmp_path_factory):
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def browser(tmp_path_factory, downloads):
    yield from started(tmp_path_factory.mktemp("profile"), downloads)


def judged(answer, name):
    row = {"id": name, "question": "How many vacation days?", "chunks": [CHUNK], "answer": answer}
    transcript = Transcript.model_validate(row)
    return Golden.of(transcript, validate(transcript))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = Store.beside(tmp_path)
    for name, (before, after) in CANDIDATES.items():
        if before is not None:
            store.accept(judged(before, name))
        settle(store, judged(after, name), Settings())
    assert main(["review", "--html", "page.html"]) == 0
    return tmp_path


@pytest.fixture
def page(browser, folder):
    opened(browser, folder)
    browser.execute_script("localStorage.clear()")
    assert open_until(browser, folder / "page.html", lambda: nothing_decided(browser))
    return browser


def opened(browser, folder, anchor=""):
    open_page(browser, folder / "page.html", anchor)
    return browser


def nothing_decided(page):
    # What is exported holds at least one decision.
    return not page.find_element(By.ID, "text").is_enabled()


def press(page, keys):
    webdriver.ActionChains(page).send_keys(keys).perform()


def current(page):
    return page.find_element(By.CSS_SELECTOR, "article.on").get_attribute("id").removeprefix("c-")


def exported(page):
    area = page.find_element(By.ID, "exported")
    if not area.is_displayed():
        page.find_element(By.ID, "text").click()
    value = json.loads(area.get_attribute("value"))
    assert value["schema_version"] == 1
    return {item["id"]: (item["decision"], item["reason"]) for item in value["decisions"]}


def write_export(page, folder):
    exported(page)
    text = page.find_element(By.ID, "exported").get_attribute("value")
    (folder / "decisions.json").write_text(text, encoding="utf-8")


def shown(page):
    return [
        item.get_attribute("id").removeprefix("c-")
        for item in page.find_elements(By.TAG_NAME, "article")
        if item.is_displayed()
    ]


def button(page, name, verb):
    found = page.find_element(By.CSS_SELECTOR, f"#c-{name} button[data-verb={verb}]")
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", found)
    return found


def test_keys_alone_decide_on_all_and_the_command_carries_it_out(page, folder, capsys):
    assert shown(page) == list(CANDIDATES)
    assert current(page) == "worse-1"
    press(page, "r")
    assert current(page) == "worse-2"
    press(page, "a")
    assert page.switch_to.active_element.get_attribute("class") == "reason"
    press(page, "the law changed" + Keys.ENTER)
    assert current(page) == "fresh"
    press(page, "nip")
    assert page.find_element(By.ID, "done").text == "6 of 6 decided"
    assert exported(page) == {
        "worse-1": ("reject", ""),
        "worse-2": ("accept", "the law changed"),
        **dict.fromkeys(("fresh", "better", "other-1", "other-2"), ("accept", "")),
    }
    write_export(page, folder)
    capsys.readouterr()
    assert main(["review", "apply", "decisions.json"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "rejected __golden__/worse-1.golden.json"
    store = Store.beside(folder)
    answers = {name: store.golden(name).transcript.answer for name in CANDIDATES}
    assert answers == {name: after if name != "worse-1" else RIGHT for name, (_, after) in CANDIDATES.items()}
    assert "the law changed" in store.log_path("worse-2").read_text()
    assert waiting([folder])[0] == []
    # All of it was one step.
    assert main(["review", "undo"]) == 0
    assert [item.id for item in waiting([folder])[0]] == list(CANDIDATES)


def test_the_mouse_decides_too_and_undo_takes_back_one_or_many(page):
    button(page, "fresh", "accept").click()
    assert button(page, "fresh", "accept").get_attribute("aria-pressed") == "true"
    button(page, "worse-1", "reject").click()
    assert page.find_element(By.CSS_SELECTOR, "#c-worse-1 .reason").is_displayed()
    page.find_element(By.ID, "all-n").click()
    assert set(exported(page)) == {"fresh", "worse-1", "other-1", "other-2"}
    page.find_element(By.ID, "undo").click()
    assert set(exported(page)) == {"fresh", "worse-1"}
    press(page, "u")
    assert set(exported(page)) == {"fresh"}
    assert current(page) == "worse-1"
    button(page, "fresh", "reject").click()
    assert exported(page) == {"fresh": ("reject", "")}
    page.find_element(By.ID, "undo").click()
    assert exported(page) == {"fresh": ("accept", "")}
    # The same again takes it off.
    button(page, "fresh", "accept").click()
    assert exported(page) == {}
    press(page, "u")
    assert exported(page) == {"fresh": ("accept", "")}


def test_decisions_are_kept_in_the_page_and_are_those_of_this_page_alone(page, folder):
    press(page, "r")
    press(page, "jjj")
    assert open_until(page, folder / "page.html", lambda: not nothing_decided(page)), "decisions are kept"
    assert exported(page) == {"worse-1": ("reject", "")}
    # The same place with another candidate: what was decided on the one before says nothing on it.
    settle(Store.beside(folder), judged(WRONG.replace("30", "35"), "worse-1"), Settings())
    assert main(["review", "--html", "page.html"]) == 0
    opened(page, folder)
    assert nothing_decided(page)


def test_j_and_k_move_among_what_the_filter_shows(page):
    press(page, "/")
    assert page.switch_to.active_element.get_attribute("id") == "filter"
    press(page, "OTHER- 25 days")
    assert wait_for(lambda: shown(page) == ["other-1", "other-2"])
    assert page.find_element(By.ID, "shown").text == "2 of 6 shown"
    press(page, Keys.ESCAPE)
    press(page, "j")
    assert current(page) == "other-1"
    press(page, "j")
    assert current(page) == "other-2"
    press(page, "j")
    assert current(page) == "other-2"
    press(page, "k")
    assert current(page) == "other-1"
    page.find_element(By.ID, "filter").clear()
    press(page, "/" + Keys.ESCAPE)
    page.find_element(By.CSS_SELECTOR, "button[data-grade=regression]").click()
    assert wait_for(lambda: shown(page) == ["worse-1", "worse-2"])
    # What is not shown is not decided on.
    assert not page.find_element(By.ID, "all-n").is_enabled()


def test_an_anchor_leads_to_a_candidate_also_where_a_filter_hid_it(page, folder):
    opened(page, folder, "#c-other-2")
    assert current(page) == "other-2"
    page.find_element(By.CSS_SELECTOR, "button[data-grade=regression]").click()
    page.execute_script("location.hash = '#c-better'")
    assert wait_for(lambda: current(page) == "better")
    assert len(shown(page)) == 6
    assert page.find_element(By.CSS_SELECTOR, "#c-fresh .anchor").get_attribute("href").endswith("#c-fresh")


def test_a_stale_candidate_cannot_be_decided_on(page, browser, folder):
    store = Store.beside(folder)
    record = store.pending("other-1")
    store.accept(judged(INVENTED, "other-1"))
    store.put_pending(record)
    assert main(["review", "--html", "page.html"]) == 0
    page = opened(browser, folder, "#c-other-1")
    press(page, "an")
    assert set(exported(page)) == {"other-2"}
    assert not page.find_elements(By.CSS_SELECTOR, "#c-other-1 button")


def test_the_export_is_downloaded_and_nothing_is_asked_of_a_network(page, downloads):
    page.get_log("performance")
    press(page, "r")
    page.find_element(By.ID, "download").click()
    target = downloads / "decisions.json"
    assert wait_for(target.exists)
    assert wait_for(lambda: target.stat().st_size > 0)
    assert [item["id"] for item in json.loads(target.read_text())["decisions"]] == ["worse-1"]
    events = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    sent = [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    ]
    assert [url for url in sent if not url.startswith("blob:file:")] == []
    assert page.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert [entry for entry in page.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_everything_that_can_be_used_has_a_name(page):
    nodes = page.find_elements(By.CSS_SELECTOR, "button, a, input, textarea, summary")
    assert {"button", "a", "input"} <= {node.tag_name for node in nodes}
    for node in nodes:
        # What is out of sight is not drawn, and has no name until it is.
        page.execute_script("arguments[0].scrollIntoView({block: 'center'})", node)
        if node.is_displayed():
            assert node.accessible_name.strip(), node.get_attribute("outerHTML")
