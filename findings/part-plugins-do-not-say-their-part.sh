#!/bin/sh
# pytest==9.2.0, pytest-testmon==2.2.0, pytest-shard==0.1.2, pytest-picked==0.5.1
#
# Plugins that run a part of the tests do not say which part:
#   testmon hands pytest_deselected placeholders that are no items (no nodeid), one object as often as it left out a test;
#   pytest-shard takes items out of the list and calls pytest_deselected not at all;
#   pytest-picked puts other arguments into config.args and leaves config.args_source as it was.
# A plugin that reads item.nodeid ends the run with an internal error; one that counts deselected items takes the
# part for the whole.
#
# Output seen:
#   testmon: ['FakeItemFromTestmon', 'FakeItemFromTestmon'] with nodeid: False
#   pytest-shard: ran 1 of 3, deselected: none
#   pytest-picked: ['test_b.py'] INVOCATION_DIR
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check pytest==9.2.0 pytest-testmon==2.2.0 \
    pytest-shard==0.1.2 pytest-picked==0.5.1
mkdir "$folder/project"
cd "$folder/project"
export PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 PYTHONDONTWRITEBYTECODE=1
cat > conftest.py <<'PYTHON'
import pytest

told = []


def pytest_deselected(items):
    told.extend(items)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    config = session.config
    names = [type(item).__name__ for item in told]
    with open("told.txt", "w") as file:
        if config.pluginmanager.has_plugin("testmon.pytest_testmon"):
            named = any(hasattr(item, "nodeid") for item in told)
            file.write(f"{names} with nodeid: {named}")
        elif config.pluginmanager.has_plugin("pytest_shard.pytest_shard"):
            file.write(f"ran {len(session.items)} of 3, deselected: {names or 'none'}")
        else:
            file.write(f"{config.args} {config.args_source.name}")
PYTHON
part() { "$folder/venv/bin/python" -m pytest -q "$@" > /dev/null; }

printf 'def test_a(): pass\ndef test_b(): pass\ndef test_c(): pass\n' > test_a.py
part -p testmon.pytest_testmon --testmon
printf 'def test_a(): pass\ndef test_b(): pass\ndef test_c(): assert 1\n' > test_a.py
part -p testmon.pytest_testmon --testmon
testmon=$(cat told.txt)
echo "testmon: $testmon"

part -p pytest_shard.pytest_shard --num-shards 2 --shard-id 0
shard=$(cat told.txt)
echo "pytest-shard: $shard"

rm -rf .pytest_cache .testmondata told.txt
git init -q . && git add test_a.py && echo 'def test_b(): pass' > test_b.py
git -c user.name=a -c user.email=a@example.org commit -q -m a
part -p no:cacheprovider -p pytest_picked.plugin --picked
picked=$(cat told.txt)
echo "pytest-picked: $picked"
[ "$testmon" = "['FakeItemFromTestmon', 'FakeItemFromTestmon'] with nodeid: False" ]
[ "$shard" = "ran 1 of 3, deselected: none" ]
[ "$picked" = "['test_b.py'] INVOCATION_DIR" ]
