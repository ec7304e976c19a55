"""Wrong arguments of public functions."""

import sys

import pytest
from every import each

import pytest_grounding as pg
from pytest_grounding.engine import registry
from pytest_grounding.errors import require

ONE = r"^chunks: is (a text|one chunk), and a list is needed; write it in brackets"
CHUNK = {"id": "a", "text": "The museum is open on Sunday."}


@each("The museum is open on Sunday.", CHUNK, pg.Chunk(**CHUNK))
def test_rejects_a_single_passage(chunks):
    with pytest.raises(pg.InputError, match=ONE):
        pg.validate_retrieval("When is the museum open?", chunks)
    with pytest.raises(pg.InputError, match=ONE):
        pg.support("The museum is open on Sunday.", chunks)


class Unmarked:
    def pytest_grounding_checks(self, settings):
        return []


class Misspelt:
    @pg.hookimpl
    def pytest_grounding_check(self, settings):
        return []


class Static:
    @staticmethod
    @pg.hookimpl
    def pytest_grounding_checks(settings):
        return []


@each(
    (Unmarked(), "^the extension Unmarked has no hook, so it would add nothing; mark its functions with"),
    (object(), "^the extension object has no hook"),
    (
        Misspelt(),
        "^the extension Misspelt marks pytest_grounding_check, which is not a hook; hooks are: pytest",
    ),
)
def test_rejects_an_extension_without_hooks(extension, problem):
    with pytest.raises(pg.InputError, match=problem):
        pg.register(extension)
    assert not registry.plugin_manager().is_registered(extension)


def test_a_class_with_static_hooks_is_an_extension():
    pg.register(Static)
    pg.register(Static)
    assert registry.plugin_manager().is_registered(Static)
    pg.unregister(Static)
    assert not registry.plugin_manager().is_registered(Static)


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({}, "strangers is not installed; "),
        ({"strangers/__init__.py": ""}, "strangers is not installed; "),
        (
            {"strangers/__init__.py": "", "strangers/deep.py": "import nobody_at_all"},
            "strangers cannot be loaded (No",
        ),
        ({"strangers/__init__.py": "raise ImportError('too old')"}, "strangers cannot be loaded (too old); "),
    ],
)
def test_names_a_missing_or_broken_extra(tmp_path, monkeypatch, files, problem):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(pg.MissingExtraError) as caught:
        require("strangers.deep", extra="mcp")
    for name in ("strangers", "strangers.deep"):
        sys.modules.pop(name, None)
    assert str(caught.value).startswith(problem)
    assert str(caught.value).endswith("pip install 'pytest-rag-grounding[mcp]'")
