"""What the type checkers of users say: right code is right, and a slip of the pen is found on its line."""

import json
import os
import re
import subprocess
import sys
import venv
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import get_args

import pytest
from every import each

import pytest_grounding as pg
from pytest_grounding.settings import FIELDS, OUTCOMES, POLICIES
from pytest_grounding.settings._declare import Outcome, Policy
from pytest_grounding.settings.mapping import SettingsDict

RIGHT = """
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest_grounding as pg
from pytest_grounding import Chunk, Evidence, Finding, Grounding, Recorder, Row, Transcript
from pytest_grounding.testing import Example, write_transcripts

LIMITS: pg.SettingsDict = {"fail_on": "reject", "max_hallucination_rate": 0.2, "source_root": Path("src")}
REFUNDS = Example("How long do refunds take?", ["Refunds take 14 days.", {"id": "b", "text": "No fee."}])


def exchange() -> Transcript:
    return Transcript(
        id="a",
        question="How long?",
        chunks=[{"id": "c1", "text": "14 days."}, Chunk(id="c2", text="Two weeks.", metadata={"page": 3})],
        answer="14 days [1].",
        history=[{"role": "user", "content": "Hello"}],
        citations=[pg.ProviderCitation(start=0, end=7, chunk_ids=("c1",))],
        cited_indices=[1],
        metadata={"model_version": "m"},
    )


def test_fixtures(
    grounding: Grounding, record_transcript: Recorder, transcript: Transcript
) -> None:
    verdict: pg.Verdict = grounding.validate(transcript)
    assert verdict.status in ("pass", "review")


def worst(verdict: pg.Verdict) -> tuple[Finding | None, Sequence[Evidence]]:
    claim: pg.ClaimVerdict = verdict.claims[0]
    citation: pg.CitationVerdict = verdict.citations[0]
    retrieval: pg.RetrievalVerdict = verdict.retrieval
    assert citation.valid and retrieval.answer_present == "full"
    return (verdict.findings[0] if verdict.findings else None), claim.evidence


def rows(folder: Path) -> list[Row]:
    write_transcripts(folder / "a.transcripts.jsonl", [exchange(), REFUNDS.answered("14 days [1].")])
    return [row for row in pg.iter_transcripts(folder) if row.transcript is not None and row.error is None]


def guarded(given: Mapping[str, object], settings: pg.Settings) -> str:
    try:
        verdict = pg.assert_grounded(given, settings=settings)
        pg.validate(given, LIMITS)
        pg.validate(given, {"fail_on": "reject"})
    except pg.UnreadableCassetteError as error:
        return f"{error.path}:{error.line}"
    except (pg.InputError, pg.SettingsError, pg.CassetteError, pg.RefusedError, pg.TooLargeError):
        return pg.__version__
    return verdict.reason


STRICT = pg.Settings(fail_on="review", require_citations="error", confidence_model="tiered")
"""

#: Each line that ends in "# wrong" is to be reported, and no other one.
WRONG = """
import pytest_grounding as pg
from pytest_grounding import Transcript
from pytest_grounding import assert_grouned  # wrong
from pytest_grounding.testing import Exmaple  # wrong

pg.valdate({})  # wrong
pg.Transcrpt  # wrong
verdict = pg.validate({}, {})
verdict.statsu  # wrong
verdict.claims[0].suport  # wrong
verdict.findings[0].rule.no_such_thing  # wrong
Transcript(id="a", question="q", chunks=[1], answer="a")  # wrong
Transcript(id="a", question="q", chunks=[], anwser="a", answer="a")  # wrong
Transcript(id="a", question="q", chunks=[])  # wrong
pg.Chunk(id="a", text=3)  # wrong
pg.Settings(fail_onn="review")  # wrong
pg.Settings(fail_on="never")  # wrong
pg.Settings(supported_threshold="high")  # wrong
misspelt: pg.SettingsDict = {"fail_onn": "review"}  # wrong
unknown: pg.SettingsDict = {"require_citations": "sometimes"}  # wrong
rating: int = verdict.retrieval.rating  # wrong
"""

