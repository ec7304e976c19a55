"""Print how often answers of wrongly paired values are found, and right ones beside them are not, by role.

python -m benchmarks.paired [--faults]
"""

from __future__ import annotations

import sys

from benchmarks.apart import main

if __name__ == "__main__":
    sys.exit(main("paired"))
