"""Texts that share all their words with a question and do not answer it, beside texts that do."""

from __future__ import annotations

import pytest

import pytest_grounding as pg


def presence(question: str, *texts: str) -> str:
    return str(pg.validate_retrieval(question, list(texts)).answer_present)


NEAR_MISSES = (
    ("Who teaches the beginners?", "Beginners are taught from six, the team plays from eight."),
    ("Who appealed?", "An appeal was turned down in June 2019 by Judge Orr."),
    ("Who is the head nurse?", "Children need the consent of the head nurse."),
    ("Who pays the fee?", "The treasurer, Mina Sol, pays all bills. Members late with a fee are reminded."),
    ("When was the Lorne dam planned?", "The Lorne dam was planned by Reiss, but finished in 1958."),
    ("When does the walk end?", "The walk sets off at nine and ends with a soup."),
    (
        "Where does Pavel Ruzek teach?",
        "Pavel Ruzek took over the Lind choir from Ada Frey in 2016. Frey had led it and teaches in Graz.",
    ),
    ("What did Brandt replace?", "During the walk, Ito replaced the pump while Brandt held the lamp."),
    ("What is the largest lake in the district?", "No lake in the district reaches further down than Tarn."),
    ("How large is the cache?", "Release 3.1 made the cache optional."),
    ("How steep is the Zinn railway?", "The Zinn railway climbs 1,180 metres in 38 minutes."),
    ("How many cabins does the ropeway have?", "The ropeway is new. Its cabins carry eight people each."),
    ("How many tonnes of wheat did the plots yield?", "The plots yielded 6.1 tonnes of barley."),
    ("What does error E20 mean on the Brio?", "Error E14 on the Brio means that water is in the base."),
    ("How high is the dog tax for a second dog?", "The dog tax is 60 euros for the first dog."),
    ("Where is the Tolm brewery?", "The Tolm brewery was sold to its workers in 2009."),
    ("When was the Tolm brewery founded?", "The Tolm brewery was sold in 2009 by the founder's son."),
)  # fmt: skip

ANSWERED = (
    ("Who teaches the beginners?", "Beginners are taught by Ines Roth from six."),
    ("Who rejected the appeal for the tenant?", "The appeal for the tenant was turned down by Judge Orr."),
    ("Who is the head nurse?", "The head nurse, Ida Fink, decides on visits."),
    ("When was the Lorne dam completed?", "The Lorne dam was planned by Otto Reiss, but completed in 1958."),
    ("When did Litecoin come out?", "Litecoin was released in October 2011."),
    ("What is the deepest lake in the district?", "No lake in the district is deeper than Lake Tarn."),
    ("How many litres does the reef tank hold?", "The reef tank holds 42,000 litres."),
    ("How many people work at Acme?", "Acme employs 340 people."),
    ("Where can I buy tickets?", "Tickets are sold at the kiosk."),
    ("How long must a password be?", "A password must have twelve characters."),
    ("What does error E14 mean on the Brio?", "Error E14 on the Brio means that water is in the base."),
)  # fmt: skip


@pytest.mark.parametrize(("question", "text"), NEAR_MISSES, ids=[question for question, _ in NEAR_MISSES])
def test_a_near_miss_is_not_the_answer(question: str, text: str) -> None:
    assert presence(question, text) != "full"


@pytest.mark.parametrize(("question", "text"), ANSWERED, ids=[question for question, _ in ANSWERED])
def test_the_answer_beside_it_is(question: str, text: str) -> None:
    assert presence(question, text) == "full"
