"""A service validates in threads: many at once give what one alone gives, and lose no count."""

import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from prometheus_client import CollectorRegistry

import pytest_grounding as pg
from pytest_grounding.evidence.all_chunks import Context
from pytest_grounding.evidence.token_index import ChunkIndex

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def restless():
    """Threads change as often as they can, so that what is shared shows."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.fixture(scope="module")
def transcripts():
    folders = ("no_code", "failing", "docs_assistant/transcripts")
    found = [item for folder in folders for item in pg.load_transcripts(EXAMPLES / folder)]
    assert len(found) > 25
    return found


def forget_all():
    """Empty the engine's caches: a wrong word that was remembered must not be compared with itself."""
    rooms = ("pytest_grounding.scorers.builtin", "pytest_grounding.text", "pytest_grounding.checks")
    modules = [module for name, module in sys.modules.items() if name.startswith(rooms)]
    caches = {id(value): value for module in modules for value in vars(module).values()}
    cleared = [cache.cache_clear() for cache in caches.values() if hasattr(cache, "cache_clear")]
    assert len(cleared) > 10


@pytest.mark.usefixtures("restless")
def test_verdicts_log_and_metrics_are_those_of_one_thread(transcripts, tmp_path):
    log = pg.AuditLog(tmp_path / "audit.jsonl")
    metrics = pg.PrometheusMetrics(CollectorRegistry())

    def one(transcript):
        verdict = pg.validate(transcript)
        log.append(verdict, transcript)
        metrics.observe(verdict, seconds=0.001)
        return verdict.to_json()

    # The threads go first: what is loaded or remembered at the first use is then loaded by several at once.
    # Each transcript is there four times in a row, so that several threads read the same chunks.
    work = [transcript for transcript in transcripts for _ in range(4)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(one, work))
    forget_all()
    alone = {transcript.id: pg.validate(transcript).to_json() for transcript in transcripts}
    assert together == [alone[transcript.id] for transcript in work]

    logged = Counter(record.status.lower() for record in log.records())
    assert sum(logged.values()) == len(work)
    for status, count in logged.items():
        assert metrics.registry.get_sample_value("grounding_answers_total", {"status": status}) == count


@pytest.mark.usefixtures("restless")
def test_lazily_built_parts_are_safe_in_threads():
    words = " ".join(f"Word{number}x Of Zebra{number}y." for number in range(1500))
    index = ChunkIndex(
        f"{words} The Quiet Umbrella Xylophone rang. A quietish umbrellalike xylophonist came."
    )

    def asked(context):
        view = context.sources.views[0]
        return context.relatives("xylophon"), context.expansion("qux"), view.names[max(view.sentence_of) - 1]

    expected = asked(Context([index]))
    assert expected[1] is not None
    assert all(expected)
    threads = 8
    for _ in range(4):
        context, together = Context([index]), Barrier(threads)

        def one(_, context=context, together=together):
            together.wait()
            return asked(context)

        with ThreadPoolExecutor(threads) as pool:
            assert list(pool.map(one, range(threads))) == [expected] * threads
