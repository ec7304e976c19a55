"""Each way to green by itself, without ``init``: waivers by hand, goldens, the ratchet."""

import pytest
from library import PLANTED, failed, green, red, red_by_the_planted_fault_alone

RATCHET = """\
[pytest]
grounding_baseline = known.json
grounding_baseline_gate = new
"""


@pytest.mark.slow
def test_with_the_ratchet_only(library):
    red(library.pytest())
    written = library.ours("baseline", "known.json", "answers", "--set", "baseline_gate=new")
    assert written.returncode == 0, written.stderr
    library.write("pytest.ini", RATCHET)
    green(library.pytest())
    red_by_the_planted_fault_alone(library)


def test_a_fixed_answer_shrinks_the_baseline_and_fails_when_it_returns(library):
    library.ours("baseline", "known.json", "answers", "--set", "baseline_gate=new")
    library.write("pytest.ini", RATCHET)
    library.change("film-length", "14 days", "7 days")
    green(library.pytest())
    pruned = library.ours("baseline", "known.json", "answers", "--prune", "--yes")
    assert pruned.returncode == 0, pruned.stderr
    green(library.pytest())
    library.change("film-length", "7 days", "14 days")
    assert failed(library.pytest()) == ["film-length"]


def waive_all(library):
    """Waive each claim that fails, then the confidence of what is left, as the newcomer reads it off."""
    for words in (("--claim", "1"), ("--rule", "low_confidence")):
        for identifier in failed(library.pytest()):
            waived = library.ours("waive", "answers", "--id", identifier, *words, "--reason", "looked at")
            assert waived.returncode == 0, waived.stdout + waived.stderr


@pytest.mark.slow
def test_with_waivers_only(library):
    red(library.pytest())
    waive_all(library)
    green(library.pytest())
    red_by_the_planted_fault_alone(library)
    # A waiver dies with its own claim alone.
    library.change(PLANTED[0], "is replaced", "can be replaced")
    green(library.pytest())
    library.change("film-length", "14 days", "15 days")
    assert failed(library.pytest()) == ["film-length"]


@pytest.mark.slow
def test_with_goldens_only(library):
    red(library.pytest())
    # Whoever takes all recordings for good has accepted what they hold.
    library.pytest("--grounding-golden=update")
    library.write("pytest.ini", "[pytest]\ngrounding_golden = check\n")
    green(library.pytest())
    red_by_the_planted_fault_alone(library)
