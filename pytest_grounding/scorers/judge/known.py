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
    """A service that is known by name.

    Attributes:
        dialect: how it is asked; None for Cohere, which has a client of its own.
        model: the model that is asked where none is named.
        address: where it is, if its SDK does not know.
        sends_key: whether the variable of its dialect holds a key for it.
    """

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
    """One judge as the settings choose it.

    Attributes:
        name: a name of `KNOWN`.
        model: name of the model.
        place: where it is.
    """

    name: str
    model: str
    place: Place


def chosen(settings: Settings, entry: str) -> Choice:
    """What an entry of the settings names.

    The settings ``judge_url``, ``judge_key_env`` and ``judge_model`` are about the judge that ``judge``
    names, and among several about ``openai``: the others have addresses of their own.

    Args:
        settings: the settings.
        entry: ``NAME`` or ``NAME:MODEL``; empty takes the setting ``judge``.

    Raises:
        SettingsError: the name is not known, or an address is set without a model.
    """
    entry = (entry or settings.judge).strip()
    name, colon, model = (part.strip() for part in entry.partition(":"))
    if name not in KNOWN:
        raise SettingsError(unknown(entry, ()))
    if colon and not model:
        raise SettingsError(
            f"judge = {entry!r} names no model behind its colon; write {name}:MODEL or {name}"
        )
    known = KNOWN[name]
    is_meant = name == OPENAI or entry == settings.judge.strip()
    address = settings.judge_url if is_meant else ""
    model = model or (settings.judge_model if is_meant else "")
    if name == OPENAI and address and not model:
        raise SettingsError("judge_url needs judge_model: the name of the model at that address")
    key_env = settings.judge_key_env if is_meant else ""
    place = Place(address or known.address, key_env, known.sends_key)
    return Choice(name, model or known.model, place)


def unknown(entry: str, others: tuple[str, ...], setting: str = "judge") -> str:
    """What is said of a name that is not known.

    Args:
        entry: what was written.
        others: names of the judges of extensions.
        setting: where it was written.
    """
    names = ", ".join(sorted({*KNOWN, *others}))
    return (
        f"{setting} = {entry!r} is not known; write one of: {names} (a model goes into judge_model; any "
        "other service that speaks OpenAI's dialect is openai with its address in judge_url)"
    )
