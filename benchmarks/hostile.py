"""Results on the hostile corpus (``tests/hostile``) by family.

python -m benchmarks.hostile            # the table
python -m benchmarks.hostile --missed   # and each case with a wrong result
python -m benchmarks.hostile --write    # and update the table of docs/security.md
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "security.md"
BEGIN, END = "<!-- rates: begin -->\n", "\n<!-- rates: end -->"
#: The corpus is in the tests, which run it too.
sys.path.insert(0, str(ROOT / "tests" / "hostile"))


def main() -> int:
    """Print or write the table; return 1 if a case crashed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--missed", action="store_true", help="name each case that did not come out as it must"
    )
    parser.add_argument("--write", action="store_true", help="write the table of docs/security.md anew")
    options = parser.parse_args()

    from judged import judge_all, missed, table

    judged = judge_all()
    if options.missed:
        print("\n".join(missed(judged)))
    print(table(judged))
    if options.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{BEGIN}{table(judged)}{END}{after}", encoding="utf-8")
    return int(any(one.status == "crashed" for one in judged))


if __name__ == "__main__":
    sys.exit(main())
