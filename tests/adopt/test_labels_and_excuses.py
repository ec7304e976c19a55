"""What settings cost on answers, which answers are looked at, and what "right" excuses."""

from itertools import pairwise

from every import each
from hypothesis import given
from hypothesis import strategies as st
from library import CHUNKS

from pytest_grounding import validate
from pytest_grounding.cli.adoption.labelling import Label, Labels, excuses, judged, labelled
from pytest_grounding.cli.init_steps import covering, spread
from pytest_grounding.engine import as_transcript
from pytest_grounding.importers.load_files import Row
from pytest_grounding.settings import Settings


def settings_for(values, path):
    return Settings.of(values)


QUESTIONS = {
    "card": "What does a lost card cost, and how long is a card valid?",
    "orders": "What does an order cost?",
    "fines": "What do I pay for a week?",
    "loans": "How long may I keep a film?",
    "rooms": "How many people fit into a study room?",
    "printing": "Do printers accept coins?",
}


def answer(identifier, chunk, text, correct=None):
    """A recorded answer with what the engine and a person say of it."""
    chunks = [{"id": chunk, "text": CHUNKS[chunk]}]
    transcript = as_transcript(
        {"id": identifier, "question": QUESTIONS[chunk], "chunks": chunks, "answer": text}
    )
    found = judged(Row("a.transcript.json", 1, transcript), transcript, settings_for)
    return found if correct is None else type(found)(*(getattr(found, n) for n in _FIRST), correct=correct)


_FIRST = ("transcript", "path", "line", "verdict", "failed", "expected")

PASSES = answer("passes", "card", "A lost card is replaced for 5 euros. Cards are valid for two years.")
CITED = answer("cited", "orders", "This costs 1.50 euros per book and takes one to three weeks [1].")
RIGHT = answer(
    "right", "fines", "A week late costs 1.40 euros, since each day is charged with 20 cents [1].", True
)
WRONG = answer("wrong", "loans", "Films are lent for 14 days [1].", False)
UNSEEN = answer("unseen", "rooms", "Study rooms seat up to six people [1].", False)
ASKED = answer("asked", "printing", "Printers accept coins [1].")


def test_what_is_counted_as_right_and_as_wrong():
    assert not PASSES.failed
    assert RIGHT.failed
    assert WRONG.failed
    assert UNSEEN.correct is False
    assert not ASKED.is_doubtful or ASKED.correct is None
    assert ASKED.is_doubtful
    assert not RIGHT.is_doubtful


def test_what_a_person_finds_right_passes_with_its_waivers_and_nothing_else_does():
    found = excuses([RIGHT], {}, settings_for, by="me")
    assert {item.transcript for item in found} == {"right"}
    assert validate(RIGHT.transcript, waivers=found).status == "pass"
    assert validate(WRONG.transcript, waivers=found).status == "reject"
    assert excuses([PASSES, UNSEEN], {}, settings_for, by="me") == []


def test_a_citation_of_nothing_is_not_excused_by_a_right_answer():
    broken = answer("broken", "card", "A lost card is replaced for 5 euros [7].", True)
    assert broken.failed
    assert [
        item.rule for item in excuses([broken], {}, settings_for, by="me") if item.rule == "source_exists"
    ] == []
    found = excuses([broken], {}, settings_for, by="me")
    assert validate(broken.transcript, waivers=found).status == "reject"


def test_a_label_is_void_when_the_answer_changes(tmp_path):
    labels = Labels(tmp_path / "labels.jsonl", Settings())
    labels.add(Label(RIGHT.transcript, correct=True))
    labels.save()
    read = Labels(tmp_path / "labels.jsonl", Settings())
    changed = RIGHT.transcript.model_copy(update={"answer": "A week late costs 2.40 euros [1]."})
    assert Label(changed, True).key != Label(RIGHT.transcript, True).key
    assert [read.of(RIGHT.transcript), read.of(changed)] == [True, None]
    assert [item.correct for item in labelled([PASSES, RIGHT], read)] == [None, True]


def test_other_labels_stay_and_two_orders_give_one_file(tmp_path):
    path = tmp_path / "labels.jsonl"
    lines = ['{"confidence":0.5,"correct":true}', '{"claims":[],"transcript":{"id":"a"}}']
    path.write_text("\n".join(lines) + "\n")
    texts = []
    for order in ([PASSES, WRONG], [WRONG, PASSES]):
        labels = Labels(path, Settings())
        for item in order:
            labels.add(Label(item.transcript, correct=item is PASSES))
        texts.append(labels.text())
    assert texts[0] == texts[1]
    assert set(lines) < set(texts[0].splitlines())
    assert texts[0].count("\n") == 4


@given(st.integers(0, 300), st.integers(1, 60))
def test_a_limit_takes_answers_from_all_over(number, limit):
    found = spread(range(number), limit)
    assert len(found) == min(number, limit)
    assert found == sorted(set(found))
    gaps = [after - before for before, after in pairwise(found)]
    assert not gaps or max(gaps) - min(gaps) <= 1


@each(
    [
        (["a/b/x.transcript.json", "a/y.transcript.json"], ["a"]),
        (["x.transcript.json", "b/y.transcripts.jsonl"], ["*.transcript.json", "b"]),
        (["log.jsonl"], ["log.jsonl"]),
    ]
)
def test_few_paths_cover_all_files(files, paths):
    assert covering(files) == paths
