"""Cases for the verifier of conflicts: labelled claims, planted faults, sentences and other text.

- *Labelled*: claims of rows that people labelled. If a contradicted claim has several candidates, the best
  bound one counts as the conflict. Candidates of supported claims are no conflicts.
- *Written*: our own answers of a made-up service, right and wrong, as language models word them: with many
  denials ("no longer carry the word"), which labelled sets lack. They are *tune* rows.
- *Own sets*: our own wrong answers of one kind and the right ones beside them (`benchmarks/own`), with the
  conflicting words marked.
- *Planted*: faults of `pytest_grounding.mutation` in supported claims of real answers.
- *Turned*: sentences of the sources against their own chunks with the same faults planted into the source.
- *Foreign*: sentences of the sources against their own chunks without them. Two sentences of one text hardly
  ever contradict each other, however similar they are.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from benchmarks.roles import Role, role_of, rule
from pytest_grounding.engine.validation import validate
from pytest_grounding.evidence.sentence_view import Sources, view_of_claim
from pytest_grounding.evidence.token_index import carried_into, index_of, sentence_spans
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.mutation import FAULTS
from pytest_grounding.mutation.mutate_files import dice
from pytest_grounding.mutation.site import Site, sites_of
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts.conflict_search import (
    KINDS,
    candidates_of,
    features_of,
    raised_by,
)
from pytest_grounding.scorers.builtin.conflicts.contest import Contest
from pytest_grounding.settings import Settings
from training.rows import claims_of

Label = Literal["contradicted", "supported", "unsupported", "planted", "turned", "foreign"]
#: Faults that contradict a source; the others add something that no source states.
CONFLICTING = (
    "new_number",
    "swapped_number",
    "unit",
    "date",
    "swapped_entity",
    "negation",
    "antonym",
    "quantifier",
)
#: Faults of the written answers that contradict a source.
_SAYING_OTHERWISE = frozenset({"negation", "number", "unit", "must_may", "date"})
#: Share of the possible places of a fault that are used, and sentences per row.
_PLANTED_SHARE = 0.6
_FOREIGN_SENTENCES = 6
_TURNED_SENTENCES = 5
#: Faults planted into sources; values and names have the same form on both sides.
_TURNING = frozenset({"negation", "antonym", "quantifier"})
_MODALS = {"must": "may", "may": "must", "can": "must", "have to": "may", "has to": "may", "need to": "may"}
_FULLY_FAITHFUL = 4.0
_LEAST_WORDS, _MOST_WORDS = 6, 40
_SHORTEST = 3
_LEAST_PLANTED = 4


@dataclass(frozen=True, slots=True)
class Candidate:
    """One candidate: its kind and what the verifier sees of it."""

    kind: str
    features: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A claim with its candidates.

    Attributes:
        dataset: its set.
        group: its group; the cases of a group have the same role.
        role: train, tune or locked.
        label: the right result.
        fault: the planted fault, or "".
        three_way: whether labels distinguish contradicted from unsupported.
        candidates: the conflicts that the search proposes.
    """

    dataset: str
    group: str
    role: Role
    label: Label
    fault: str
    three_way: bool
    candidates: tuple[Candidate, ...]


def candidates(claim: str, question: str, chunks: Sequence[str], before: str = "") -> tuple[Candidate, ...]:
    """The conflicts proposed for a claim, with the features of the verifier.

    Args:
        claim: text of the claim.
        question: the question.
        chunks: texts of the chunks.
        before: the sentence before, if the claim depends on it; otherwise "".
    """
    tokens = tokenize(claim)
    if not tokens or not chunks:
        return ()
    given = frozenset(token.stem for token in tokenize(question) if not token.is_stop)
    sources = Sources([index_of(text) for text in chunks])
    contest = Contest(view_of_claim(claim, tokens), sources, given, carried_into(tokens, before))
    found = candidates_of(contest, LEARNED)
    raised = raised_by(found)
    return tuple(Candidate(item.kind, tuple(features_of(contest, item, raised))) for item in found)


def records(name: str, data: Path, dataset: str = "") -> Iterator[tuple[dict[str, Any], Role]]:
    """The rows of a set with an answer and a chunk, and their roles; none without the file.

    Args:
        name: the file name without the ending.
        data: the folder.
        dataset: its name, if different.
    """
    file = data / f"{name}.jsonl"
    if not file.exists():
        return
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            row = json.loads(line)
            if row["answer"].strip() and row["chunks"]:
                yield row, role_of(dataset or name, row["group"], number)


