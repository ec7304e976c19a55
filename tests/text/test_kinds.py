from every import each

from pytest_grounding.claims.clauses import kind_of
from pytest_grounding.claims.splitting import extract_claims


@each(
    ("The plan costs $20.", "fact"),
    ("Water boils at sea level.", "fact"),
    ("It is important to consult a doctor.", "fact"),
    ("We recommend the Pro plan.", "fact"),
    ("The best plan is Pro.", "fact"),
    ("I think it is the best plan.", "opinion"),
    ("In my opinion, it is too big.", "opinion"),
    ("Personally, I love it.", "opinion"),
    ("I would recommend the blue one.", "opinion"),
    ("My favorite color is green.", "opinion"),
    ("It's a great choice!", "opinion"),
    ("I believe we should be kind.", "opinion"),
    ("I think the plan costs $20.", "inference"),
    ("I believe that Paris is nice.", "inference"),
    ("Therefore, it is red.", "inference"),
    ("It is old; hence, it is cheap.", "inference"),
    ("This suggests that it is red.", "inference"),
    ("We can conclude that it is red.", "inference"),
    ("It is likely red.", "inference"),
    ("It seems to be red.", "inference"),
    ("I think it is the best, but the lake is cold.", "inference"),
    ("I would recommend it because it costs $5.", "fact"),
    ("I like pink because the flower comes from Asia.", "fact"),
)
def test_kinds(sentence: str, kind: str) -> None:
    assert kind_of(sentence).kind == kind


def test_confidence_is_a_share_and_higher_for_plain_signs() -> None:
    assert kind_of("Therefore, it is red.").confidence > kind_of("It is likely red.").confidence
    assert kind_of("The plan costs $20.").confidence > kind_of("The plan costs little.").confidence
    for sentence in ("It is red.", "I love it.", "It seems to be red.", ""):
        assert 0.0 <= kind_of(sentence).confidence <= 1.0


def test_opinions_are_not_checked_facts_and_inferences_are() -> None:
    claims = extract_claims("It is red. Therefore, it is old. Personally, I love it.")
    assert [(claim.kind, claim.checked, claim.skip_reason) for claim in claims] == [
        ("fact", True, ""),
        ("inference", True, ""),
        ("opinion", False, "opinion"),
    ]
