"""The built-in importers, in the order in which they are asked."""

from __future__ import annotations

from pytest_grounding.importers.anthropic import AnthropicMessages
from pytest_grounding.importers.base import Importer, Options
from pytest_grounding.importers.cohere import CohereChat
from pytest_grounding.importers.contracts import Contract
from pytest_grounding.importers.deepeval import DeepEval
from pytest_grounding.importers.gemini import Gemini
from pytest_grounding.importers.haystack import Haystack
from pytest_grounding.importers.langchain import LangChain
from pytest_grounding.importers.langfuse import Langfuse
from pytest_grounding.importers.langsmith import LangSmith
from pytest_grounding.importers.lettucedetect import LettuceDetect
from pytest_grounding.importers.listed import Listed
from pytest_grounding.importers.llamaindex import LlamaIndex
from pytest_grounding.importers.mlflow import MLflow
from pytest_grounding.importers.openai_assistants import Assistants
from pytest_grounding.importers.openai_chat import ChatCompletions
from pytest_grounding.importers.openai_responses import OpenAIResponses
from pytest_grounding.importers.promptfoo import Promptfoo
from pytest_grounding.importers.ragas import Ragas
from pytest_grounding.importers.ragtruth import RagTruth
from pytest_grounding.importers.streams import Streams
from pytest_grounding.importers.table import Table
from pytest_grounding.importers.traces import Traces
from pytest_grounding.importers.trec import TrecRag

#: Formats of one response, those with the plainest marks first.
_FORMATS = (
    CohereChat,
    OpenAIResponses,
    Assistants,
    ChatCompletions,
    Gemini,
    AnthropicMessages,
    Haystack,
    LlamaIndex,
    MLflow,
    LangChain,
    DeepEval,
    LettuceDetect,
    Contract,
    Ragas,
    Listed,
)


def builtin_importers(options: Options | None = None) -> list[Importer]:
    """All importers that come with this package.

    Args:
        options: what is said beside the recordings, such as the question.

    Returns:
        New importers, in the order in which they are asked.
    """
    formats: list[Importer] = [kind(options) for kind in _FORMATS]
    gathering: list[Importer] = [
        TrecRag(options),
        RagTruth(options),
        Promptfoo(options),
        Langfuse(options),
        LangSmith(options),
        Traces(options),
    ]
    return [Table(options), *gathering, Streams(formats, options), *formats]