def labelled(dataset: str, data: Path, roles: Sequence[Role]) -> Iterator[Case]:
    """The labelled claims of a set."""
    for row, role in records(dataset, data):
        if role not in roles:
            continue
        chunks = [Chunk(id=str(n), text=text) for n, text in enumerate(row["chunks"])]
        for claim in claims_of(row["answer"], row["question"], chunks):
            told = label_of(dataset, row, claim.start, claim.end) if claim.checked else None
            if told is not None:
                label, three_way = told
                found = candidates(claim.bare, row["question"], row["chunks"], claim.context)
                yield Case(dataset, row["group"], role, label, "", three_way, found)


def written(service: str, data: Path, roles: Sequence[Role]) -> Iterator[Case]:
    """The claims of our answers of a made-up service."""
    for row, _ in records(service, data):
        if role_of(row["dataset"], row["group"]) not in roles:
            continue
        chunks = [Chunk(id=str(n), text=text) for n, text in enumerate(row["chunks"])]
        low, high = row["span"] or (0, 0)
        for claim in claims_of(row["answer"], row["question"], chunks):
            told = {
                c["supported"] for c in row["claims"] if c["start"] < claim.end and c["end"] > claim.start
            }
            if not claim.checked or not told:
                continue
            is_hit = low < claim.end and high > claim.start and row["fault"] in _SAYING_OTHERWISE
            label: Label = "supported" if told == {True} else "contradicted" if is_hit else "unsupported"
            found = candidates(claim.bare, row["question"], row["chunks"], claim.context)
            yield Case(row["dataset"], row["group"], "tune", label, row["fault"] or "", False, found)


def told_apart(dataset: str, data: Path, roles: Sequence[Role]) -> Iterator[Case]:
    """The claims of our own sets in ``benchmarks/own``."""
    for row, role in records(dataset, data / "own", dataset):
        if role not in roles:
            continue
        chunks = [Chunk(id=str(n), text=text) for n, text in enumerate(row["chunks"])]
        wrong = row["wrong"]
        low = row["answer"].index(wrong) if wrong else 0
        high = low + len(wrong or "")
        for claim in claims_of(row["answer"], row["question"], chunks):
            if claim.checked:
                is_hit = low < claim.end and high > claim.start
                found = candidates(claim.bare, row["question"], row["chunks"], claim.context)
                label: Label = "contradicted" if is_hit else "supported"
                fault = f"{dataset}: {row['kind']}" if is_hit else ""
                yield Case(dataset, row["group"], role, label, fault, True, found)


def label_of(dataset: str, row: dict[str, Any], start: int, end: int) -> tuple[Label, bool] | None:
    """Label of a stretch of an answer, and whether the set distinguishes contradicted from unsupported.

    None without a label.
    """
    if dataset == "mtrag":
        return ("supported", False) if row.get("faithfulness") == _FULLY_FAITHFUL else None
    spans = [c for c in row["claims"] if c["start"] < end and c["end"] > start]
    words = {c.get("label") for c in spans}
    told = {c["supported"] for c in spans}
    marked = any("Conflict" in kind and s < end and e > start for s, e, kind in row.get("spans", ()))
    if "contradiction" in words or (False in told and marked):
        return "contradicted", "contradiction" in words
    if "neutral" in words:
        return "unsupported", True
    if False in told:
        return "unsupported", False
    if told == {True}:
        return "supported", dataset in THREE_WAY
    return None


#: Kinds whose candidates the verifier decides.
LEARNED = tuple(kind for kind in KINDS if kind.odds is None)
#: Sets whose labels distinguish contradicted from unsupported.
THREE_WAY = frozenset({"summedits", "bump", "dialfact", "factcheckgpt", "cliff_goyal", "sick"})


def transcript_of(row: dict[str, Any], name: str) -> Transcript:
    """A row as a transcript, with a neutral question if it has none."""
    return Transcript(
        id=name,
        question=((row["question"] or "").strip() or "What is known about this?")[:2000],
        answer=row["answer"],
        chunks=tuple(Chunk(id=f"c{n}", text=text) for n, text in enumerate(row["chunks"])),
    )


