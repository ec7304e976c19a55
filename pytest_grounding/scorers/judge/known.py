"""The chat services that are known by name."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_grounding.errors import SettingsError
from pytest_grounding.scorers.judge.anthropic import AnthropicDialect
from pytest_grounding.scorers.judge.dialect import Dialect
from pytest_grounding.scorers.judge.openai import OpenAIDialect
from pytest_grounding.scorers.judge.service import Place
from pytest_grounding.settings import Settings

OPENAI, ANTHROPIC, OLLAMA, COHERE = "openai", "anthropic", "ollama", "cohere"


@dataclass(frozen=True, slots=True)
class Known:
    """A service that is known by name."""

    dialect: Dialect | None
    model: str
    address: str = ""
    sends_key: bool = True


#: By name, in the order of names.
KNOWN = {
    ANTHROPIC: Known(AnthropicDialect(), "claude-haiku-4-5-20251001"),
    COHERE: Known(None, "command-a-03-2025"),
    # A key of OpenAI is nothing that a server on this machine should see.
    OLLAMA: Known(OpenAIDialect(), "llama3.1:8b", "http://localhost:11434/v1", sends_key=False),
    OPENAI: Known(OpenAIDialect(), "gpt-4.1-mini-2025-04-14"),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One judge as the settings choose it."""

    name: str
    model: str
    place: Place


def chosen(settings: Settings) -> Choice:
    """What the setting ``judge`` names: ``NAME`` or ``NAME:MODEL``."""
    entry = settings.judge.strip()
    name, colon, model = (part.strip() for part in entry.partition(":"))
    if name not in KNOWN:
        raise SettingsError(unknown(entry, ()))
    if colon and not model:
        raise SettingsError(
            f"judge = {entry!r} names no model behind its colon; write {name}:MODEL or {name}"
        )
    known = KNOWN[name]
    address = settings.judge_url
    model = model or settings.judge_model
    if name == OPENAI and address and not model:
        raise SettingsError("judge_url needs judge_model: the name of the model at that address")
    place = Place(address or known.address, settings.judge_key_env, known.sends_key)
    return Choice(name, model or known.model, place)


def unknown(entry: str, others: tuple[str, ...]) -> str:
    """What is said of a name that is not known."""
    names = ", ".join(sorted({*KNOWN, *others}))
    return (
        f"judge = {entry!r} is not known; write one of: {names} (a model goes into judge_model; any "
        "other service that speaks OpenAI's dialect is openai with its address in judge_url)"
    )
