"""What a question asks: types, parts, follow-ups, and the labelled questions."""

import json
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from counted_calls import calls_of
from every import each, table
from hypothesis import given
from hypothesis import strategies as st
from labels import load_labelled

import pytest_grounding as pg
from pytest_grounding.checks.retrieval import validate_retrieval
from pytest_grounding.model.transcript import Turn
from pytest_grounding.questions import analyse, asked_after, looks_english, names_topic, topic_turn
from pytest_grounding.questions.question_words import synonyms_of
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer
from pytest_grounding.settings import Settings
from training.asked_synonyms import TARGET, document, groups


@each(*table(__file__, "CASES"))
def test_type_and_expected_answer(question, kind, expected):
    info = analyse(question)
    assert (info.type, info.expected) == (kind, expected)


@each(*table(__file__, "FOREIGN"))
def test_questions_in_other_languages_have_no_type(question, language):
    for told in (language, "en"):
        info = analyse(question, told)
        assert (info.type, info.expected) == ("other", "")
        assert info.language != "en"


@each(
    "Where is La Paz?",
    "Who was Charles de Gaulle?",
    "What is a la carte?",
    "GPT-4 price",
    "12345",
    "Café menu?",
)
def test_foreign_names_do_not_make_a_question_foreign(text):
    assert looks_english(text)


def test_parts_of_a_question():
    question = "Who founded Acme and when was it founded?"
    info = analyse(question)
    assert [part.type for part in info.parts] == ["who", "when"]
    assert [part.text for part in info.parts] == ["Who founded Acme", "when was it founded?"]
    # "it" leans on Acme.
    assert [word.text for word in info.parts[1].words] == ["Acme", "founded"]


@each(
    ("What is a transistor how does it work", ["what", "how"]),
    ("Who founded Acme, and why?", ["who", "why"]),
    ("Where is the office? When does it open?", ["where", "when"]),
    ("What do bees and wasps eat?", ["what"]),
    ("Is it safe and does it hurt?", ["yes_no", "yes_no"]),
)
def test_types_of_the_parts(question, types):
    assert [part.type for part in analyse(question).parts] == types


TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(
        st.sampled_from(
            "who what when where why how much many which is does the , ? . and or if Acme ¿ tell me".split()
        ),
        max_size=40,
    ).map(" ".join),
)


@given(TEXTS)
def test_analyses_any_text_with_exact_offsets(text):
    info = analyse(text)
    assert info.parts
    assert info == analyse(text)
    for part in info.parts:
        assert text[part.start : part.end] == part.text
        for word in part.words:
            assert text[word.start : word.end] == word.text
    assert all(one.end <= other.start for one, other in pairwise(info.words))
    # The parts bring all words; one that has none ("… and who?") asks by those of the whole question.
    assert {word for part in info.parts for word in part.words} == set(info.words)


