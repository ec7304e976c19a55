"""What holds for conflicts of any texts: verbatim quotes, the same answer twice, no conflict with oneself."""

from __future__ import annotations

import subprocess
from functools import partial

import warm_starts
from counted_calls import calls_of
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_grounding.model.verdict import Conflict
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts import conflicts_between, find_conflicts
from pytest_grounding.scorers.builtin.token_index import index_of

WORDS = (
    "the a not no all some most more less than before after safe unsafe open closed rose fell Paris "
    "London Acme Globex acquired by 5 12 5% $5 km hours 1998 2001 May , . ( ) [1] \n passage 3 city tower "
    "mentions opened is was can n't 名前 é don't if only World War II"
).split(" ")
SENTENCES = st.lists(st.sampled_from(WORDS), max_size=16).map(" ".join)
TEXTS = st.one_of(SENTENCES, st.text(max_size=40))


def found_in(claim: str, chunks: list[str]) -> tuple[Conflict, ...]:
    ids = [f"c{number}" for number in range(len(chunks))]
    return find_conflicts(claim, tokenize(claim), [index_of(chunk) for chunk in chunks], ids)


@given(TEXTS, st.lists(TEXTS, max_size=3))
@example("(passage 5)", ["a"])
@example("[3]", ["5"])
@example("", [""])
def test_quotes_are_verbatim_and_stretches_do_not_overlap(claim: str, chunks: list[str]) -> None:
    end = 0
    for conflict in found_in(claim, chunks):
        assert conflict.severity in {"error", "warning"}
        assert conflict.claim_start is not None
        assert conflict.claim_start >= end
        end = conflict.claim_start + len(conflict.claim_text)
        assert conflict.claim_text == claim[conflict.claim_start : end]
        assert conflict.claim_text
        assert conflict.evidence_text
        chunk = chunks[int(conflict.evidence.chunk_id[1:])]
        assert conflict.evidence.text == chunk[conflict.evidence.start : conflict.evidence.end]
        assert conflict.evidence_text in chunk
        assert conflict.claim_text in conflict.message


@given(SENTENCES, st.lists(SENTENCES, max_size=3))
def test_the_same_input_gives_the_same_conflicts(claim: str, chunks: list[str]) -> None:
    assert found_in(claim, chunks) == found_in(claim, chunks)


@given(st.lists(st.sampled_from([word for word in WORDS if word.isalpha()]), min_size=1, max_size=12))
def test_a_plain_sentence_has_no_error_against_itself(words: list[str]) -> None:
    text = " ".join(dict.fromkeys(words))
    assert [c for c in conflicts_between(text, text) if c.severity == "error"] == []


def test_conflicts_do_not_depend_on_the_hash_seed() -> None:
    program = (
        "from pytest_grounding.scorers.builtin.conflicts import conflicts_between\n"
        "print(conflicts_between('All shops in Paris opened 5 days before the safe tower fell.', "
        "'Some shops in Paris opened 9 days after the unsafe tower fell.'))"
    )
    outputs = {
        subprocess.run(
            [warm_starts.python(), "-c", program],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1
    assert "kind=" in outputs.pop()


def test_a_long_context_is_linear_work() -> None:
    # Every sentence holds the claim's words: each place is looked at, but none twice.
    sentence = "The tower in Paris opened in 1998 and it is safe. "
    claim = "The tower in Paris opened in 2001 and it is not safe."
    alone = {c.kind for c in found_in(claim, [sentence])}
    calls = []
    for times in (100, 800):
        index = index_of(sentence * times)
        kinds: set[str] = set()
        work = partial(find_conflicts, claim, tokenize(claim), [index], ["c0"])
        calls.append(calls_of(lambda work=work, kinds=kinds: kinds.update(c.kind for c in work())))
        assert "date" in kinds
        assert kinds <= alone
    # Quadratic work would be 64 times as much.
    assert 0 < calls[1] <= 10 * calls[0]
