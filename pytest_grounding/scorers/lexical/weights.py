"""The engine with the user's thresholds of conflicts: the setting ``conflict_thresholds``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pytest_grounding.errors import SettingsError
from pytest_grounding.scorers.lexical.conflicts.kinds import KINDS, Kind
from pytest_grounding.scorers.lexical.conflicts.verifier import Verifier, shipped_verifier
from pytest_grounding.scorers.lexical.scorer import LexicalScorer
from pytest_grounding.settings import Settings

Limits = tuple[tuple[str, float | None], ...]


def engine_of(settings: Settings, kinds: Sequence[Kind] = ()) -> LexicalScorer:
    """The built-in engine as the settings tune it; settings that say the same share one."""
    known = (*KINDS, *sorted(kinds, key=lambda kind: kind.name))
    return _engine(settings.conflict_limits, known)


@lru_cache(maxsize=16)
def _engine(limits: Limits, kinds: tuple[Kind, ...]) -> LexicalScorer:
    names = [kind.name for kind in kinds]
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            raise SettingsError(f"two kinds of conflicts have the name {name!r}; rename that of an extension")
    return LexicalScorer(None, _limited(shipped_verifier(), limits, kinds), kinds)


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
