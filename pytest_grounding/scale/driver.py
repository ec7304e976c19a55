"""Process the parts of a plan in workers or on Dask; finished parts stay in the work folder."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from multiprocessing import connection
from pathlib import Path
from typing import Any

from pytest_grounding._io.jsonio import canonical_json, content_hash, write_atomic
from pytest_grounding._io.locks import locked
from pytest_grounding._io.wording import counted, listed
from pytest_grounding.errors import GroundingError, InputError, SettingsError, require
from pytest_grounding.importers.searching import WORK_MARK
from pytest_grounding.scale.partition import UNFINISHED, PartResult, do_part
from pytest_grounding.scale.plan import Plan, PlanPart, hash_of_file, part_file

#: Default parent of work folders, in the current folder.
DEFAULT = ".grounding-work"
MANIFEST = "manifest.jsonl"
#: Attempts for a part whose worker died, before it is reported as not scored.
AGAIN = 2
_TICK_S = 0.5
_WAIT_S = 60
_LOST = "its worker died (perhaps it ran out of memory)"

#: Makes the plan, keeping these inputs in one piece.
Make = Callable[[set[str]], Plan]
Workers = Callable[[int], contextlib.AbstractContextManager[Executor]]


class DriverRun:
    """The parts of a plan and their results, by index."""

    def __init__(self, plan: Plan, results: Mapping[int, PartResult]) -> None:
        self.plan, self.results = plan, dict(results)

    @property
    def unscored(self) -> tuple[str, ...]:
        """Why parts of the run are not scored, in words."""
        failures = (self.results[index].failure for index in sorted(self.results))
        return tuple(dict.fromkeys(filter(None, failures)))

    @property
    def kept(self) -> str:
        """Progress in words."""
        done = sum(not result.failure for result in self.results.values())
        return f"{done} of {counted(len(self.plan.parts), 'part')} are finished and kept in {self.plan.shown}"


def drive(folder: Path, make: Make, workers: Workers, jobs: int, *, replace: bool) -> DriverRun:
    """Make the plan and process its parts; the caller must hold the lock on the folder."""
    whole: set[str] = set()
    while True:
        plan = make(whole)
        run = DriverRun(plan, _enter_folder(plan, replace=replace))
        try:
            _Driver(run, workers, jobs).drive()
            return run
        except _WholeNeededError as error:
            whole.add(str(error))
        except KeyboardInterrupt:
            _print_status("")
            raise KeyboardInterrupt(f"interrupted: {run.kept}; the same command goes on from there") from None
        finally:
            _print_status("")
            _remove_unfinished(folder)


class _WholeNeededError(Exception):
    """The rows of a split input belong together; the plan must be made again with it in one piece."""


class _Driver:
    """Assigns parts to workers, a few at a time, and reassigns those whose worker dies."""

    def __init__(self, run: DriverRun, workers: Workers, jobs: int) -> None:
        self._run, self._workers, self._jobs = run, workers, jobs
        self._plan = run.plan.model_copy(update={"parts": ()})
        self._is_interrupted = False

    def drive(self) -> None:
        """Process all parts. Ctrl-C acts between two: in a callback of the pool it would be ignored."""
        note = lambda *_: setattr(self, "_is_interrupted", True)  # noqa: E731
        is_ours = threading.current_thread() is threading.main_thread()
        before = signal.signal(signal.SIGINT, note) if is_ours else None
        try:
            self._drive()
        finally:
            if before is not None:
                signal.signal(signal.SIGINT, before)

    def _drive(self) -> None:
        waiting = deque(part for part in self._run.plan.parts if part.index not in self._run.results)
        while waiting:
            lost = self._round(waiting, self._jobs)
            for part, why in lost:
                # Alone, so that it is known which part kills its worker.
                for _ in range(AGAIN):
                    again = self._round(deque([part]), 1)
                    if not again:
                        break
                    why = again[0][1]
                else:
                    self._give_up(part, f"{why}, {AGAIN + 1} times")
            if len(lost) > 2 and all(result.failure for result in self._run.results.values()):
                raise GroundingError(f"no worker can do a part: {lost[0][1]}")

    def _round(self, waiting: deque[PlanPart], jobs: int) -> list[tuple[PlanPart, str]]:
        lost: list[tuple[PlanPart, str]] = []
        under_way: dict[Future[Any], PlanPart] = {}
        with self._workers(jobs) as pool:
            while (waiting and not lost) or under_way:
                while waiting and not lost and len(under_way) < jobs + jobs:
                    try:
                        with _interrupts_held():
                            future = pool.submit(do_part, waiting[0], self._plan)
                    except (BrokenExecutor, RuntimeError):
                        break
                    under_way[future] = waiting.popleft()
                if not under_way:
                    return [*lost, (waiting.popleft(), _LOST)]
                done = wait(under_way, _TICK_S, FIRST_COMPLETED).done
                if self._is_interrupted:
                    raise KeyboardInterrupt
                for future in done:
                    part = under_way.pop(future)
                    if why := self._take(part, future):
                        lost.append((part, why))
                _print_status(f"{len(self._run.results)}/{len(self._run.plan.parts)} parts")
        return lost

    def _take(self, part: PlanPart, future: Future[Any]) -> str:
        error = None if future.cancelled() else future.exception()
        if future.cancelled() or error is not None:
            return _LOST if error is None or isinstance(error, BrokenExecutor) else f"{_LOST}: {error}"
        found = future.result()
        if isinstance(found, PartResult):
            if not (self._run.plan.place / found.file).is_file():
                raise InputError(
                    "the workers of the cluster wrote their part files where this machine does not see them",
                    path=self._run.plan.shown,
                    hint="give --work a folder that all machines share",
                )
            with open(self._run.plan.place / MANIFEST, "a", encoding="utf-8") as stream:
                stream.write(canonical_json(found.model_dump(mode="json")) + "\n")
            self._run.results[part.index] = found
            return ""
        kind, message = found
        if kind == "gathered":
            raise _WholeNeededError(message)
        if kind == "disk":
            hint = f"{self._run.kept}: make room and give the same command again"
            raise InputError(f"cannot be written to ({message})", path=self._run.plan.shown, hint=hint)
        if kind == "fatal":
            raise GroundingError(message)
        if kind == "died":
            return str(message)
        self._give_up(part, message, unread=1)
        return ""

    def _give_up(self, part: PlanPart, message: str, *, unread: int = 0) -> None:
        # An unreadable input is the user's problem, a dying worker is not.
        failure = f"{part.description} is not scored: {message}"
        found = PartResult(index=part.index, failed=unread, unread=unread, failure=failure)
        self._run.results[part.index] = found


@contextlib.contextmanager
def processes(jobs: int) -> Iterator[Executor]:
    """A pool of processes on this machine; none outlives the block."""
    before = {child.pid for child in multiprocessing.active_children()}
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(jobs, 61), mp_context=context, initializer=_begin)
    try:
        yield pool
    except BaseException:
        # Unfinished work is discarded.
        for child in multiprocessing.active_children():
            if child.pid not in before:
                child.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Start workers with Ctrl-C blocked: it would end those that do not ignore it yet with a traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    # A terminal sends Ctrl-C to all processes of a run; the driver decides for the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Output of an extension must not mix with the command's.
    sys.stdout.flush()
    os.dup2(2, 1)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(0)


def cluster(address: str) -> Workers:
    """Workers of a Dask cluster: the one at an address, or with "" one of this machine."""
    distributed = require("distributed", extra="dask")

    @contextlib.contextmanager
    def workers(jobs: int) -> Iterator[Executor]:
        place: dict[str, Any] = {"address": address}
        if not address:
            place = {"n_workers": jobs, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
        try:
            client = distributed.Client(**place, timeout=_WAIT_S, set_as_default=False)
            client.wait_for_workers(1, timeout=_WAIT_S)
        except (OSError, ValueError, RuntimeError, TimeoutError) as error:
            hint = "start one there, or write --engine dask for one of this machine"
            problem = f"no cluster with a worker answers ({error})"
            raise InputError(problem, path=address, hint=hint) from error
        with client:
            yield client.get_executor(pure=False, retries=AGAIN)

    return workers


def number_of_jobs(text: str) -> int:
    """The number of workers from an option or a variable: a number from 1, or ``auto``."""
    said = text.strip().lower()
    if said == "auto":
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if said.isascii() and said.isdigit() and 1 <= int(said) <= 10_000:
        return int(said)
    problem = f"jobs = {text!r} is not a number of worker processes"
    raise SettingsError(f"{problem}; write a number from 1, or auto")


@contextlib.contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Lock a work folder."""
    if folder.exists() and not folder.is_dir():
        raise InputError("is not a folder", path=str(folder), hint="name another one with --work")
    folder.mkdir(parents=True, exist_ok=True)
    if folder.parent.name == DEFAULT and not (folder.parent / ".gitignore").exists():
        # A by-product that git should ignore.
        write_atomic(folder.parent / ".gitignore", "*\n")
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(locked(folder / WORK_MARK, deadline_s=0.2))
        except TimeoutError:
            hint = "wait for it, or name another folder with --work"
            raise InputError("another run is at work in it", path=str(folder), hint=hint) from None
        yield


