"""Try the wheel on every Python at hand, and on the oldest with the lowest versions that it declares.

    python .ci/wheel.py [--lowest] [PYTHON ...]

Without an interpreter all of python3.11 to python3.15 on the path are tried, each in a new environment that
holds the wheel and what it asks for, and nothing else. ``.ci/smoke.py`` is what is run there.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NAMES = ("python3.11", "python3.12", "python3.13", "python3.14", "python3.15")


def lowest() -> list[str]:
    """The declared dependencies, each pinned to the lowest version that is declared."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pins = [re.fullmatch(r"([\w-]+)>=([\d.]+)(?:,.*)?", line) for line in project["dependencies"]]
    assert all(pins), "each dependency declares its lowest version"
    return [f"{pin[1]}=={pin[2]}" for pin in pins if pin]


def at_hand() -> list[str]:
    """The interpreters on the path that run: a shim of pyenv may stand for a version that is switched off."""
    found = [path for name in NAMES if (path := shutil.which(name))]
    return [path for path in found if not subprocess.run([path, "-c", ""], capture_output=True).returncode]


def try_wheel(python: str, wheel: Path, pins: Sequence[str]) -> None:
    """Install the wheel into a new environment, and run the smoke test there."""
    with tempfile.TemporaryDirectory() as folder:
        env = Path(folder) / "env"
        subprocess.run([python, "-m", "venv", str(env)], check=True)
        own = env / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        install = [str(own), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "--only-binary", ":all:", str(wheel), *pins], check=True)
        subprocess.run([str(own), str(ROOT / ".ci" / "smoke.py")], check=True, cwd=folder)


def main() -> int:
    """Build the wheel once, and try it on each Python."""
    parser = argparse.ArgumentParser(description="Try the wheel on every Python at hand.")
    parser.add_argument("pythons", nargs="*", metavar="PYTHON")
    parser.add_argument("--lowest", action="store_true", help="only with the lowest declared versions")
    parser.add_argument("--wheel", type=Path, help="the wheel; without it one is built")
    args = parser.parse_args()
    pythons = args.pythons or at_hand()
    with tempfile.TemporaryDirectory() as folder:
        wheel = args.wheel
        if wheel is None:
            build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder]
            subprocess.run([*build, str(ROOT)], check=True)
            (wheel,) = Path(folder).glob("*.whl")
        for python in [] if args.lowest else pythons:
            try_wheel(python, wheel, [])
        if args.lowest or not args.pythons:
            # Old versions have wheels for old Pythons alone.
            pins = lowest()
            print(f"the lowest versions: {', '.join(pins)}", flush=True)
            try_wheel(pythons[0], wheel, pins)
    return 0


if __name__ == "__main__":
    sys.exit(main())
