"""Decided runs over real transcripts: plain ones, and one whose every field is hostile."""

import pytest_grounding as pg
from pytest_grounding.gate import fails
from pytest_grounding.model.finding import EngineOpinion, JudgeOpinion, Opinions
from pytest_grounding.model.run_report import Problem, RunFacts, RunReport
from pytest_grounding.reports.report_links import LinkContext
from pytest_grounding.settings import Settings
from pytest_grounding.suite.baseline_file import baseline_of
from pytest_grounding.suite.known_findings import KnownFindings
from pytest_grounding.suite.suite_figures import decide_suite
from pytest_grounding.testing import Example

CHUNKS = (
    {
        "id": "hr-1",
        "text": "Employees receive 25 vacation days per year. Unused days expire in March.",
        "score": 0.9,
        "metadata": {"title": "HR handbook", "url": "https://example.org/hr"},
    },
    {"id": "hr-2", "text": "All employees receive 25 days of paid vacation each year.", "score": 0.8},
)
QUESTION = "How many vacation days do employees receive per year?"

#: What a log, a page, a table or a build server might obey.
HOSTILE = (
    "<script>window.__ran=1</script><img src=x onerror=window.__ran=1></script><!--<script>"
    "\n::error::taken over\n  ::add-mask::days\n##[error]taken ##vso[task.complete result=Failed]\n"
    "\x1b[31mred\x1b]8;;https://evil.example/\x07link\x1b]8;;\x07 \u202edcba\u202c a\u200bb \ufeff \x00 \r"
    "| @everyone [x](javascript:alert(1)) ![i](https://evil.example/i.png) `code` #1 {{7*7}} {0} \"' ]]> &lt;"
)


def transcript(identifier, answer, **more):
    return Example(QUESTION, CHUNKS, id=identifier).transcript(answer, **more)


def plain():
    return [
        transcript(
            "good", "Employees receive 25 vacation days per year [1]. Unused days expire in March [1]."
        ),
        transcript("wrong", "Employees receive 40 vacation days per year [1]."),
        transcript("broken", "Employees receive 25 vacation days per year [7]."),
        transcript("invented", "Hello! The cafeteria serves grilled octopus on every Monday [2]."),
    ]


def changed():
    """What became of `plain`: one that passed is wrong, one that was wrong is right, and one is new."""
    return [
        transcript(
            "good", "Employees receive 30 vacation days per year [1]. Unused days expire in March [1]."
        ),
        transcript("wrong", "Employees receive 25 vacation days per year [1]."),
        *plain()[2:],
        transcript("added", "Employees receive 12 vacation days per year [1]."),
    ]


def hostile(identifier=None):
    """A transcript whose every text is hostile, around one claim that is supported and one that is not."""
    metadata = dict.fromkeys(
        ("title", "document", "section_title", "page", "url", "slug", "path", "domain", "chunk_type", "x"),
        HOSTILE,
    )
    chunk = {"id": f"c {HOSTILE}", "text": f"{HOSTILE} Employees receive 25 days. {HOSTILE}", "score": 0.5}
    scheme = {"id": "s", "text": "Nothing.", "metadata": {"title": "t", "url": "javascript:window.__ran=1"}}
    answer = f"{HOSTILE} Employees receive 25 days [1]. {HOSTILE} The moon costs 12 dollars [2][9]. {HOSTILE}"
    return pg.Transcript.model_validate(
        {
            "id": identifier or f"id {HOSTILE}",
            "question": f"How many days? {HOSTILE}",
            "chunks": [{**chunk, "metadata": metadata}, scheme],
            "answer": answer,
            "citations": [{"start": 0, "end": 5, "text": HOSTILE, "chunk_ids": [f"c {HOSTILE}"]}],
            "metadata": {"session_id": HOSTILE, HOSTILE: HOSTILE},
        }
    )


def run(transcripts, *, source="suite.transcripts.jsonl", before=None, settings=None, **facts):
    """The decided report of a run over some transcripts, and its context; ``before`` makes the baseline."""
    settings = settings or Settings()
    verdicts = [
        pg.validate(item, settings).model_copy(update={"source": source, "line": number})
        for number, item in enumerate(transcripts, start=1)
    ]
    baseline = baseline_of(run(before)[0], settings) if before else None
    held = KnownFindings(baseline) if baseline is not None and settings.baseline_gate == "new" else None
    failed = tuple(
        item.id
        for item in verdicts
        if fails(item, settings) and not (held is not None and held.excuses(item))
    )
    found = RunReport.of(verdicts, RunFacts(failed=failed, **facts))
    report = decide_suite(found, settings, baseline, refresh="pytest --grounding-baseline-update")
    return report, LinkContext.of(transcripts)


def hostile_run():
    """A run in which everything that a transcript or a file can say is hostile."""
    return run(
        [hostile(), *plain()],
        source=f"dir/{HOSTILE}.jsonl",
        problems=(Problem(place=f"{HOSTILE}:3", message=HOSTILE),),
        missing={f"gone {HOSTILE}": HOSTILE},
    )


def with_opinions(report):
    """The run as if a judge had overruled the engine on the first claim of each answer."""
    judge = JudgeOpinion(value="none", reason="says otherwise", judge="a", model="m")
    verdicts = []
    for verdict in report.transcripts:
        first, *others = verdict.claims
        engine = EngineOpinion(status="supported", support=0.95, method="lexical", reason="it stands there")
        first = first.model_copy(update={"opinions": Opinions(engine=engine, judge=judge)})
        verdicts.append(verdict.model_copy(update={"claims": (first, *others)}))
    return report.model_copy(update={"transcripts": tuple(verdicts)})
