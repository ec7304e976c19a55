"""Declare settings, and read values for them."""

from __future__ import annotations

import dataclasses
import math
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qsl, urlsplit

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.tables import rows_beside
from pytest_grounding.errors import SettingsError

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_PATTERN_AT_END = lazy(r"/\{\w*\}/?$")  # the last part of an address, such as ``/{id}``
_SECRET = re.compile(r"(?:^|[-_.])(?:key|token|secret|password|sig|signature)$|apikey$", re.IGNORECASE)
_PUT = "put the key into an environment variable and name that in judge_key_env"
_FACT_TYPES = ("quantity", "point_in_time", "name", "identifier", "polarity", "operator", "role", "clause")
_SEVERITIES = ("off", "info", "warning", "error")
_RULE = lazy(
    r"(?<![a-z_.])(?:fact\.(?P<type>[a-z_]+)(?:\.(?P<language>[A-Za-z]{2,3}))?|(?P<rule>[a-z_]{1,40}))"
    r"\s*:\s*(?P<severity>[a-z]+)"
)
#: Rules that `rules` may name: those that the settings notes and possible_conflicts decide.
NAMED_RULES = ("incomplete", "internal_contradiction", "not_useful", "possible_conflict", "unknown_entity")
# A comment starts at a "#" at the start or after a blank: "C#" is a term.
_COMMENT = lazy(r"(?:^|\s)#.*")
Line = tuple[int, str]  # a line of a glossary with its number, from 1: without comment, blanks collapsed
Policy = Literal["off", "warn", "error"]
Outcome = Literal["pass", "warn", "fail"]
POLICIES: tuple[Policy, ...] = ("off", "warn", "error")
OUTCOMES: tuple[Outcome, ...] = ("pass", "warn", "fail")
__all__ = ["OUTCOMES", "POLICIES", "Outcome", "Policy"]
__all__ += ["declared", "in_profile", "is_of_the_build", "vetted"]
#: The table of all settings; the plugin reads it without importing this module. Its columns: name,
#: type, default, low, high, choices, variable, value in the profile strict, in lenient, help.
TABLE = Path(__file__).with_name("settings.tsv")
_ROWS = rows_beside(__file__, "settings.tsv")[1:]
#: Prefixes and names of settings that no verdict depends on: the build's gate, the audit log.
_OF_THE_BUILD = (
    *("suite", "audit", "self_correction", "remote_", "record", "cassette", "baseline_", "waivers"),
    *("profile", "fail_on", "expect", "missing", "partial_runs"),
    *("judge_url", "judge_key_env", "judge_max_requests"),
)


def url_text(name: str, value: Any) -> str:
    """An address of a service in a setting or a variable."""
    text = value.strip() if isinstance(value, str) else ""
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host = None
    if host is None or parts.scheme not in ("http", "https") or re.search(r"[\s\x00-\x20\x7f]", text):
        said = "" if "@" in str(value) else f" = {value!r}"
        raise SettingsError(f"{name}{said} is not an address; write one like http://localhost:11434/v1")
    if parts.username or parts.password:
        raise SettingsError(f"{name} contains a user or password; {_PUT}")
    for parameter, _ in parse_qsl(parts.query, keep_blank_values=True):
        if _SECRET.search(parameter):
            raise SettingsError(f"{name} contains a key in its parameter {parameter!r}; {_PUT}")
    return text


def variable_text(name: str, value: Any) -> str:
    """The name of an environment variable."""
    text = value.strip() if isinstance(value, str) else ""
    if not _VARIABLE.fullmatch(text) or re.match(r"(?:sk|gsk|xai|hf|co)[-_]|AIza|AKIA", text):
        advice = "write one like OPENAI_API_KEY, never the key"
        raise SettingsError(f"{name} is not a name of a variable; {advice}")
    return text


def base_text(name: str, value: str) -> str:
    """An address that sources are below; the pattern that it may end in is what is appended anyway."""
    base = _PATTERN_AT_END.sub("", value)
    if "{" in base:
        advice = "write the pattern at the end, as in https://cms.example/articles/{id}"
        raise SettingsError(f"{name} = {value!r} holds a pattern that is not its last part; {advice}")
    return base


