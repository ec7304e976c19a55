"""The built-in importers, with the order in which they are asked, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pytest_grounding.importers.anthropic import AnthropicMessages
from pytest_grounding.importers.cohere_responses import CohereChat
from pytest_grounding.importers.draft import Options
from pytest_grounding.importers.frameworks import Haystack, LangChain, LangGraph, LlamaIndex
from pytest_grounding.importers.gemini import Gemini
from pytest_grounding.importers.importer import Importer
from pytest_grounding.importers.openai import ChatCompletions, OpenAIResponses
from pytest_grounding.importers.runs import Langfuse, LangSmith, MLflow
from pytest_grounding.importers.samples import Contract, DeepEval, Listed, Promptfoo, Ragas
from pytest_grounding.importers.streams import Streams
from pytest_grounding.importers.table import Table
from pytest_grounding.importers.traces import Traces


@dataclass(frozen=True, slots=True)
class Asked:
    """Where an importer stands among the others: the highest priority is asked first, for a reason."""

    priority: int
    importer: Callable[[Options | None], Importer]
    reason: str


#: What the formats of one response are read by, beside `Streams`, which puts such a response together.
_RESPONSE = 70

#: Every built-in importer. A format is added in one file and one row here; importers of extensions are
#: asked before all of these.
ORDER: tuple[Asked, ...] = (
    # 90: what the user named is not for guessing
    Asked(90, Table, "its columns are named by the user, or its rows come from a table"),
    # 80: one value of theirs is a part of an exchange, and may look like a whole one of another format
    Asked(84, Promptfoo, "an export of results, each with its test's variables"),
    Asked(83, Langfuse, "observations of one trace are joined; they also have input and output"),
    Asked(82, LangSmith, "runs of one trace are joined; they also have inputs and outputs"),
    Asked(81, Traces, "spans of one trace are joined; of traces the most general form"),
    # 60: a service marks its responses, by a field that no other service has
    Asked(66, CohereChat, "citations with sources inside of a message"),
    Asked(65, OpenAIResponses, "its object says response, and its output is a list of items"),
    Asked(63, ChatCompletions, "a list of choices, which nobody else has"),
    Asked(62, Gemini, "a list of candidates, which nobody else has"),
    Asked(61, AnthropicMessages, "content blocks alone, which the services above have too, inside of more"),
    # 40: a framework has keys of its own around a question, an answer and documents
    Asked(46, Haystack, "answers or replies beside documents that have content and meta"),
    Asked(45, LlamaIndex, "source nodes, each with a score"),
    Asked(44, MLflow, "a row of an evaluation table"),
    Asked(43, LangChain, "documents that have page_content"),
    Asked(42, DeepEval, "input, actual_output and retrieval_context"),
    Asked(40, LangGraph, "messages of a user, of tools and of a model; a state with an answer is above"),
    # 20: common words, which any of the above may use too
    Asked(23, Contract, "an answer beside sources, as documented forms of other programs have it"),
    Asked(22, Ragas, "user_input or question, response or answer, and contexts"),
    Asked(21, Listed, "an answer and a list of sources, whatever they are called: the last that may try"),
)


def builtin_importers(options: Options | None = None) -> list[Importer]:
    """All importers that come with this package."""
    ranked = sorted(ORDER, key=lambda item: -item.priority)
    before = [item.importer(options) for item in ranked if item.priority > _RESPONSE]
    formats = [item.importer(options) for item in ranked if item.priority < _RESPONSE]
    return [*before, Streams(formats, options), *formats]
