"""Recordings in the shapes of other tools, written for these tests: a museum's opening hours and tickets."""

import json
from typing import Any

QUESTION = "When is the museum open, and what does a ticket cost?"
HOURS = "The museum is open from Tuesday to Sunday, from 10 to 18 o'clock."
PRICE = "A ticket costs 12 €. Children under six enter free of charge."
#: One character beyond ASCII before the second statement, and one beyond the basic plane at the start.
FIRST = "😀 It is open from Tuesday to Sunday."
SECOND = "A ticket costs 12 €, café included."
ANSWER = f"{FIRST} {SECOND}"
MARKED = "It is open from Tuesday to Sunday [1]. A ticket costs 12 € [2]."


def utf8(text: str, index: int) -> int:
    return len(text[:index].encode("utf-8"))


def utf16(text: str, index: int) -> int:
    return len(text[:index].encode("utf-16-le")) // 2


def span(text: str, words: str) -> tuple[int, int]:
    start = text.index(words)
    return start, start + len(words)


START, END = span(ANSWER, SECOND)

COHERE: dict[str, Any] = {
    "request": {
        "model": "command-test",
        "messages": [{"role": "user", "content": QUESTION}],
        "documents": [{"id": "hours", "data": {"text": HOURS, "title": "Hours"}}, PRICE],
    },
    "response": {
        "id": "r-1",
        "finish_reason": "COMPLETE",
        "message": {
            "role": "assistant",
            "content": [{"type": "text", "text": ANSWER}],
            "citations": [
                {
                    "start": 0,
                    "end": len(FIRST),
                    "text": FIRST,
                    "sources": [{"type": "document", "id": "hours"}],
                },
                {
                    "start": START,
                    "end": END,
                    "text": SECOND,
                    "sources": [{"type": "document", "id": "doc:1"}],
                },
            ],
        },
    },
}

ANTHROPIC: dict[str, Any] = {
    "request": {
        "model": "claude-test",
        "messages": [
            {
                "role": "user",
                "content": [
                    {
                        "type": "document",
                        "title": "Visit",
                        "source": {"type": "text", "media_type": "text/plain", "data": f"{HOURS} {PRICE}"},
                    },
                    {
                        "type": "document",
                        "title": "Tickets",
                        "source": {
                            "type": "content",
                            "content": [{"type": "text", "text": HOURS}, {"type": "text", "text": PRICE}],
                        },
                    },
                    {
                        "type": "search_result",
                        "source": "https://museum.example/visit",
                        "title": "Plan your visit",
                        "content": [{"type": "text", "text": HOURS}, {"type": "text", "text": PRICE}],
                        "citations": {"enabled": True},
                    },
                    {"type": "text", "text": QUESTION},
                ],
            }
        ],
    },
    "response": {
        "type": "message",
        "role": "assistant",
        "id": "msg_1",
        "model": "claude-test",
        "stop_reason": "end_turn",
        "content": [
            {"type": "thinking", "thinking": "Let me look."},
            {"type": "text", "text": "Here is what I found: "},
            {
                "type": "text",
                "text": "it is open from Tuesday to Sunday",
                "citations": [
                    {
                        "type": "char_location",
                        "cited_text": HOURS + " ",
                        "document_index": 0,
                        "document_title": "Visit",
                        "start_char_index": 0,
                        "end_char_index": len(HOURS) + 1,
                    }
                ],
            },
            {"type": "text", "text": ", and "},
            {
                "type": "text",
                "text": "a ticket costs 12 €",
                "citations": [
                    {
                        "type": "content_block_location",
                        "cited_text": PRICE,
                        "document_index": 1,
                        "document_title": "Tickets",
                        "start_block_index": 1,
                        "end_block_index": 2,
                    },
                    {
                        "type": "search_result_location",
                        "cited_text": PRICE,
                        "source": "https://museum.example/visit",
                        "title": "Plan your visit",
                        "search_result_index": 0,
                        "start_block_index": 1,
                        "end_block_index": 2,
                    },
                ],
            },
            {"type": "text", "text": "."},
        ],
    },
}

