"""docs/metrics.md names the families, rules and log fields that there are."""

import logging
import re
from pathlib import Path

import pytest
import yaml

import pytest_grounding as pg
from pytest_grounding.audit import AuditLog, AuditWarning
from pytest_grounding.audit import metrics as families

PAGE = Path(__file__).resolve().parents[2] / "docs" / "metrics.md"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="only the package is here")

HISTOGRAMS = {families.DURATION: families.BUCKETS, families.WHOLE_DURATION: families.WHOLE_BUCKETS}
NAMES = {family.name for family in (*families.COUNTERS, *HISTOGRAMS)}


def cells(heading):
    """The rows of the first table after a heading, without its head."""
    section = PAGE.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [line for line in section.split("\n") if line.startswith("|")]
    assert len(rows) > 3
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def test_every_family_is_on_the_page():
    named = {name for row in cells("The families") for name in re.findall(r"`(\w+)`", row[0])}
    assert named == NAMES
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"`{families.gauge_of(figure).name}`" in text for figure in families.FIGURES)
    for buckets in HISTOGRAMS.values():
        assert ", ".join(f"{bound:g}" for bound in buckets) in text


@pytest.mark.row(25)
def test_the_alert_rules_ask_for_what_is_exported():
    (block,) = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    rules = [rule for group in yaml.safe_load(block)["groups"] for rule in group["rules"]]
    assert len([rule for rule in rules if "alert" in rule]) >= 4
    recorded = {rule["record"] for rule in rules if "record" in rule}
    labels = {family.name: set(family.values) for family in families.COUNTERS}
    for family, buckets in HISTOGRAMS.items():
        labels[f"{family.name}_bucket"] = {f"{bound:g}" for bound in buckets}
    for rule in rules:
        asked = set(re.findall(r"\b(?:citation|grounding)[_:][\w:]+", rule["expr"]))
        assert asked
        assert {re.sub("_(bucket|count)$", "", name) for name in asked} <= NAMES | recorded
        for name, values in re.findall(r'(\w+)\{\w+=~?"([\w.|]+)"\}', rule["expr"]):
            assert set(values.split("|")) <= labels[name]


def test_every_event_is_on_the_page_with_its_level_and_fields(caplog, tmp_path):
    answer = " ".join(f"It lasts 16 weeks [{number}]." for number in range(2, 30))
    transcript = {"id": "a", "question": "How long?", "chunks": [{"id": "c", "text": "It lasts."}]}
    with caplog.at_level("DEBUG", logger="pytest_grounding"):
        verdict = pg.validate({**transcript, "answer": answer})
        # Nothing is cited, and nothing is recorded of the scorer that is asked for.
        pg.validate(
            {**transcript, "answer": "It lasts."}, {"scorer": "cohere", "cassette": str(tmp_path / "c")}
        )
        # A folder stands where the log should grow.
        with pytest.warns(AuditWarning):
            AuditLog(tmp_path).append(verdict)
    seen = {}
    for record in caplog.records:
        fields = {name.removeprefix("grounding_") for name in vars(record) if name.startswith("grounding_")}
        seen[record.grounding_event] = (record.levelname, record.name, fields - {"event"})
    told = {
        row[2].strip("`"): (row[0], row[1].strip("`"), set(re.findall(r"`(\w+)`", row[4])))
        for row in cells("Logging")
    }
    assert told == seen
    assert all(hasattr(logging, level) for level, _, _ in told.values())
