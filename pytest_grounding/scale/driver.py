"""Process the parts of a plan in workers or on Dask; finished parts stay in the work folder."""

from __future__ import annotations

import contextlib
import json
import logging
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from multiprocessing import connection
from pathlib import Path
from typing import Any

from pytest_grounding._io.jsonio import canonical_json, content_hash, write_atomic
from pytest_grounding._io.locks import locked
from pytest_grounding._io.progress import Progress
from pytest_grounding._io.wording import counted, listed
from pytest_grounding.errors import GroundingError, InputError, SettingsError, require
from pytest_grounding.importers.searching import WORK_MARK
from pytest_grounding.scale.partition import UNFINISHED, PartResult, do_part
from pytest_grounding.scale.plan import Plan, PlanPart, hash_of_file, part_file

#: Default parent of work folders, in the current folder.
DEFAULT = ".grounding-work"
MANIFEST = "manifest.jsonl"
#: Further attempts for a row whose worker died, before it is reported as not scored.
AGAIN = 2
_TICK_S = 0.5
_WAIT_S = 60
_LOST = "its worker died (perhaps it ran out of memory)"

#: Makes the plan; ``whole`` names inputs that stay in one piece.
Make = Callable[..., Plan]
Work = Callable[..., Any]
Workers = Callable[[int], contextlib.AbstractContextManager["_Processes | _Cluster"]]


