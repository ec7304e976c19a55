#!/bin/sh
# pytest==9.2.0, pytest-rerunfailures==16.7
#
# With --reruns the reports of an attempt are logged after it has ended, but pytest's subtests log theirs while it runs:
# the setup report of a test comes AFTER the reports of its subtests. A plugin that takes a setup report for the
# beginning of an attempt, and forgets what it had of the test, forgets the subtests.
#
# Output seen:
#   without: setup subtest subtest call teardown
#   with --reruns 1: subtest subtest setup call teardown
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pytest==9.2.0 pytest-rerunfailures==16.7
cd "$folder"
cat > conftest.py <<'PYTHON'
def pytest_runtest_logreport(report):
    with open("reports.txt", "a") as file:
        file.write(("subtest" if type(report).__name__ == "SubtestReport" else report.when) + " ")
PYTHON
cat > test_it.py <<'PYTHON'
def test_it(subtests):
    for name in "ab":
        with subtests.test(name):
            assert name
PYTHON
"$folder/venv/bin/python" -m pytest -q > /dev/null
without=$(cat reports.txt); rm reports.txt
"$folder/venv/bin/python" -m pytest -q --reruns 1 > /dev/null
with=$(cat reports.txt)
echo "without: $without"
echo "with --reruns 1: $with"
[ "$without" = "setup subtest subtest call teardown " ]
[ "$with" = "subtest subtest setup call teardown " ]