def planted(dataset: str, data: Path, roles: Sequence[Role]) -> Iterator[Case]:
    """Faults planted into claims that people call supported."""
    settings = Settings()
    for number, (row, role) in enumerate(records(dataset, data)):
        if role not in roles:
            continue
        transcript = transcript_of(row, f"{dataset}-{number}")
        for site in sites_of(transcript, validate(transcript, settings)):
            # Whether the engine supports the claim does not matter: its weights would then depend on
            # themselves.
            told = label_of(dataset, row, site.claim.start, site.claim.end)
            short = len(site.text.split()) < _LEAST_PLANTED
            if not site.claim.checked or short or told is None or told[0] != "supported":
                continue
            for fault in FAULTS:
                lot = random.Random(f"{transcript.id}/{site.claim.index}/{fault.name}").random()
                if fault.name not in CONFLICTING or lot > _PLANTED_SHARE:
                    continue
                mutant = fault.plant(site, dice(0, fault.name, transcript.id, site.claim.index))
                if mutant is None:
                    continue
                low, high = mutant.span
                for claim in claims_of(mutant.transcript.answer, transcript.question, transcript.chunks):
                    if claim.checked and claim.start < high and claim.end > low:
                        found = candidates(claim.bare, row["question"], row["chunks"], claim.context)
                        yield Case(dataset, row["group"], role, "planted", fault.name, False, found)
                        break


def foreign(dataset: str, data: Path, roles: Sequence[Role]) -> Iterator[Case]:
    """Sentences of the sources against their own chunks without them."""
    seen: set[tuple[str, ...]] = set()
    for number, (row, role) in enumerate(records(dataset, data)):
        chunks = tuple(row["chunks"])
        if role not in roles or chunks in seen:
            continue
        seen.add(chunks)
        spots = [(n, span) for n, text in enumerate(chunks) for span in sentence_spans(text)]
        sentences = [(n, chunks[n][slice(*span)]) for n, span in spots]
        whole = [(n, text) for n, text in sentences if _is_whole(text)]
        random.Random(f"{dataset}/{number}").shuffle(whole)
        for _, text in whole[:_FOREIGN_SENTENCES]:
            found = candidates(text, row["question"], [chunk.replace(text, "\n") for chunk in chunks])
            yield Case(dataset, row["group"], role, "foreign", "", False, found)


def turned(dataset: str, data: Path, roles: Sequence[Role]) -> Iterator[Case]:
    """Sentences of the sources against chunks with a fault planted into that very sentence."""
    settings = Settings()
    seen: set[tuple[str, ...]] = set()
    for number, (row, role) in enumerate(records(dataset, data)):
        chunks = tuple(row["chunks"])
        if role not in roles or chunks in seen:
            continue
        seen.add(chunks)
        sentences = [text[slice(*span)] for text in chunks for span in sentence_spans(text)]
        whole = [text for text in sentences if _is_whole(text)]
        # "It has no fans": a short denial is one all the same.
        short = [text for text in sentences if _is_whole(text, _SHORTEST, _LEAST_WORDS)]
        for texts in (whole, short):
            random.Random(f"{dataset}/{number}/turned").shuffle(texts)
        for text in [*whole[:_TURNED_SENTENCES], *short[:_TURNED_SENTENCES]]:
            transcript = transcript_of({**row, "answer": text}, f"{dataset}-{number}")
            for site in sites_of(transcript, validate(transcript, settings))[:1]:
                for fault, other in _otherwise(site, transcript.id):
                    found = candidates(
                        text, row["question"], [chunk.replace(text, other) for chunk in chunks]
                    )
                    yield Case(dataset, row["group"], role, "turned", fault, False, found)


def _otherwise(site: Site, name: str) -> Iterator[tuple[str, str]]:
    """A sentence with a planted fault, and the fault."""
    for fault in FAULTS:
        if fault.name in _TURNING:
            mutant = fault.plant(site, dice(2, fault.name, name, site.claim.index))
            if mutant is not None:
                yield fault.name, mutant.after
    text = site.claim.text
    for modal, other in _MODALS.items():
        if f" {modal} " in text:
            yield "modality", text.replace(f" {modal} ", f" {other} ", 1)
            break


def _is_whole(text: str, least: int = _LEAST_WORDS, most: int = _MOST_WORDS) -> bool:
    fits = least <= len(text.split()) <= most
    return fits and text[0].isupper() and text.rstrip()[-1] in ".!"


def may_train(case: Case) -> bool:
    """Whether a case may train shipped weights: its licence is free, and it is not locked."""
    return case.dataset in (*rule()["trainable"], *rule()["trainable_own"]) and case.role == "train"
