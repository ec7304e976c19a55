"""What a claim is beside the others of its answer: agreement, the lead to a refusal, advice, a lack."""

from __future__ import annotations

import dataclasses
import itertools

from pytest_grounding.text.beside import lack_of
from pytest_grounding.text.leads import is_lead, names_sources, with_sources_for_pronoun
from pytest_grounding.text.refusals import is_referral, is_refusal
from pytest_grounding.text.skips import is_acknowledgement
from pytest_grounding.text.spans import Claim

# What names the sources for a pronoun stands within so many characters before it.
_REACH = 400


def settled(claims: list[Claim], question: str) -> tuple[Claim, ...]:
    """The claims of an answer, those left out that state nothing where they stand.

    Args:
        claims: all claims of an answer, in order.
        question: the question, or "".
    """
    claims = _without_leads(_without_pronoun_refusals(claims))
    return _without_referrals(_with_lacks(_without_acknowledgements(claims)), question)


def _left_out(claim: Claim, reason: str) -> Claim:
    return dataclasses.replace(claim, checked=False, skip_reason=reason, context="")


def _kept(claim: Claim) -> Claim:
    return dataclasses.replace(claim, checked=True, skip_reason="")


def _without_pronoun_refusals(claims: list[Claim]) -> list[Claim]:
    """Refusals whose pronoun stands for the sources: "I read the leave sections, but they say nothing"."""
    found: list[Claim] = []
    for claim in claims:
        before = found[-1] if found else None
        # What is told is looked at first: to find the names of sources in a text takes much longer.
        stated = with_sources_for_pronoun(claim.bare) if before is not None and claim.checked else ""
        if stated and before is not None:
            is_on_sources = before.skip_reason == "refusal" or names_sources(before.text[-_REACH:])
            if is_on_sources and is_refusal(stated):
                claim = _left_out(claim, "refusal")
        found.append(claim)
    return found


def _without_leads(claims: list[Claim]) -> list[Claim]:
    """What leads to a refusal in the same sentence: "I can give you the prices, but nothing here says …"."""
    found = list(claims)
    for number, (claim, after) in enumerate(itertools.pairwise(claims)):
        refused = after.skip_reason == "refusal" and after.sentence == claim.sentence
        if claim.checked and refused and is_lead(claim.bare):
            found[number] = _left_out(claim, "filler")
    return found


def _without_acknowledgements(claims: list[Claim]) -> list[Claim]:
    """A lone "Yes, it does." is an answer; beside other claims these carry what it says."""
    short = {claim.index for claim in claims if claim.checked and is_acknowledgement(claim.bare)}
    if not short or not any(claim.checked and claim.index not in short for claim in claims):
        return claims
    return [
        dataclasses.replace(claim, checked=False, skip_reason="filler") if claim.index in short else claim
        for claim in claims
    ]


def _with_lacks(claims: list[Claim]) -> list[Claim]:
    """A refusal that names one source ("Passage 3 does not give the fee") is a claim: it can be looked up."""
    return [
        _kept(claim) if claim.skip_reason == "refusal" and lack_of(claim.bare) is not None else claim
        for claim in claims
    ]


def _without_referrals(claims: list[Claim], question: str) -> tuple[Claim, ...]:
    """Where an answer declines, "You may want to ask the support" is advice to look elsewhere, no claim.

    Beside real claims only advice without anything to check was left out. Where advice is all that an answer
    says, and what was asked is not known, it is the answer.
    """
    if not any(claim.skip_reason == "refusal" for claim in claims):
        if question or any(claim.checked for claim in claims):
            return tuple(claims)
        return tuple(_kept(claim) if claim.skip_reason == "referral" else claim for claim in claims)
    if not all(is_referral(claim.bare) for claim in claims if claim.checked):
        return tuple(claims)
    return tuple(_left_out(claim, "referral") if claim.checked else claim for claim in claims)
