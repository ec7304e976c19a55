"""The kinds of citations that are exported at zero are those that the package can find."""

from pytest_grounding.audit.metrics import SYNTAXES
from pytest_grounding.citations import builtin_syntaxes
from pytest_grounding.citations.extract import LIST
from pytest_grounding.citations.syntax import PROVIDER


def test_every_built_in_way_to_cite_is_exported():
    assert set(SYNTAXES) == {syntax.name for syntax in builtin_syntaxes()} | {LIST, PROVIDER}
