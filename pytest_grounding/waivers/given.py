"""Waivers that somebody writes in code: the rule, the words of the claim, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from pytest_grounding._wording import a_kind
from pytest_grounding.errors import InputError
from pytest_grounding.text.normalize import fingerprint
from pytest_grounding.waivers.match import hash_of
from pytest_grounding.waivers.model import Waiver

_TAKES = '{"rule": "contradicted", "claim": "WORDS", "reason": "WHY"}'
_NEEDED = ("rule", "claim", "reason")
_KNOWN = (*_NEEDED, "transcript", "evidence", "by", "day", "expires", "claim_hash", "evidence_hash")


def from_given(given: Any, wrong_rule: Callable[[str], str]) -> tuple[Waiver, ...]:
    """Waivers from a list of waivers and mappings."""
    if isinstance(given, (str, bytes, Mapping, Waiver)) or not isinstance(given, Iterable):
        raise InputError(f"is {a_kind(given)}, no list", field="waivers", hint=f"write [{_TAKES}]")
    return tuple(_waiver(item, f"waivers[{at}]", wrong_rule) for at, item in enumerate(given))


def _waiver(given: Any, place: str, wrong_rule: Callable[[str], str]) -> Waiver:
    if isinstance(given, Waiver):
        return given
    if not isinstance(given, Mapping):
        raise InputError(f"{a_kind(given)} is no waiver", field=place, hint=f"write {_TAKES}")
    for name, value in given.items():
        if name not in _KNOWN:
            raise InputError("is not known", field=f"{place}.{name}", hint=f"known are {', '.join(_KNOWN)}")
        if not isinstance(value, str):
            raise InputError(f"is {a_kind(value)}, no text", field=f"{place}.{name}")
    for name in _NEEDED:
        if not given.get(name, "").strip():
            raise InputError("is missing", field=f"{place}.{name}", hint=f"write {_TAKES}")
    if problem := wrong_rule(given["rule"]):
        raise InputError(problem, field=f"{place}.rule")
    return _built(dict(given), place)


def _built(given: dict[str, str], place: str) -> Waiver:
    evidence = given.pop("evidence", "")
    hashes = {
        "claim_hash": given.pop("claim_hash", "") or hash_of(given["claim"]),
        "evidence_hash": given.pop("evidence_hash", "") or (fingerprint(evidence) if evidence else ""),
    }
    values = {"transcript": "", "by": "", "day": "", "expires": "", **given, **hashes}
    # What is checked has a day and evidence, which code need not name.
    lent = {"day": values["day"] or "2000-01-01", "evidence_hash": values["evidence_hash"] or "0" * 16}
    try:
        checked = Waiver.model_validate({**values, **lent})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        problem, _, hint = str(first.get("ctx", {}).get("error", first["msg"])).partition("; ")
        raise InputError(problem, field=f"{place}.{first['loc'][0]}", hint=hint or None) from None
    return checked.model_copy(update={name: values[name] for name in lent})
