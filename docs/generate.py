"""Write the generated parts of README and pages; with ``--check`` only say whether they are current."""

from __future__ import annotations

import json
import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pytest_grounding.rules import GROUPS, Rule, graded, of_group
from pytest_grounding.rules import RULES as CATALOGUE
from pytest_grounding.scorers.builtin.conflicts.conflict_search import KINDS
from pytest_grounding.settings import FIELDS, OUTCOMES, POLICIES, PROFILES, Settings

DOCS = Path(__file__).resolve().parent
#: The rows of the specification.
ROWS = DOCS.parent / "tests" / "spec" / "rows.toml"
#: The recordings of real libraries that the tests read, each with its library and version.
RECORDINGS = DOCS.parent / "tests" / "importers" / "library_recordings"
#: The source that is made from the settings, for type checkers.
MAPPING = DOCS.parent / "pytest_grounding" / "settings" / "mapping.pyi"


def markdown_table() -> str:
    """The reference of all settings as a Markdown table: name, default, allowed values, what it decides."""
    lines = ["| setting | default | allowed | what it decides |", "|---|---|---|---|"]
    for name, field in FIELDS.items():
        facts = field.metadata
        what = facts["help"] + (f" (`{facts['env']}`)" if facts["env"] else "")
        default = json.dumps(field.default, ensure_ascii=False).replace("|", "\\|")
        lines.append(f"| `{name}` | `{default}` | {_allowed(field.default, facts)} | {what} |")
    return "\n".join(lines)


def _allowed(default: Any, facts: Any) -> str:
    if facts["choices"]:
        return ", ".join(f"`{choice}`" for choice in facts["choices"])
    if isinstance(default, bool):
        return "`true`, `false`"
    if isinstance(default, (int, float)):
        return f"{facts['low']:g} to {facts['high']:g}"
    return "text"


