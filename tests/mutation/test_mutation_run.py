"""A whole run: which mutants count as caught, what is reported, and that equal input gives equal bytes."""

import json
from pathlib import Path

import pytest
from planted import PLANT, check_one_fault, made, planted, sites_of

from pytest_grounding import load_transcripts, validate
from pytest_grounding._io.wording import wilson
from pytest_grounding.errors import InputError
from pytest_grounding.model.finding import Finding
from pytest_grounding.mutation import FAULTS, fault_names, mutate
from pytest_grounding.mutation.mutate_files import dice
from pytest_grounding.mutation.site import named_by
from pytest_grounding.reports.terminal import text_of
from pytest_grounding.settings import Settings

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "no_code"
FACT = "Refunds are paid within 14 days of the return."


LENIENT = Settings(
    supported_threshold=0.0, borderline_threshold=0.0, alignment_threshold=0.0, confidence_model="self_rag"
)


def chosen(*names):
    return [fault for fault in FAULTS if fault.name in names]


def run(transcripts, *names, **more):
    faults = chosen(*names) if names else FAULTS
    return mutate(transcripts, Settings(), faults=faults, **more)


def refunds(name="refunds"):
    transcript = made(
        f"{FACT[:-1]} [1].",
        FACT,
        "The shop opens at noon.",
        question="Within how many days are refunds paid?",
    )
    return transcript.model_copy(update={"id": name})


@pytest.fixture(scope="module")
def examples():
    return load_transcripts(EXAMPLES)


def test_every_fault_finds_a_place_somewhere_and_is_the_only_one(examples):
    places = dict.fromkeys(fault_names(), 0)
    names = made(
        "The shop was opened by Ada Lund.", "The shop was opened by Ada Lund after Per Dahl had left."
    )
    for transcript in [*examples, names]:
        for site in sites_of(transcript):
            for fault, plant in PLANT.items():
                mutant = plant(site, dice(3, fault, transcript.id, site.claim.index))
                if mutant is not None:
                    check_one_fault(site, mutant)
                    places[fault] += 1
    assert all(places.values()), places


@pytest.mark.row(55)
def test_a_caught_fault_is_counted_with_what_named_it():
    report = run([refunds()], "citation_invented", "off_topic", "chunk_removed")
    assert [item.caught.rate for item in report.faults] == [1.0, 1.0, 1.0]
    by = {item.fault: dict(item.named_by) for item in report.faults}
    assert by["citation_invented"] == {"citation": 1}
    assert sum(by["off_topic"].values()) == 1
    assert report.overall.count == report.overall.total == 3
    assert (report.overall.low, report.overall.high) == tuple(round(end, 6) for end in wilson(3, 3))


def test_a_blind_gate_lets_every_fault_of_words_survive():
    blind = Settings.of({"hallucination_detection": False})
    with pytest.raises(InputError, match="no transcript has a supported claim"):
        mutate([refunds()], blind)
    report = mutate([refunds()], LENIENT, faults=chosen("off_topic"))
    (result,) = report.faults
    assert result.caught.count == 0
    (survivor,) = result.survivors
    assert survivor.before == f"{FACT[:-1]} [1]."
    assert survivor.after.startswith(survivor.before)
    assert survivor.change.startswith("inserted ")
    assert survivor.gate == "pass"


def test_an_old_finding_names_nothing_and_a_new_one_does():
    mutant = planted("new_number", refunds())
    assert mutant is not None
    before = validate(refunds())
    old = Finding(rule="x", severity="warning", message="0.61 is low", claim=0)
    moved = old.model_copy(update={"message": "0.58 is low"})
    note = Finding(rule="y", severity="info", message="note", claim=0)
    new = Finding(rule="y", severity="warning", message="new", claim=0)
    elsewhere = Finding(rule="z", severity="error", message="new", claim=None)
    noticed = before.model_copy(update={"findings": (old,)})
    for findings, expected in (((), None), ((moved, note, elsewhere), None), ((old, new), "finding")):
        assert named_by(noticed, before.model_copy(update={"findings": findings}), mutant) == expected


def test_only_the_changed_claim_counts():
    answer = f"{FACT} The shop opens at noon."
    transcript = made(answer, FACT, "The shop opens at noon.")
    mutant = planted("new_number", transcript, claim=0)
    assert mutant is not None
    verdict = validate(transcript)
    first, second = verdict.claims
    wrong = second.model_copy(update={"status": "contradicted"})
    assert named_by(verdict, verdict.model_copy(update={"claims": (first, wrong)}), mutant) is None
    wrong = first.model_copy(update={"status": "abstained"})
    assert named_by(verdict, verdict.model_copy(update={"claims": (wrong, second)}), mutant) == "abstained"


