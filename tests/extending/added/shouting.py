"""The rule "shouting": a claim in capital letters."""

from pytest_grounding.model.finding import Finding

RULE = "shouting"


def check(context):
    """The findings on claims that are in capital letters."""
    return tuple(
        Finding(
            rule=RULE,
            severity="warning",
            message="the claim is in capital letters",
            claim=claim.index,
            span=(claim.start, claim.end),
        )
        for claim in context.claims
        if claim.text.isupper()
    )
