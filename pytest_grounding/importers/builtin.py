"""The built-in importers, with their order and its reasons."""

from __future__ import annotations

from collections.abc import Callable

from pytest_grounding.importers.agents import LangGraph
from pytest_grounding.importers.anthropic import AnthropicMessages
from pytest_grounding.importers.bedrock import Bedrock
from pytest_grounding.importers.cohere_responses import CohereChat
from pytest_grounding.importers.draft import Options
from pytest_grounding.importers.event_lines import EventLines
from pytest_grounding.importers.frameworks import Haystack, LangChain, LlamaIndex
from pytest_grounding.importers.gemini import Gemini
from pytest_grounding.importers.importer import Importer
from pytest_grounding.importers.interactions import Interactions
from pytest_grounding.importers.openai import ChatCompletions, OpenAIResponses
from pytest_grounding.importers.parts import ReadParts
from pytest_grounding.importers.runs import Langfuse, LangSmith, MLflow
from pytest_grounding.importers.samples import Contract, DeepEval, Listed, Promptfoo, Ragas
from pytest_grounding.importers.streams import Streams
from pytest_grounding.importers.table import Table
from pytest_grounding.importers.traces import Traces

#: Formats whose values are parts of an exchange: tried before a stream of events is assembled.
BEFORE: tuple[Callable[[Options | None], Importer], ...] = (
    Table,  # its columns are named by the user, or its rows come from a table
    Promptfoo,
    Langfuse,
    LangSmith,
    Traces,  # of traces the most general form
)
#: Formats of one response, in the order in which they are tried.
FORMATS: tuple[Callable[[Options | None], Importer], ...] = (
    # A service is recognised by a field that no other service has.
    CohereChat,
    OpenAIResponses,
    ChatCompletions,
    Gemini,
    Interactions,
    Bedrock,
    AnthropicMessages,  # content blocks alone, which the services above have too, within more
    # A framework has keys of its own around a question, an answer and documents.
    Haystack,
    LlamaIndex,
    MLflow,
    LangChain,
    DeepEval,
    LangGraph,
    # Common words, which any of the above may use too.
    Contract,
    Ragas,
    Listed,
    ReadParts,  # any names, at any depth
)


def builtin_importers(options: Options | None = None) -> list[Importer]:
    """All built-in importers; those of extensions are tried before them."""
    formats = [importer(options) for importer in FORMATS]
    before = [importer(options) for importer in BEFORE]
    streams = Streams(formats, options)
    return [*before, EventLines([*before, streams, *formats], options), streams, *formats]
