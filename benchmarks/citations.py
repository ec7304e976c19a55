"""Is citation checking linear on hostile input, and fast on normal input?

Run ``python benchmarks/citations.py``. The first table doubles hostile answers up to ``--limit`` characters
and gives the time of extraction, rules and cleaning per character; if it grows with the length, a step is
quadratic. The second gives the time of extraction, of the rules without alignment and of cleaning for a
transcript with 10 chunks; the third compares `check_citations` with `validate`. Exit status 1: a figure is
out of bounds.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import time
from collections.abc import Callable

import pytest_grounding as pg
from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.checks.citation import citation_check as check
from pytest_grounding.citations import builtin_syntaxes, extract, make_context, marker_spans
from pytest_grounding.citations.editing import clean_markers
from pytest_grounding.claims.splitting import claim_owners, extract_claims
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import CitationVerdict
from pytest_grounding.reading.sentences import Sentence, segment
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer
from pytest_grounding.settings import Settings

HOSTILE = {
    "[": "[",
    "]": "]",
    "[[]]": "[[]]",
    "[1]": "[1]",
    "[9]": "[9]",
    "[1-100]": "[1-100]",
    "[1,1,1...": "[1,",
    "digits": "1",
    "[digits": "[1" * 2,
    "slashes": "/",
    "a/a/a": "a/",
    "dots": ".",
    "a.a:1": "a.a:1",
    "a.py:1 ": "a.py:1 ",
    "lines 1 of ....": "lines 1 of " + "." * 290,
    "chapter": "chapter ",
    "chapter 3, ": "chapter 3, section ",
    "section signs": "§",
    "https://": "https://",
    "https://a/(": "https://a/(",
    "[a](": "[a](",
    "[a](https://b)": "[a](https://b) ",
    "![": "![",
    "`": "` ``",
    "backslashes": "\\[",
    "footnotes": "[^a]",
    "definitions": "[1]: x\n",
    "daggers": "【1:1†",
    "superscripts": "word¹",
    "private use": "\ue200cite\ue202",
    "ids": "[hr-9]",
    "parentheses": "([9] ",
    "blanks": " \t",
    "tables": "| [9] ",
    "quotations": '"one two three four" [1] ',
    "near misses": '"Refunds are made in 3 days" [1] ',
    "code": "`one two three four` src/f1.py:3 ",
}
#: Largest growth from the first length to the last; a quadratic step would grow 16-fold.
MAX_GROWTH = 3.0
BUDGET_MS = 5.0

CHUNKS = [
    {
        "id": f"hr-{n}",
        "text": f"Section {n}. "
        + "Refunds are made within 30 days of purchase, when a receipt is shown. " * 8,
        "metadata": {
            "chapter_id": "3",
            "section_number": n,
            "path": f"src/f{n}.py",
            "line_start": 1,
            "line_end": 99,
            "url": f"https://example.com/{n}",
        },
    }
    for n in range(1, 11)
]
ANSWER = (
    "Refunds are made within 30 days [1]. “Refunds are made within 30 days of purchase” [2, 3], when a "
    "receipt is shown [4][12]. Chapter 3, Section 5 says so, and so does `src/f6.py:3-9`. See the "
    "[policy](https://example.com/7) and [hr-8]. It holds for all [9-11], array[1] aside.\n\n"
    "- One more point [1].\n- And another one [99].\n\n```\ncode [1]\n```\n"
)


def _transcript(answer: str) -> Transcript:
    return Transcript.model_validate({"id": "t", "question": "When?", "chunks": CHUNKS, "answer": answer})


def _checked(transcript: Transcript) -> tuple[CitationVerdict, ...]:
    """Extraction and rules with the whole answer as one sentence, the worst case for looking around."""
    cited = extract(make_context(transcript, Settings()), builtin_syntaxes())
    context = CheckContext(
        transcript=transcript,
        settings=Settings(),
        language="en",
        sentences=(Sentence(0, len(transcript.answer), transcript.answer),),
        claims=(),
        citations=cited,
        owners=(None,) * len(cited),
        supports=(),
        scorer=LexicalScorer(),
    )
    return check(context).citations


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def hostile(limit: int) -> list[str]:
    """Print nanoseconds per character at four lengths; return the names of those that grow."""
    grown: list[str] = []
    lengths = [limit // 8, limit // 4, limit // 2, limit]
    print("nanoseconds per character; extraction, rules and cleaning")
    print(f"{'input':18}" + "".join(f"{length:>12,}" for length in lengths) + f"{'growth':>10}")
    for name, piece in HOSTILE.items():
        figures = []
        for length in lengths:
            transcript = _transcript((piece * (length // len(piece) + 1))[:length])

            def work(transcript: Transcript = transcript) -> None:
                clean_markers(transcript, _checked(transcript), settings=Settings())

            figures.append(_seconds(work) / length * 1e9)
        is_grown = figures[-1] > MAX_GROWTH * figures[0] and figures[-1] > 200
        if is_grown:
            grown.append(name)
        shown = "".join(f"{figure:12,.0f}" for figure in figures)
        growth = figures[-1] / figures[0]
        print(f"{name:18}{shown}{growth:>9.2f}x" + ("  GROWS" if is_grown else ""))
    return grown


def common(rounds: int) -> float:
    """Print the parts of one check in milliseconds; return the median of their sum."""
    transcript, settings = _transcript(ANSWER), Settings()
    syntaxes, scorer = builtin_syntaxes(), LexicalScorer()
    parts: dict[str, list[float]] = {"extraction": [], "rules": [], "cleaning": []}
    for _ in range(rounds):
        start = time.process_time()
        cited = extract(make_context(transcript, settings), syntaxes)
        parts["extraction"].append(time.process_time() - start)
        markers = marker_spans(cited)
        sentences = segment(transcript.answer, markers=markers)
        claims = extract_claims(transcript.answer, markers=markers, sentences=sentences)
        owners = claim_owners(claims, sentences, [(item.start, item.end) for item in cited])
        context = CheckContext(
            transcript=transcript,
            settings=settings,
            language="en",
            sentences=tuple(sentences),
            claims=tuple(claims),
            citations=cited,
            owners=owners,
            # Without scores no alignment runs: these are the other rules.
            supports=(None,) * len(claims),
            scorer=scorer,
        )
        start = time.process_time()
        outcome = check(context)
        parts["rules"].append(time.process_time() - start)
        start = time.process_time()
        clean_markers(transcript, outcome.citations, settings=settings)
        parts["cleaning"].append(time.process_time() - start)
    totals = [sum(times) * 1e3 for times in zip(*parts.values(), strict=True)]
    print(f"\n10 chunks, {len(ANSWER)} characters, {len(cited)} citations, {rounds} rounds; milliseconds")
    for name, times in parts.items():
        print(f"{name:18}{statistics.median(times) * 1e3:12.3f}")
    print(f"{'together, median':18}{statistics.median(totals):12.3f}")
    print(f"{'together, 95 %':18}{sorted(totals)[int(len(totals) * 0.95)]:12.3f}")
    print(f"{'of the budget':18}{statistics.median(totals) / BUDGET_MS:11.2f}x    (good: at most 1)")
    return statistics.median(totals)


def alone(rounds: int) -> float:
    """Print `check_citations` and `validate` in milliseconds; return the median of the first."""
    given = {"id": "t", "question": "When?", "chunks": CHUNKS, "answer": ANSWER}
    works = {
        "check_citations": lambda: pg.check_citations(ANSWER, CHUNKS),
        "validate": lambda: pg.validate(given),
    }
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            start = time.process_time()
            work()
            times[name].append(time.process_time() - start)
    medians = {name: statistics.median(found) * 1e3 for name, found in times.items()}
    print(f"\nthe public functions on the same answer, {rounds} rounds; milliseconds, median")
    for name, median in medians.items():
        print(f"{name:18}{median:12.3f}")
    print(f"{'of validate':18}{medians['check_citations'] / medians['validate']:11.2f}x")
    print(f"{'of the budget':18}{medians['check_citations'] / BUDGET_MS:11.2f}x    (good: at most 1)")
    return medians["check_citations"]


def main() -> int:
    """Run all; return 0 if all figures are within their bounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=1_000_000, help="longest hostile answer, in characters")
    parser.add_argument("--rounds", type=int, default=300, help="repetitions of the common case")
    options = parser.parse_args()
    grown = hostile(options.limit)
    median = max(common(options.rounds), alone(options.rounds))
    if grown:
        print(f"\nnot linear: {', '.join(grown)}")
    if median > BUDGET_MS:
        print(f"\nabove {BUDGET_MS} ms")
    return 1 if grown or median > BUDGET_MS else 0


if __name__ == "__main__":
    sys.exit(main())
