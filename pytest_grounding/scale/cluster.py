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
import uuid
from collections.abc import Generator, Iterator
from typing import Any

from pytest_grounding import _optional
from pytest_grounding.errors import GroundingError, InputError
from pytest_grounding.scale.elsewhere import do_part
from pytest_grounding.scale.ledger import AGAIN, Ledger
from pytest_grounding.scale.partfile import finished
from pytest_grounding.scale.plan import Part
from pytest_grounding.scale.processes import PROCESSES, RUN
from pytest_grounding.scale.pulse import Pulse, Trouble
from pytest_grounding.scale.result import PartResult

EXTRA = "dask"
_TICK_S = 0.2
#: How often Dask itself gives a part to another worker before it says that the part kills workers.
_DEATHS = 20
#: Seconds to wait for a scheduler, and for its first worker.
_WAIT_S = 60
#: Parts that lie at the cluster for each thread of it: one under way, one to go on with.
_AHEAD = 2
#: Seconds to wait for the result of a part that has ended; it is short, and lies at its worker.
_RESULT_S = 2.0
#: Who would tell of losses at length; asyncio does where Dask is waited for no longer.
_ROOMS = ("client", "core", "nanny", "scheduler", "worker")
_SILENT = ("distributed", *(f"distributed.{name}" for name in _ROOMS), "asyncio")
#: Seconds in which a worker of this machine may come back. Dask itself takes one that does not within 15 s
#: out of its cluster for good, so that a busy machine may end with none.
_COMING_BACK_S = 86_400


def execute(ledger: Ledger, jobs: int, address: str, patience_s: float) -> Generator[None, None, None]:
    """Do the parts of a ledger on a cluster; yields now and then, after each event at the latest.

    Args:
        ledger: takes the results.
        jobs: worker processes of a cluster of this machine.
        address: the scheduler of a cluster, such as ``tcp://host:8786``; "" starts one here.
        patience_s: seconds without a worker, or without an answer, after which the parts that are left are
            given up.

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
    with (
        _client(distributed, jobs, address, shared) as client,
        contextlib.closing(Pulse(client, patience_s)) as pulse,
    ):
        while not ledger.is_settled:
            if trouble := pulse.look():
                for left in under_way.values():
                    _is_noted(left, ledger)
                _give_up(ledger, address, trouble, pulse.silent_s)
                return
            room = _AHEAD * max(1, pulse.threads)
            while pulse.is_connected and len(under_way) < room and (part := ledger.take()) is not None:
                future = client.submit(do_part, part.model_dump_json(), plan_text, pure=False, retries=AGAIN)
                under_way[future] = part
                future.add_done_callback(ended.put)
            try:
                future = ended.get(timeout=_TICK_S)
            except queue.Empty:
                yield
                continue
            if _take(future, under_way[future], ledger):
                del under_way[future]
                pulse.heard()
            else:
                ended.put(future)
            yield


def _take(future: Any, part: Part, ledger: Ledger) -> bool:
    """Note what became of a part; False: its result was lost with its worker, and is made again."""
    try:
        answer = json.loads(future.result(timeout=_RESULT_S))
    except Exception as error:
        if future.status == "cancelled":
            # The scheduler is lost, which says nothing of the part.
            ledger.put_back(part)
        elif isinstance(error, TimeoutError) and future.status != "error":
            # Its worker has died since; the part itself lies in the work folder.
            if not _is_noted(part, ledger):
                return False
        else:
            # Dask has tried it on several workers.
            ledger.refused(part, "died", f"its worker was lost ({type(error).__name__})")
        future.release()
        return True
    future.release()
    if "done" not in answer:
        ledger.refused(part, answer["kind"], answer["message"])
        return True
    result = PartResult.of_json(answer["done"])
    if not (ledger.plan.place / result.file).is_file():
        raise InputError(
            "the workers of the cluster wrote their part files where this machine does not see them",
            path=ledger.plan.shown,
            hint="give --work a folder that all machines share",
        )
    ledger.done(part, result)
    return True


def _is_noted(part: Part, ledger: Ledger) -> bool:
    """Note the result that a part has in the work folder, if it has one."""
    plan = ledger.plan
    result = finished(plan.place, plan.hash, part.index, plan.compress)
    if result is not None:
        ledger.done(part, result)
    return result is not None


def _give_up(ledger: Ledger, address: str, trouble: Trouble, seconds: float) -> None:
    who = f"the cluster {address}" if address else "the cluster of this machine"
    if trouble == "no answer":
        ledger.give_up(f"{who} did not answer for {seconds:.0f} s; start it again")
    elif address:
        ledger.give_up(f"{who} had no worker for {seconds:.0f} s; start some, or wait longer with --patience")
    else:
        ledger.give_up(f"{who} had no worker for {seconds:.0f} s; take fewer --jobs if memory is short")


@contextlib.contextmanager
def _client(distributed: Any, jobs: int, address: str, shared: dict[str, str]) -> Iterator[Any]:
    dask = _optional.require("dask", extra=EXTRA)
    # A worker that dies is no news: its part is done again; a scheduler that is lost is told in a sentence.
    for name in _SILENT:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    values = {
        "distributed.scheduler.allowed-failures": _DEATHS,
        "distributed.comm.timeouts.connect": _WAIT_S,
        "distributed.deploy.lost-worker-timeout": _COMING_BACK_S,
    }
    with contextlib.ExitStack() as stack:
        stack.enter_context(dask.config.set(values))
        target: Any = address
        if not address:
            target = stack.enter_context(_cluster_here(distributed, jobs, shared))
        try:
            client = stack.enter_context(distributed.Client(target, set_as_default=False))
            client.wait_for_workers(1, timeout=_WAIT_S)
        except (OSError, ValueError, TimeoutError) as error:
            hint = "start one there, or write --engine dask for one of this machine"
            raise InputError(
                f"no cluster with a worker answers ({error})", path=address, hint=hint
            ) from error
        yield client


def _cluster_here(distributed: Any, jobs: int, shared: dict[str, str]) -> Any:
    # Dask makes another worker for one that dies, but not for one that dies while the cluster starts.
    for left in reversed(range(AGAIN + 1)):
        try:
            with _unheard():
                return distributed.LocalCluster(
                    n_workers=jobs,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=None,
                    host="127.0.0.1",
                    # Its workers are processes of one run, which share a budget of judges.
                    env=shared,
                    silence_logs=logging.CRITICAL,
                )
        except (RuntimeError, OSError, TimeoutError) as error:
            if not left:
                why = error.__cause__ or error
                raise GroundingError(
                    f"no cluster of {jobs} workers can start on this machine ({why}); "
                    "take fewer --jobs if memory is short, or leave out --engine"
                ) from error
    return None


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
