"""A loopback server for each test, and no key, address or cassette from outside."""

import os

import pytest
from dialects import CHAT, KEYS, MESSAGES, speaks
from loopback import KEY, Server

# What is loaded in a run of pytest inside of a test is forgotten with it, and loaded anew as another class.
from pytest_grounding.scorers.remote import scorer_factory as remote
from pytest_grounding.settings import ENVIRONMENT


@pytest.fixture(autouse=True)
def _nothing_from_outside(monkeypatch):
    services = [
        name for name in os.environ if name.startswith(("CO_API_", "COHERE_", "OPENAI_", "ANTHROPIC_"))
    ]
    for name in (*ENVIRONMENT, "PYTEST_ADDOPTS", "CI", *services):
        monkeypatch.delenv(name, raising=False)
    # A proxy of this machine must not stand between the SDK and the loopback server.
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    remote.reset()
    yield
    remote.reset()


@pytest.fixture
def server(monkeypatch):
    """A running server, with key and address in the environment."""
    pytest.importorskip("cohere")
    with Server() as running:
        monkeypatch.setenv("CO_API_KEY", KEY)
        monkeypatch.setenv("CO_API_URL", running.url)
        yield running


@pytest.fixture
def chats(monkeypatch):
    """A running server of the other dialects, with a key of each in the environment."""
    pytest.importorskip("openai")
    pytest.importorskip("anthropic")
    with Server() as running:
        running.fault = speaks
        monkeypatch.setenv("OPENAI_API_KEY", KEYS[CHAT])
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEYS[MESSAGES])
        yield running
