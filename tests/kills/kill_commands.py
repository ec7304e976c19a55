"""Kills a command before each of its file operations, runs it again, and looks whether all is as undisturbed.

Run as: kill_commands.py SCENARIO FOLDER [EVERY|narrow]. Prints what was found as JSON. It is a program of its
own, so that a fork copies one thread.
"""

import contextlib
import io
import json
import os
import resource
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pytest_grounding import Settings, validate
from pytest_grounding.cli import main
from pytest_grounding.golden.golden_file import Golden, Pending, read_golden
from pytest_grounding.golden.golden_store import GoldenStore, decisions
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.scorers.remote.cassette_file import CassetteRecord, Request, Store
from pytest_grounding.suite.shards import shard_of, write_shard
from pytest_grounding.suite.suite_figures import decide_suite

#: What Python says before it changes files.
EVENTS = {
    "os.rename",
    "os.remove",
    "os.mkdir",
    "os.rmdir",
    "os.link",
    "os.truncate",
    "os.chmod",
    "shutil.rmtree",
}
#: Fields that tell when and by whom something was written.
PASSING = {"at", "by", "day", "recorded_at"}


@dataclass(frozen=True)
class Scenario:
    """A command that writes files.

    Attributes:
        prepare: writes what the command needs into the current folder.
        arguments: its arguments.
        harm: what a killed one did that must not be, in words; "" if nothing.
    """

    prepare: Callable[[], None]
    arguments: tuple[str, ...]
    harm: Callable[[], str] = str


def row(number, answer="The fee is 14 euros [1]."):
    chunk = {"id": "c", "text": "The fee is 14 euros. It is due in May."}
    return {"id": f"t{number}", "question": "How much is the fee?", "chunks": [chunk], "answer": answer}


def rows(count=4):
    Path("a.transcripts.jsonl").write_text(
        "".join(json.dumps(row(number)) + "\n" for number in range(count)), encoding="utf-8"
    )


def golden(number, answer):
    transcript = Transcript.model_validate(row(number, answer))
    return Golden.of(transcript, validate(transcript))


def candidates():
    store = GoldenStore.beside(Path())
    for number in range(3):
        store.accept(golden(number, "The fee is 14 euros [1]."))
        candidate = golden(number, "The fee is 14 euros and it is due in May [1].")
        against = store.golden(candidate.id).hash
        store.put_pending(Pending(candidate=candidate, against=against))


def undecided():
    """A golden that was accepted without a decision in its log."""
    store = GoldenStore.beside(Path())
    for path in store.goldens():
        held = read_golden(path)
        accepted = any(item["decision"] == "accept" for item in decisions(store, held.id))
        if "May" in held.transcript.answer and not accepted:
            return f"{held.id} was accepted, and no decision says so"
    return ""


def questions():
    Path("app.py").write_text(
        "def answer(question):\n    return {'chunks': [{'id': 'c', 'text': question}], 'answer': question}\n",
        encoding="utf-8",
    )
    asked = [{"id": f"q{number}", "question": f"Is fee {number} due?"} for number in range(4)]
    Path("questions.jsonl").write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    sys.modules.pop("app", None)


def shards():
    for name in ("one", "two"):
        run = decide_suite(RunReport.of([validate(row(name))]), Settings())
        write_shard(shard_of(run, Settings(), name=name), f"{name}.shard.json")


def labels():
    told = [
        {
            "transcript": {**row(number, answer), "question": f"How much is fee {number}?"},
            "correct": "14" in answer,
        }
        for number, answer in enumerate(["The fee is 14 euros [1].", "The fee is 15 euros [1]."] * 30)
    ]
    Path("labels.jsonl").write_text("\n".join(map(json.dumps, told)), encoding="utf-8")
    Path("pytest.ini").write_text("[pytest]\n", encoding="utf-8")


def journal():
    cassette = Store(Path("grounding.cassette.jsonl"))
    made = [
        CassetteRecord(Request("s", "m", {}, {"query": f"{n}"}), {"n": n}, "2026-01-02") for n in range(5)
    ]
    cassette.append(made[:3], replace=False)
    cassette.compact()
    cassette.append(made[3:], replace=False)


def lost_judgement():
    held = {item.reply["n"] for item in Store(Path("grounding.cassette.jsonl")).records()}
    return "" if held == set(range(5)) else f"judgements left: {sorted(held)}"


def flawed():
    Path("a.transcripts.jsonl").write_text(
        "".join(json.dumps(row(n, "The fee is 15 euros [1].")) + "\n" for n in range(3)), encoding="utf-8"
    )


