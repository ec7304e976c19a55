"""Channels of a release that differ."""

from pytest_grounding.scorers.builtin.conflicts.contest import Duel

CHANNELS = ("main", "beta", "dev")


def channel_conflicts(contest):
    """What the sources say of another channel."""
    for number, norm in enumerate(contest.claim.norms):
        if norm in CHANNELS:
            duel = Duel(contest, number)
            for channel in CHANNELS:
                for place in contest.places(channel):
                    duel.meet(place, agrees=channel == norm)
            yield from duel.candidates("channel")
