"""What recorded judgements took: requests, tokens, and their price by the user's own table."""

# No postponed annotations here: pydantic would compile each of them once more, at every import.
import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from pytest_grounding.model._base import Model

_MILLION = 1_000_000
_DIGITS = 9


class Reply(NamedTuple):
    """One recorded reply: its key, who gave it, and its tokens where the service told them."""

    key: str
    scorer: str
    model: str
    input_tokens: int | None
    output_tokens: int | None


class Rates(NamedTuple):
    """The user's prices of a million tokens of a model, in a unit that is a label."""

    input: float
    output: float
    unit: str


class RecordedJudgements(Model):
    """The judgements of one remote model that a run relied on.

    Attributes:
        scorer: the scorer or judge.
        model: its model.
        oldest: day of the oldest judgement, in UTC, ``YYYY-MM-DD``.
        youngest: day of the youngest one.
    """

    scorer: str
    model: str
    oldest: str
    youngest: str

    @classmethod
    def of(cls, uses: Iterable[tuple[str, str, str]]) -> tuple["RecordedJudgements", ...]:
        """One value a scorer and model, from the scorer, model and day of each judgement."""
        days: dict[tuple[str, str], list[str]] = {}
        for scorer, model, day in uses:
            days.setdefault((scorer, model), []).append(day)
        return tuple(
            cls(scorer=scorer, model=model, oldest=min(found), youngest=max(found))
            for (scorer, model), found in sorted(days.items())
        )


class Spending(Model):
    """What the judgements of one remote model took that a run relied on: asked again, they would cost that.

    Attributes:
        scorer: who was asked.
        model: the model that answered.
        requests: replies that the run relied on, each counted once.
        untold: how many of them have no tokens, because the service did not tell.
        input_tokens: tokens of the requests.
        output_tokens: tokens of the replies.
        price: what these tokens cost by ``judge_prices``; None where the table has no price of the model.
        unit: what the price is in: a label.
        replies: hash of the keys of the replies, so that one run that is merged twice counts once.
    """

    scorer: str
    model: str
    requests: int
    untold: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    price: float | None = None
    unit: str = ""
    replies: str = ""

    @classmethod
    def of(cls, replies: Iterable[Reply], rates: dict[str, Rates]) -> tuple["Spending", ...]:
        """One value a scorer and model; the same reply counts once.

        Args:
            replies: what a run relied on.
            rates: the user's prices by model.
        """
        groups: dict[tuple[str, str], dict[str, Reply]] = {}
        for reply in replies:
            groups.setdefault((reply.scorer, reply.model), {})[reply.key] = reply
        return tuple(
            cls._of_group(
                scorer, model, [found[key] for key in sorted(found)], rates.get(model) or rates.get("*")
            )
            for (scorer, model), found in sorted(groups.items())
        )

    @classmethod
    def _of_group(cls, scorer: str, model: str, replies: list[Reply], rates: Rates | None) -> "Spending":
        told = [item for item in replies if item.input_tokens is not None and item.output_tokens is not None]
        taken = sum(item.input_tokens or 0 for item in told)
        given = sum(item.output_tokens or 0 for item in told)
        price = None
        if rates is not None and told:
            price = round((taken * rates.input + given * rates.output) / _MILLION, _DIGITS)
        keys = "".join(item.key for item in replies).encode("utf-8")
        return cls(
            scorer=scorer,
            model=model,
            requests=len(replies),
            untold=len(replies) - len(told),
            input_tokens=taken,
            output_tokens=given,
            price=price,
            unit=rates.unit if rates is not None else "",
            replies=hashlib.sha256(keys).hexdigest()[:16],
        )

    @property
    def order(self) -> tuple[str, str, str, str, float]:
        """Sorts them; two that are equal in it are equal."""
        return (self.scorer, self.model, self.replies, self.unit, self.price or 0.0)


def once(items: Iterable[Spending]) -> tuple[Spending, ...]:
    """Each value once, in their order."""
    return tuple(sorted(dict.fromkeys(items), key=lambda item: item.order))


def summed(items: Iterable[Spending]) -> list[Spending]:
    """One value a scorer, model and unit: parts of a run that were merged, added up."""
    groups: dict[tuple[str, str, str], list[Spending]] = {}
    for item in items:
        groups.setdefault((item.scorer, item.model, item.unit), []).append(item)
    found = []
    for (scorer, model, unit), group in sorted(groups.items()):
        prices = [item.price for item in group if item.price is not None]
        found.append(
            Spending(
                scorer=scorer,
                model=model,
                unit=unit,
                requests=sum(item.requests for item in group),
                untold=sum(item.untold for item in group),
                input_tokens=sum(item.input_tokens for item in group),
                output_tokens=sum(item.output_tokens for item in group),
                price=round(sum(prices), _DIGITS) if prices else None,
            )
        )
    return found


def said(item: Spending) -> str:
    """The sum in words, without who was asked: "12 requests, 3400 + 120 tokens, 0.00058 USD"."""
    parts = [f"{item.requests} request{'' if item.requests == 1 else 's'}"]
    if item.requests > item.untold:
        parts.append(f"{item.input_tokens} + {item.output_tokens} tokens")
    if item.untold:
        parts.append(f"{item.untold} without a count of tokens")
    if item.price is not None:
        parts.append(f"{amount(item.price)} {item.unit}".strip())
    return ", ".join(parts)


def amount(price: float) -> str:
    """A price for people, without an exponent."""
    return f"{price:.6f}".rstrip("0").rstrip(".") or "0"