_LINK = "([museum.example](https://museum.example/hours))"
OPENAI_RESPONSES: dict[str, Any] = {
    "request": {"input": [{"role": "user", "content": QUESTION}], "include": ["file_search_call.results"]},
    "response": {
        "object": "response",
        "id": "resp_1",
        "model": "gpt-test",
        "output": [
            {
                "type": "file_search_call",
                "id": "fs_1",
                "results": [
                    {
                        "file_id": "file-a",
                        "filename": "hours.txt",
                        "score": 0.93,
                        "text": HOURS,
                        "attributes": {},
                    },
                    {
                        "file_id": "file-a",
                        "filename": "hours.txt",
                        "score": 0.72,
                        "text": PRICE,
                        "attributes": {},
                    },
                ],
            },
            {
                "type": "message",
                "role": "assistant",
                "content": [
                    {
                        "type": "output_text",
                        "text": ANSWER,
                        "annotations": [
                            {
                                "type": "file_citation",
                                "index": len(FIRST) - 1,
                                "file_id": "file-a",
                                "filename": "hours.txt",
                            }
                        ],
                    },
                    {
                        "type": "output_text",
                        "text": f" See the site {_LINK}.",
                        "annotations": [
                            {
                                "type": "url_citation",
                                "start_index": len(" See the site "),
                                "end_index": len(" See the site ") + len(_LINK),
                                "url": "https://museum.example/hours",
                                "title": "Hours",
                            }
                        ],
                    },
                ],
            },
        ],
    },
}

OPENAI_CHAT: dict[str, Any] = {
    "request": {
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": QUESTION}]
    },
    "chunks": [{"id": "hours", "text": HOURS, "score": 0.9}, {"id": "price", "text": PRICE, "score": 0.8}],
    "response": {
        "object": "chat.completion",
        "id": "chatcmpl-1",
        "model": "gpt-test",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {
                    "role": "assistant",
                    "content": f"{MARKED} {_LINK}",
                    "annotations": [
                        {
                            "type": "url_citation",
                            "url_citation": {
                                "start_index": len(MARKED) + 1,
                                "end_index": len(MARKED) + 1 + len(_LINK),
                                "url": "https://museum.example/hours",
                                "title": "Hours",
                            },
                        }
                    ],
                },
            }
        ],
    },
}

GEMINI: dict[str, Any] = {
    "request": {"contents": [{"role": "user", "parts": [{"text": QUESTION}]}]},
    "response": {
        "responseId": "g-1",
        "modelVersion": "gemini-test",
        "candidates": [
            {
                "content": {
                    "role": "model",
                    "parts": [
                        {"text": "I should look it up.", "thought": True},
                        {"toolCall": {"id": "x", "toolType": "FILE_SEARCH"}},
                        {"text": ANSWER},
                    ],
                },
                "finishReason": "STOP",
                "groundingMetadata": {
                    "groundingChunks": [
                        {"retrievedContext": {"text": HOURS, "title": "Hours"}},
                        {"retrievedContext": {"text": PRICE}},
                    ],
                    "groundingSupports": [
                        {
                            "segment": {"endIndex": utf8(ANSWER, len(FIRST)), "text": FIRST},
                            "groundingChunkIndices": [0],
                        },
                        {
                            "segment": {
                                "startIndex": utf8(ANSWER, START),
                                "endIndex": utf8(ANSWER, END),
                                "text": SECOND,
                            },
                            "groundingChunkIndices": [1],
                        },
                    ],
                },
            }
        ],
    },
}

LANGCHAIN: dict[str, Any] = {
    "input": QUESTION,
    "context": [
        {
            "id": "d1",
            "metadata": {"source": "hours.md", "relevance_score": 0.9},
            "page_content": HOURS,
            "type": "Document",
        },
        {
            "id": None,
            "metadata": {"source": "https://museum.example/price"},
            "page_content": PRICE,
            "type": "Document",
        },
    ],
    "answer": MARKED,
}

#: The state of an agent as its messages dump themselves: an earlier turn, a call of a tool, its result.
LANGGRAPH: dict[str, Any] = {
    "messages": [
        {"type": "system", "content": "Answer from what the tool finds."},
        {"type": "human", "content": "Hello."},
        {"type": "ai", "content": "How can I help?", "tool_calls": []},
        {"type": "human", "content": QUESTION, "id": "m-1"},
        {
            "type": "ai",
            "content": "",
            "tool_calls": [
                {"name": "search", "args": {"text": "tickets"}, "id": "call-1", "type": "tool_call"}
            ],
        },
        {
            "type": "tool",
            "name": "search",
            "content": f"hours.md: {HOURS} prices.md: {PRICE}",
            "artifact": [
                {"id": "d1", "metadata": {"source": "hours.md"}, "page_content": HOURS, "type": "Document"},
                {"id": None, "metadata": {"source": "prices.md"}, "page_content": PRICE, "type": "Document"},
            ],
            "tool_call_id": "call-1",
            "status": "success",
        },
        {
            "type": "ai",
            "content": [{"type": "reasoning", "reasoning": "Let me see."}, {"type": "text", "text": MARKED}],
            "response_metadata": {"model_name": "model-test", "finish_reason": "stop"},
            "tool_calls": [],
            "id": "run-1",
        },
    ]
}