@each("how ", "who and ", "a", "what is X of Y, ", "Is 1 or 2? ", '"a" ')
def test_hostile_questions_take_linear_work(piece):
    short, long = (piece * (number // len(piece)) for number in (10_000, 40_000))
    analyse(short)
    once, often = calls_of(lambda: analyse(short + "x")), calls_of(lambda: analyse(long))
    # Quadratic work would be sixteen times as much.
    assert 0 < often <= 5 * once + 1_000


KETTLE = "The warranty of the Zenith kettle lasts 24 months from the date of purchase."
LEAVE = "Employees may carry over up to five vacation days. A manager approves requests before December 15."
ASKED_BEFORE = [
    {"role": "user", "content": "Does the Zenith kettle have a warranty?"},
    {"role": "assistant", "content": "Yes, it does."},
    {"role": "user", "content": "Good."},
]


def verdict(question, answer, *texts, history=()):
    chunks = [{"id": str(number), "text": text} for number, text in enumerate(texts or (KETTLE, LEAVE), 1)]
    recorded = {"id": "t", "question": question, "answer": answer, "chunks": chunks, "history": list(history)}
    return pg.validate(recorded)


@each(
    *"""How long?|And then?|Why?|Really?|Tell me more|Which one?|Are you sure?|?|Wie lange?|Et pourquoi ?|
    多久？|どのくらい？|¿Y cuánto?""".split("|")
)
def test_a_question_without_a_topic_is_judged_by_the_answer(question):
    found = verdict(question, "The warranty lasts 24 months from the date of purchase [1].")
    assert found.self_rag.relevance.value == "relevant"
    assert "chunk 1 backs the answer" in found.self_rag.relevance.reason
    assert "has no topic" in found.self_rag.relevance.reason
    assert [item.score for item in found.retrieval.relevance] == [None, None]
    assert found.retrieval.rating == "partial"
    assert (found.status, found.confidences["self_rag"]) == ("pass", 1.0)


def test_an_unsupported_answer_makes_no_chunk_relevant():
    found = verdict("How long?", "The engine has 12 cylinders and a turbocharger [1].")
    assert found.self_rag.relevance.value == "unknown"
    assert found.status == "reject"


def test_reads_a_follow_up_with_the_turn_before():
    found = verdict("How long?", "The warranty lasts 24 months [1].", history=ASKED_BEFORE)
    assert [item.relevant for item in found.retrieval.relevance] == [True, False]
    assert found.retrieval.answer_present == "full"
    assert found.retrieval.evidence[0].text == KETTLE
    assert found.retrieval.reason.endswith("; read with the turn before it")
    assert '"Does the Zenith kettle have a warranty?"' in found.self_rag.relevance.reason
    assert found.status == "pass"


def test_an_answer_to_another_turn_is_irrelevant():
    answer = "Employees may carry over up to five vacation days [1]."
    found = verdict("How many?", answer, LEAVE, history=ASKED_BEFORE)
    assert found.self_rag.relevance.value == "irrelevant"
    assert found.confidences["self_rag"] < 0.5


@each(((KETTLE, LEAVE), 0.3), ((LEAVE,), 0.9))
def test_judges_a_refusal_of_a_follow_up_by_the_turn_before(texts, confidence):
    found = verdict("How long?", "I don't have that information.", *texts, history=ASKED_BEFORE)
    assert found.declined
    assert found.confidence == confidence
    assert any(finding.rule == "over_refusal" for finding in found.causes) == (confidence == 0.3)


def test_reads_a_question_with_a_topic_alone():
    found = verdict("How many vacation days?", "Up to five vacation days [2].", history=ASKED_BEFORE)
    assert [item.relevant for item in found.retrieval.relevance] == [False, True]
    assert "turn before" not in found.retrieval.reason + found.self_rag.relevance.reason


def test_an_answer_to_a_pronoun_is_on_topic():
    answer = (
        "The Zenith kettle has a warranty of 24 months that starts at the date of purchase of the kettle [1]."
    )
    alone = verdict("Any thoughts on this?", answer)
    after = verdict("Any thoughts on this?", answer, history=ASKED_BEFORE)
    # A pronoun that nothing resolves names no topic that an answer could miss.
    assert alone.self_rag.usefulness.value == "useful"
    assert after.self_rag.usefulness.value == "useful"
    assert after.self_rag.relevance.value == "relevant"


def test_another_language_than_the_chunks_is_not_irrelevant():
    answer = "The warranty lasts 24 months from the date of purchase [1]."
    found = verdict("Wie lange gilt die Garantie?", answer)
    assert found.status == "pass"
    assert "in different languages" in found.self_rag.relevance.reason
    assert "in different languages" in found.retrieval.relevance[0].reason
    # No scorer failed, and none took over: nothing for the gate.
    assert not [finding for finding in found.causes if finding.rule == "scorer_failed"]


def test_a_name_makes_a_chunk_in_another_language_relevant():
    found = verdict("Was kostet der Zenith XR5?", "It costs 20 euros.", "The Zenith XR5 costs 20 euros.")
    assert found.retrieval.relevance[0].relevant


def test_unknown_keywords_stay_irrelevant():
    found = verdict("boiler pressure", "The warranty lasts 24 months from the date of purchase [1].")
    assert found.self_rag.relevance.value == "irrelevant"
    assert found.confidences["self_rag"] == 0.49


@each(*table(__file__, "test_names_topic"))
def test_names_topic(question, named):
    assert names_topic(question) is named


def test_takes_the_last_turn_with_a_topic():
    turns = [
        Turn(role="Human", content="Tell me of the kettle."),
        Turn(role="assistant", content="A Zenith."),
    ]
    assert topic_turn(turns) == "Tell me of the kettle."
    assert topic_turn(turns[1:]) == "A Zenith."
    assert topic_turn([Turn(role="user", content="And?")]) == ""
    assert topic_turn([]) == ""


def test_tells_german_from_english():
    assert not looks_english("Wie lange gilt die Garantie?")
    assert looks_english("When will the battery die?")
    assert looks_english("Die Hard plot")


@given(st.text(max_size=80), st.lists(st.tuples(st.sampled_from(["user", "bot"]), st.text(max_size=40))))
def test_reads_any_question_after_any_turns(question, turns):
    asked = asked_after(question, [Turn(role=role, content=text) for role, text in turns])
    assert asked.text.endswith(question)
    assert asked.names_topic == bool(asked.turn or names_topic(question))


DATA = Path(__file__).parents[3] / "shared" / "data" / "mtrag.jsonl"


@pytest.mark.skipif(not DATA.exists(), reason="the labelled answers are not here")
def test_supported_answers_of_real_conversations_are_not_irrelevant():
    rows = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    supported = [row for row in rows if row["response_supported"]]
    assert len(supported) > 50
    for number, row in enumerate(supported):
        turns = [text.partition(": ")[::2] for text in row["history"]]
        history = [{"role": role, "content": text} for role, text in turns]
        found = verdict(row["question"], row["answer"], *row["chunks"], history=history)
        assert found.self_rag.relevance.value != "irrelevant", (number, row["question"])


def test_the_stems_are_up_to_date():
    assert TARGET.read_text(encoding="utf-8") == document(), "run: python -m training.asked_synonyms"


def test_a_word_has_the_synonyms_of_all_its_senses():
    senses = [set(line.split()) for line in groups() if "order" in line.split()]
    assert len(senses) >= 1
    assert synonyms_of("order") == set().union(*senses) - {"order"}
    assert synonyms_of("cost") >= {"price", "fee", "charg"}


PAGE = Path(__file__).resolve().parents[2] / "docs" / "retrieval.md"
VALUES = ("full", "partial", "none", "abstain")


@cache
def judged():
    scorer, settings = LexicalScorer(), Settings()
    return tuple(
        (row, validate_retrieval(row.question, row.chunks, scorers=[scorer], settings=settings))
        for row in load_labelled()
    )


def half(kept):
    return [pair for pair in judged() if pair[0].kept is kept]


def table(kept):
    """The confusion table as it stands in the docs."""
    counts = Counter((row.presence, verdict.answer_present) for row, verdict in half(kept))
    lines = [f"| stated in the text | {' | '.join(VALUES)} |", "|---|" + "---:|" * len(VALUES)]
    for label in VALUES[:3]:
        lines.append(f"| {label} | " + " | ".join(str(counts[label, value]) for value in VALUES) + " |")
    return "\n".join(lines)


def shares(kept):
    pairs = half(kept)
    types = sum(row.type == verdict.question_type for row, verdict in pairs) / len(pairs)
    expected = sum(row.expected == verdict.expected_answer for row, verdict in pairs) / len(pairs)
    confused = sum({row.presence, verdict.answer_present} == {"full", "none"} for row, verdict in pairs)
    return types, expected, confused / len(pairs)


def test_types_and_presence_on_the_kept_questions():
    types, expected, confused = shares(kept=True)
    assert types >= 0.95
    assert expected >= 0.95
    assert confused <= 0.1


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "developing"])
def test_the_page_shows_the_confusion_table(kept):
    text = PAGE.read_text(encoding="utf-8")
    assert table(kept) in text, f"docs/retrieval.md must say:\n{table(kept)}"
    types, expected, confused = shares(kept)
    line = f"{len(half(kept))} questions: type {types:.1%} right, expected answer {expected:.1%} right, "
    line += f"full and none confused {confused:.1%}"
    assert line in " ".join(text.split()), f"docs/retrieval.md must say:\n{line}"


def test_evidence_is_verbatim():
    pieces = 0
    for row, verdict in judged():
        texts = {chunk.id: chunk.text for chunk in row.chunks}
        for piece in verdict.evidence:
            assert texts[piece.chunk_id][piece.start : piece.end] == piece.text
            pieces += 1
    assert pieces > 200


def test_chunks_of_another_topic_contain_no_answer():
    rows = [row for row, _ in judged()]
    topics = sorted({row.topic: row.chunks for row in rows}.items())
    scorer, settings = LexicalScorer(), Settings()
    wrong = total = 0
    for number, row in enumerate(rows):
        topic, chunks = topics[(row.topic + 1 + number % (len(topics) - 1)) % len(topics)]
        if topic == row.topic:
            continue
        verdict = validate_retrieval(row.question, chunks, scorers=[scorer], settings=settings)
        wrong += verdict.answer_present == "full"
        total += 1
    assert total > 600
    assert wrong <= 0.005 * total
