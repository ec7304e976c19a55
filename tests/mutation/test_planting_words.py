"""Names, polarity and additions: the sentence says something else, and can still be read."""

from every import each
from planted import afters, made, planted

BRIDGE = (
    "The bridge was designed by Clara Holm and opened by King Oskar. "
    "Later the bridge was painted by Nils Berg. Travellers reach it from Stenby and from Lundvik."
)


def test_a_new_entity_appears_in_no_chunk():
    found = afters("new_entity", made("The bridge was designed by Clara Holm [1].", BRIDGE))
    assert found
    for text in found:
        assert text.startswith("The bridge was designed by ")
        assert text.endswith(" [1].")
        assert "Clara" not in text
        assert "Holm" not in text


def test_a_kind_of_thing_stays_when_its_name_changes():
    fact = "The study was done at Hillside University last year."
    found = afters("new_entity", made(fact, fact))
    assert found
    for text in found:
        assert "Hillside" not in text
        assert "University" in text


def test_a_swapped_entity_is_another_name_of_the_chunks():
    found = afters("swapped_entity", made("The bridge was designed by Clara Holm.", BRIDGE))
    assert found
    assert found <= {f"The bridge was designed by {name}." for name in ("King Oskar", "Nils Berg")}


def test_another_name_of_the_same_thing_is_no_fault():
    chunk = "Patients write to the World Health Organization (WHO) or to UNICEF in Geneva."
    found = afters("swapped_entity", made("Patients write to the WHO for help.", chunk))
    assert found == {"Patients write to the UNICEF for help."}
    chunk = "Patients write to the World Health Organization (WHO) for help."
    assert afters("swapped_entity", made("Patients write to the WHO for help.", chunk)) == set()


def test_the_start_of_a_sentence_a_month_and_a_people_are_no_names():
    chunk = "Tickets are sold in March. Many French visitors like the soup."
    assert afters("new_entity", made("Tickets are sold in March.", chunk)) == set()
    assert afters("new_entity", made("Many French visitors like the soup.", chunk)) == set()


@each(
    ("The museum is open on Sundays [1].", "The museum is not open on Sundays [1]."),
    ("Visitors can bring dogs.", "Visitors cannot bring dogs."),
    ("Dogs are not allowed inside.", "Dogs are allowed inside."),
    ("Visitors cannot bring dogs.", "Visitors can bring dogs."),
    ("If the card is lost, you must call the bank.", None),  # only the condition might change
    ("The tower, which was built in 1926, is open.", None),
    ("Some rooms are closed in winter.", None),  # other rooms may still be closed
    ("The fee may be paid later.", None),  # what may be may also not be
    ("If the card is not blocked, call the bank.", None),  # only the condition would change
    ("The tower is no longer open.", None),
    ("The rules are:", None),
)
def test_a_negation_denies_the_statement_itself(answer, after):
    assert afters("negation", made(answer, answer)) == ({after} if after else set())


@each(
    ("The water is hot at noon.", "The water is cold at noon."),
    ("Call at least a day before the visit.", "Call at least a day after the visit."),
    ("It is an easy climb.", "It is a difficult climb."),
    ("Large dogs stay outdoors.", {"Small dogs stay outdoors."}),
    ("The museum is open on Sundays.", "The museum is closed on Sundays."),
    ("Reply as soon as possible.", None),
    ("Open the door of the oven.", None),  # a command, no property
    ("The taps run hot and cold.", None),
    ("It lies in South Dakota today.", None),
    ("They won't lock the gate.", None),
)
def test_an_antonym_replaces_one_word(answer, after):
    expected = after if isinstance(after, set) else {after} if after else set()
    assert afters("antonym", made(answer, answer)) == expected


@each(
    ("All rooms have a window.", "No rooms have a window."),
    ("Some rooms have a window.", "All rooms have a window."),
    ("Most of the rooms have a window.", "Hardly any of the rooms have a window."),
    ("The shop always closes at noon.", "The shop never closes at noon."),
    ("Bring at least two forms.", "Bring less than two forms."),
    ("The room holds up to 40 guests.", "The room holds no less than 40 guests."),
    ("The tour runs every hour.", None),
    ("It is the most serious case.", None),
    ("Not all of the rooms have a window.", None),
)
def test_a_quantifier_becomes_an_amount_that_excludes_it(answer, after):
    assert afters("quantifier", made(answer, answer)) == ({after} if after else set())


def test_an_off_topic_sentence_follows_the_claim():
    answer = "The bridge was designed by Clara Holm [1]. It was painted by Nils Berg [1]."
    mutant = planted("off_topic", made(answer, BRIDGE))
    start, end = mutant.span
    sentence = mutant.transcript.answer[start:end]
    assert mutant.transcript.answer == (
        f"The bridge was designed by Clara Holm [1]. {sentence} It was painted by Nils Berg [1]."
    )
    assert not set(sentence.lower().split()) & {"bridge", "clara", "holm"}


def test_a_fabricated_clause_precedes_the_full_stop_and_the_marker():
    mutant = planted("fabricated_clause", made("The bridge was designed by Clara Holm [1].", BRIDGE))
    start, end = mutant.span
    clause = mutant.transcript.answer[start:end]
    assert clause.startswith(", ")
    assert mutant.transcript.answer == f"The bridge was designed by Clara Holm{clause} [1]."


def test_no_sentence_is_planted_into_a_table():
    table = "| part | designer |\n|---|---|\n| bridge | Clara Holm |\n"
    for claim in range(len(made(table, BRIDGE).answer.split("\n")) - 3):
        assert afters("off_topic", made(table, BRIDGE), claim) == set()