REPORTS = ("--report", "json:out.json", "--report", "html:out.html", "--report", "junit:out.xml")
SCENARIOS = {
    "init": Scenario(rows, ("init", "--ci", "github")),
    "accept": Scenario(candidates, ("review", "accept", "--all", "--reason", "better"), undecided),
    "reject": Scenario(candidates, ("review", "reject", "--all", "--reason", "worse")),
    "record": Scenario(questions, ("record", "app:answer", "questions.jsonl", "-o", "recorded")),
    "check": Scenario(rows, ("check", ".", *REPORTS)),
    "check-in-parts": Scenario(rows, ("check", ".", "--jobs", "2", "--work", "work", *REPORTS)),
    "merge": Scenario(shards, ("merge", "one.shard.json", "two.shard.json", *REPORTS)),
    "baseline": Scenario(rows, ("baseline", "base.json", "a.transcripts.jsonl")),
    "calibrate": Scenario(labels, ("calibrate", "labels.jsonl", "-o", "map.json", "--write")),
    "cassette": Scenario(journal, ("show", "cassette", "merge"), lost_judgement),
    "waive": Scenario(
        flawed, ("waive", ".", "--id", "t1", "--number", "1", "--reason", "agreed", "--by", "Ada")
    ),
}


class Killer:
    """Kills this process before a file operation below a folder; with none, it counts them."""

    def __init__(self, folder, before):
        self.folder, self.before, self.count = os.fspath(folder), before, 0
        sys.addaudithook(self.hear)

    def hear(self, event, arguments):
        if event == "open":
            path, _, flags = arguments
            writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            if not writes or not isinstance(path, (str, bytes, os.PathLike)):
                return
        elif event not in EVENTS:
            return
        path = "" if isinstance(arguments[0], int) else os.fspath(Path(os.fsdecode(arguments[0])).absolute())
        if "__pycache__" not in path and path.startswith(self.folder):
            self.count += 1
            if self.count == self.before:
                os.kill(os.getpid(), signal.SIGKILL)


def run(arguments, folder, before=0, most=None):
    """Run a command in a fork: its status, -9 if it was killed, and how many operations it had."""
    reader, pipe = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reader)
        os.chdir(folder)
        said = io.StringIO()
        code = 70
        if most is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        try:
            killer = Killer(folder, before)
            with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                code = main(list(arguments))
            os.write(pipe, json.dumps([killer.count, said.getvalue()[-3000:]]).encode())
        except BaseException as error:
            told = f"{type(error).__name__}: {error} {said.getvalue()[-2000:]}"
            os.write(pipe, json.dumps([0, told]).encode())
        finally:
            os._exit(code)
    os.close(pipe)
    data = b""
    while part := os.read(reader, 1 << 16):
        data += part
    os.close(reader)
    _, status = os.waitpid(process, 0)
    count, said = json.loads(data) if data else (0, "")
    return os.waitstatus_to_exitcode(status), count, said


def plain(value):
    """A value without what tells when it was written."""
    if isinstance(value, dict):
        return {key: plain(held) for key, held in value.items() if key not in PASSING}
    return [plain(held) for held in value] if isinstance(value, list) else value


def state(folder):
    """The files of a folder, with what they say but for times; empty locks do not count."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_dir() or "__pycache__" in path.parts or path.suffix == ".lock":
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if path.suffix == ".json":
            text = plain(json.loads(text))
        if path.suffix == ".jsonl":
            text = [plain(json.loads(line)) for line in text.splitlines() if line]
        found[path.relative_to(folder).as_posix()] = text
    return found


def prepared(scenario, made):
    """Make a folder anew with what a command needs."""
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    # In a fork, so that what a process does once in a folder is still to be done.
    if (process := os.fork()) == 0:
        os.chdir(made)
        scenario.prepare()
        os._exit(0)
    os.waitpid(process, 0)


def narrow(name, folder):
    """Run a scenario's command where no file may have more than some bytes; its status and what it says."""
    prepared(SCENARIOS[name], folder / "p")
    status, _, said = run(SCENARIOS[name].arguments, folder / "p", most=8)
    left = [path for path in state(folder / "p") if path.endswith(".tmp")]
    return {"status": status, "said": said, "left": left}


def attack(name, folder, every):
    """Kill a scenario's command before each operation; what is wrong, and how many kills there were."""
    scenario = SCENARIOS[name]
    made = folder / "p"
    prepared(scenario, made)
    right, count, said = run(scenario.arguments, made)
    whole = state(made)
    wrong = [] if right in (0, 1) and count else [f"it ended with {right}: {said}"]
    for before in range(1, count + 1, every):
        prepared(scenario, made)
        code, _, said = run(scenario.arguments, made, before)
        if code != -signal.SIGKILL:
            wrong.append(f"before operation {before}: not killed, {code} {said[-300:]}")
            continue
        os.chdir(made)
        harm = scenario.harm()
        os.chdir(folder)
        again, _, said = run(scenario.arguments, made)
        now = state(made)
        if harm:
            wrong.append(f"before operation {before}: {harm}")
        if again != right and now != whole:
            wrong.append(f"before operation {before}: then {again}, not {right}: {said[-400:]}")
        elif now != whole:
            differ = sorted(path for path in {*now, *whole} if now.get(path) != whole.get(path))
            wrong.append(f"before operation {before}: other files: {differ}")
    return {"kills": len(range(1, count + 1, every)), "wrong": wrong}


if __name__ == "__main__":
    action, place, *more = sys.argv[1:]
    if more == ["narrow"]:
        print(json.dumps(narrow(action, Path(place).resolve())))
    else:
        print(json.dumps(attack(action, Path(place).resolve(), int(more[0]) if more else 1)))
