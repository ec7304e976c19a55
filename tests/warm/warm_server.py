"""A process that has imported pytest and the package, and forks for each program that a test starts.

A run of pytest over one transcript takes a second, of which nine tenths are imports. A fork has them. What a
test sees is a process: with its own folder, environment, streams, exit status and signals.
"""

import contextlib
import gc
import io
import json
import marshal
import os
import runpy
import select
import signal
import socket
import sys
import tempfile
import threading
import traceback
import types
import warnings
from multiprocessing import spawn
from pathlib import Path

#: What a fork keeps alive so that closing it closes no stream of the program.
_KEPT = []
_PATH = list(sys.path[1:])

WARMED = {
    "id": "warm",
    "question": "How long do refunds take, and who signs them?",
    "chunks": [{"id": "c1", "text": "Refunds are paid within 14 days. The director of finance signs them."}],
    "answer": "Refunds are paid within 45 days [1]. The director of finance signs them [1]. Pandas eat.",
}


def warm_up():
    """Import what programs of the tests use: by a run of pytest, and by one of the command line."""
    with tempfile.TemporaryDirectory() as folder:
        before = Path.cwd()
        os.chdir(folder)
        sys.path.insert(0, str(Path(__file__).parents[1]))
        import inner_runs

        sys.path.pop(0)
        inner_runs.read_entry_points_once()
        Path("pytest.ini").write_text("[pytest]\n")
        Path("a.transcripts.jsonl").write_text(json.dumps(WARMED) + "\n")
        Path("test_nothing.py").write_text("def test_nothing(): pass\n")
        import pytest

        pytest.main(["-q", "-p", "no:cacheprovider", "--grounding-json=out.json"])
        import pkgutil

        with contextlib.suppress(ImportError):
            import xdist.dsession
            import xdist.remote
            import xdist.workermanage  # noqa: F401

        import pytest_grounding.cli as cli

        for module in pkgutil.iter_modules(cli.__path__, f"{cli.__name__}."):
            with contextlib.suppress(ImportError):
                __import__(module.name)
        with contextlib.suppress(SystemExit):
            cli.main(["check", "a.transcripts.jsonl"])
        os.chdir(before)
    sys.modules.pop("test_nothing", None)


def serve(listening):
    """Fork for each that asks, until the process that started this one has ended."""
    while True:
        ready, _, _ = select.select([listening, 0], [], [])
        if 0 in ready:
            return
        # What has ended is taken note of, so that its time counts as that of this process's children.
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        connection, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            _look_after(connection)
        connection.close()


def _look_after(connection):
    """Start the program, tell its number and its status, and end it when nobody waits for it any more."""
    status = 70
    try:
        length, streams, _, _ = socket.recv_fds(connection, 8, 3)
        wanted = marshal.loads(_received(connection, int.from_bytes(length, "big")))
        waiting, starting = os.pipe()
        number = os.fork()
        if number == 0:
            connection.close()
            os.close(starting)
            os.read(waiting, 1)
            os.close(waiting)
            _be(wanted, streams)
        for stream in (*streams, waiting):
            os.close(stream)
        with contextlib.suppress(BrokenPipeError, EOFError):
            connection.sendall(number.to_bytes(8, "big"))
            # A signal that comes before the stand-in passes signals on would end it alone.
            _received(connection, 1)
        os.close(starting)
        watched = os.pidfd_open(number)
        ready, _, _ = select.select([connection, watched], [], [])
        if watched not in ready:
            os.kill(number, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])
        with contextlib.suppress(BrokenPipeError):
            connection.sendall(status.to_bytes(8, "big", signed=True))
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)


def _received(connection, length):
    data = b""
    while len(data) < length:
        part = connection.recv(length - len(data))
        if not part:
            raise EOFError
        data += part
    return data


