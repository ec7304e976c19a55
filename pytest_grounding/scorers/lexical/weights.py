"""The engine with weights of the user's own: the settings ``weights`` and ``conflict_thresholds``.

The file is written by ``pytest-grounding calibrate --weights``. It holds one or both of the engine's small
models, each in the form of the file that ships (``model.json``, ``conflicts/verifier.json``).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pytest_grounding.errors import SettingsError
from pytest_grounding.scorers.lexical.conflicts import frames
from pytest_grounding.scorers.lexical.conflicts.kinds import KINDS, Kind
from pytest_grounding.scorers.lexical.conflicts.verifier import GROUPS, Verifier, shipped_verifier
from pytest_grounding.scorers.lexical.features import FEATURES
from pytest_grounding.scorers.lexical.model import Model
from pytest_grounding.scorers.lexical.scorer import LexicalScorer
from pytest_grounding.settings import Settings

#: The member by which such a file is known, and the only form of it so far.
KIND, VERSION = "pytest-grounding weights", 1
_CEILINGS = ("number_ceiling", "nothing_ceiling", "part_ceiling")

Limits = tuple[tuple[str, float | None], ...]


def engine_of(settings: Settings, kinds: Sequence[Kind] = ()) -> LexicalScorer:
    """The built-in engine as the settings tune it; settings that say the same share one.

    Args:
        settings: weights and thresholds of conflicts.
        kinds: the kinds of conflicts that extensions add.

    Raises:
        SettingsError: the file of weights cannot be read, or is none for this version; a threshold is of no
            kind of conflict; an extension adds a kind under a name that is taken.
    """
    known = (*KINDS, *sorted(kinds, key=lambda kind: kind.name))
    return _engine(settings.weights_text, settings.weights, settings.conflict_limits, known)


@lru_cache(maxsize=16)
def _engine(text: str, path: str, limits: Limits, kinds: tuple[Kind, ...]) -> LexicalScorer:
    names = [kind.name for kind in kinds]
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            raise SettingsError(f"two kinds of conflicts have the name {name!r}; rename that of an extension")
    model: Model | None = None
    verifier = shipped_verifier()
    if text:
        model, own = models_of(json.loads(text), path)
        verifier = own or verifier
    return LexicalScorer(model, _limited(verifier, limits, kinds), kinds)


def _limited(verifier: Verifier, limits: Limits, kinds: tuple[Kind, ...]) -> Verifier:
    """The verifier with the thresholds that a user set."""
    contradicted = dict(verifier.contradicted)
    off: set[str] = set()
    for kind, threshold in limits:
        inner_kinds = [one for one in kinds if one.title == kind]
        if not inner_kinds:
            known = ", ".join(dict.fromkeys(one.title for one in kinds))
            raise SettingsError(
                f"conflict_thresholds: {kind!r} is no kind of conflict; write one of: {known}"
            )
        for one in inner_kinds:
            if threshold is None:
                off.add(one.name)
            elif one.name in contradicted or one.odds is not None:
                contradicted[one.name] = threshold
    return Verifier(verifier.lines, contradicted, verifier.possible, frozenset(off))


def models_of(document: Mapping[str, Any], path: str) -> tuple[Model | None, Verifier | None]:
    """The models that a file of weights holds; None for one that it leaves as it ships.

    Args:
        document: the content of the file.
        path: its name, for messages.

    Raises:
        SettingsError: it is no such file, or one for other features than this version computes; names the
            field.
    """
    check = _Checked(path)
    if document.get("kind") != KIND:
        raise check.wrong("kind", f"is not {KIND!r}")
    if document.get("schema_version") != VERSION:
        raise check.wrong("schema_version", f"is not {VERSION}")
    if "support" not in document and "conflicts" not in document:
        raise check.wrong("support", "is missing, and so is conflicts: it holds no weights")
    model = verifier = None
    if "support" in document:
        support = check.mapping(document, "support")
        check.line(support, "support", FEATURES)
        check.numbers(
            check.mapping(support, "support.calibration"), "support.calibration", ("slope", "offset")
        )
        rules = check.mapping(support, "support.rules")
        check.numbers(rules, "support.rules", ("conflict", *_CEILINGS), low=0.0)
        check.numbers(rules, "support.rules", _CEILINGS, low=0.0, high=1.0)
        model = Model.from_json({**support, "weights": _in_order(support["weights"], FEATURES)})
    if "conflicts" in document:
        conflicts = check.mapping(document, "conflicts")
        lines = check.mapping(conflicts, "conflicts.lines")
        for name in GROUPS:
            place = f"conflicts.lines.{name}"
            check.line(check.mapping(lines, place), place, frames.FEATURES)
        kinds = check.mapping(conflicts, "conflicts.contradicted")
        check.numbers(kinds, "conflicts.contradicted", kinds)
        check.numbers(conflicts, "conflicts", ("possible",))
        ordered = {
            name: {**line, "weights": _in_order(line["weights"], frames.FEATURES)}
            for name, line in lines.items()
        }
        verifier = Verifier.from_json({**conflicts, "lines": ordered})
    return model, verifier


def _in_order(weights: Mapping[str, float], features: Mapping[str, str]) -> dict[str, float]:
    return {name: weights[name] for name in features}


class _Checked:
    """Looks at the members of a file of weights; the first wrong one is an error that names it."""

    def __init__(self, path: str) -> None:
        self._path = path

    def wrong(self, field: str, problem: str) -> SettingsError:
        return SettingsError(
            f"weights = {self._path!r}: {field} {problem}; write the file anew with "
            "pytest-grounding calibrate --weights"
        )

    def mapping(self, holder: Mapping[str, Any], place: str) -> Mapping[str, Any]:
        value = holder.get(place.rpartition(".")[2])
        if not isinstance(value, Mapping):
            raise self.wrong(place, "is missing or no object")
        return value

    def numbers(
        self,
        holder: Mapping[str, Any],
        place: str,
        names: Iterable[str],
        low: float = -math.inf,
        high: float = math.inf,
    ) -> None:
        for name in names:
            value = holder.get(name)
            if not isinstance(value, (int, float)) or isinstance(value, bool):
                value = math.nan
            if not math.isfinite(value) or not low <= value <= high:
                allowed = f" from {low:g} to {high:g}" if math.isfinite(high) else ""
                raise self.wrong(f"{place}.{name}", f"is missing or no number{allowed}")

    def line(self, holder: Mapping[str, Any], place: str, features: Mapping[str, str]) -> None:
        """An intercept, and a weight for each feature in their order."""
        self.numbers(holder, place, ("intercept",))
        weights = self.mapping(holder, f"{place}.weights")
        for name in weights:
            if name not in features:
                raise self.wrong(f"{place}.weights.{name}", "is no feature of this version")
        self.numbers(weights, f"{place}.weights", features)


__all__ = ["KIND", "VERSION", "engine_of", "models_of"]
