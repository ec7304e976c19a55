#!/bin/sh
# pytest==9.2.0, pytest-retry==1.7.0
#
# pytest-retry calls the private method _initrequest of each item that it retries. An item that is no Python function (an
# own pytest.Item, as plugins for data files have them) lacks it, and a failing one ends the whole run with an internal
# error, status 3.
# Where it works, the attempts run inside pytest_runtest_makereport of the first one: they make no report of their own,
# and the report of the first attempt is logged twice, first as "retried" and then with the outcome of the last one.
#
# Output seen:
#   an own item: status 3, AttributeError: 'Row' object has no attribute '_initrequest'
#   a function: makereport setup call teardown, logreport setup:passed call:retried call:passed teardown:passed
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pytest==9.2.0 pytest-retry==1.7.0
cd "$folder"
mkdir item function
cat > item/conftest.py <<'PYTHON'
import pytest


class Row(pytest.Item):
    def runtest(self):
        raise AssertionError("a wrong row")


class Rows(pytest.File):
    def collect(self):
        yield Row.from_parent(self, name="row")


def pytest_collect_file(file_path, parent):
    return Rows.from_parent(parent, path=file_path) if file_path.suffix == ".rows" else None
PYTHON
touch item/a.rows
cat > function/conftest.py <<'PYTHON'
import pytest


def note(name, text):
    with open(name, "a") as file:
        file.write(f" {text}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    note("made.txt", call.when)
    return (yield)


def pytest_runtest_logreport(report):
    note("logged.txt", f"{report.when}:{report.outcome}")
PYTHON
cat > function/test_it.py <<'PYTHON'
answers = [False, True]


def test_it():
    assert answers.pop(0)
PYTHON
status=0
(cd item && "$folder/venv/bin/python" -m pytest -q --retries 1 > ../item.txt 2>&1) || status=$?
error=$(sed -n 's/^INTERNALERROR> \(AttributeError.*\)/\1/p' item.txt)
echo "an own item: status $status, $error"
(cd function && "$folder/venv/bin/python" -m pytest -q --retries 1 > /dev/null)
echo "a function: makereport$(cat function/made.txt), logreport$(cat function/logged.txt)"
[ "$status" = 3 ]
[ "$error" = "AttributeError: 'Row' object has no attribute '_initrequest'" ]
[ "$(cat function/made.txt)" = " setup call teardown" ]
[ "$(cat function/logged.txt)" = " setup:passed call:retried call:passed teardown:passed" ]