LLAMAINDEX: dict[str, Any] = {
    "question": QUESTION,
    "response": {
        "response": MARKED,
        "source_nodes": [
            {
                "node": {
                    "id_": "f00d0001-aaaa-4bbb-8ccc-000000000001",
                    "text": f"Source 1:\n{HOURS}\n",
                    "metadata": {"file_name": "hours.md"},
                    "relationships": {},
                    "class_name": "TextNode",
                },
                "score": 0.91,
                "class_name": "NodeWithScore",
            },
            {
                "node": {
                    "id_": "f00d0002-aaaa-4bbb-8ccc-000000000002",
                    "text": f"Source 2:\n{PRICE}\n",
                    "metadata": {"file_name": "price.md"},
                    "relationships": {},
                    "class_name": "TextNode",
                },
                "score": 0.83,
                "class_name": "NodeWithScore",
            },
        ],
        "metadata": {},
    },
}

HAYSTACK: dict[str, Any] = {
    "data": MARKED,
    "query": QUESTION,
    "documents": [
        {
            "id": "h1",
            "content": HOURS,
            "blob": None,
            "meta": {"file": "hours.md", "source_index": 1},
            "score": 0.9,
        },
        {
            "id": "h2",
            "content": PRICE,
            "blob": None,
            "meta": {"file": "price.md", "source_index": 2},
            "score": 0.8,
        },
    ],
    "meta": {},
}

RAGAS: dict[str, Any] = {
    "user_input": QUESTION,
    "retrieved_contexts": [HOURS, PRICE],
    "retrieved_context_ids": ["hours", 2],
    "response": MARKED,
    "reference": "From Tuesday to Sunday; 12 €.",
}

DEEPEVAL: dict[str, Any] = {
    "input": QUESTION,
    "actualOutput": MARKED,
    "expectedOutput": "From Tuesday to Sunday; 12 €.",
    "context": ["What the author of the test thought ideal."],
    "retrievalContext": [HOURS, {"context": PRICE, "source": "price.md"}],
}


def _document(number: int, name: str, text: str, score: float) -> dict[str, Any]:
    prefix = f"retrieval.documents.{number}.document"
    return {f"{prefix}.id": name, f"{prefix}.content": text, f"{prefix}.score": score}


OPENINFERENCE: list[dict[str, Any]] = [
    {
        "name": "retrieve",
        "context": {"trace_id": "0x01", "span_id": "0x0b"},
        "parent_id": "0x0a",
        "start_time": "2026-11-02T10:00:01Z",
        "attributes": {
            "openinference.span.kind": "RETRIEVER",
            "input.value": QUESTION,
            **_document(0, "hours", HOURS, 0.9),
            **_document(1, "price", PRICE, 0.8),
            "retrieval.documents.0.document.metadata": '{"file": "hours.md"}',
        },
    },
    {
        "name": "answer",
        "context": {"trace_id": "0x01", "span_id": "0x0a"},
        "parent_id": None,
        "start_time": "2026-11-02T10:00:00Z",
        "attributes": {
            "openinference.span.kind": "CHAIN",
            "input.value": json.dumps({"question": QUESTION}),
            "output.value": MARKED,
        },
    },
]


def _otlp(key: str, value: Any) -> dict[str, Any]:
    return {"key": key, "value": {"stringValue": value if isinstance(value, str) else json.dumps(value)}}


