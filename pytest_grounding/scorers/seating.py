"""Who judges: the judge or the panel that the settings name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_grounding.errors import SettingsError
from pytest_grounding.scorers import remote
from pytest_grounding.scorers.guarded import GuardedJudge
from pytest_grounding.scorers.judge import BatchJudge, Judge
from pytest_grounding.scorers.judge.known import unknown
from pytest_grounding.scorers.judge.panel import Member, Panel
from pytest_grounding.settings import Settings


def seated(
    settings: Settings, others: Sequence[Judge], redactors: Sequence[Callable[[str], str]]
) -> BatchJudge:
    """The judge of the setting ``judge``, or the panel of ``judges``.

    Args:
        settings: one of the two is set.
        others: the judges of extensions; of two of one name the first serves.
        redactors: what each text goes through before it is sent or recorded.

    Raises:
        SettingsError: both are set, or one names nobody, somebody unknown, or somebody twice.
        UnreadableCassetteError: recorded judgements cannot be read.
    """
    if settings.judge and settings.judges:
        raise SettingsError(
            f"judge = {settings.judge!r} and judges = {settings.judges!r} are both set; leave one empty"
        )
    names = [settings.judge]
    if settings.judges:
        names = [name.strip() for name in settings.judges.split(",") if name.strip()]
        if not names:
            raise SettingsError(f"judges = {settings.judges!r} names nobody; write names with commas")
        twice = next((name for name in names if names.count(name) > 1), "")
        if twice:
            raise SettingsError(
                f"judges names {twice!r} twice; write each once, and set judge_repeats to ask it more often"
            )
    members = [_member(name, settings, others, redactors) for name in names]
    known: dict[tuple[str, str], str] = {}
    for name, member in zip(names, members, strict=True):
        # A default that is named is the same model, and would vote twice.
        other = known.setdefault((member.name, member.model), name)
        if other != name:
            raise SettingsError(
                f"judges names one model twice: {other!r} and {name!r}; leave one of them out"
            )
    if len(members) == 1 and settings.judge_repeats == 1:
        return members[0]
    return Panel(members, agreement=settings.judge_agreement, repeats=settings.judge_repeats)


def _member(
    entry: str,
    settings: Settings,
    others: Sequence[Judge],
    redactors: Sequence[Callable[[str], str]],
) -> Member:
    for other in others:
        if other.name == entry:
            return GuardedJudge(other)
    name, colon, _ = (part.strip() for part in entry.partition(":"))
    if name in remote.JUDGES:
        return remote.judge(settings, redactors, entry)
    which = "judges" if settings.judges else "judge"
    if colon and any(other.name == name for other in others):
        problem = f"{name} is of an extension and takes no model; write {name}"
        raise SettingsError(f"{which} = {entry!r}: {problem}")
    raise SettingsError(unknown(entry, tuple(other.name for other in others), which))