PRESENCE = """
from typing import Literal

import pytest_grounding as pg

verdict = pg.validate_retrieval("Who?", ["text"])
word: Literal["full", "partial", "none", "abstain"] = verdict.answer_present
if verdict.answer_present == "full":
    print(word)
"""

FILES = {"user.py": RIGHT + WRONG, "presence.py": PRESENCE}


def installed(name):
    if find_spec(name) is None:
        pytest.skip(f"{name} is not installed")


@cache
def by_mypy(folder):
    """The lines on which mypy finds a fault; it reads the package once for all files."""
    installed("mypy")
    words = ["--strict", "--strict-equality", "--cache-dir", str(folder / "cache"), *FILES]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    print(done.stdout)
    return {
        name: {int(line) for line in re.findall(rf"(?m)^{name}:(\d+): error:", done.stdout)} for name in FILES
    }


@cache
def by_pyright(folder):
    """The lines on which basedpyright, which is pyright and comes as a wheel, finds a fault."""
    installed("basedpyright")
    words = ["--pythonpath", sys.executable, "--outputjson", "--level", "error", *FILES]
    done = subprocess.run(
        [sys.executable, "-m", "basedpyright", *words], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode in (0, 1), done.stderr
    found = [
        (Path(item["file"]).name, item["range"]["start"]["line"] + 1, item["message"])
        for item in json.loads(done.stdout)["generalDiagnostics"]
        if item["severity"] == "error"
    ]
    print(*found, sep="\n")
    return {name: {line for file, line, _ in found if file == name} for name in FILES}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files of users."""
    folder = tmp_path_factory.mktemp("users")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


CHECKERS = [pytest.param(by_mypy, id="mypy"), pytest.param(by_pyright, id="basedpyright")]


@pytest.mark.parametrize("check", CHECKERS)
def test_type_checkers_accept_right_code_and_find_each_mistake(check, folder):
    lines = FILES["user.py"].splitlines()
    marked = {number for number, line in enumerate(lines, start=1) if line.endswith("# wrong")}
    assert len(marked) > 15
    assert check(folder)["user.py"] == marked


@pytest.mark.parametrize("check", CHECKERS)
def test_the_word_of_presence_is_seen_as_a_literal(check, folder):
    assert check(folder)["presence.py"] == set()


@pytest.mark.slow
def test_almost_all_types_are_known(tmp_path):
    installed("basedpyright")
    # The checker wants an installed package: one that is worked on in place is linked into an environment.
    home = Path(pg.__file__).parent
    venv.create(tmp_path / "env", with_pip=False, symlinks=os.name != "nt")
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    scripts = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    python = [str(scripts / "python"), "-c", code]
    site = Path(subprocess.run(python, capture_output=True, text=True, check=True).stdout.strip())
    (site / home.name).symlink_to(home, target_is_directory=True)
    (site / "others.pth").write_text(str(Path(pytest.__file__).parents[1]), encoding="utf-8")
    environ = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--ignoreexternal"]
    done = subprocess.run(
        [*command, "--verifytypes", home.name],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    found = json.loads(done.stdout)["typeCompleteness"]
    assert found["packageName"] == home.name
    assert found["exportedSymbolCounts"]["withKnownType"] > 5_000
    assert found["completenessScore"] >= 0.98


STUB = Path(pg.__file__).parent / "settings" / "mapping.pyi"


@each(*FIELDS)
def test_a_setting_of_few_words_is_a_literal(name):
    told = re.search(rf"^    {name}: (.*) = \.\.\.$", STUB.read_text(encoding="utf-8"), re.M)[1]
    choices = FIELDS[name].metadata["choices"]
    named = {"Policy": get_args(Policy), "Outcome": get_args(Outcome)}
    words = named.get(told) or tuple(re.findall(r'"([^"]*)"', told)) or None
    assert words == (tuple(choices) if choices else None), f"declare {name} as a Literal of its choices"


def test_the_named_words_and_the_dictionary_are_those_of_the_settings():
    assert (get_args(Policy), get_args(Outcome)) == (POLICIES, OUTCOMES)
    assert list(SettingsDict.__annotations__) == list(FIELDS)
    assert SettingsDict.__required_keys__ == frozenset()
