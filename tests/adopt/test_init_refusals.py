"""Wrong use of ``init`` is refused with one clear sentence, and nothing is written."""

import json

import pytest

from pytest_grounding.cli import main


@pytest.fixture
def refused(library, monkeypatch, capsys):
    """Runs ``init``, which must refuse: one sentence, exit status 2, no file touched."""

    def run(*words, folder="."):
        before = library.files()
        monkeypatch.chdir(library.root / folder)
        assert main(["init", *words]) == 2
        assert library.files() == before
        said = capsys.readouterr().err
        assert said.startswith("pytest-grounding: error: ")
        return said.removeprefix("pytest-grounding: error: ").rstrip("\n")

    return run


def test_without_recordings_three_lines_say_how_to_record(library, refused):
    for file in (library.root / "answers").iterdir():
        file.unlink()
    first, *steps = refused().split("\n")
    assert (
        first == "no recorded answers were found here (*.transcript.json, *.transcripts.jsonl); record some:"
    )
    assert [step.strip()[:2] for step in steps] == ["1.", "2.", "3."]
    assert "pytest-grounding record app:answer questions.jsonl -o transcripts" in steps[1]


def test_recordings_of_installed_packages_and_goldens_do_not_count(library, refused):
    row = (library.root / "answers" / "order.transcript.json").read_text()
    for file in (library.root / "answers").iterdir():
        file.unlink()
    for folder in ("node_modules/x", ".cache", "answers/__golden__", "env"):
        library.write(f"{folder}/a.transcript.json", row)
    library.write("env/pyvenv.cfg", "")
    assert refused().startswith("no recorded answers were found here")


def test_recordings_that_cannot_be_read_are_named_and_counted(library, monkeypatch, capsys):
    for name in ("b1", "b2", "b3"):
        library.write(f"answers/{name}.transcript.json", "{")
    before = library.files()
    monkeypatch.chdir(library.root)
    assert main(["init"]) == 2
    assert library.files() == before
    *named, said = capsys.readouterr().err.splitlines()
    assert [line.partition(": ")[0] for line in named] == [
        f"answers/b{n}.transcript.json:1" for n in (1, 2, 3)
    ]
    assert said.endswith("3 recordings cannot be read, so nothing was written; fix what is named above")


def test_init_below_the_project_root_is_refused(library, refused):
    library.write("pytest.ini", "[pytest]\n")
    assert refused(folder="answers") == (
        "init must run in the root of the project, which contains pytest.ini; "
        f"run it there: cd {library.root}; pytest reads that file for this folder too, "
        "unless the folder gets a pytest.ini of its own"
    )


def test_answers_outside_of_the_project_are_refused(library, refused, tmp_path_factory):
    other = tmp_path_factory.mktemp("other") / "a.transcript.json"
    other.write_text((library.root / "answers" / "order.transcript.json").read_text())
    assert refused(str(other)) == (
        f"{other}: lies outside the project ({library.root}); copy it into the project first"
    )


def test_a_file_name_shared_with_other_files_is_refused(library, refused):
    rows = [json.loads(path.read_text()) for path in sorted((library.root / "answers").iterdir())]
    library.write("logs/data.json", json.dumps(rows))
    library.write("other/data.json", "{}")
    assert refused("logs/data.json").startswith("other/data.json: would become a test too, because ")


ON_GITHUB = ("--ci", "github")


@pytest.mark.parametrize(
    ("file", "content", "words", "said"),
    [
        ("x", "", ["nowhere"], "nowhere: does not exist; check the path"),
        (
            "pytest.ini",
            "[pytest]\ngrounding_profile = strict",
            [],
            "pytest.ini: already contains settings of pytest-grounding (grounding_profile); "
            "add --force to set up anew; the other keys stay",
        ),
        *(
            (name, "mine", ON_GITHUB, f"{name}: is there already; write it anew with --force, or remove it")
            for name in ("grounding.baseline.json", ".github/workflows/grounding.yml")
        ),
        (".github", "no folder", ON_GITHUB, ".github/workflows/grounding.yml: cannot be written here; "),
    ],
)
def test_an_obstacle_is_reported_in_one_sentence(library, refused, file, content, words, said):
    library.write(file, content)
    message = refused(*words)
    assert message.startswith(said)
    assert "\n" not in message
