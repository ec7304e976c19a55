"""Names, polarity and additions: the sentence says something else, and can still be read."""

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