class DriverRun:
    """The parts of a plan and their results, by index; a part that was lost is there in halves."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.results: dict[int, PartResult] = {}
        self.last = len(plan.parts)

    @property
    def unscored(self) -> tuple[str, ...]:
        """Why parts of the run are not scored, in words."""
        failures = (self.results[part.index].failure for part in self.plan.parts)
        return tuple(dict.fromkeys(filter(None, failures)))

    @property
    def kept(self) -> str:
        """Progress in words."""
        done = sum(not result.failure for result in self.results.values())
        return f"{done} of {counted(len(self.plan.parts), 'part')} are finished and kept in {self.plan.shown}"

    def put_halves(self, index: int, halves: Sequence[PlanPart]) -> None:
        """Put halves in the place of a part."""
        parts = [new for part in self.plan.parts for new in (halves if part.index == index else [part])]
        self.plan = self.plan.model_copy(update={"parts": tuple(parts)})
        self.last += len(halves)

    def note(self, line: Mapping[str, Any]) -> None:
        """Add a line to the list of what is finished."""
        with open(self.plan.place / MANIFEST, "a", encoding="utf-8") as stream:
            stream.write(canonical_json(line) + "\n")


def drive(folder: Path, make: Make, workers: Workers, jobs: int, *, replace: bool) -> DriverRun:
    """Make the plan and process its parts; the caller must hold the lock on the folder."""
    whole: set[str] = set()
    while True:
        run = _enter_folder(make(whole=whole), replace=replace)
        driver = _Driver(run)
        try:
            with driver.interruptible(), workers(jobs) as crew:
                driver.drive(crew)
            return run
        except _WholeNeededError as error:
            whole.add(str(error))
        except _LostClusterError:
            hint = f"{run.kept}; start it again, and give the same command"
            raise GroundingError(f"the scheduler of the cluster is lost: {hint}") from None
        except KeyboardInterrupt:
            driver.progress.end()
            raise KeyboardInterrupt(f"interrupted: {run.kept}; the same command goes on from there") from None
        finally:
            driver.progress.end()
            _remove_unfinished(folder)


class _WholeNeededError(Exception):
    """The rows of a split input belong together; the plan must be made again with it in one piece."""


class _LostClusterError(Exception):
    """The scheduler does not answer any more."""


class _Driver:
    """Hands out parts; one whose worker dies is halved, down to the row that does it."""

    def __init__(self, run: DriverRun) -> None:
        self._run, self._plan = run, run.plan.model_copy(update={"parts": ()})
        self._waiting = deque(part for part in run.plan.parts if part.index not in run.results)
        self._lost: Counter[int] = Counter()
        self._is_interrupted = False
        self.progress = Progress()

    @contextlib.contextmanager
    def interruptible(self) -> Iterator[None]:
        """Ctrl-C acts between two parts: in a callback of the pool it would be ignored."""
        note = lambda *_: setattr(self, "_is_interrupted", True)  # noqa: E731
        is_ours = threading.current_thread() is threading.main_thread()
        before = signal.signal(signal.SIGINT, note) if is_ours else None
        try:
            yield
        finally:
            if before is not None:
                signal.signal(signal.SIGINT, before)

    def drive(self, crew: _Processes | _Cluster) -> None:
        under_way: dict[Future[Any], PlanPart] = {}
        while self._waiting or under_way:
            while self._waiting and crew.has_room:
                part = self._waiting.popleft()
                under_way[crew.submit(do_part, part, self._plan)] = part
            done = wait(under_way, _TICK_S, FIRST_COMPLETED).done
            if self._is_interrupted:
                raise KeyboardInterrupt
            for future in done:
                part = under_way.pop(future)
                crew.take_back(future)
                if why := self._take(part, future):
                    self._halve(part, why, crew)
            results = self._run.results.values()
            rows, failed = sum(item.rows for item in results), sum(item.failed for item in results)
            self.progress.show(rows, failed, len(results) / len(self._run.plan.parts))

    def _halve(self, part: PlanPart, why: str, crew: _Processes | _Cluster) -> None:
        """Do a lost part again in halves; one that cannot be cut a few times as it is."""
        if not self._run.results and not any(_is_alive(crew) for _ in range(AGAIN + 1)):
            raise GroundingError(f"no worker can do a part: {why}")
        halves = part.halves(self._run.last)
        self._lost[part.index] += 1
        if halves:
            self._run.put_halves(part.index, halves)
            self._run.note({"lost": part.index, "halves": [half.model_dump(mode="json") for half in halves]})
            self._waiting.extendleft(reversed(halves))
        elif self._lost[part.index] <= AGAIN:
            self._waiting.appendleft(part)
        else:
            self._give_up(part, f"{why}, {AGAIN + 1} times")

    def _take(self, part: PlanPart, future: Future[Any]) -> str:
        if future.cancelled() or future.exception() is not None:
            return _LOST
        found = future.result()
        if isinstance(found, PartResult):
            if not (self._run.plan.place / found.file).is_file():
                raise InputError(
                    "the workers of the cluster wrote their part files where this machine does not see them",
                    path=self._run.plan.shown,
                    hint="give --work a folder that all machines share",
                )
            self._run.note(found.model_dump(mode="json"))
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


def _is_alive(crew: _Processes | _Cluster) -> bool:
    future = crew.submit(os.getpid)
    wait([future])
    crew.take_back(future)
    return not future.cancelled() and future.exception() is None


class _Processes:
    """Processes of this machine, each an executor of its own: a dead one takes nobody else's work along."""

    def __init__(self, jobs: int) -> None:
        self._free = [_process() for _ in range(jobs)]
        self._busy: dict[Future[Any], Executor] = {}

    @property
    def has_room(self) -> bool:
        return bool(self._free)

    def submit(self, work: Work, *given: object) -> Future[Any]:
        pool = self._free.pop()
        with _interrupts_held():
            try:
                future = pool.submit(work, *given)
            except BrokenExecutor:  # it died while it had nothing to do
                pool = _process()
                future = pool.submit(work, *given)
        self._busy[future] = pool
        return future

    def take_back(self, work: Future[Any]) -> None:
        pool = self._busy.pop(work)
        if isinstance(work.exception(), BrokenExecutor):
            pool.shutdown(wait=False)
            pool = _process()
        self._free.append(pool)

    def end(self) -> None:
        for pool in (*self._free, *self._busy.values()):
            pool.shutdown(cancel_futures=True)


def _process() -> Executor:
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)


@contextlib.contextmanager
def processes(jobs: int) -> Iterator[_Processes]:
    """Workers on this machine; none outlives the block."""
    before = {child.pid for child in multiprocessing.active_children()}
    crew = _Processes(jobs)
    try:
        yield crew
    except BaseException:
        # Unfinished work is discarded.
        for child in multiprocessing.active_children():
            if child.pid not in before:
                child.kill()
        raise
    finally:
        crew.end()


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


