"""Print how often plain wrong answers are found, and right ones beside them are not, by role.

python -m benchmarks.plain [--faults]
"""

from __future__ import annotations

import sys

from benchmarks.apart import main

if __name__ == "__main__":
    sys.exit(main("plain"))