def rules_text(value: Any) -> str:
    """The setting ``rules`` in stored form: ``RULE:SEVERITY``, ``fact.TYPE:SEVERITY`` or with a language."""
    advice = "write RULE:SEVERITY or fact.TYPE:SEVERITY"
    if not isinstance(value, (str, list, tuple)):
        raise SettingsError(f"rules = {value!r} is not known; {advice} as text")
    text = value if isinstance(value, str) else ",".join(map(str, value))
    parts = [part.strip() for part in text.replace("\n", ",").split(",") if part.strip()]
    for part in parts:
        match = _RULE.fullmatch(part)
        is_named = match is not None and (match["rule"] in NAMED_RULES or match["type"] in _FACT_TYPES)
        if match is None or not is_named or match["severity"] not in _SEVERITIES:
            known = f"rules are {', '.join(NAMED_RULES)}; types are {', '.join(_FACT_TYPES)}"
            known += f"; severities are {', '.join(_SEVERITIES)}"
            raise SettingsError(f"rules = {part!r} is not known; {advice}: {known}")
    return ", ".join(parts)


def rule_severities(text: str) -> dict[str, str]:
    """The severities of rules that the setting ``rules`` gives."""
    return {match["rule"]: match["severity"] for match in _RULE.finditer(text) if match["rule"]}


def fact_severities(text: str, language: str) -> dict[str, str]:
    """The severities of facts by type that the setting ``rules`` gives for a language."""
    found: dict[str, str] = {}
    for is_for_language in (False, True):
        for match in _RULE.finditer(text):
            of_language = match["language"] or ""
            is_meant = (of_language or language).lower() == language.lower()
            if match["type"] and bool(of_language) == is_for_language and is_meant:
                found[match["type"]] = match["severity"]
    return found


def glossary_text(value: Any, name: str = "glossary") -> str:
    """A glossary, or what is known, in stored form: a path, or its stripped lines."""
    if isinstance(value, str) or hasattr(value, "__fspath__"):
        lines: Iterable[Any] = str(value).splitlines()
    elif isinstance(value, Iterable) and not isinstance(value, (bytes, Mapping)):
        lines = list(value)
    else:
        lines = [value]
    if any(not isinstance(line, str) for line in lines):
        example = "charge = fee" if name == "glossary" else "Our company is Acme."
        advice = f'write the path of a file, or a list of lines such as "{example}"'
        raise SettingsError(f"{name} = {value!r} is not text; {advice}")
    # Some readers of configuration files drop blank lines.
    return "\n".join(line.strip() for line in lines if line.strip())


def is_glossary_path(text: str) -> bool:
    """Whether the setting names a file: one line that is not a comment, without any sign of a rule."""
    return bool(text) and text[0] != "#" and not any(sign in text for sign in ("\n", "=", "->"))


def is_known_path(text: str) -> bool:
    """Whether the setting ``known`` names a file: one line that ends in .txt or .md."""
    return "\n" not in text and text.lower().endswith((".txt", ".md"))


TEXTS = {"glossary": is_glossary_path, "known": is_known_path}  # texts or paths, and how to tell


def text_from(name: str, value: Any, folder: Path, start: Path | None = None) -> str:
    """Such a setting from a configuration file: a relative path starts at the file's folder."""
    text = glossary_text(value, name)
    if not TEXTS[name](text) or Path(text).is_absolute() or folder == (start or Path.cwd()):
        return text
    return os.path.relpath(folder / text, start or Path.cwd())


def glossary_lines(text: str) -> tuple[Line, ...]:
    """The non-empty lines of a glossary."""
    content = _text_of_file(text) if is_glossary_path(text) else text
    bare = (" ".join(_COMMENT.sub("", line).split()) for line in content.splitlines())
    return tuple((number, line) for number, line in enumerate(bare, start=1) if line)


