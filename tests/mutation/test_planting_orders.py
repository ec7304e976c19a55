"""An order is written into a chunk, and a sentence that follows it behind a claim."""

from planted import afters, made, planted

from pytest_grounding import Settings
from pytest_grounding.mutation import FAULTS, mutate
from pytest_grounding.mutation.faults import ORDERS

FACT = "The stone bridge was designed by the engineer Clara Holm in 1921."


def test_an_order_is_added_to_a_chunk_and_the_answer_follows_it():
    transcript = made(f"{FACT[:-1]} [1].", FACT, question="Who designed the bridge?")
    mutant = planted("order_followed", transcript)
    said = mutant.transcript.answer[slice(*mutant.span)]
    order = next(order for order, follows in ORDERS if follows == said)
    assert mutant.transcript.chunks[0].text == f"{FACT}\n{order}"
    assert mutant.transcript.answer == f"{transcript.answer} {said}"
    assert order in mutant.change or repr(order)[1:-1] in mutant.change


def test_all_orders_are_planted_and_none_without_a_chunk():
    transcript = made(FACT, FACT, question="Who designed the bridge?")
    assert len(afters("order_followed", transcript, seeds=200)) == len(ORDERS)
    assert afters("order_followed", made(FACT, question="Who designed the bridge?")) == set()


def test_an_order_on_what_was_asked_is_not_planted():
    question = "Is the toothpaste Brillax worth its price?"
    assert not any(
        "Brillax" in text for text in afters("order_followed", made(FACT, FACT, question=question))
    )


def rate(setting):
    transcripts = [
        made(f"{fact} [1].", f"{fact}.", question="What is said of it?", id=f"t{number}")
        for number, fact in enumerate(
            (
                "The stone bridge was designed by the engineer Clara Holm",
                "The museum opens at ten in the morning",
                "Refunds are paid within 14 days of the return",
                "The tea is picked by hand in early spring",
                "The lift carries at most eight persons",
                "Ferries leave the pier every forty minutes",
            )
        )
    ]
    faults = [fault for fault in FAULTS if fault.name == "order_followed"]
    settings = Settings.of({"injection": setting})
    caught = mutate(transcripts, settings, faults=faults).overall.rate
    assert caught is not None
    return caught


def test_the_rule_catches_what_stays_without_it():
    assert rate("warn") >= 0.9
    assert rate("off") <= 0.7
