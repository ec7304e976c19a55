"""The catalogue holds every rule that the code gives, and no other."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from every import each
from rule_names import names_in

import pytest_grounding
from pytest_grounding import rules
from pytest_grounding.settings import FIELDS
from pytest_grounding.settings._declare import NAMED_RULES

PACKAGE = Path(pytest_grounding.__file__).parent
ROOT = Path(__file__).resolve().parents[2]


def test_every_rule_that_the_code_gives_stands_in_the_catalogue():
    given = names_in(PACKAGE)
    assert len(given) > 30, "the places that give rules were not found"
    assert {name: place for name, place in given.items() if name not in rules.RULES} == {}


def test_the_catalogue_holds_no_rule_that_nothing_gives():
    assert set(rules.RULES) - set(names_in(PACKAGE)) == set()


def test_the_search_for_names_finds_a_new_one(tmp_path):
    (tmp_path / "named.py").write_text('RULE = "by_constant"\n')
    (tmp_path / "check.py").write_text(
        "from named import RULE\n"
        "class Findings:\n"
        "    def file(self, index, rule, severity): ...\n"
        "def run(findings, sure):\n"
        "    Finding(rule='by_name', severity='info', message='')\n"
        "    findings.file(0, 'by_place', 'info')\n"
        "    findings.file(1, RULE, 'info')\n"
        "    Finding(rule='either' if sure else 'or_this', severity='info', message='')\n"
        "    return {'rule': 'in_a_dict', 'severity': 'info'}\n"
    )
    assert set(names_in(tmp_path)) == {"by_constant", "by_name", "by_place", "either", "in_a_dict", "or_this"}


@each(*rules.RULES.values())
def test_a_rule_says_what_it_must(rule):
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", rule.name)
    assert bool(rule.severity) != bool(rule.policy), "either a severity or a policy"
    assert not rule.policy or rule.policy in FIELDS
    assert rule.group in rules.GROUPS
    assert set(rule.traits) <= set(rules.TRAITS)
    assert rule.title[0].islower() or rule.title[0].isdigit()
    assert not rule.title.endswith(".")
    assert rule.advice[0].isupper()
    assert rule.advice.endswith(".")
    assert rule.example, "an example"


@each(*rules.RULES.values())
def test_the_page_of_a_rule_has_its_anchor(rule):
    page, _, anchor = rule.page.partition("#")
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    titles = re.findall(r"^#{1,4} (.+)$", text, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
    assert anchor in anchors


def test_names_are_unique_and_the_groups_and_traits_are_used():
    assert len({rule.name for rule in rules.RULES.values()}) == len(rules.RULES)
    assert {rule.group for rule in rules.RULES.values()} == set(rules.GROUPS)
    assert {trait for rule in rules.RULES.values() for trait in rule.traits} == set(rules.TRAITS)


def test_the_catalogue_imports_neither_pydantic_nor_the_engine():
    code = "import sys; import pytest_grounding.rules; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "pytest_grounding.rules" in loaded
    assert not [name for name in loaded if name.startswith(("pydantic", "pytest_grounding.engine"))]


def test_a_policy_decides_how_grave_a_rule_is():
    settings = pytest_grounding.Settings(
        require_citations="error", abstained="pass", possible_conflicts="warn"
    )
    assert rules.graded("missing_citations", settings) == "error"
    assert rules.graded("not_recorded", settings) == "info"
    assert rules.graded("possible_conflict", settings) == "warning"
    assert rules.graded("contradicted", settings) == "error"


def test_the_severity_of_one_rule_wins_over_the_policy_of_all():
    noted = pytest_grounding.Settings(notes="warn", rules="unknown_entity:info, possible_conflict:error")
    assert rules.graded("unknown_entity", noted) == "info"
    assert rules.graded("not_useful", noted) == "warning"
    assert rules.graded("possible_conflict", noted) == "error"
    assert rules.at_least_warning("not_useful", pytest_grounding.Settings()) == "warning"
    assert rules.at_least_warning("not_useful", pytest_grounding.Settings(rules="not_useful:off")) == "info"


def test_the_rules_that_can_be_graded_one_by_one_are_those_of_two_policies():
    decided = {rule.name for rule in rules.RULES.values() if rule.policy in ("notes", "possible_conflicts")}
    assert set(NAMED_RULES) == decided
    with pytest.raises(pytest_grounding.SettingsError, match=r"rules are incomplete, .*; types are quantity"):
        pytest_grounding.Settings(rules="contradicted:info")


def test_a_rule_is_told_in_words():
    described = rules.describe("source_exists")
    assert described.startswith("source_exists: the cited source does not exist\n")
    assert "severity: error" in described
    assert "chunk c1: Refunds are paid within 30 days of the purchase.\n" in described
    with pytest.raises(KeyError):
        rules.describe("no_such_rule")