def known_lines(text: str) -> tuple[str, ...]:
    """The non-empty lines of the setting ``known``, or of the file that it names."""
    content = _text_of_file(text, "known") if is_known_path(text) else text
    return tuple(line.strip() for line in content.splitlines() if line.strip())


def _text_of_file(path: str, name: str = "glossary") -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        problem = "is not UTF-8 text"
    except OSError as error:
        problem = f"cannot be read ({error.strerror or error})"
    lines = 'rules, or write the rules in its place, such as "charge = fee"'
    advice = f"name a file of {lines if name == 'glossary' else 'texts, or write them in its place'}"
    raise SettingsError(f"{name} = {path!r} {problem}; {advice}")


if TYPE_CHECKING:
    from dataclasses import dataclass as declared

else:

    def declared(**_: bool) -> Any:
        def made(cls: type) -> type:
            for name, kind, default, low, high, choices, env, *_, text in _ROWS:
                facts = {
                    "help": text,
                    "env": env or None,
                    "low": _number_or_none(low),
                    "high": _number_or_none(high),
                }
                facts["choices"] = tuple(choices.split(",")) if choices else None
                setattr(cls, name, dataclasses.field(default=_read_cell(kind, default), metadata=facts))
            cls.__annotations__ = dict.fromkeys((row[0] for row in _ROWS), "Any")
            return dataclasses.dataclass(frozen=True, init=False, repr=False)(cls)

        return made


def in_profile(column: int) -> dict[str, Any]:
    """The values of a shipped profile, by the index of its column."""
    return {row[0]: _read_cell(row[1], row[column]) for row in _ROWS if row[column]}


def _read_cell(kind: str, text: str) -> Any:
    if kind == "bool":
        return text == "true"
    return _number_or_none(text) if kind in ("int", "float") else text


def _number_or_none(text: str) -> float | None:
    if not text:
        return None
    return float(text) if "." in text else int(text)


def vetted(field: dataclasses.Field[Any], value: Any) -> Any:
    """The value in the type of its field, or SettingsError with the name and what to write."""
    default = field.default
    if isinstance(default, bool):
        return _as_bool(field.name, value)
    if isinstance(default, (int, float)):
        return _as_number_of_field(field, value)
    if field.name in TEXTS and value != "":
        return glossary_text(value, field.name)
    if field.name in ("judge_url", "judge_key_env") and value != "":
        return (url_text if field.name == "judge_url" else variable_text)(field.name, value)
    if field.name in ("link_base", "cms_base") and isinstance(value, str):
        return base_text(field.name, value)
    if field.name == "rules" and value != "":
        return rules_text(value)
    choices = field.metadata["choices"]
    if not isinstance(value, str) and not hasattr(value, "__fspath__"):
        allowed = f"one of: {', '.join(choices)}" if choices else "a string"
        raise SettingsError(f"{field.name} = {value!r} is not text; write {allowed}")
    text = str(value)
    if choices and text not in choices:
        raise SettingsError(f"{field.name} = {text!r} is not known; write one of: {', '.join(choices)}")
    return text


def _as_bool(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in {"1", "true", "yes", "on"}:
        return True
    if word in {"0", "false", "no", "off"}:
        return False
    raise SettingsError(f"{name} = {value!r} is not a switch; write true or false")


def _as_number_of_field(field: dataclasses.Field[Any], value: Any) -> int | float:
    low, high = field.metadata["low"], field.metadata["high"]
    whole = isinstance(field.default, int)
    kind = "a whole number" if whole else "a number"
    allowed = f"write {kind} from {low} to {high}"
    try:
        if isinstance(value, bool):
            raise ValueError
        number = float(value)
        if whole and number != int(number):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise SettingsError(f"{field.name} = {value!r} is not {kind}; {allowed}") from None
    if math.isnan(number) or not low <= number <= high:
        raise SettingsError(f"{field.name} = {value!r} is out of range; {allowed}")
    return int(number) if whole else number


def is_of_the_build(name: str) -> bool:
    """Whether no verdict depends on a setting."""
    return name.startswith(_OF_THE_BUILD)
