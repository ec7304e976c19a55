"""What validation costs a service: time by length of the answer, the event loop, a request, memory.

The parts of a request need the environment of the example service; without it they are left out.

Run: .venv-service/bin/python -m benchmarks.service [--rounds N] [--memory]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import importlib.util
import platform
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest_grounding as pg

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples" / "chat_service"
sys.path[:0] = [str(ROOT / "examples" / "docs_assistant")]

from assistant import read_chunks, sentences  # noqa: E402

#: Claims of the answer, and retrieved chunks.
SIZES = [(1, 4), (3, 4), (10, 4), (10, 10), (30, 10), (100, 10)]
QUESTION = "What does a transcript record, and when is it rejected?"


def transcripts(claims: int, chunks: int, count: int, seed: int) -> list[pg.Transcript]:
    """Answers made of sentences of docs; every fifth sentence has another word in its middle."""
    rng = random.Random(seed)
    pages = [chunk for chunk in read_chunks(ROOT / "docs") if sentences(chunk["text"])]
    made = []
    for number in range(count):
        picked = rng.sample(pages, chunks)
        said = []
        for position in range(claims):
            place = rng.randrange(chunks)
            words = rng.choice(sentences(picked[place]["text"])).split()
            if position % 5 == 4:
                words[len(words) // 2] = rng.choice(["never", "7", "always", "another"])
            said.append(f"{' '.join(words)[:-1]} [{place + 1}].")
        made.append(
            pg.Transcript.model_validate(
                {"id": f"a-{number}", "question": QUESTION, "chunks": picked, "answer": " ".join(said)}
            )
        )
    return made


def milliseconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def by_size(rounds: int) -> None:
    """Milliseconds of processor time. Each answer is new; the sections come from one set of documents."""
    print("| claims | chunks | characters | median | p99 | log and metrics |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        log = pg.AuditLog(Path(folder) / "audit.jsonl")
        metrics = pg.PrometheusMetrics(registry())
        for claims, chunks in SIZES:
            made = transcripts(claims, chunks, rounds, seed=claims * chunks)
            times, traces = [], []
            gc.collect()
            for transcript in made:
                start = time.thread_time()
                verdict = pg.validate(transcript)
                known = time.thread_time()
                log.append(verdict, transcript)
                metrics.observe(verdict, seconds=known - start)
                times.append((known - start) * 1000)
                traces.append((time.thread_time() - known) * 1000)
            length = statistics.mean(len(item.answer) for item in made)
            print(
                f"| {claims} | {chunks} | {length:,.0f} | {statistics.median(times):.1f} ms | "
                f"{percentile(times, 0.99):.1f} ms | {statistics.median(traces):.2f} ms |"
            )


def registry() -> object:
    from prometheus_client import CollectorRegistry

    return CollectorRegistry()


def judged(transcript: pg.Transcript) -> str:
    return pg.validate(transcript).status


def event_loop(rounds: int) -> bool:
    """The delay of the event loop while two tasks validate, and whether both pools reduce it."""
    made = transcripts(10, 10, rounds, seed=1)
    for transcript in made:
        judged(transcript)
    print("\n| where validation runs | the loop is late: median | p99 | worst | answers a second |")
    print("|---|---|---|---|---|")
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2, initializer=warm) as processes:
        list(processes.map(judged, made[:20]))
        medians: list[float] = []
        for name, pool in (("in the event loop", None), ("2 threads", threads), ("2 processes", processes)):
            late, seconds = asyncio.run(loop_under(made, pool))
            medians.append(statistics.median(late))
            print(
                f"| {name} | {statistics.median(late):.1f} ms | {percentile(late, 0.99):.1f} ms | "
                f"{max(late):.1f} ms | {len(made) / seconds:.0f} |"
            )
    return max(medians[1:]) < medians[0]


def warm() -> None:
    judged(transcripts(3, 4, 1, seed=0)[0])


async def loop_under(made: Sequence[pg.Transcript], pool: Executor | None) -> tuple[list[float], float]:
    loop, waiting, late = asyncio.get_running_loop(), iter(made), []

    async def serve(left: Iterator[pg.Transcript]) -> None:
        for transcript in left:
            if pool is None:
                judged(transcript)
                await asyncio.sleep(0)
            else:
                await loop.run_in_executor(pool, judged, transcript)

    async def watch() -> None:
        while True:
            start = time.perf_counter()
            await asyncio.sleep(0.001)
            late.append((time.perf_counter() - start) * 1000 - 1.0)

    watcher = asyncio.create_task(watch())
    start = time.perf_counter()
    await asyncio.gather(serve(waiting), serve(waiting))
    seconds = time.perf_counter() - start
    watcher.cancel()
    return late, seconds


def memory() -> None:
    """Resident memory of this process; Linux only."""
    if not Path("/proc/self/statm").exists():
        return

    def resident() -> float:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * 4096 / 1e6

    print(f"\nmemory: {resident():.0f} MB after the above;", end=" ")
    rng = random.Random(5)
    words = sorted({word for chunk in read_chunks(ROOT / "docs") for word in chunk["text"].split()})
    for number in range(1_000):
        texts = [" ".join(rng.choices(words, k=150)) + "." for _ in range(5)]
        found = [{"id": str(place), "text": text} for place, text in enumerate(texts)]
        pg.validate(
            {"id": str(number), "question": QUESTION, "chunks": found, "answer": f"{texts[0][:80]} [1]."}
        )
    print(f"{resident():.0f} MB after 5,000 further chunks of 150 words that never return")


def request(rounds: int) -> None:
    """The example over HTTP on this machine, one request after another; its model takes no time."""
    sys.path[:0] = [str(EXAMPLE / "tests"), str(EXAMPLE)]
    from service import GOLDEN, Service

    questions = [asked["question"] for asked in GOLDEN]
    with tempfile.TemporaryDirectory() as folder, Service(Path(folder)) as service:
        for question in questions:
            service.chat(question)
        before = service.figures()
        took = [milliseconds(lambda q=q: service.chat(q)) for q in questions * (rounds // len(questions) + 1)]
        after = service.figures()
        idle = [milliseconds(lambda: service.http.get("/healthz")) for _ in took]
        name = "citation_validation_duration_seconds_sum", ""
        validating = (after[name] - before[name]) * 1000 / len(took)
    whole = statistics.mean(took)
    print(f"\na request of the example: {whole:.1f} ms on average, {percentile(took, 0.99):.1f} ms p99")
    print(f"  of it validation: {validating:.1f} ms ({validating / whole:.0%})")
    print(f"  HTTP and framework alone (GET /healthz): {statistics.mean(idle):.1f} ms")
    for model in (500, 2000):
        print(f"  with a model that takes {model} ms: {validating / (whole + model):.2%} of the request")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300, help="answers of each size")
    parser.add_argument("--memory", action="store_true", help="memory too; this takes minutes")
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.machine()}")
    first = transcripts(3, 4, 1, seed=0)[0]
    start = time.thread_time()
    judged(first)
    print(f"first validation, engine loaded by it: {(time.thread_time() - start) * 1000:.0f} ms\n")
    # Enough to have seen every section of the documents once.
    for transcript in [*transcripts(10, 10, 150, seed=2), *transcripts(100, 10, 3, seed=3)]:
        judged(transcript)
    by_size(options.rounds)
    is_freed = event_loop(options.rounds)
    if options.memory:
        memory()
    if importlib.util.find_spec("fastapi") is not None:
        request(options.rounds)
    else:
        print(
            "\nleft out: a request (run it with .venv-service/bin/python, which make test-service installs)"
        )
    if not is_freed:
        print("\nthe pools do not free the event loop")
    return 0 if is_freed else 1


if __name__ == "__main__":
    sys.exit(main())
