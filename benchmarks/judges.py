"""What a remote judge costs: calls and texts per transcript, and the time to record and to replay.

The service is a loopback server, so that calls are real and free; ``--latency`` is its delay before each
answer. Then a thousand rulings are recorded and replayed, which may cost 1.3 times the processor time of the
built-in engine on the same transcripts. ``--rulings 0`` skips that, ``--only-rulings`` skips the table.

Run: python -m benchmarks.judges [PATH...] [--latency MS] [--rulings N] [--only-rulings]
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "remote"))

from loopback import ANSWERS, KEY, Handler, Server  # noqa: E402

import pytest_grounding as pg  # noqa: E402
from pytest_grounding.scorers.remote import scorer_factory as remote  # noqa: E402

CHOICES = {
    "builtin": {},
    "cohere (rerank)": {"scorer": "cohere"},
    "cohere-embed": {"scorer": "cohere-embed"},
    "judge = cohere": {"judge": "cohere"},
    "cohere, and the judge for all": {
        "scorer": "cohere",
        "judge": "cohere",
        "judge_scope": "all",
    },
}
TEXTS = {"/v2/rerank": "documents", "/v2/embed": "texts", "/v2/chat": "messages"}


#: A replay reads the cassette, and uses the built-in engine for evidence and conflicts.
MOST_RATIO = 4.0
#: Largest cost of a replay of rulings, in multiples of the built-in engine.
MOST_OF_RULINGS = 1.3
_ROUNDS = 5


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", default=[str(ROOT / "examples")])
    parser.add_argument("--latency", type=float, default=200.0, metavar="MS")
    parser.add_argument("--rulings", type=int, default=1000, metavar="N")
    parser.add_argument("--only-rulings", action="store_true")
    args = parser.parse_args()
    rows = [row.transcript for path in args.paths for row in pg.iter_transcripts(path)]
    transcripts = [item for item in rows if item is not None]
    worse = False if args.only_rulings else table(transcripts, args.latency)
    if args.rulings:
        worse |= rulings(transcripts, args.rulings) > MOST_OF_RULINGS
    return int(worse)


def table(transcripts: list[pg.Transcript], latency: float) -> bool:
    """Print the cost of each scorer; return whether a replay costs too much."""
    chunks = statistics.mean(len(item.chunks) for item in transcripts)
    print(f"{len(transcripts)} transcripts, {chunks:.1f} chunks each; the server waits {latency:g} ms\n")
    print("| scorer | calls | texts | to record | to replay | ratio to builtin | cassette |")
    print("|---|---|---|---|---|---|---|")
    plain, worst = 0.0, 0.0
    for name, settings in CHOICES.items():
        cells, replaying, size = row_of(name, settings, transcripts, latency / 1000)
        plain = plain or replaying
        worst = max(worst, replaying / plain)
        print(f"| {cells} | {replaying:.1f} ms | {replaying / plain:.2f} | {size:.1f} kB |", flush=True)
    print(f"\nslowest replay: {worst:.2f} x builtin (good: at most {MOST_RATIO:g})")
    return worst > MOST_RATIO


def rulings(transcripts: list[pg.Transcript], number: int) -> float:
    """Record rulings on every claim, replay them, and print processor time against the built-in engine."""
    many: list[pg.Transcript] = []
    claims = 0
    while claims < number:
        for item in transcripts:
            named = {"id": f"{item.id}-{len(many)}", "question": f"{item.question} ({len(many)})"}
            many.append(item.model_copy(update=named))
            claims += sum(claim.checked for claim in pg.validate(many[-1]).claims)
            if claims >= number:
                break
    with tempfile.TemporaryDirectory() as folder:
        settings = {"judge": "cohere", "judge_scope": "all", "cassette": str(Path(folder) / "c.jsonl")}
        with Server() as server:
            os.environ.update(CO_API_KEY=KEY, CO_API_URL=server.url, NO_PROXY="127.0.0.1")
            recorded, _ = timed(many, {**settings, "record": "new"})
            remote.reset()
        for name in ("CO_API_KEY", "CO_API_URL"):
            del os.environ[name]
        times: dict[str, list[float]] = {"plain": [], "replayed": []}
        for _ in range(_ROUNDS):
            times["plain"].append(spent(many, {}))
            remote.reset()
            times["replayed"].append(spent(many, settings))
        assert timed(many, settings)[0] == recorded, "the replay differs"
        remote.reset()
    plain, replayed = min(times["plain"]), min(times["replayed"])
    ratio = replayed / plain
    print(
        f"\n{claims} recorded rulings, {len(many)} transcripts, processor time, best of {_ROUNDS}: builtin "
        f"{plain:.2f} s, replay {replayed:.2f} s: {ratio:.2f} x (good: at most {MOST_OF_RULINGS:g})"
    )
    return ratio


def spent(transcripts: list[pg.Transcript], settings: dict[str, object]) -> float:
    """Processor time to validate all of them, in seconds."""
    start = time.process_time()
    for item in transcripts:
        pg.validate(item, settings)
    return time.process_time() - start


def row_of(
    name: str, settings: dict[str, object], transcripts: list[pg.Transcript], latency: float
) -> tuple[str, float, float]:
    """The first cells of a row, the milliseconds to replay a transcript, and the kilobytes of its records."""
    with tempfile.TemporaryDirectory() as folder, Server() as server:

        def slowly(handler: Handler) -> None:
            time.sleep(latency)
            path, body, _ = server.seen[-1]
            handler.reply(200, ANSWERS[path](body))

        server.fault = slowly
        os.environ.update(CO_API_KEY=KEY, CO_API_URL=server.url, NO_PROXY="127.0.0.1")
        cassette = Path(folder) / "c.jsonl"
        chosen = {**settings, "cassette": str(cassette)}
        pg.validate(transcripts[0], {})
        # The cached chunks of the built-in engine would make every row after the first one faster.
        timed(transcripts, {})
        recorded, recording = timed(transcripts, {**chosen, "record": "new"})
        remote.reset()
        replayed, replaying = timed(transcripts, {**chosen, "record": "none"})
        assert recorded == replayed, f"{name}: the replay differs"
        remote.reset()
        count = len(transcripts)
        texts = sum(len(body[TEXTS[path]]) for path, body, _ in server.seen)
        size = cassette.stat().st_size / count / 1000 if cassette.exists() else 0.0
        cells = f"{name} | {len(server.seen) / count:.1f} | {texts / count:.1f} | {recording:.0f} ms"
        return cells, replaying, size


def timed(transcripts: list[pg.Transcript], settings: dict[str, object]) -> tuple[list[str], float]:
    """The verdicts, and milliseconds per transcript."""
    start = time.perf_counter()
    verdicts = [pg.validate(item, settings).to_json() for item in transcripts]
    return verdicts, (time.perf_counter() - start) * 1000 / len(transcripts)


if __name__ == "__main__":
    sys.exit(main())
