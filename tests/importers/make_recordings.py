"""Write the recordings of real libraries anew, outside CI: ``make recordings`` runs this with them installed.

Each file has the library and its version in it, as ``{"library": …, "version": …, "recording": …}``.
"""

import asyncio
import json
import sys
from importlib.metadata import version
from pathlib import Path

FOLDER = Path(__file__).parent / "library_recordings"
QUESTION = "How many books may a reader borrow, and how long are films lent?"
BOOKS = "A reader may borrow eight books at a time."
FILMS = "Films are lent for seven days."
ANSWER = "A reader may borrow eight books [1]. Films are lent for seven days [2]."
RECORDS = [{"id": "b1", "text": BOOKS}, {"id": "f1", "text": FILMS}]


def langchain_messages():
    from langchain_core.documents import Document
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage, messages_to_dict

    found = [Document(id=item["id"], page_content=item["text"], metadata={}) for item in RECORDS]
    call = {"name": "search", "args": {"q": "books"}, "id": "c1", "type": "tool_call"}
    return "langchain-core", messages_to_dict(
        [
            HumanMessage(QUESTION),
            AIMessage("", tool_calls=[call]),
            ToolMessage("two passages", tool_call_id="c1", name="search", artifact=found),
            AIMessage(ANSWER),
        ]
    )


def langgraph_state():
    from langchain_core.load import dumps
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
    from langgraph.graph import END, START, MessagesState, StateGraph

    def act(state):
        call = {"name": "search", "args": {"q": "books"}, "id": "c1", "type": "tool_call"}
        told = ToolMessage(json.dumps(RECORDS), tool_call_id="c1", name="search")
        return {"messages": [AIMessage("", tool_calls=[call]), told, AIMessage(ANSWER)]}

    graph = StateGraph(MessagesState)
    graph.add_node("act", act)
    graph.add_edge(START, "act")
    graph.add_edge("act", END)
    state = graph.compile().invoke({"messages": [HumanMessage(QUESTION)]})
    return "langgraph", json.loads(dumps(state))


def haystack_messages():
    from haystack.dataclasses import ChatMessage, ToolCall

    call = ToolCall(tool_name="search", arguments={"q": "books"}, id="c1")
    messages = [
        ChatMessage.from_user(QUESTION),
        ChatMessage.from_assistant(tool_calls=[call]),
        ChatMessage.from_tool(json.dumps(RECORDS), origin=call),
        ChatMessage.from_assistant(ANSWER),
    ]
    return "haystack-ai", {"messages": [message.to_dict() for message in messages]}


def pydantic_ai_messages():
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    def model(messages, info):
        if len(messages) == 1:
            return ModelResponse(parts=[ToolCallPart("search", {"q": "books"})])
        return ModelResponse(parts=[TextPart(ANSWER)])

    agent = Agent(FunctionModel(model))
    agent.tool_plain(lambda q: RECORDS, name="search")
    return "pydantic-ai-slim", json.loads(agent.run_sync(QUESTION).all_messages_json())


def llama_index_messages():
    from llama_index.core.llms import ChatMessage

    messages = [
        ChatMessage(role="user", content=QUESTION),
        ChatMessage(role="tool", content=json.dumps(RECORDS), additional_kwargs={"tool_call_id": "c1"}),
        ChatMessage(role="assistant", content=ANSWER),
    ]
    return "llama-index-core", [message.model_dump(mode="json") for message in messages]


def autogen_result():
    from autogen_agentchat.agents import AssistantAgent
    from autogen_core import FunctionCall
    from autogen_core.models import CreateResult, ModelInfo, RequestUsage
    from autogen_ext.models.replay import ReplayChatCompletionClient

    async def search(q: str) -> list:
        """Search."""
        return RECORDS

    call = FunctionCall(id="c1", name="search", arguments='{"q": "books"}')
    usage = RequestUsage(prompt_tokens=1, completion_tokens=1)
    first = CreateResult(finish_reason="function_calls", content=[call], usage=usage, cached=False)
    info = ModelInfo(
        vision=False, function_calling=True, json_output=False, family="unknown", structured_output=False
    )
    client = ReplayChatCompletionClient([first, ANSWER], model_info=info)
    agent = AssistantAgent("a", client, tools=[search], reflect_on_tool_use=True)
    return "autogen-agentchat", asyncio.run(agent.run(task=QUESTION)).model_dump(mode="json")


MAKERS = (
    langchain_messages,
    langgraph_state,
    haystack_messages,
    pydantic_ai_messages,
    llama_index_messages,
    autogen_result,
)


def main() -> int:
    """Write each recording; a library that is not installed is named and left."""
    FOLDER.mkdir(exist_ok=True)
    for make in MAKERS:
        try:
            library, value = make()
        except ImportError as error:
            print(f"{make.__name__}: left as it is ({error})")
            continue
        made = {"library": library, "version": version(library), "recording": value}
        path = FOLDER / f"{make.__name__}.json"
        path.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"{path.name}: {library} {made['version']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
