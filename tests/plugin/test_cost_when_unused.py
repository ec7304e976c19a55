"""What the plugin costs a run that does not use it."""

import os
import subprocess
import sys

import pytest

PROBE = """
import atexit, os, sys

HEAVY = ("pydantic", "numpy", "deepdiff", "jinja2", "sentencex", "snowballstemmer")
HEAVY += ("anthropic", "cohere", "openai")
touched = []


def watch(event, arguments):
    if event.startswith("socket.") and event not in ("socket.gethostname",):
        touched.append(event)
    elif event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
        name = str(arguments[0])
        # pytest's own rewritten test modules are no writing of ours, and neither is the report below.
        if not name.endswith(".pyc") and ".pyc." not in name and "/dev/null" not in name:
            touched.append(f"open {os.path.dirname(name)}")
    elif event in ("os.mkdir", "os.rename", "os.remove"):
        if "__pycache__" not in str(arguments[0]):
            touched.append(f"{event} {os.path.dirname(str(arguments[0]))}")


sys.addaudithook(watch)


def report(when):
    loaded = sorted(name for name in HEAVY if name in sys.modules)
    ours = sorted(name for name in sys.modules if name.split(".")[0] == "pytest_grounding")
    line = "|".join([when, ",".join(loaded), ",".join(touched), ",".join(ours)])
    os.write(int(os.environ["PROBE_FD"]), line.encode() + b"\\n")


def pytest_configure(config):
    report("start")


def pytest_unconfigure(config):
    report("end")


atexit.register(lambda: report("exit"))
"""

OURS = {
    "pytest_grounding",
    "pytest_grounding._io",
    "pytest_grounding._io.listeners",
    "pytest_grounding.hookspecs",
    "pytest_grounding.plugin",
    "pytest_grounding.plugin.option_table",
    "pytest_grounding.plugin.fixtures",
    "pytest_grounding.plugin.observer",
    "pytest_grounding.plugin.session",
    "pytest_grounding.plugin.run_state",
}


def run_bare(folder, *arguments):
    """A pytest run with this plugin alone, and what it had loaded and touched at three moments."""
    (folder / "probe.py").write_text(PROBE)
    (folder / "test_plain.py").write_text("def test_it():\n    assert True\n")
    (folder / "data.json").write_text("{}")
    reading, writing = os.pipe()
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(folder)}
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "COVERAGE_PROCESS_START"):
        environment.pop(name, None)
    environment["PROBE_FD"] = str(writing)
    command = [sys.executable, "-m", "pytest", "-p", "probe", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, pass_fds=(writing,), check=False
    )
    os.close(writing)
    with os.fdopen(reading) as pipe:
        lines = [line.rstrip("\n").split("|") for line in pipe]
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout, {when: (loaded, touched, ours.split(",")) for when, loaded, touched, ours in lines}


@pytest.mark.row(51)
def test_an_unused_plugin_loads_touches_and_prints_nothing(tmp_path):
    without, bare = run_bare(tmp_path, "-q", "--no-header")
    output, moments = run_bare(tmp_path, "-p", "pytest_grounding.plugin", "-q", "--no-header")
    assert output.split(" in ")[0] == without.split(" in ")[0]
    assert set(moments) == {"start", "end", "exit"}
    for when, (loaded, touched, ours) in moments.items():
        assert loaded == ""
        # What pytest itself writes (the temporary files of its capture) is all that is written.
        assert touched == bare[when][1]
        assert "socket" not in touched
        assert set(ours) == OURS


def test_the_probe_sees_what_a_used_plugin_loads(tmp_path):
    (tmp_path / "x.transcript.json").write_text(
        '{"id": "a", "question": "What is it?", "chunks": [], "answer": "Hello!"}'
    )
    (tmp_path / "test_plain.py").write_text("")
    _, moments = run_bare(
        tmp_path, "-p", "pytest_grounding.plugin", "--grounding-json=out.json", "--grounding-set", "enabled=0"
    )
    loaded, touched, _ = moments["exit"]
    assert "pydantic" in loaded
    assert f"open {tmp_path}" in touched or f"os.rename {tmp_path}" in touched


def test_changes_of_the_environment_in_a_test_are_no_settings(pytester):
    pytester.makepyfile(
        """
        import os
        from pytest_grounding import assert_grounded

        def test_it(monkeypatch, tmp_path):
            monkeypatch.setenv("VALIDATION_ENABLED", "neither")
            monkeypatch.chdir(tmp_path)
            chunk = {"id": "a", "text": "The museum opens at nine."}
            assert_grounded(
                {"id": "t", "question": "When?", "chunks": [chunk], "answer": "The museum opens at nine [1]."}
            )
        """
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
