"""The registry of built-in parts and extensions."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.metadata import distributions
from typing import TYPE_CHECKING, Any

from pytest_grounding._io import listeners
from pytest_grounding.checks.check_context import Check, CheckContext
from pytest_grounding.citations import builtin_syntaxes
from pytest_grounding.citations.syntax import CitationSyntax
from pytest_grounding.errors import InputError, SettingsError, advice_of_extras
from pytest_grounding.model.finding import Finding
from pytest_grounding.rules import RULES
from pytest_grounding.scorers import Scorer
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    import pluggy

    from pytest_grounding.importers.native import Importers
    from pytest_grounding.model.run_report import RecordedJudgements
    from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer
    from pytest_grounding.scorers.builtin.conflicts.conflict_search import Kind
    from pytest_grounding.scorers.remote.judge import BatchJudge

_PROJECT = __name__.partition(".")[0]


@lru_cache(maxsize=1)
def plugin_manager() -> pluggy.PluginManager:
    """The plugin manager, with the installed extensions."""
    import pluggy

    from pytest_grounding import hookspecs

    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    manager.load_setuptools_entrypoints(hookspecs.PROJECT)
    return manager


@lru_cache(maxsize=1)
def _has_installed() -> bool:
    """Whether a distribution has extensions; reading the entry points of all takes three times as long."""
    texts = (distribution.read_text("entry_points.txt") for distribution in distributions())
    return any(f"[{_PROJECT}]" in (text or "") for text in texts)


def register(extension: object) -> None:
    """Add an extension: an object with functions marked ``hookimpl``. Adding it twice changes nothing.

    Raises:
        InputError: no function of it is marked, or a marked one is not a hook.
    """
    manager = plugin_manager()
    if manager.is_registered(extension):
        return
    manager.register(extension)
    callers = manager.get_hookcallers(extension) or []
    strange = [caller.name for caller in callers if not caller.has_spec()]
    if callers and not strange:
        return
    manager.unregister(extension)
    from pytest_grounding import hookspecs

    known = ", ".join(name for name in vars(hookspecs) if name.startswith("pytest_grounding_"))
    problem, hint = "has no hook, so it would add nothing", f"hooks are: {known}"
    if strange:
        problem = f"marks {strange[0]}, which is not a hook"
    else:
        hint = f"mark its functions with pytest_grounding.hookimpl; {hint}"
    raise InputError(f"the extension {type(extension).__name__} {problem}", hint=hint)


def unregister(extension: object) -> None:
    """Take an extension out again."""
    if plugin_manager().is_registered(extension):
        plugin_manager().unregister(extension)


def syntaxes() -> list[CitationSyntax]:
    """All citation syntaxes, the built-in ones first."""
    return [*builtin_syntaxes(), *_flat(_asked("pytest_grounding_syntaxes"))]


def importers(settings: Settings | None = None) -> Importers:
    """The importers of foreign formats, extensions first."""
    from pytest_grounding.importers.native import Importers

    chosen, options = settings or Settings.of(), None
    if chosen.question or chosen.columns:
        from pytest_grounding.importers import draft, table

        options = draft.Options(chosen.question, table.parse_columns(chosen.columns))
    return Importers(_flat(_asked("pytest_grounding_importers")), options)


@lru_cache(maxsize=1)
def builtin_checks() -> tuple[Callable[[CheckContext], Iterable[Finding]], ...]:
    """The checks on a transcript as recorded, in the order of their rules."""
    names = dict.fromkeys(rule.check for rule in RULES.values() if rule.check)
    return tuple(import_module(f"pytest_grounding.checks.{name}").check for name in names)


def checks(settings: Settings) -> list[Check]:
    """The checks of extensions."""
    return _flat(_asked("pytest_grounding_checks", settings=settings))


@lru_cache(maxsize=1)
def builtin_scorer() -> LexicalScorer:
    """The built-in engine; a single object, so that transcripts share work on chunks."""
    from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer

    return LexicalScorer()


@lru_cache(maxsize=16)
def _engine_of(kinds: tuple[Kind, ...]) -> LexicalScorer:
    from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer
    from pytest_grounding.scorers.builtin.conflicts.conflict_search import KINDS

    known = (*KINDS, *sorted(kinds, key=lambda kind: kind.name))
    name, number = Counter(kind.name for kind in known).most_common(1)[0]
    if number > 1:
        raise SettingsError(f"two kinds of conflicts have the name {name!r}; rename that of an extension")
    return LexicalScorer(kinds=known)


def scorers(settings: Settings) -> list[Scorer]:
    """The chosen scorers in order, then the fallbacks; the built-in one is the last."""
    chosen = _chosen_scorers(settings)
    if not settings.glossary:
        return chosen
    from pytest_grounding.scorers.builtin.glossary import GlossaryScorer, has_rules

    return [GlossaryScorer(scorer, settings) for scorer in chosen] if has_rules(settings) else chosen


def _chosen_scorers(settings: Settings) -> list[Scorer]:
    kinds = _flat(_asked("pytest_grounding_conflict_kinds"))
    builtin: Scorer = _engine_of(tuple(kinds)) if kinds else builtin_scorer()
    names = [name.strip() for name in settings.scorer.split(",") if name.strip()]
    if names == [builtin.name]:
        return [builtin]
    from pytest_grounding.scorers.remote import scorer_factory as remote
    from pytest_grounding.scorers.remote.scorer_factory import GuardedScorer

    others: Sequence[Scorer] = _flat(_asked("pytest_grounding_scorers", settings=settings))
    by_name = {scorer.name: scorer for scorer in reversed(others)}
    chosen: list[Scorer] = []
    for name in names:
        if name in by_name:
            chosen.append(GuardedScorer(by_name[name]))
        elif remote.family(name) in remote.NAMES:
            chosen.append(remote.scorer(name, settings, builtin, redactors()))
        elif name != builtin.name:
            known = ", ".join(sorted({builtin.name, *by_name, *remote.NAMES}))
            advice = advice_of_extras(name) or f"write one of: {known}"
            raise SettingsError(f"scorer = {name!r} is not known; {advice}")
    # Naming embeddings or the built-in engine fixes the order.
    is_settled = remote.EMBEDDINGS in names or builtin.name in names
    fallback = "" if is_settled else remote.fallback_of(names, settings)
    if fallback and fallback not in by_name:
        chosen.append(remote.scorer(fallback, settings, builtin, redactors(), is_fallback=True))
    return [*chosen, builtin]


def judge(settings: Settings) -> BatchJudge | None:
    """The chosen judge, or None."""
    if not settings.judge:
        return None
    from pytest_grounding.scorers.remote.scorer_factory import judge_of

    return judge_of(settings, _flat(_asked("pytest_grounding_judges", settings=settings)), redactors())


def reports() -> dict[str, Callable[..., str]]:
    """The report kinds of extensions: name -> renderer; the first of two with one name wins."""
    found: dict[str, Callable[..., str]] = {}
    for kinds in _asked("pytest_grounding_reports"):
        for name, call in kinds.items():
            found.setdefault(name, call)
    return found


def redactors() -> list[Callable[[str], str]]:
    """The redactors that remove secrets from texts before they are sent or recorded."""
    return _flat(_asked("pytest_grounding_redactors"))


def judgements_used() -> tuple[RecordedJudgements, ...]:
    """Ages of the recorded judgements used by this process."""
    from pytest_grounding.model.run_report import RecordedJudgements

    tape = sys.modules.get("pytest_grounding.scorers.remote.cassette_file")
    uses = tape.usage() if tape is not None else ()
    return RecordedJudgements.of((use.scorer, use.model, use.recorded) for use in uses)


def finish_recording() -> None:
    """Merge this process's recordings into the sorted cassette files."""
    remote = sys.modules.get("pytest_grounding.scorers.remote.scorer_factory")
    if remote is not None:
        remote.flush()


def _asked(hook: str, **arguments: Any) -> list[Any]:
    """The results of all extensions for a hook: the run's ``conftest.py`` files first, then the others."""
    installed: list[Any] = []
    if plugin_manager.cache_info().currsize or _has_installed():
        installed = getattr(plugin_manager().hook, hook)(**arguments)
    return [*listeners.answers(hook, arguments), *installed]


def _flat(lists: Sequence[Sequence[Any]]) -> list[Any]:
    # pluggy calls the last registered extension first; sorting by name makes the order reproducible.
    return [item for items in lists for item in items]