class _Cluster:
    """Workers of a Dask cluster; it replaces dead ones, and may do their work again by itself."""

    def __init__(self, client: Any, jobs: int) -> None:
        self._client, self._most = client, jobs + jobs
        self._executor = client.get_executor(pure=False)
        self._under_way: set[Future[Any]] = set()

    @property
    def has_room(self) -> bool:
        return len(self._under_way) < self._most

    def submit(self, work: Work, *given: object) -> Future[Any]:
        self._refuse_lost()
        future: Future[Any] = self._executor.submit(work, *given)
        self._under_way.add(future)
        return future

    def take_back(self, work: Future[Any]) -> None:
        self._under_way.discard(work)
        if work.cancelled() or work.exception() is not None:
            self._refuse_lost()

    def _refuse_lost(self) -> None:
        if self._client.status != "running":
            raise _LostClusterError


def cluster(address: str) -> Workers:
    """Workers of a Dask cluster: the one at an address, or with "" one of this machine."""
    distributed, dask = require("distributed", extra="dask"), require("dask", extra="dask")
    # What it logs of lost workers are tracebacks; what they mean is said in a sentence.
    known = logging.root.manager.loggerDict
    for name in [name for name in known if name.startswith(("distributed", "tornado"))]:
        logging.getLogger(name).setLevel(logging.CRITICAL)

    @contextlib.contextmanager
    def workers(jobs: int) -> Iterator[_Cluster]:
        place: dict[str, Any] = {"address": address}
        if not address:
            place = {"n_workers": jobs, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
        try:
            # Our own cluster tells at once that a worker died: what it did is halved.
            with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
                client = distributed.Client(**place, timeout=_WAIT_S, set_as_default=False)
            client.wait_for_workers(1, timeout=_WAIT_S)
        except (OSError, ValueError, RuntimeError, TimeoutError) as error:
            hint = "start one there, or write --engine dask for one of this machine"
            problem = f"no cluster with a worker answers ({error})"
            raise InputError(problem, path=address, hint=hint) from error
        with client:
            yield _Cluster(client, jobs)

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


def _enter_folder(plan: Plan, *, replace: bool) -> DriverRun:
    _remove_unfinished(plan.place)
    run = DriverRun(plan)
    head = {"plan": plan.hash, "ingredients": dict(plan.ingredients), "parts": len(plan.parts)}
    held, *lines = _manifest(plan.place)
    own = set(map(part_file, range(held.get("parts", 0))))
    own |= {part_file(half["index"]) for line in lines for half in line.get("halves", ())}
    if held.get("plan") != plan.hash:
        if held and not replace:
            old, new = held.get("ingredients") or {}, plan.ingredients
            told = listed([name for name in sorted({*old, *new}) if old.get(name) != new.get(name)])
            hint = "name another folder with --work, or remove this one"
            raise InputError(f"holds parts of another plan ({told} differs)", path=plan.shown, hint=hint)
        for name in own:
            (plan.place / name).unlink(missing_ok=True)
        own, lines = set(), []
    kept = []
    for line in lines:
        if "lost" in line:
            run.put_halves(line["lost"], list(map(PlanPart.model_validate, line["halves"])))
        elif _is_there(plan.place, result := PartResult.model_validate(line)):
            run.results[result.index] = result
        else:
            continue
        kept.append(line)
    names = [part_file(part.index) for part in run.plan.parts]
    foreign = [name for name in names if name not in own and (plan.place / name).exists()]
    if foreign and not replace:
        problem = f"holds {foreign[0]}, which no run in parts wrote and this one would write over"
        raise InputError(problem, path=plan.shown, hint="name another folder with --work")
    # Rewritten, because a killed run may have left half a line.
    write_atomic(plan.place / MANIFEST, "".join(f"{canonical_json(line)}\n" for line in (head, *kept)))
    return run


def _manifest(folder: Path) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    try:
        for text in (folder / MANIFEST).read_text(encoding="utf-8").splitlines():
            lines.append(dict(json.loads(text)))
    except FileNotFoundError:
        return [{}]
    except (OSError, ValueError, TypeError):
        pass
    return lines or [{"plan": ""}]


def _is_there(folder: Path, result: PartResult) -> bool:
    with contextlib.suppress(OSError):
        return hash_of_file(folder / result.file) == result.sha256
    return False


def _remove_unfinished(folder: Path) -> None:
    for item in folder.glob(f".*{UNFINISHED}"):
        with contextlib.suppress(OSError):
            item.unlink()
