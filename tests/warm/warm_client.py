"""What the stand-ins for ``python``, ``pytest`` and ``pytest-grounding`` do: ask the warm process for a fork.

A stand-in runs in an interpreter without `site`, so that it starts in a hundredth of a second: this module
imports next to nothing. What the warm process cannot do is handed to the real program.
"""

import _socket
import marshal
import os
import sys

#: The seed of the warm process's hashes: a program that asks for another one needs a fresh Python.
HASH_SEED = "1"
#: Settings of the interpreter that count only when it starts.
COLD_VARIABLES = {
    "PYTHONHOME",
    "PYTHONPLATLIBDIR",
    "PYTHONSTARTUP",
    "PYTHONOPTIMIZE",
    "PYTHONDEBUG",
    "PYTHONDEVMODE",
    "PYTHONSAFEPATH",
    "PYTHONUTF8",
    "PYTHONMALLOC",
    "PYTHONTRACEMALLOC",
    "PYTHONPROFILEIMPORTTIME",
    "PYTHONINSPECT",
    "PYTHONNOUSERSITE",
}
#: Signals that are passed on to the program.
_PASSED_ON = ("SIGINT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2")
#: Seconds after which waiting begins anew: a signal that came right before is passed on then.
_WAIT = 0.5


def wish(words, environment):
    """What to start: the kind, its name and the words after it; or None, which only a fresh Python can."""
    if not COLD_VARIABLES.isdisjoint(environment) or environment.get("PYTHONHASHSEED", "1") != HASH_SEED:
        return None
    words = list(words)
    found = {"warnings": [], "safe": False, "unbuffered": bool(environment.get("PYTHONUNBUFFERED"))}
    while words:
        word = words.pop(0)
        if word == "-W" and words:
            found["warnings"].append(words.pop(0))
        elif word == "-P":
            found["safe"] = True
        elif word == "-u":
            found["unbuffered"] = True
        elif word in ("-m", "-c") and words:
            return {**found, "kind": word, "name": words[0], "words": words[1:]}
        elif word.startswith(("-m", "-c")) and len(word) > 2:
            return {**found, "kind": word[:2], "name": word[2:], "words": words}
        elif word.startswith("-"):
            return None
        else:
            return {**found, "kind": "file", "name": word, "words": words} if _is_file(word) else None
    return None


def _is_file(name):
    try:
        return os.stat(name).st_mode & 0o170000 == 0o100000  # noqa: PTH116 -- as below
    except OSError:
        return False


def run(address, executable, stand_in, words):
    """Do what ``python`` does with these words, in a fork of the warm process; does not return.

    Args:
        address: where the warm process listens.
        executable: the real Python.
        stand_in: path of the stand-in for it, which the program finds as `sys.executable`.
        words: what stands after ``python``.
    """
    wanted = wish(words, os.environ)
    if wanted is None:
        os.execv(executable, [executable, *words])
    try:
        folder = os.getcwd()  # noqa: PTH109 -- pathlib would take longer than all of this
    except FileNotFoundError:
        os.execv(executable, [executable, *words])
    wanted |= {"folder": folder, "environment": dict(os.environ), "executable": stand_in}
    # The mask and the limits of this process would not be those of the program.
    wanted["mask"] = os.umask(0)
    os.umask(wanted["mask"])
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.connect(address)
    except OSError:
        # A test that kills what it can reach has killed it: slower, but the same.
        os.execv(executable, [executable, *words])
    message = marshal.dumps(wanted)
    rights = [
        (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, b"".join(n.to_bytes(4, sys.byteorder) for n in range(3)))
    ]
    connection.sendmsg([len(message).to_bytes(8, "big")], rights)
    connection.sendall(message)
    number = int.from_bytes(_received(connection, 8), "big")
    _pass_signals_on(number)
    connection.sendall(b"!")
    connection.settimeout(_WAIT)
    # The reader of a pipe sees its end when the program ends, not when this process does.
    status = int.from_bytes(_received(connection, 8), "big", signed=True)
    if status < 0:
        _end_by(-status)
    os._exit(status)


def _received(connection, length):
    data = b""
    while len(data) < length:
        try:
            part = connection.recv(length - len(data))
        except TimeoutError:
            continue
        if not part:
            os.write(2, b"the warm process of the tests went away\n")
            os._exit(70)
        data += part
    return data


def _pass_signals_on(number):
    import _signal

    def tell(signum, frame):
        try:  # noqa: SIM105 -- contextlib would take longer than all of this
            os.kill(number, signum)
        except ProcessLookupError:
            pass

    for name in _PASSED_ON:
        _signal.signal(getattr(_signal, name), tell)


def _end_by(signum):
    import _signal

    try:  # noqa: SIM105 -- as above
        _signal.signal(signum, _signal.SIG_DFL)
    except OSError:
        pass
    os.kill(os.getpid(), signum)
    os._exit(128 + signum)