def default_folder(asked: object) -> Path:
    """The default work folder: the same for the same inputs, so that a run can be resumed."""
    try:
        tempfile.TemporaryFile(dir=".").close()
    except OSError:  # the folder is read-only
        return Path(tempfile.mkdtemp(prefix="grounding-work-"))
    return Path(DEFAULT) / content_hash(asked)[:12]


def remove_folder(folder: Path) -> None:
    """Remove a finished work folder, and its parent if it was the last."""
    shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):
        if folder.parent.name == DEFAULT and [*folder.parent.iterdir()] == [folder.parent / ".gitignore"]:
            shutil.rmtree(folder.parent)


def _enter_folder(plan: Plan, *, replace: bool) -> dict[int, PartResult]:
    _remove_unfinished(plan.place)
    head = {"plan": plan.hash, "ingredients": dict(plan.ingredients), "parts": len(plan.parts)}
    held, results = _manifest(plan.place)
    own = {part_file(index) for index in range(held.get("parts", 0))}
    if held.get("plan") != plan.hash:
        if held and not replace:
            old, new = held.get("ingredients") or {}, plan.ingredients
            told = listed([name for name in sorted({*old, *new}) if old.get(name) != new.get(name)])
            hint = "name another folder with --work, or remove this one"
            raise InputError(f"holds parts of another plan ({told} differs)", path=plan.shown, hint=hint)
        for name in own:
            (plan.place / name).unlink(missing_ok=True)
        own, results = set(), []
    names = [part_file(part.index) for part in plan.parts]
    foreign = [name for name in names if name not in own and (plan.place / name).exists()]
    if foreign and not replace:
        problem = f"holds {foreign[0]}, which no run in parts wrote and this one would write over"
        raise InputError(problem, path=plan.shown, hint="name another folder with --work")
    found = {item.index: item for item in results if _is_there(plan.place, item)}
    # Rewritten, because a killed run may have left half a line.
    kept = (canonical_json(item.model_dump(mode="json")) for item in found.values())
    write_atomic(plan.place / MANIFEST, "".join(f"{line}\n" for line in (canonical_json(head), *kept)))
    return found


def _manifest(folder: Path) -> tuple[dict[str, Any], list[PartResult]]:
    results: list[PartResult] = []
    try:
        first, *others = (folder / MANIFEST).read_text(encoding="utf-8").splitlines()
        head = json.loads(first)
        for line in others:
            results.append(PartResult.model_validate_json(line))
    except FileNotFoundError:
        return {}, []
    except (OSError, ValueError):
        if not results:
            return {"plan": ""}, []
    return head if isinstance(head, dict) else {"plan": ""}, results


def _is_there(folder: Path, result: PartResult) -> bool:
    with contextlib.suppress(OSError):
        return hash_of_file(folder / result.file) == result.sha256
    return False


def _remove_unfinished(folder: Path) -> None:
    for item in folder.glob(f".*{UNFINISHED}"):
        with contextlib.suppress(OSError):
            item.unlink()


def _print_status(text: str) -> None:
    """Overwrite the last line of a terminal; nothing elsewhere."""
    with contextlib.suppress(OSError, ValueError):
        if sys.stderr.isatty():
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
