"""A real Chromium for the tests of the pages, and how they look at a page."""

import shutil
import time

import pytest

webdriver = pytest.importorskip("selenium.webdriver")
from selenium.webdriver.chrome.service import Service  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)
DRIVER = shutil.which("chromedriver")
needs_browser = pytest.mark.skipif(
    BROWSER is None or DRIVER is None, reason="Chromium and its driver are not installed"
)
PATIENCE_S = 60
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage "
    "--force-prefers-reduced-motion --window-size=1280,900"
)


def started(profile, downloads=None):
    """A browser with a profile of its own, closed at the end; what it downloads goes into that folder."""
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for flag in (*FLAGS.split(), f"--user-data-dir={profile}"):
        options.add_argument(flag)
    if downloads is not None:
        options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(executable_path=DRIVER))
    yield driver
    driver.quit()


def open_page(browser, path, anchor=""):
    """Load a page anew, with empty logs."""
    for kind in ("browser", "performance"):
        browser.get_log(kind)
    browser.get("about:blank")
    browser.get(f"{path.as_uri()}{anchor}")


def open_until(browser, path, shows):
    """Load a page until it shows something that a page before it stored.

    A page that is loaded anew may get a process of its own, and what another process stored reaches it a
    moment later: no person is as quick as a test.
    """

    def opened():
        open_page(browser, path)
        return wait_for(shows, 0.3)

    return wait_for(opened)


def wait_for(condition, patience_s=PATIENCE_S):
    """As long as a busy machine may take; what comes to pass is seen at once."""
    until = time.monotonic() + patience_s
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def shown(page):
    """The ids of the rows that are to be seen, in their order."""
    return [
        row.find_element(By.CSS_SELECTOR, ".id").text
        for row in page.find_elements(By.CSS_SELECTOR, "#rows > details:not([hidden])")
    ]


def row_of(page, identifier):
    """The row of a transcript."""
    rows = page.find_elements(By.CSS_SELECTOR, "#rows > details")
    return next(row for row in rows if row.find_element(By.CSS_SELECTOR, ".id").text == identifier)
