from every import each

from pytest_grounding.claims.refusals import is_referral, is_refusal
from pytest_grounding.claims.splitting import extract_claims, is_declined

REFUSALS = [
    "I don't know.",
    "I don’t know.",
    "I do not have that information.",
    "I have no information on that topic.",
    "I cannot answer this question based on the provided context.",
    "I can't help with that.",
    "I'm sorry, but I couldn't find any information about that in the documents.",
    "I'm not sure.",
    "I do not have enough information to answer.",
    "I found no mention of a refund policy.",
    "As an AI language model, I don't have access to real-time data.",
    "The sources do not say when the museum opened.",
    "The provided context does not contain the answer to this question.",
    "Unfortunately, the passages don't mention the price.",
    "Passage 2 does not provide any information about the price.",
    "None of the documents mention the price.",
    "The documents fail to specify a date.",
    "There is no information about refunds in the given documents.",
    "There is no mention of a beverage.",
    "No information available.",
    "No details about him were given.",
    "It is not mentioned in the text.",
    "The price is not mentioned in the provided documents.",
    "That information isn't available in the documents.",
    "Based on the provided passages, the average cost cannot be determined.",
    "It's not clear from the documents whether pets are allowed.",
    "This question cannot be answered from the given information.",
    "Unable to answer based on given passages.",
    "My knowledge does not cover this.",
    "I'd rather not guess.",
    "Sorry, I don't want to speculate about that.",
    "I'd need more than these excerpts to tell you what a new gearbox costs.",
    "I need more than the passage to answer this.",
    "It's not possible for me to say whether there's a yearly discount.",
    "It is impossible for us to confirm the date.",
    "The webhook section doesn't say which addresses deliveries come from.",
    "The leave policy does not specify who approves it.",
    "The table on fees says nothing about refunds.",
    "The sections I have don't cover installation.",
    "The text I was given doesn't go into that.",
    "The documents you gave me are silent on this.",
    "Nothing I was given covers this.",
    "Nothing that I have here says when it opens.",
    "I haven't found it in the other passages either.",
    "We have not seen anything in the documents.",
    "The excerpts leave that open.",
    "The handbook leaves this open.",
    "The rest isn't in my sources.",
    "Sorry.",
    "I apologize for the inconvenience.",
    "N/A",
    "Unknown.",
    "Not specified.",
    "I don't know, but please contact the support.",
    "I cannot answer that because the passages do not mention it.",
    "Ich weiß es leider nicht.",
    "Leider kann ich dazu nichts finden.",
    "Dazu konnte ich in den Quellen leider nichts finden.",
    "Ich habe dazu leider nichts gefunden.",
    "Die Quellen enthalten keine Informationen dazu.",
    "Je ne sais pas.",
    "Les sources ne mentionnent pas le prix.",
    "No lo sé.",
    "No tengo información sobre eso.",
    "Non lo so.",
    "Não sei.",
    "我不知道。",
    "文档中没有提到价格。",
    "わかりません。",
    "資料には記載がありません。",
    "모르겠습니다.",
    "Не знаю, в тексте нет информации об этом.",
    "मुझे नहीं पता।",
    "لا أعرف",
]

STATEMENTS = [
    "We do not offer refunds on weekends.",
    "You cannot cancel after 30 days.",
    "The plan does not include roaming.",
    "The contract does not mention cats.",
    "The policy says nothing about hail.",
    "The policy does not mention hail.",
    "I'd rather not guess that it is gold.",
    "We need more milk than the dairy has to tell a good cheese.",
    "We have not found gold in the river.",
    "The doctors leave the wound open.",
    "It is impossible for me to say that the fee is 5 euros.",
    "The sections I have don't cover installation, but it takes three hours.",
    "The report does not contain nuts.",
    "The data does not show an increase.",
    "Energy sources do not include coal.",
    "There is no data cap on the Pro plan.",
    "There is no evidence that vaccines cause autism.",
    "There is no specific number of sources required before printing a story.",
    "It is unclear who fired first.",
    "The cause of the fire is unknown.",
    "The account cannot be verified without ID.",
    "The file could not be found.",
    "Nobody knows the answer.",
    "Users who do not have information about it can ask.",
    "Paris is not mentioned in the Bible.",
    "No, the plan does not include phone support.",
    "Rye (not explicitly mentioned in the passages) contains gluten.",
    "The sources do not say when it opened, but it has 40 rooms.",
    "The sources do not say when it opened, although they name its owner.",
    "While the documents do not name a price, they emphasize the risks.",
    "I don't know the price, but you can cancel within 30 days.",
    "I'm not sure, but the ten largest firms made 170 billion dollars.",
    "Some women feel sick, although this is not mentioned in the passages provided.",
    "Ohne Schlüssel kann er die Tür nicht finden.",
    "Ohne Anmeldung kann sie im Portal nichts finden.",
    "It is red.",
    "",
]


@each(*REFUSALS)
def test_refusals(sentence: str) -> None:
    assert is_refusal(sentence)


@each(*STATEMENTS)
def test_statements_are_no_refusals(sentence: str) -> None:
    assert not is_refusal(sentence)


@each(*[text for text in REFUSALS if text != "Sorry."])
def test_an_answer_that_only_refuses_is_declined(answer: str) -> None:
    assert is_declined(extract_claims(answer), answer)


@each(
    "I'm sorry, I don't have that information. Is there anything else I can help with?",
    "The price is not mentioned in the provided documents. Please contact support for more details.",
    "I'm unable to help with that. You can check the official website. I hope this helps!",
    "Hello! I could not find an answer in the sources [1]. I'd be happy to help with something else.",
    "## Answer\n\nThe sources do not say.\n\nSources: [1]",
)
def test_politeness_and_advice_leave_an_answer_declined(answer: str) -> None:
    claims = extract_claims(answer)
    assert is_declined(claims, answer)
    assert not any(claim.checked for claim in claims)


@each(
    "",
    "  \n",
    "The plan costs $20.",
    "The documents don't specify the price, but the Pro plan costs $20.",
    "The sources do not give a price. They say that it opened in 1990.",
    "I don't know the price. You can check it within 30 days.",
    "Hello!",
    "What do you mean?",
)
def test_an_answer_that_claims_something_or_nothing_is_not_declined(answer: str) -> None:
    assert not is_declined(extract_claims(answer), answer)


def test_advice_that_names_somebody_is_skipped_only_where_nothing_else_is_claimed() -> None:
    alone = extract_claims("I don't know. You may want to ask the painters in Ulm.")
    assert [claim.skip_reason for claim in alone] == ["refusal", "referral"]
    beside = extract_claims("I don't know. It is red. You may want to ask the painters in Ulm.")
    assert [claim.skip_reason for claim in beside] == ["refusal", "", ""]
    without = extract_claims("You may want to ask the support.")
    assert [claim.skip_reason for claim in without] == [""]


@each(
    ("You may want to check the official website.", True),
    ("Please contact support for more details.", True),
    ("It is best to consult a doctor.", True),
    ("For current prices, please visit the website.", True),
    ("Further information would be needed.", True),
    ("You may cancel the plan.", False),
    ("It is important to note that definitions lack uniformity.", False),
    ("Contact support within 30 days.", False),
    ("Check the oil.", False),
)
def test_referrals(sentence: str, refers: bool) -> None:
    assert is_referral(sentence) is refers
