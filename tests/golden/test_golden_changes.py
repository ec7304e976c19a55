"""Single changes of an accepted answer: harmful ones are never *same*, harmless ones nearly always are."""

import json
from pathlib import Path

import pytest

from pytest_grounding.golden.diff import compare_recordings
from pytest_grounding.golden.golden_file import grade_of
from pytest_grounding.golden.rewording import rewording

TABLES = ("golden_changes", "golden_changes_apart", "golden_changes_other_domains", "golden_changes_unseen")
ROWS = {
    table: json.loads(Path(__file__).with_name(f"{table}.json").read_text(encoding="utf-8"))
    for table in TABLES
}
#: Least share of harmful changes that are not *same*, and of harmless ones that are.
HARMFUL, HARMLESS = 0.95, 0.8


def is_same(row, judged):
    chunks = [
        {"id": f"c{number}", "text": text, "score": 0.9} for number, text in enumerate(row["source"], start=1)
    ]
    before, after = (
        judged({"id": row["id"], "question": row["question"], "chunks": chunks, "answer": row[name]})
        for name in ("old", "new")
    )
    return grade_of(compare_recordings(before, after)) in ("neutral", "improvement")


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(("is_harmful", "least"), [(True, HARMFUL), (False, HARMLESS)])
def test_tells_harmful_changes_from_harmless_ones(table, is_harmful, least, judged):
    rows = [row for row in ROWS[table] if row["is_harmful"] == is_harmful]
    wrong = [row["id"] for row in rows if is_same(row, judged) == is_harmful]
    assert len(rows) >= 20
    assert len(wrong) <= (1 - least) * len(rows), wrong


#: Two wordings of one claim, and what a review is told of the second.
WORDINGS = {
    "regression": [
        ("Both gates are locked at night.", "Either gate is locked at night."),
        ("Either twin may sign the form.", "Both twins may sign the form."),
        ("The hamper has bread and cheese.", "The hamper has bread, cheese and a drink."),
        ("The case holds a pump and a lock.", "The case holds a pump."),
        ("The pass covers the tram.", "The pass covers the tram and a drive."),
        ("The hostel is close to the lake.", "The hostel is far from the lake."),
        ("A permit or a visa is enough.", "A permit and a visa are enough."),
        ("The pass is valid in July.", "According to the timetable, the pass is valid in July."),
    ],
    "same": [
        ("Choose either tea or coffee.", "Choose tea or coffee."),
        ("Both the nave and the crypt are open.", "The nave and the crypt are open."),
        ("The hostel is near the lake.", "The hostel is close to the lake."),
        ("The bench stands beside the gate.", "The bench stands next to the gate."),
        ("The tank cools. It hums.", "The tank cools and hums."),
        ("The pass is valid in July.", "According to the documents, the pass is valid in July."),
        ("Close the tap in order to save water.", "Close the tap to save water."),
        ("Every seat has a lamp.", "Each seat has a lamp."),
    ],
    "reworded": [("The fee for adults is 9 euros.", "Adults pay a fee of 9 euros.")],
}


@pytest.mark.parametrize(
    ("meaning", "old", "new"), [(name, *pair) for name, pairs in WORDINGS.items() for pair in pairs]
)
def test_grades_a_wording(meaning, old, new):
    assert rewording(old, new, "en").meaning == meaning
