"""What all tests share."""

import compileall
import gc
import os
import signal
from collections.abc import Generator
from pathlib import Path

import inner_runs
import pytest
import warm_starts
from hypothesis import HealthCheck, settings

# The same examples on every run and machine, and no verdict that hangs on how fast the machine is.
settings.register_profile(
    "house",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("house")

# A defect of the package ends a test with its traceback; users get an error finding. Processes inherit it.
os.environ["GROUNDING_INTERNAL_ERRORS"] = "raise"

# In a build, no golden is made and pytest shortens no comparison: the tests that are about it say so.
for name in ("CI", "BUILD_NUMBER", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITLAB_CI"):
    os.environ.pop(name, None)

pytest_plugins = ["pytester"]

inner_runs.read_entry_points_once()

# A build that a script started in the background ignores Ctrl-C, and so would all that the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config: pytest.Config) -> None:
    """Keep Python from running the byte code of a file that a test wrote anew.

    Byte code counts as fresh while the source has the same size and the same second of change, so a test
    that writes ``rag.py`` twice within a second would now and then run the first one. The package itself
    is compiled beforehand: the tests start hundreds of processes.
    """
    spreads = bool(getattr(config.option, "numprocesses", None))
    if not hasattr(config, "workerinput"):
        compileall.compile_dir(Path(__file__).parent.parent / "pytest_grounding", quiet=2)
    if not spreads:
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no rubbish among what is collected.

    Ten thousand tests stay to the end: to go through them takes half a second each time. From the first test
    on it is looked for as always, among what was made since.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture
def pytester(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """As pytest gives it, but its runs, here and in processes, need not import what all of them import."""
    monkeypatch.setattr(pytester, "_getpytestargs", lambda: (warm_starts.python(), "-mpytest"))
    inner_runs.forget_what_tests_made_alone(monkeypatch)
    inner_runs.start_workers_warm(pytester, monkeypatch)
    return pytester
