"""Parts on a Dask cluster: one of this machine, or one that is named by its address.

The cluster does the same function with the same files as worker processes do; a worker that dies loses its
part alone, which Dask gives to another one.
"""

from __future__ import annotations

import contextlib
import json
import logging
import queue
import signal
import sys
import uuid
from collections.abc import Generator, Iterator
from typing import Any

from pytest_grounding import _optional
from pytest_grounding.errors import InputError
from pytest_grounding.scale.elsewhere import do_part
from pytest_grounding.scale.ledger import AGAIN, Ledger
from pytest_grounding.scale.plan import Part
from pytest_grounding.scale.processes import PROCESSES, RUN, forgotten
from pytest_grounding.scale.result import PartResult

EXTRA = "dask"
_TICK_S = 0.2
#: How often Dask itself gives a part to another worker before it says that the part kills workers.
_DEATHS = 20
#: Seconds to wait for a scheduler, and for its first worker.
_WAIT_S = 60
#: Parts that lie at the cluster for each thread of it: one under way, one to go on with.
_AHEAD = 2


def execute(ledger: Ledger, jobs: int, address: str = "") -> Generator[None, None, None]:
    """Do the parts of a ledger on a cluster; yields now and then, after each event at the latest.

    Args:
        ledger: takes the results.
        jobs: worker processes of a cluster of this machine.
        address: the scheduler of a cluster, such as ``tcp://host:8786``; "" starts one here.

    Raises:
        InputError: the cluster cannot be reached, has no worker, or cannot see the work folder.
        MissingExtraError: Dask is not installed.
        GroundingError: nothing can be done with the settings of the plan.
        WholeNeededError: the plan must be made anew.
    """
    distributed = _optional.require("distributed", extra=EXTRA)
    plan_text = ledger.plan.without_parts().model_dump_json()
    ended: queue.Queue[Any] = queue.Queue()
    under_way: dict[Any, Part] = {}
    shared = {RUN: uuid.uuid4().hex, PROCESSES: str(jobs)}
    if address and any(settings.judge_budget for settings in ledger.plan.settings):
        text = "judge_budget holds for each worker by itself: those of a cluster elsewhere share no budget"
        print(f"pytest-grounding: {text}", file=sys.stderr)
    with forgotten(ledger.plan, shared[RUN]), _client(distributed, jobs, address, shared) as client:
        while not ledger.is_settled:
            room = _AHEAD * max(1, sum(client.nthreads().values()))
            while len(under_way) < room and (part := ledger.take()) is not None:
                future = client.submit(do_part, part.model_dump_json(), plan_text, pure=False, retries=AGAIN)
                under_way[future] = part
                future.add_done_callback(ended.put)
            try:
                future = ended.get(timeout=_TICK_S)
            except queue.Empty:
                yield
                continue
            _take(future, under_way.pop(future), ledger)
            yield


def _take(future: Any, part: Part, ledger: Ledger) -> None:
    try:
        answer = json.loads(future.result())
    except Exception as error:
        # Dask has tried it on several workers, or has lost the scheduler.
        ledger.refused(part, "died", f"its worker was lost ({type(error).__name__})")
        return
    finally:
        future.release()
    if "done" not in answer:
        ledger.refused(part, answer["kind"], answer["message"])
        return
    result = PartResult.of_json(answer["done"])
    if not (ledger.plan.place / result.file).is_file():
        raise InputError(
            "the workers of the cluster wrote their part files where this machine does not see them",
            path=ledger.plan.shown,
            hint="give --work a folder that all machines share",
        )
    ledger.done(part, result)


@contextlib.contextmanager
def _client(distributed: Any, jobs: int, address: str, shared: dict[str, str]) -> Iterator[Any]:
    dask = _optional.require("dask", extra=EXTRA)
    # A worker that dies is no news: its part is done again.
    for name in ("distributed", "distributed.nanny", "distributed.scheduler", "distributed.worker"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    values = {"distributed.scheduler.allowed-failures": _DEATHS, "distributed.comm.timeouts.connect": _WAIT_S}
    with contextlib.ExitStack() as stack:
        stack.enter_context(dask.config.set(values))
        target: Any = address
        if not address:
            with _unheard():
                cluster = distributed.LocalCluster(
                    n_workers=jobs,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=None,
                    host="127.0.0.1",
                    # Its workers are processes of one run, which share a budget of judges.
                    env=shared,
                    silence_logs=logging.CRITICAL,
                )
            target = stack.enter_context(cluster)
        try:
            client = stack.enter_context(distributed.Client(target, set_as_default=False))
            client.wait_for_workers(1, timeout=_WAIT_S)
        except (OSError, ValueError, TimeoutError) as error:
            hint = "start one there, or write --engine dask for one of this machine"
            raise InputError(
                f"no cluster with a worker answers ({error})", path=address, hint=hint
            ) from error
        yield client


@contextlib.contextmanager
def _unheard() -> Iterator[None]:
    """Start processes that leave Ctrl-C to this one; a terminal sends it to all."""
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:
        # Another thread than the main one has no say in signals.
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