def test_false_rejections_are_those_of_the_untouched():
    bad = refunds("bad")
    bad = bad.model_copy(update={"answer": f"{bad.answer} The moon is made of cheese."})
    report = run([refunds(), bad], "new_number")
    assert report.untouched.transcripts.count == 1
    assert report.untouched.transcripts.total == 2
    assert report.untouched.not_passed == ("bad",)
    assert (report.untouched.claims.count, report.untouched.claims.total) == (1, 3)


def test_english_faults_are_not_planted_into_other_languages():
    german = made(
        "Die Garantie gilt 24 Monate [1].", "Die Garantie gilt 24 Monate.", "Kalk zählt nicht.", language="de"
    )
    report = run([german])
    planted_faults = {item.fault for item in report.faults if item.caught.total}
    assert "new_number" in planted_faults
    assert not planted_faults & {fault.name for fault in FAULTS if fault.is_english}


def test_a_limit_is_kept_and_its_choice_hangs_on_no_other_transcript():
    many = [refunds(f"t{number}") for number in range(12)]
    report = run(many, "off_topic", limit=5)
    assert report.faults[0].caught.total == 5
    whole = run(many, "fabricated_clause", limit=12).faults[0]
    single = {run([item], "fabricated_clause").faults[0].model_dump_json() for item in many}
    assert whole.caught.total == 12
    survivors = {item.model_dump_json() for item in whole.survivors}
    assert survivors == {
        json.dumps(item, separators=(",", ":"), ensure_ascii=False)
        for text in single
        for item in json.loads(text)["survivors"]
    }


def test_nothing_to_plant_is_an_error_and_not_a_pass():
    with pytest.raises(InputError, match="no place for unit"):
        run([made("The shop opens at noon.", "The shop opens at noon.")], "unit")
    with pytest.raises(InputError, match="no transcript has a supported claim"):
        run([made("", "The shop opens at noon.")])


def test_minimums_are_decided_and_nothing_planted_reaches_none():
    report = run([refunds()], "citation_invented", "antonym")
    assert report.status == "none"
    decided = report.decided([("", 0.5), ("citation_invented", 1.0)])
    assert decided.status == "pass"
    assert [item.reached for item in decided.minimums] == [True, True]
    decided = report.decided([("antonym", 0.0)])
    assert decided.status == "fail"
    assert decided.minimums[0].rate is None


def test_seeds_differ_and_order_of_transcripts_does_not_matter(examples):
    first = run(examples, "fabricated_clause", "new_number")
    again = run(examples, "fabricated_clause", "new_number")
    assert first.to_json() == again.to_json()
    turned = run(examples[::-1], "fabricated_clause", "new_number")
    assert turned.faults == first.faults
    other = run(examples, "off_topic", "new_number", seed=1)
    assert other.seed == 1
    plant = PLANT["off_topic"]
    (site, *_) = sites_of(examples[0])
    sentences = {plant(site, dice(seed, "off_topic", "x", 0)).after for seed in range(20)}
    assert len(sentences) > 3


def test_the_text_names_survivors():
    two = made(f"{FACT} The shop opens at noon.", FACT, "The shop opens at noon.").model_copy(
        update={"id": "a"}
    )
    report = mutate([two, refunds("b\x1b[31m")], LENIENT, faults=chosen("off_topic"))
    lines = text_of("mutation", report, 3).split("\n")
    assert "survivors of off_topic (3 of 3): a sentence on another topic inserted" in lines
    shown = [line for line in lines if ", claim " in line]
    assert [line.strip().split(",")[0] for line in shown] == ["a", "a", "b\\x1b[31m"]
    # As `explain --claim` and `waive` count: from 1.
    (found,) = (item.survivors for item in report.faults if item.survivors)
    assert shown[0].strip().startswith(f"a, claim {found[0].claim + 1}: ")
    assert not any("\x1b" in line for line in lines)


def test_the_mask_covers_markers_code_and_addresses_and_keeps_every_place():
    answer = "See `a=1` and [1, 2] at https://example.com/30 today. It costs 5 euros [1]."
    transcript = made(answer, "It costs 5 euros.", "See the page.")
    for place in sites_of(transcript):
        assert len(place.masked) == len(answer)
        assert len(place.text) == len(place.claim.text)
    masked = sites_of(transcript)[0].masked
    assert (
        "".join(a for a, b in zip(answer, masked, strict=True) if a != b)
        == "`a=1`[1, 2]https://example.com/30[1]"
    )
