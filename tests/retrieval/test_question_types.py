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
from shown import assert_shows

import pytest_grounding as pg
from pytest_grounding.checks.retrieval import retrieval_verdict
from pytest_grounding.model.transcript import Turn
from pytest_grounding.questions import analyse, asked_after, looks_english, names_topic, topic_turn
from pytest_grounding.questions.word_families import asked_synonyms
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer
from pytest_grounding.settings import Settings
from training.asked_synonyms import TARGET, document, groups


@pytest.mark.row(9)
@each(*table(__file__, "CASES"))
def test_type_and_expected_answer(question, kind, expected):
    info = analyse(question)
    assert (info.type, info.expected) == (kind, expected)


@pytest.mark.row(13)
@each(*table(__file__, "FOREIGN"))
def test_questions_in_other_languages_have_no_type(question, language):
    for told in (language, "en"):
        info = analyse(question, told)
        assert (info.type, info.expected) == ("other", "")
        assert info.language != "en"


@each(
    *("Where is La Paz?", "Who was Charles de Gaulle?", "What is a la carte?", "GPT-4 price", "12345"),
    *("Café menu?", "When will the battery die?", "Die Hard plot"),
)
def test_foreign_names_do_not_make_a_question_foreign(text):
    assert looks_english(text)
    assert not looks_english("Wie lange gilt die Garantie?")


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


@pytest.mark.parametrize(("what", "changes", "settings", "expected"), table(__file__, "verdicts"))
def test_a_verdict_reads_the_question_and_the_turns_before_it(what, changes, settings, expected):
    chunks = [{"id": "1", "text": KETTLE}, {"id": "2", "text": LEAVE}]
    history = ASKED_BEFORE if changes.get("history") else []
    assert_shows(
        pg.validate({"id": "t", "chunks": chunks, **changes, "history": history}, settings), expected, what
    )


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
        chunks = [{"id": str(place), "text": text} for place, text in enumerate(row["chunks"], start=1)]
        asked = {"id": "t", "question": row["question"], "answer": row["answer"], "chunks": chunks}
        found = pg.validate({**asked, "history": history})
        assert found.self_rag.relevance.value != "irrelevant", (number, row["question"])


def test_the_stems_are_up_to_date():
    assert TARGET.read_text(encoding="utf-8") == document(), "run: python -m training.asked_synonyms"


def test_a_word_has_the_synonyms_of_all_its_senses():
    senses = [set(line.split()) for line in groups() if "order" in line.split()]
    assert len(senses) >= 1
    assert asked_synonyms("order") == set().union(*senses) - {"order"}
    assert asked_synonyms("cost") >= {"price", "fee", "charg"}


PAGE = Path(__file__).resolve().parents[2] / "docs" / "retrieval.md"
VALUES = ("full", "partial", "none", "abstain")


@cache
def judged():
    scorer, settings = LexicalScorer(), Settings()
    return tuple(
        (row, retrieval_verdict(row.question, row.chunks, scorers=[scorer], settings=settings))
        for row in load_labelled()
    )


def half(kept):
    return [pair for pair in judged() if pair[0].kept is kept]


def confusion(kept):
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
    assert confusion(kept) in text, f"docs/retrieval.md must say:\n{confusion(kept)}"
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
        verdict = retrieval_verdict(row.question, chunks, scorers=[scorer], settings=settings)
        wrong += verdict.answer_present == "full"
        total += 1
    assert total > 600
    assert wrong <= 0.005 * total
