"""What settings cost on answers, which answers are looked at, and what "right" excuses."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from library import CHUNKS

from pytest_grounding import validate
from pytest_grounding.adoption.answers import judged, labelled
from pytest_grounding.adoption.excuses import excuses
from pytest_grounding.adoption.finding import covering, spread
from pytest_grounding.adoption.labels import Label, Labels, key_of
from pytest_grounding.adoption.prices import Price, best, candidates, prices, sentence, telling
from pytest_grounding.engine import as_transcript
from pytest_grounding.importers.loading import Row
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
    (now,) = prices([PASSES, CITED, RIGHT, WRONG, UNSEEN, ASKED], [{}], settings_for)
    # What passes counts as right until somebody objects; what fails, and nobody judged, counts as neither.
    assert (now.right, now.right_failed, now.wrong, now.wrong_passed) == (3, 1, 2, 1)
    assert ASKED.is_doubtful
    assert not RIGHT.is_doubtful


def test_a_stricter_choice_fails_more_and_every_choice_meets_the_same_faults():
    now, strict, off = prices(
        [PASSES, CITED, RIGHT, WRONG],
        [{}, {"require_citations": "error"}, {"hallucination_detection": False, "fail_on": "reject"}],
        settings_for,
    )
    assert (now.right_failed, strict.right_failed) == (1, 2)
    assert now.planted == strict.planted == off.planted > 5
    assert now.caught > off.caught
    assert (now.wrong_passed, off.wrong_passed) == (0, 1)
    # An answer that fails for another reason catches nothing.
    assert strict.caught < now.planted or strict.caught == now.caught


def price(name, right_failed, wrong_passed, caught):
    return Price({"profile": name} if name else {}, 10, right_failed, 4, wrong_passed, 20, caught)


def test_the_best_choice_weighs_all_three_shares_and_the_first_of_equals_wins():
    now, loose, blind = price("", 5, 0, 19), price("loose", 1, 0, 18), price("blind", 0, 4, 2)
    assert best([now, loose, blind]) is loose
    assert best([now, price("same", 5, 0, 19)]) is now
    assert sentence(now, loose) == (
        "5 of 10 right answers fail now; with profile = loose 1; planted faults caught 95% -> 90%; "
        "wrong answers that pass 0 -> 0"
    )
    assert sentence(now, now) == "5 of 10 right answers fail now; no other choice does better"
    assert telling([now, price("same", 5, 0, 19), loose]) == [now, loose]


def test_no_choice_tightens_what_is_loose_already():
    assert candidates(Settings())[0] == {}
    assert {"profile": "lenient"} in candidates(Settings())
    loose = Settings(supported_threshold=0.6, borderline_threshold=0.5, fail_on="reject")
    assert not any("supported_threshold" in item or "fail_on" in item for item in candidates(loose))


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
    assert key_of(changed) != key_of(RIGHT.transcript)
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


@pytest.mark.parametrize(
    ("files", "paths"),
    [
        (["a/b/x.transcript.json", "a/y.transcript.json"], ["a"]),
        (["x.transcript.json", "b/y.transcripts.jsonl"], ["*.transcript.json", "b"]),
        (["log.jsonl"], ["log.jsonl"]),
    ],
)
def test_few_paths_cover_all_files(files, paths):
    assert covering(files) == paths
