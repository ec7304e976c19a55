"""A run against its baseline, as lines for people: what drifted, the figures, who changed and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pytest_grounding._wording import listed
from pytest_grounding.model.comparison import Comparison, Difference, FigureChange, HeldFinding

_LISTED = 10
_LONGEST = 160
_TONES = {"pass": "good", "fail": "bad", "inconclusive": "warn", "undecided": "warn"}
_WORDS = {
    "same": "ok",
    "better": "better",
    "worse": "WORSE",
    "inconclusive": "inconclusive",
    "lost": "nothing to measure any more",
    "nothing": "nothing to compare",
}


def comparison_lines(found: Comparison) -> Iterator[tuple[str, str]]:
    """The comparison as pairs of a line and its tone; the text is not neutralised for a terminal yet."""
    pairs = f"{found.pairs} {'transcript' if found.pairs == 1 else 'transcripts'} compared"
    policy = f"policy {found.policy}" if found.ratchet is None else "new findings alone count"
    yield f"baseline: {found.outcome} ({policy}, {pairs})", _TONES[found.outcome]
    if found.ratchet is not None:
        yield f"  {found.ratchet.line}", "bad" if found.ratchet.new else "good"
    for text in found.drift:
        yield f"  {text}", "warn"
    if found.drift:
        yield "  what follows may come from that alone", "warn"
    if found.drift and found.refresh:
        yield f"  write the baseline anew with: {found.refresh}", "warn"
    if found.ratchet is not None:
        yield from _findings("not in the baseline", found.ratchet.new, "bad")
        yield from _findings("gone", found.ratchet.gone, "good")
    for text, tone in movements(found):
        yield f"  {text}", tone
    yield from _differences("flipped", found.flipped)
    yield from _differences("moved", found.moved)
    yield from _listed("vanished", [f"{key}: {why}" for key, why in found.vanished.items()], "bad")
    yield from _listed("no longer scored", found.unscored, "bad")
    yield from _listed("new", found.added, "")
    yield from _listed("other content", found.changed, "")
    if found.pairs and found.figures:
        yield from _table(found.figures)


def movements(found: Comparison) -> Iterator[tuple[str, str]]:
    """What moved among the figures, one sentence and its tone each: the drops first, then what got better."""
    order = {"worse": 0, "lost": 1, "inconclusive": 2, "better": 3}
    for item in sorted(found.figures, key=lambda figure: order.get(figure.outcome, 4)):
        if item.outcome == "lost":
            yield f"{item.label}: {_number(item.before)} before, nothing to measure any more", "bad"
        if item.before is None or item.after is None or item.before == item.after:
            continue
        before, after = _apart(item.before, item.after)
        way = "fell" if item.after < item.before else "rose"
        sentence = f"{item.label} {way} from {before} to {after}"
        if item.outcome == "worse":
            yield sentence, "bad"
        elif item.outcome == "inconclusive":
            chance = "" if item.p_value is None else f" (p = {item.p_value:.2g})"
            yield f"{sentence}, which may be chance{chance}", "warn"
        elif item.outcome == "better":
            yield f"{sentence}, which is better", "good"
        elif item.drop is not None and item.drop > 0:
            yield f"{sentence}, which the policy allows", ""


def _apart(before: float, after: float) -> tuple[str, str]:
    """Two shares with two decimals, or with as many as it takes to tell them apart."""
    for digits in (2, 3, 4):
        first, second = f"{before:.{digits}f}", f"{after:.{digits}f}"
        if first != second:
            return first, second
    return f"{before:.6g}", f"{after:.6g}"


def _table(figures: Sequence[FigureChange]) -> Iterator[tuple[str, str]]:
    width = max(len(item.label) for item in figures)
    head = f"{'before':>6}  {'after':>6}  {'drop':>7}  {'95 % interval':<17}  {'p':>6}  {'detectable':>10}"
    yield f"  {'figure':<{width}}  {head}", "head"
    for item in figures:
        cells = f"{_number(item.before):>6}  {_number(item.after):>6}  {_signed(item.drop):>7}"
        interval = "-" if item.low is None else f"{_signed(item.low)} to {_signed(item.high)}"
        chance = "-" if item.p_value is None else f"{item.p_value:.3f}"
        text = f"{cells}  {interval:<17}  {chance:>6}  {_number(item.detectable):>10}  {_WORDS[item.outcome]}"
        tone = {"worse": "bad", "lost": "bad", "inconclusive": "warn", "better": "good"}
        yield f"  {item.label:<{width}}  {text}", tone.get(item.outcome, "")


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+.3f}"


def _differences(word: str, items: Sequence[Difference]) -> Iterator[tuple[str, str]]:
    for item in items[:_LISTED]:
        way = f"{item.before} -> {item.after}" if item.before != item.after else item.after
        why = " ".join(item.why.split())
        short = why if len(why) <= _LONGEST else f"{why[: _LONGEST - 3]}..."
        tone = "bad" if item.is_worse else "good"
        yield f"  {word} to the {'worse' if item.is_worse else 'better'}: {item.id} ({way}): {short}", tone
    if len(items) > _LISTED:
        yield f"  ... and {len(items) - _LISTED} more {word}", ""


def _findings(word: str, items: Sequence[HeldFinding], tone: str) -> Iterator[tuple[str, str]]:
    for item in items[:_LISTED]:
        message = " ".join(item.message.split())
        text = f"{item.said}{message and ' - '}{message}"
        yield f"  {word}: {text if len(text) <= _LONGEST * 2 else f'{text[: _LONGEST * 2 - 3]}...'}", tone
    if len(items) > _LISTED:
        yield f"  ... and {len(items) - _LISTED} more {word}", ""


def _listed(word: str, names: Iterable[str], tone: str) -> Iterator[tuple[str, str]]:
    names = list(names)
    if names:
        yield f"  {word}: {listed(names, _LISTED)}", tone
