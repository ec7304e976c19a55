"""The made-up project of a newcomer."""

import pytest
from library import Library


@pytest.fixture
def library(tmp_path):
    """The project, in a folder of its own."""
    return Library(tmp_path)


@pytest.fixture
def committed(library):
    """The project with all of it committed."""
    library.git("init", "-q", "-b", "main")
    library.write(".gitignore", "__pycache__/\n")
    library.commit("the project")
    return library
