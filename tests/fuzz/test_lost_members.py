"""A member that is lost from a recording turns no rejected answer green without a new finding."""

import copy
import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest

import pytest_grounding as pg

TESTS = Path(__file__).resolve().parents[1]
SHARED = TESTS.parents[1] / "shared" / "recordings"
#: Members of a recording that are lost in the normal run; all of them with ``-m slow``.
SAMPLE = 10
#: What a wrong answer has otherwise; numbers in marks are left as they are.
FACT = re.compile(
    r"(?<![\w\[.:†【-])(?<!Chapter )(?<!Section )(\d{1,2}(?::\d\d)?|eight|Tuesday)(?![\w\]†:.【-])"
)
CHANGES = ("removed", "renamed", "nulled")
#: What stands there instead.
WRONG = {"Tuesday": "Thursday"}


def recordings():
    """The recordings of these tests and those beside this checkout: name, ending, and its values."""
    payloads = json.loads((TESTS / "importers" / "payloads.json").read_text(encoding="utf-8"))
    found = {name: (".json", value) for name, value in payloads.items()}
    for file in (*(TESTS / "importers" / "library_recordings").glob("*.json"),):
        found[file.stem] = (".json", json.loads(file.read_text(encoding="utf-8"))["recording"])
    folders = (TESTS / "importers" / "recordings", SHARED)
    for file in (file for folder in folders for file in sorted(folder.glob("*.json*"))):
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".jsonl":
            found[file.stem] = (".jsonl", [json.loads(line) for line in text.splitlines() if line.strip()])
        else:
            found[file.stem] = (".json", json.loads(text))
    return found


RECORDINGS = recordings()
#: It is read with the setting `columns` alone.
del RECORDINGS["german_columns"]


def leaves(value, path=()):
    """The paths of all texts in a value."""
    if isinstance(value, str):
        yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from leaves(item, (*path, key))


def members(value, path=()):
    """The paths of all members of objects in a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        if isinstance(value, dict):
            yield (*path, key)
        yield from members(item, (*path, key))


def at(value, path):
    for step in path:
        value = value[step]
    return value


def changed(value, path, change):
    """A copy of a value, with one member set, removed, renamed or null."""
    value = copy.deepcopy(value)
    held = at(value, path[:-1])
    if change == "removed":
        del held[path[-1]]
    elif change == "renamed":
        held[f"my_{path[-1]}"] = held.pop(path[-1])
    elif change == "nulled":
        held[path[-1]] = None
    else:
        held[path[-1]] = change
    return value


def loaded(value, ending, folder):
    """The transcripts in a value; None where it is an error."""
    file = folder / f"recording{ending}"
    file.write_text("\n".join(map(json.dumps, value)) if ending == ".jsonl" else json.dumps(value))
    try:
        return pg.load_transcripts(file)
    except (pg.InputError, ExceptionGroup):
        return None


def asked_of(transcripts):
    """What was asked and found, which a wrong answer leaves as it is."""
    return [(item.question, [chunk.text for chunk in item.chunks]) for item in transcripts or ()]


def with_wrong_answers(value, ending, folder):
    """The recording with another fact in every text of its answers."""
    before = loaded(value, ending, folder)
    ends = {chunk.text[-20:] for item in before for chunk in item.chunks if chunk.text}
    for path, text in list(leaves(value)):
        other = FACT.sub(lambda match: WRONG.get(match[0], "77"), text)
        if other != text and not any(end in text for end in ends):
            made = changed(value, path, other)
            after = loaded(made, ending, folder)
            value = made if asked_of(after) == asked_of(before) else value
    return value


def outcome(value, ending, folder):
    """How many transcripts do not pass, and the rules of all findings; None where it is an error."""
    found = loaded(value, ending, folder)
    if found is None:
        return None
    verdicts = [pg.validate(item) for item in found]
    stopped = sum(verdict.status != "pass" for verdict in verdicts)
    notes = Counter((finding.rule, finding.message) for verdict in verdicts for finding in verdict.findings)
    return stopped, notes


def silent_losses(name, folder, count=None):
    """The changes of a recording after which fewer answers are stopped, and nothing new is reported."""
    ending, value = RECORDINGS[name]
    wrong = with_wrong_answers(value, ending, folder)
    stopped, known = outcome(wrong, ending, folder)
    assert stopped, "a wrong answer is stopped"
    paths = list(members(wrong))
    chosen = paths if count is None else random.Random(name).sample(paths, min(count, len(paths)))
    found = []
    for path in chosen:
        for change in CHANGES:
            after = outcome(changed(wrong, path, change), ending, folder)
            if after is not None and after[0] < stopped and not after[1] - known:
                found.append((".".join(map(str, path)), change))
    return found


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_lost_member_turns_no_rejected_answer_green(name, tmp_path):
    assert silent_losses(name, tmp_path, SAMPLE) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", RECORDINGS)
def test_no_lost_member_turns_a_rejected_answer_green(name, tmp_path):
    assert silent_losses(name, tmp_path) == []
