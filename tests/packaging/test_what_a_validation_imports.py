"""What comes into a process with `validate` is pinned: a start that grows is seen here."""

import json
import subprocess
import sys

import pytest

#: Distributions that are imported with the engine; nothing else outside the standard library may be.
PACKAGES = {
    *("pydantic", "pydantic_core", "annotated_types", "typing_extensions", "typing_inspection"),
    *("pluggy", "sentencex", "pytest_grounding_snowball"),
}
#: Rooms of this package that stand on the road of a validation.
ROOMS = {
    *("_io", "checks", "citations", "claims", "engine", "errors", "gate", "hookspecs", "lexicon", "model"),
    *("evidence", "questions", "reading", "rules", "scorers", "settings"),
}
#: Parts of those rooms, and modules of the standard library, that a validation of a Transcript needs not.
LEFT_OUT = {
    *("pytest_grounding.engine.answer_tools", "pytest_grounding.importers"),
    *("pytest_grounding.citations.editing", "pytest_grounding.citations.naming"),
    *(
        "pytest_grounding.model.run_report",
        "pytest_grounding.model.contracts",
        "pytest_grounding.model.baseline_values",
    ),
    *(
        "pytest_grounding.scorers.builtin.glossary",
        "pytest_grounding.scorers.remote.scorer_factory",
        "pytest_grounding.scorers.remote.cassette_file",
        "pytest_grounding.scorers.remote.judge",
    ),
    *("difflib", "asyncio", "sqlite3", "multiprocessing"),
}
PROBE = """
import json, sys
before = set(sys.modules)
import pytest_grounding
pytest_grounding.validate
text = "The old library opened in 1950. It keeps 40 maps, and lends them for 7 days."
given = {"id": "a", "question": "When did it open?", "answer": "The library opened in 1960."}
transcript = pytest_grounding.Transcript.model_validate(given | {"chunks": [{"id": "c1", "text": text}]})
imported = sorted(set(sys.modules) - before)
verdict = pytest_grounding.validate(transcript)
validated = sorted(set(sys.modules) - before)
print(json.dumps({"imported": imported, "validated": validated, "status": verdict.status}))
"""


@pytest.fixture(scope="module")
def loaded():
    """The modules that one process loaded, up to two moments."""
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert found["status"] == "reject"
    return found


@pytest.mark.parametrize("moment", ["imported", "validated"])
def test_only_the_pinned_packages_and_rooms_come_in(loaded, moment):
    names = loaded[moment]
    roots = {name.partition(".")[0] for name in names} - sys.stdlib_module_names
    own = {name for name in names if name.startswith("pytest_grounding.")}
    assert {root for root in roots if not root.startswith("_")} <= PACKAGES | {"pytest_grounding"}
    assert {"pydantic", "pytest_grounding"} <= roots
    assert {name.split(".")[1] for name in own} <= ROOMS
    assert {"engine", "scorers", "claims"} <= {name.split(".")[1] for name in own}


@pytest.mark.parametrize("name", sorted(LEFT_OUT))
def test_unneeded_modules_are_not_imported(loaded, name):
    if name.startswith("pytest_grounding."):
        __import__(name)  # it is there to be left out
    assert name not in loaded["imported"]
    assert name not in loaded["validated"]
