"""The same in one file of a user: a conftest.py, or a module that is registered."""

import re

import pytest_grounding as pg
from pytest_grounding.citations.syntax import Marker, Target
from pytest_grounding.model.finding import Finding
from pytest_grounding.scorers.builtin.conflicts.conflict_search import Kind
from pytest_grounding.scorers.builtin.conflicts.contest import Duel


class DaggerSyntax:
    """Citations by position, behind a dagger."""

    name = "dagger"
    priority = 42

    def find(self, context):
        for match in re.finditer(r"‡([1-9]\d{0,2})", context.masked):
            target = Target(match[1], context.lookup.at(int(match[1])))
            yield Marker(match.start(), match.end(), match[0], self.name, (target,))


class Shouting:
    """The rule "shouting": a claim in capital letters."""

    name = "shouting"

    def run(self, context):
        for claim in context.claims:
            if claim.text.isupper():
                text = "the claim is in capital letters"
                yield Finding(rule=self.name, severity="warning", message=text, claim=claim.index)


def channel_conflicts(contest):
    channels = ("main", "beta", "dev")
    for number, norm in enumerate(contest.claim.norms):
        if norm in channels:
            duel = Duel(contest, number)
            for channel in channels:
                for place in contest.places(channel):
                    duel.meet(place, agrees=channel == norm)
            yield from duel.candidates("channel")


def csv_rows(report):
    return "".join(f"{verdict.id};{verdict.status}\n" for verdict in report.transcripts)


@pg.hookimpl
def pytest_grounding_syntaxes():
    return [DaggerSyntax()]


@pg.hookimpl
def pytest_grounding_checks(settings):
    return [Shouting()]


@pg.hookimpl
def pytest_grounding_conflict_kinds():
    return [Kind("channel", channel_conflicts, '"beta" / "main"', odds=3.0)]


@pg.hookimpl
def pytest_grounding_reports():
    return {"csv": csv_rows}