OTEL: dict[str, Any] = {
    "resourceSpans": [
        {
            "scopeSpans": [
                {
                    "spans": [
                        {
                            "traceId": "a1",
                            "spanId": "b1",
                            "startTimeUnixNano": "100",
                            "name": "retrieval",
                            "attributes": [
                                _otlp("gen_ai.operation.name", "retrieval"),
                                _otlp("gen_ai.retrieval.query.text", QUESTION),
                                _otlp(
                                    "gen_ai.retrieval.documents",
                                    [
                                        {"id": "hours", "score": 0.9, "content": HOURS},
                                        {"id": "price", "score": 0.8, "content": PRICE},
                                    ],
                                ),
                            ],
                        },
                        {
                            "traceId": "a1",
                            "spanId": "b2",
                            "startTimeUnixNano": "200",
                            "name": "chat",
                            "attributes": [
                                _otlp("gen_ai.operation.name", "chat"),
                                _otlp(
                                    "gen_ai.input.messages",
                                    [{"role": "user", "parts": [{"type": "text", "content": QUESTION}]}],
                                ),
                                _otlp(
                                    "gen_ai.output.messages",
                                    [{"role": "assistant", "parts": [{"type": "text", "content": MARKED}]}],
                                ),
                            ],
                        },
                    ]
                }
            ]
        }
    ]
}

MLFLOW: dict[str, Any] = {
    "info": {"trace_id": "tr-1", "request_preview": QUESTION[:20], "state": "OK"},
    "data": {
        "spans": [
            {
                "span_id": "AAA=",
                "parent_span_id": None,
                "attributes": {
                    "mlflow.spanType": '"CHAIN"',
                    "mlflow.spanInputs": json.dumps({"question": QUESTION, "k": 2}),
                    "mlflow.spanOutputs": json.dumps(MARKED),
                },
            },
            {
                "span_id": "BBB=",
                "parent_span_id": "AAA=",
                "attributes": {
                    "mlflow.spanType": '"RETRIEVER"',
                    "mlflow.spanInputs": json.dumps({"q": QUESTION}),
                    "mlflow.spanOutputs": json.dumps(
                        [
                            {
                                "page_content": HOURS,
                                "metadata": {"doc_uri": "hours.md", "relevance_score": 0.9},
                                "id": "hours",
                            },
                            {"page_content": PRICE, "metadata": {"doc_uri": "price.md"}, "id": "price"},
                        ]
                    ),
                },
            },
        ]
    },
}

CHAT_RESPONSE: dict[str, Any] = {
    "request": {"question": QUESTION, "filters": {"language": "en"}},
    "response": {
        "answer": "It is open from Tuesday to Sunday (Chapter 3, Section 2).",
        "sources": [
            {
                "chapter_id": "3",
                "section_number": "2",
                "section_title": "Hours",
                "excerpt": HOURS,
                "relevance_score": 0.9,
            }
        ],
        "metadata": {"confidence": 0.8, "model_version": "v1"},
    },
}

STRUCTURED: dict[str, Any] = {
    "question": QUESTION,
    "chunks": [{"id": "hours", "text": HOURS}, {"id": "price", "text": PRICE}],
    "response": json.dumps(
        {"answer": MARKED, "citations": [1, 2], "confidence": 0.9, "missing_information": ""}
    ),
}

STREAM: dict[str, Any] = {
    "question": QUESTION,
    "response": {
        "stream": [
            {"event": "token", "data": {"text": "It is open from "}},
            {"event": "token", "data": {"text": "Tuesday to Sunday (Chapter 3, Section 2)."}},
            {"event": "sources", "data": CHAT_RESPONSE["response"]["sources"]},
            {"event": "metadata", "data": {"confidence": 0.8}},
            {"event": "done", "data": "[DONE]"},
        ]
    },
}

#: Written after the types of promptfoo's results (`EvaluateResult`), not captured.
PROMPTFOO: dict[str, Any] = {
    "evalId": "eval-abc-2025-03-01T10:00:00",
    "results": {
        "version": 3,
        "timestamp": "2025-03-01T10:00:00.000Z",
        "prompts": [{"raw": "{{question}}", "label": "plain", "provider": "python:rag.py"}],
        "results": [
            {
                "id": "3f0c",
                "promptIdx": 0,
                "testIdx": 0,
                "testCase": {"vars": {"question": QUESTION, "context": [HOURS, PRICE]}, "assert": []},
                "promptId": "9d1e",
                "provider": {"id": "python:rag.py", "label": ""},
                "prompt": {"raw": QUESTION, "label": "plain"},
                "vars": {"question": QUESTION, "context": [HOURS, PRICE]},
                "response": {"output": MARKED, "tokenUsage": {"total": 50}, "cached": False},
                "success": True,
                "failureReason": 0,
                "score": 1,
                "namedScores": {},
                "latencyMs": 12,
                "gradingResult": {"pass": True, "score": 1, "reason": "ok", "componentResults": []},
                "cost": 0,
                "metadata": {},
            }
        ],
        "stats": {"successes": 1, "failures": 0, "errors": 0},
    },
    "config": {"prompts": ["{{question}}"]},
    "shareableUrl": None,
}