def _be(wanted, streams):
    """Become the program."""
    status = 1
    try:
        _take_on(wanted, streams)
        status = _status_of(wanted)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _take_on(wanted, streams):
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.umask(wanted["mask"])
    os.chdir(wanted["folder"])
    os.environ.clear()
    os.environ.update(wanted["environment"])
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    for stream in streams:
        if stream > 2:
            os.close(stream)
    _open_streams(unbuffered=wanted["unbuffered"])
    # Workers of a process pool are real ones: the stand-in passes no descriptors on.
    spawn.set_executable(sys.executable)
    sys.executable = wanted["executable"]
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    given = [one for one in os.environ.get("PYTHONWARNINGS", "").split(",") if one] + wanted["warnings"]
    if given:
        sys.warnoptions[:] = given
        warnings._processoptions(given)
    named = [one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one]
    sys.path[:] = [*named, *_PATH]
    sys.path_importer_cache.clear()


def _open_streams(*, unbuffered):
    """The streams of Python over those of the program, in its encoding."""
    encoding, _, errors = os.environ.get("PYTHONIOENCODING", "utf-8").partition(":")
    _KEPT.extend([sys.stdin, sys.stdout, sys.stderr, sys.__stdin__, sys.__stdout__, sys.__stderr__])

    def opened(number, mode, errors):
        raw = io.FileIO(number, mode, closefd=False)
        buffer = raw
        if mode == "r":
            buffer = io.BufferedReader(raw)
        elif not unbuffered:
            buffer = io.BufferedWriter(raw)
        lines = mode == "w" and (number == 2 or raw.isatty())
        name = ("<stdin>", "<stdout>", "<stderr>")[number]
        stream = io.TextIOWrapper(
            buffer, encoding or "utf-8", errors, "\n" if mode == "w" else None, lines, unbuffered
        )
        stream.mode, raw.name = mode, name
        return stream

    sys.stdin = sys.__stdin__ = opened(0, "r", errors or "strict")
    sys.stdout = sys.__stdout__ = opened(1, "w", errors or "strict")
    sys.stderr = sys.__stderr__ = opened(2, "w", "backslashreplace")


def _status_of(wanted):
    """Run the program to its end, as Python does."""
    status = 0
    try:
        _run(wanted)
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            status = (stop.code or 0) & 0xFF
        else:
            print(stop.code, file=sys.stderr)
            status = 1
    except KeyboardInterrupt:
        traceback.print_exc()
        status = -signal.SIGINT
    except BaseException as error:
        _show(error)
        status = 1
    threading._shutdown()
    import atexit

    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None and not stream.closed:
                stream.flush()
        except OSError as error:
            if stream is sys.stdout:
                os.write(2, f"Exception ignored in: {stream!r}\n{type(error).__name__}: {error}\n".encode())
                status = status or 120
    if status == -signal.SIGINT:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    return status


def _show(error):
    """The traceback from the program's own lines on."""
    part = error.__traceback__
    while part is not None and (
        part.tb_frame.f_code.co_filename in (__file__, runpy.__file__)
        or "runpy" in part.tb_frame.f_code.co_filename
    ):
        part = part.tb_next
    error.__traceback__ = part
    sys.excepthook(type(error), error, part)


def _run(wanted):
    kind, name = wanted["kind"], wanted["name"]
    first = [] if wanted["safe"] else [str(Path(name).resolve().parent)] if kind == "file" else [""]
    if kind == "-m":
        sys.argv[:] = ["-m", *wanted["words"]]
        sys.path[:0] = first and [str(Path.cwd())]
        runpy.run_module(name, run_name="__main__", alter_sys=True)
    else:
        sys.argv[:] = [name if kind == "file" else "-c", *wanted["words"]]
        sys.path[:0] = first
        file = str(Path(name).absolute()) if kind == "file" else ""
        program = types.ModuleType("__main__")
        vars(program).update({"__builtins__": __builtins__, **({"__file__": file} if file else {})})
        sys.modules["__main__"] = program
        text = Path(file).read_bytes() if file else name
        exec(compile(text, file or "<string>", "exec", dont_inherit=True), vars(program))


def main():
    """Warm up, and serve on the socket whose number is the one argument."""
    listening = socket.socket(fileno=int(sys.argv[1]))
    out = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    warm_up()
    sys.stdout.flush()
    os.dup2(out, 1)
    gc.collect()
    gc.freeze()
    serve(listening)


if __name__ == "__main__":
    main()
