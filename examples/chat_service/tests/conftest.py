"""The services that the tests talk to. Each is a real process behind real HTTP."""

from __future__ import annotations

import pytest
from service import Service


@pytest.fixture(scope="session")
def shadow(tmp_path_factory):
    """The service as it is configured, with verdicts that change nothing: the tests judge what it said.

    HELPDESK_RETRIEVER in the environment of pytest reaches it, so that a broken part can be tried.
    """
    with Service(tmp_path_factory.mktemp("shadow"), mode="shadow") as service:
        yield service


@pytest.fixture(scope="session")
def strict(tmp_path_factory):
    """The service that rejects, with a model that misbehaves when it is asked to."""
    folder = tmp_path_factory.mktemp("strict")
    parts = {"model": "tests.broken:moody", "retriever": "helpdesk.retriever:Bm25", "model_timeout_s": "2"}
    with Service(folder, transcripts=str(folder / "transcripts.jsonl"), **parts) as service:
        yield service


@pytest.fixture(scope="session")
def warning(tmp_path_factory):
    """The same in the mode before that: a note under what is not accepted."""
    folder = tmp_path_factory.mktemp("warn")
    parts = {"model": "tests.broken:moody", "retriever": "helpdesk.retriever:Bm25"}
    with Service(folder, mode="warn", **parts) as service:
        yield service
