"""The hand-written cases of this folder are well formed, and each kind is written in both directions.

One JSON object a line, written and labelled before the code that they judge, and not tried on it:

- `examples.jsonl`: examples that the rules for verdicts were asked for (`of_issue`, part "seen") and siblings
  of each in other domains and words (part "held").
- `short_predicates.jsonl`: short claims whose predicate stands nowhere in the source, and as many that say in
  other words what it says. Sources 1, 3, 5, ... are "seen", 2, 4, 6, ... are "held".

"seen" may be looked at while a rule is written; "held" says what the rule is worth. `expect` is about the
whole answer: "pass" (nothing in it may be refused or contradicted), "stop" (something in it must not pass),
"not_contradicted" (it may be unsupported, never contradicted), "unchecked" (nothing in it is a claim). An
empty `question` means that the case needs none. `item` is the point of the plan that it belongs to.
"""

import json
from collections import defaultdict
from pathlib import Path

from every import each

HERE = Path(__file__).parent
FILES = ("examples.jsonl", "short_predicates.jsonl")
TYPES = {
    "id": str, "item": str, "family": str, "of_issue": bool, "question": str,
    "chunks": list, "answer": str, "expect": str, "part": str,
}  # fmt: skip
EXPECTS = {"pass", "stop", "not_contradicted", "unchecked"}


def cases(name):
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


def by_family(rows):
    families = defaultdict(list)
    for row in rows:
        families[row["family"]].append(row)
    return families


@each(*FILES)
def test_every_case_has_the_keys_and_values_of_a_case(name):
    rows = cases(name)
    assert rows
    for row in rows:
        assert {key: type(value) for key, value in row.items()} == TYPES, row
        assert row["expect"] in EXPECTS, row
        assert row["part"] in ("seen", "held"), row
        assert row["chunks"], row
        assert all(isinstance(chunk, str) for chunk in row["chunks"]), row
        texts = [row["answer"], *row["chunks"], row["family"], row["item"]]
        assert all(text and text == text.strip() for text in texts), row


def test_no_id_is_used_twice():
    ids = [row["id"] for name in FILES for row in cases(name)]
    assert len(ids) == len(set(ids))


@each(*FILES)
def test_no_case_is_written_twice(name):
    seen = [(row["question"], *row["chunks"], row["answer"]) for row in cases(name)]
    assert len(seen) == len(set(seen))


def test_every_family_has_its_example_and_three_siblings_of_other_sources():
    families = by_family(cases("examples.jsonl"))
    assert len(families) > 1
    for family, rows in families.items():
        assert any(row["of_issue"] for row in rows), family
        assert len({tuple(row["chunks"]) for row in rows if not row["of_issue"]}) >= 3, family
        assert len({row["item"] for row in rows}) == 1, family


def test_the_siblings_are_held_out_and_the_examples_are_not():
    for row in cases("examples.jsonl"):
        assert row["part"] == ("seen" if row["of_issue"] else "held"), row


def test_every_source_of_an_example_is_read_rightly_and_wrongly():
    expects = defaultdict(set)
    for row in cases("examples.jsonl"):
        expects[row["family"], *row["chunks"]].add(row["expect"])
    for source, found in expects.items():
        assert "stop" in found, source
        assert found - {"stop"}, source


def test_short_predicates_are_as_often_true_as_invented_in_both_parts():
    counts = defaultdict(int)
    for row in cases("short_predicates.jsonl"):
        counts[row["expect"], row["part"]] += 1
        assert len(row["answer"].split()) <= 9, row
    assert counts == dict.fromkeys(
        [("pass", "seen"), ("pass", "held"), ("stop", "seen"), ("stop", "held")], 30
    )


def test_no_source_of_short_predicates_is_in_both_parts():
    parts = defaultdict(set)
    for row in cases("short_predicates.jsonl"):
        parts[tuple(row["chunks"])].add(row["part"])
    assert {len(found) for found in parts.values()} == {1}