def page_table() -> str:
    """One line a page, in the order of the site: its title, which links to it."""
    order = re.findall(r"(?m)^ +- ([\w-]+\.md)$", (DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8"))
    rows = []
    for page in (DOCS / name for name in order if name != "index.md"):
        title, _, rest = page.read_text(encoding="utf-8").partition("\n")
        sentence = re.match(r"\s*((?:[^.`]|`[^`]*`|\.(?!\s))+\.)", rest)
        if not title.startswith("# ") or sentence is None:
            raise SystemExit(f"docs/{page.name} does not begin with a title and a sentence")
        rows.append(f"- [{title.removeprefix('# ')}]({page.name})")
    return "\n".join(rows)


def rule_pages() -> str:
    """A part for each rule, with an example, what to do and how to waive it."""
    parts: list[str] = []
    for group, title in GROUPS.items():
        parts.append(f"## {title}")
        parts += [_rule(CATALOGUE[name]) for name in of_group(group)]
    return "\n\n".join(parts)


def _grave(rule: Rule) -> str:
    if not rule.policy:
        return rule.severity_in_words
    policy = f"as the setting [`{rule.policy}`](settings.md#all-settings) says"
    return f"{policy} ({graded(rule.name, Settings())} by default)"


def _rule(rule: Rule) -> str:
    title = rule.title[0].upper() + rule.title[1:]
    example = "\n".join(rule.example_lines)
    shown = example if isinstance(rule.example, str) else f"```text\n{example}\n```"
    # The page says once how a finding is waived.
    waiver = "" if rule.waiver.startswith("pytest-grounding") else f" Waiver: {rule.waiver}."
    return (
        f"### {rule.name}\n\n{title}. Severity: {_grave(rule)}. [More]({rule.page}).\n\n"
        f"{shown}\n\n{rule.advice}{waiver}"
    )


def profiles() -> str:
    """One row a setting that some profile changes: its value under each of them."""
    rows = [f"| setting | {' | '.join(f'`{name}`' for name in PROFILES)} |", f"|---|{'---|' * len(PROFILES)}"]
    plain = Settings().as_dict()
    for name in (field for field in FIELDS if any(field in values for values in PROFILES.values())):
        found = [f"`{values.get(name, plain[name])}`" for values in PROFILES.values()]
        rows.append(f"| `{name}` | {' | '.join(found)} |")
    return "\n".join(rows)


def settings_dict() -> str:
    """The source of `SettingsDict` and `Fields`: the values that each setting takes, and what it holds."""
    keys = [f"    {name}: {_value_type(name)}" for name in FIELDS]
    fields = [f"    {name}: {_held_type(name)} = ..." for name in FIELDS]
    return _SETTINGS_DICT + "\n".join(keys) + _FIELDS + "\n".join(fields) + "\n"


def _held_type(name: str) -> str:
    taken = _value_type(name)
    return "str" if taken in ("Text", "GlossaryValue") else taken


def _value_type(name: str) -> str:
    field = FIELDS[name]
    choices = field.metadata["choices"]
    if choices:
        named = {POLICIES: "Policy", OUTCOMES: "Outcome"}
        words = ", ".join(f'"{choice}"' for choice in choices)
        return named.get(tuple(choices), f"Literal[{words}]")
    if name == "glossary":
        return f"{name.title()}Value"
    return "Text" if isinstance(field.default, str) else type(field.default).__name__


_SETTINGS_DICT = '''"""Settings by name, for type checkers; docs/generate.py makes this file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Literal, TypedDict

from pytest_grounding.settings._declare import Outcome, Policy

#: Words, or the path of a file where the setting names one.
Text = str | PathLike[str]
GlossaryValue = Text | Sequence[str]

class SettingsDict(TypedDict, total=False):
    """Settings by name, as `validate`, the assertions and `Settings.of` take them; every key is optional.

    ``docs/settings.md`` says what each decides, its default and its range.
    """

'''


_FIELDS = '''

@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Fields:
    """The fields of `Settings`."""

'''


def kinds_of_conflicts() -> str:
    """A table of all kinds of conflicts."""
    rows = ["| kind | claim and source | decided by |", "|---|---|---|"]
    for kind in KINDS:
        name = f"`{kind.name}`" + (f" (shown as `{kind.shown}`)" if kind.shown else "")
        verifier = "the verifier" if kind.trained else "the verifier, as possible at most"
        decided = verifier if kind.odds is None else f"its generator: log odds {kind.odds:g}"
        rows.append(f"| {name} | {kind.example} | {decided} |")
    return "\n".join(rows)


def rows_of_the_specification() -> str:
    """The table of the rows."""
    page: str = runpy.run_path(str(DOCS / "rows.py"))["page"]()
    return page


def libraries_in_short() -> str:
    """The same in one row: each library once, with the version that was recorded."""
    made = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(RECORDINGS.glob("*.json"))]
    versions = {one["library"]: one["version"] for one in made}
    rows = (versions, ["---"] * len(versions), versions.values())
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def recorded_libraries() -> str:
    """A row for each recording of a real library that the tests read: its version, and what was recorded."""
    lines = ["| library | version | recorded |", "|---|---|---|"]
    for path in sorted(RECORDINGS.glob("*.json")):
        made = json.loads(path.read_text(encoding="utf-8"))
        lines.append(f"| {made['library']} | {made['version']} | {path.stem.replace('_', ' ')} |")
    return "\n".join(lines)


#: The generated parts: page, name of the part, and what it holds.
PARTS: tuple[tuple[str, str, Callable[[], str]], ...] = (
    ("../README.md", "recorded libraries", libraries_in_short),
    ("formats.md", "recorded libraries", recorded_libraries),
    ("conflicts.md", "kinds", kinds_of_conflicts),
    ("index.md", "pages", page_table),
    ("rules.md", "rules", rule_pages),
    ("specification.md", "rows", rows_of_the_specification),
    ("settings.md", "profiles", profiles),
    ("settings.md", "settings", markdown_table),
)


_FROM_TESTS = (rows_of_the_specification, recorded_libraries, libraries_in_short)


def rendered(text: str, name: str, content: str) -> str:
    """The page with the part between its two marks replaced."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    before, found, rest = text.partition(begin)
    _, also_found, after = rest.partition(end)
    if not found or not also_found:
        raise SystemExit(f"the marks of the part {name!r} are missing")
    return f"{before}{begin}{content}\n{end}{after}"


def main() -> int:
    """Write or check; the exit status is 1 when a page or source is not current."""
    stale = 0
    # A copy of the pages alone has no sources beside it.
    if MAPPING.parent.is_dir():
        bill = runpy.run_path(str(DOCS.parent / ".ci" / "release.py"))["bill"]()
        homes = runpy.run_path(str(DOCS.parent / ".ci" / "home.py"))["written"]()
        for source, wanted in {
            MAPPING: settings_dict(),
            DOCS.parent / "sbom.cdx.json": bill,
            **homes,
        }.items():
            if source.read_text(encoding="utf-8") != wanted:
                stale |= _write(source, wanted)
    for page, name, content in PARTS:
        path = (DOCS / page).resolve()
        # The rows are those of the tests, which a copy of the pages alone has not beside it.
        if content in _FROM_TESTS and not ROWS.exists():
            continue
        text = path.read_text(encoding="utf-8")
        wanted = rendered(text, name, content())
        if text == wanted:
            continue
        stale |= _write(path, wanted)
    return stale


def _write(path: Path, wanted: str) -> int:
    """Write a file, or with ``--check`` say that it is not current, which counts as 1."""
    if "--check" in sys.argv[1:]:
        print(f"{path.relative_to(DOCS.parent).as_posix()} is not current; run: make docs")
        return 1
    path.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
