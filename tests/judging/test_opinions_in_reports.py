"""Both opinions stand in the verdict and in every output, and without a judge no byte changes."""

import json
from html import unescape

from worded import DENIED, NUMBER, OTHER_WORDS, VERBATIM, Worded, transcript, validated

import pytest_grounding as pg
from pytest_grounding.model.run_report import RunFacts, RunReport
from pytest_grounding.reports import github, html, junit, terminal
from pytest_grounding.reports.report_links import LinkContext
from pytest_grounding.settings import Settings
from pytest_grounding.suite.suite_figures import decide_suite

GIVEN = transcript(NUMBER, OTHER_WORDS, DENIED, VERBATIM)
CONTEXT = LinkContext.of([pg.Transcript.model_validate(GIVEN)])


def verdict(**settings):
    return validated(GIVEN, Worded({"Payment": "none"}), judge_scope="all", **settings)


def report(*verdicts):
    return decide_suite(RunReport(transcripts=verdicts, run=RunFacts()), Settings())


def test_without_a_judge_reports_do_not_mention_one():
    alone = pg.validate(GIVEN)
    assert "opinions" not in alone.to_json()
    assert "judge" not in alone.to_json()
    assert alone.settings_hash == pg.validate(GIVEN, {"judge_scope": "all"}).settings_hash
    assert alone.settings_hash != verdict().settings_hash
    told = json.loads(report(alone).to_json())
    assert not {"claims_judged", "judge_overruled"} & set(told["summary"])
    assert alone.claims[0].model_dump()["status"] == "contradicted"


def test_verdicts_with_and_without_opinions_can_be_read_again():
    old = json.loads(pg.validate(GIVEN).to_json())
    assert all(claim.opinions is None for claim in pg.Verdict.model_validate(old).claims)
    text = verdict().to_json()
    again = pg.Verdict.model_validate_json(text)
    assert again.to_json() == text
    assert again.claims[0].opinions == verdict().claims[0].opinions


def test_the_suite_counts_what_the_judge_overruled():
    run = report(verdict())
    assert (run.summary.claims_judged, run.summary.judge_overruled) == (4, 4)
    agreed = validated(transcript(VERBATIM), Worded(), judge_scope="all")
    run = report(verdict(), agreed.model_copy(update={"id": "b"}))
    assert (run.summary.claims_judged, run.summary.judge_overruled) == (5, 4)
    assert "judge overruled the engine: 4 of 5 claims, asked about 5 of 5 claims" in terminal.render_text(run)
    assert RunReport.model_validate_json(run.to_json()).summary == run.summary


def test_the_terminal_shows_both():
    found = verdict()
    text = terminal.verdict_text(found, pg.Transcript.model_validate(GIVEN))
    alone = pg.validate(GIVEN).claims[0].support
    assert f"judge overruled the engine:\n  claim 1: engine: contradicted (support {alone:.2f})" in text
    lines = "\n".join(terminal.lines_of_claim(found.claims[1]))
    assert lines.startswith("claim 2: supported (by the judge; the engine: support 0.02), characters")
    assert "  engine:   unsupported (support 0.02): not mentioned in any source" in lines
    assert "  judge:    mine: full (mine has read it)" in lines


def test_an_explanation_shows_both():
    found = verdict()
    told = str(pg.explain(found))
    assert (
        "claim 2, the judge overruled the engine: engine: unsupported (support 0.02); judge mine: full"
        in told
    )
    one = str(pg.explain(found, claim=3))
    assert "engine: supported (support 1.00); judge mine: none (mine has read it)" in one
    assert "judge" not in str(pg.explain(pg.validate(GIVEN)))


def test_the_page_shows_both_and_filters_by_it():
    page = html.render_page(report(verdict()), CONTEXT)
    assert "judge disagrees" in page
    assert "4 of 4 claims" in page
    assert '["judge","mine: full (mine has read it)"]' in page.replace(", ", ",")
    alone = html.render_page(report(pg.validate(GIVEN)), CONTEXT)
    assert "judge disagrees" not in alone
    assert "judge overruled the engine" not in alone


def test_markup_in_a_reason_is_escaped_in_the_page():
    class Hostile(Worded):
        def support(self, claim, chunks, *, question=""):
            from pytest_grounding.scorers.remote.judge import Ruling

            return Ruling("full", "</script><script>alert(1)</script><img src=x onerror=alert(1)>")

    found = validated(GIVEN, Hostile(), judge_scope="all")
    page = html.render_page(report(found), CONTEXT)
    assert "<script>alert" not in page
    assert "<img src=x" not in page


def test_comments_and_test_results_count_overruled_claims():
    run = report(verdict())
    comment = unescape(github.summary(run, CONTEXT))
    assert "4 of 4 claims, asked about 4 of 4 claims" in comment
    properties = dict(junit.suite_properties(run))
    assert properties["grounding.judge_overruled"] == "4"
    assert "grounding.judge_overruled" not in dict(junit.suite_properties(report(pg.validate(GIVEN))))


def test_a_run_of_pytest_reports_overruled_claims(pytester):
    pytester.makeconftest(
        """
        import pytest_grounding as pg
        from pytest_grounding.scorers.remote.judge import Ruling

        class Judge:
            name = "mine"
            def support(self, claim, chunks, *, question=""):
                return Ruling("full", "a card is plastic")

        @pg.hookimpl
        def pytest_grounding_judges(settings):
            return [Judge()]
        """
    )
    given = transcript(OTHER_WORDS, VERBATIM, question="How are refunds paid?")
    ini = "[pytest]\ngrounding_confidence_model = self_rag\n"
    pytester.makeini(ini)
    pytester.path.joinpath("t.transcript.json").write_text(json.dumps(given))
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    assert "judge overruled" not in result.stdout.str()
    pytester.makeini(f"{ini}grounding_judge = mine\ngrounding_judge_scope = doubtful")
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["judge overruled the engine: 1 of 1 claims, asked about 1 of 2 claims"])