#: Written after Langfuse's public API (`TraceWithFullDetails`), not captured.
LANGFUSE: dict[str, Any] = {
    "id": "t-1",
    "timestamp": "2025-03-01T10:00:00.000Z",
    "name": "museum",
    "input": {"question": QUESTION},
    "output": {"answer": MARKED},
    "sessionId": "s-1",
    "metadata": {},
    "tags": [],
    "htmlPath": "/project/p/traces/t-1",
    "latency": 1.2,
    "totalCost": 0.01,
    "scores": [],
    "observations": [
        {
            "id": "o-1",
            "traceId": "t-1",
            "type": "RETRIEVER",
            "name": "search",
            "startTime": "2025-03-01T10:00:00.100Z",
            "input": QUESTION,
            "output": [
                {"page_content": HOURS, "metadata": {"title": "Hours", "score": 0.9}, "id": "hours"},
                {"page_content": PRICE, "metadata": {"title": "Prices", "score": 0.7}, "id": "price"},
            ],
            "level": "DEFAULT",
            "parentObservationId": None,
        },
        {
            "id": "o-2",
            "traceId": "t-1",
            "type": "GENERATION",
            "name": "answer",
            "model": "model-test",
            "startTime": "2025-03-01T10:00:00.500Z",
            "input": [{"role": "user", "content": "Use the context. " + QUESTION}],
            "output": {"role": "assistant", "content": MARKED},
            "level": "DEFAULT",
            "parentObservationId": None,
        },
    ],
}

#: Written after LangSmith's page on its run data format, not captured.
LANGSMITH: dict[str, Any] = {
    "id": "r-1",
    "trace_id": "r-1",
    "dotted_order": "20250301T100000000000Zr-1",
    "parent_run_id": None,
    "name": "RetrievalQA",
    "run_type": "chain",
    "start_time": "2025-03-01T10:00:00.000000",
    "inputs": {"question": QUESTION},
    "outputs": {"output": MARKED},
    "error": None,
    "extra": {},
    "child_runs": [
        {
            "id": "r-2",
            "trace_id": "r-1",
            "parent_run_id": "r-1",
            "name": "VectorStoreRetriever",
            "run_type": "retriever",
            "start_time": "2025-03-01T10:00:00.100000",
            "inputs": {"query": QUESTION},
            "outputs": {
                "documents": [
                    {"page_content": HOURS, "metadata": {"title": "Hours"}, "type": "Document"},
                    {"page_content": PRICE, "metadata": {"title": "Prices"}, "type": "Document"},
                ]
            },
        },
        {
            "id": "r-3",
            "trace_id": "r-1",
            "parent_run_id": "r-1",
            "name": "ChatModel",
            "run_type": "llm",
            "start_time": "2025-03-01T10:00:00.500000",
            "inputs": {"messages": [[{"lc": 1, "kwargs": {"type": "human", "content": QUESTION}}]]},
            "outputs": {
                "generations": [[{"text": MARKED, "message": {"lc": 1, "kwargs": {"content": MARKED}}}]]
            },
            "extra": {"metadata": {"ls_model_name": "model-test"}},
        },
    ],
}

#: Name of the importer -> a value that it reads as it stands.
PAYLOADS: dict[str, Any] = {
    "cohere": COHERE,
    "anthropic": ANTHROPIC,
    "openai-responses": OPENAI_RESPONSES,
    "openai-chat": OPENAI_CHAT,
    "gemini": GEMINI,
    "langchain": LANGCHAIN,
    "langgraph": LANGGRAPH,
    "llamaindex": LLAMAINDEX,
    "haystack": HAYSTACK,
    "ragas": RAGAS,
    "deepeval": DEEPEVAL,
    "openinference": OPENINFERENCE,
    "otel-genai": OTEL,
    "mlflow": MLFLOW,
    "contract": CHAT_RESPONSE,
    "structured": STRUCTURED,
    "stream": STREAM,
    "promptfoo": PROMPTFOO,
    "langfuse": LANGFUSE,
    "langsmith": LANGSMITH,
}
