"""``python -m pytest_grounding.mcp_server``: the validation core as tools for agents.

Only the functions that serve import the SDK, from the extra ``mcp``. No call writes a file, opens
a connection or runs code chosen by its caller; the only folder that a call can read is the source root
given when the server was started.
"""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from typing import Any, Literal

from pydantic import BaseModel

from pytest_grounding import __version__
from pytest_grounding._io.jsonio import canonical_json
from pytest_grounding._io.wording import beyond, if_known, one_line
from pytest_grounding.citations.editing import clean_markers
from pytest_grounding.citations.naming import list_of_chunks
from pytest_grounding.cli import configuration
from pytest_grounding.cli.mcp_schema import (
    CALLER_SETTINGS,
    TOOLS,
    CitationAnswer,
    ClaimExplanation,
    Recorded,
    Suggestion,
)
from pytest_grounding.engine import registry
from pytest_grounding.engine.answer_tools import suggest_citations
from pytest_grounding.engine.validation import validate, validate_retrieval
from pytest_grounding.errors import GroundingError, InputError, SettingsError, require
from pytest_grounding.importers.native import to_transcript
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import ClaimVerdict
from pytest_grounding.reports.explanation import is_on
from pytest_grounding.rules import having
from pytest_grounding.settings import FIELDS, Settings, refuse_missing_folder, resolve

_LISTED = 10
_SHOWN = 60
_LONGEST_INDEX = 10  # callers sometimes send numbers as text
_CITATION_RULES = frozenset(having("answer_wide"))
#: Most characters in all texts of a call.
MOST = 500_000
_EXTRA = "mcp"
_LONGEST = 1000  # most characters of an error message; it may quote the caller's input
_log = logging.getLogger("pytest_grounding.mcp")
NAME = "pytest-grounding"
INSTRUCTIONS = (
    "Checks RAG answers against the passages that were retrieved for them, offline and deterministically. "
    "Start with validate_answer; ask explain_claim about a claim that it does not accept, check_citations "
    "about the citations alone, and validate_retrieval about passages without an answer. An error names the "
    "field and says what to write instead."
)


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings that the server was started with."""

    layers: Sequence[tuple[str, Mapping[str, Any]]] = ()
    profiles: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    source_root: str = ""

    def of_call(self, given: Any = None) -> Settings:
        """The settings for one call."""
        values = {} if given is None else given
        if not isinstance(values, Mapping):
            hint = 'write {"NAME": VALUE}, or leave it out'
            raise InputError("is not an object", field="settings", hint=hint)
        for name in values:
            if name in FIELDS and name not in CALLER_SETTINGS:
                hint = "set it where the server is started, or leave it out"
                raise InputError("cannot be changed by a call", field=f"settings.{name}", hint=hint)
        try:
            layered, _ = resolve([*self.layers, ("the call", values)], profiles=self.profiles)
        except SettingsError as error:
            raise SettingsError(f"settings: {error}") from None
        return layered.with_values({"source_root": self.source_root, "record": "none", "audit": ""})


class Tools:
    """The four tools with the settings and limits of a server."""

    def __init__(self, rules: Rules | None = None, most: int = MOST) -> None:
        self._rules = rules or Rules()
        self._most = most
        self._calls: dict[str, Callable[[Mapping[str, Any], Settings], BaseModel]] = {
            "validate_answer": lambda given, settings: validate(_given_transcript(given, settings), settings),
            "validate_retrieval": self._validate_retrieval,
            "check_citations": self._check_citations,
            "explain_claim": self._explain_claim,
        }

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Run a tool."""
        tool = next((item for item in TOOLS if item["name"] == name), None)
        if tool is None:
            raise InputError(f"there is no tool {name!r}", hint=f"call one of: {', '.join(self._calls)}")
        _check_names(tool, arguments)
        if _characters(arguments, self._most) > self._most:
            hint = f"send at most {self._most}, or start the server with a higher --max-total"
            raise InputError(f"has more than {self._most} characters in all", field="arguments", hint=hint)
        settings = self._rules.of_call(arguments.get("settings"))
        return self._calls[name](arguments, settings).model_dump(mode="json")

    def _validate_retrieval(self, arguments: Mapping[str, Any], settings: Settings) -> BaseModel:
        question, chunks, language = map(arguments.get, ("question", "chunks", "language"))
        if not isinstance(chunks, list):
            raise InputError("is not a list", field="chunks", hint="write the passages in [], or [] for none")
        if language is not None and not isinstance(language, str):
            hint = 'write a tag such as "en", or leave it out'
            raise InputError("is not text", field="language", hint=hint)
        given = {"id": "retrieval", "question": question, "chunks": list_of_chunks(chunks), "answer": ""}
        recorded = to_transcript(given, question_max_length=settings.question_max_length)
        return validate_retrieval(recorded.question, recorded.chunks, settings, language=language or "")

    def _check_citations(self, arguments: Mapping[str, Any], settings: Settings) -> BaseModel:
        recorded = _given_transcript(arguments, settings)
        verdict = validate(recorded, settings)
        counted = [item for item in verdict.citations if item.counts]
        valid, causes = sum(item.valid for item in counted), verdict.causes
        copied = ("citations", "citation_accuracy", "citation_precision", "citation_recall")
        on_citations = (one for one in causes if one.citation is not None or one.rule in _CITATION_RULES)
        suggestions = (
            Suggestion(claim=index, text=verdict.claims[index].text, chunk_ids=names)
            for index, names in suggest_citations(verdict).items()
        )
        syntaxes = registry.syntaxes()
        status: Literal["valid", "invalid", "missing"] = "missing"
        if counted:
            status = "valid" if valid == len(counted) else "invalid"
        return CitationAnswer(
            transcript_id=verdict.id,
            status=status,
            valid=valid,
            invalid=len(counted) - valid,
            findings=tuple(on_citations),
            suggestions=tuple(suggestions),
            clean_answer=clean_markers(recorded, verdict.citations, settings=settings, syntaxes=syntaxes),
            **{name: getattr(verdict, name) for name in copied},
        )

    def _explain_claim(self, arguments: Mapping[str, Any], settings: Settings) -> BaseModel:
        claim = arguments.get("claim")
        # True is an int in Python, but never meant as an index.
        if isinstance(claim, bool) or not isinstance(claim, (int, str)):
            hint = "write 0 for the first claim, or its words"
            raise InputError("is neither an index nor text", field="claim", hint=hint)
        verdict = validate(_given_transcript(arguments, settings), settings)
        found = chosen_claim(verdict.claims, claim)
        return ClaimExplanation(
            **{name: getattr(found, name) for name in ClaimVerdict.model_fields},
            transcript_id=verdict.id,
            explanation=_claim_in_words(found),
            findings=tuple(item for item in verdict.findings if is_on(item, found)),
        )


def _claim_in_words(claim: ClaimVerdict) -> str:
    support = if_known(" (support {:.2f})", claim.support)
    text = f"{claim.status}{support}: {claim.reason or claim.skip_reason or 'no reason was given'}"
    shown = [item.evidence for item in claim.conflicts] or claim.evidence
    return "; ".join([text, *(f"chunk {item.chunk_id} says: “{one_line(item.text)}”" for item in shown[:1])])


def chosen_claim(claims: Sequence[ClaimVerdict], wanted: int | str) -> ClaimVerdict:
    """The claim with an index, or with these words."""
    if not claims:
        hint = "explain an answer that states something"
        raise InputError("the answer contains no claim", field="claim", hint=hint)
    words = _folded_words(str(wanted))
    if isinstance(wanted, int) or (words.isascii() and words.isdigit()):
        if len(words) < _LONGEST_INDEX and 0 <= int(words) < len(claims):
            return claims[int(words)]
        problem = f"{words} is out of range" if len(words) < _LONGEST_INDEX else "is out of range"
        hint = f"write an index from 0 to {len(claims) - 1}: {_listed_claims(claims)}"
        raise InputError(problem, field="claim", hint=hint)
    same = [item for item in claims if _folded_words(item.text) == words]
    found = same or [item for item in claims if words and words in _folded_words(item.text)]
    if len(found) == 1:
        return found[0]
    if found:
        hint = f"write one's index: {_listed_claims(found)}"
        raise InputError("fits several claims", field="claim", hint=hint)
    hint = f"write the index of one: {_listed_claims(claims)}"
    raise InputError("is not a claim of the answer", field="claim", hint=hint)


def _folded_words(text: str) -> str:
    return " ".join(text.split()).casefold()


def _listed_claims(claims: Sequence[ClaimVerdict]) -> str:
    shown = "; ".join(f"{item.index} “{one_line(item.text, _SHOWN)}”" for item in claims[:_LISTED])
    return shown + if_known("; {}", beyond(claims, _LISTED).removeprefix("... "))


def _characters(value: Any, enough: int) -> int:
    total = 0
    waiting = [value]
    while waiting and total <= enough:
        item = waiting.pop()
        if isinstance(item, Mapping):
            waiting += [*item.keys(), *item.values()]
        elif isinstance(item, (list, tuple)):
            waiting += item
        # A list of a million numbers is large too.
        total += len(item) if isinstance(item, str) else 1
    return total


def _check_names(tool: Mapping[str, Any], arguments: Mapping[str, Any]) -> None:
    known: list[str] = list(tool["inputSchema"]["properties"])
    for name in arguments:
        if name not in known:
            near = get_close_matches(str(name), known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"write {', '.join(known)}"
            if "transcript" in known and name in Transcript.model_fields:
                hint = f'put it into transcript: {{"transcript": {{"{name}": ...}}}}'
            raise InputError(f"is not an argument of {tool['name']}", field=str(name), hint=hint)
    for name in tool["inputSchema"]["required"]:
        if arguments.get(name) is None:
            raise InputError("is missing", field=name, hint=f"{tool['name']} needs it")


def _given_transcript(arguments: Mapping[str, Any], settings: Settings) -> Transcript:
    given = arguments["transcript"]
    if isinstance(given, Mapping) and "id" not in given:
        given = {"id": Recorded.model_fields["id"].default, **given}
    try:
        return to_transcript(given, question_max_length=settings.question_max_length)
    except InputError as error:
        field = f"transcript.{error.field}" if error.field else "transcript"
        raise InputError(error.problem, field=field, hint=error.hint) from None


def run(args: argparse.Namespace) -> int:
    """Serve until the input ends, then return 0; 2 if the server cannot start."""
    effective = configuration.effective(args)
    root = effective.settings.source_root
    explicit = effective.origin["source_root"] == "command line"
    if root and not explicit:
        ignored = f"source_root = {root} of {effective.origin['source_root']} is not used"
        advice = "name the folder that calls may read with --set source_root=DIR"
        print(f"pytest-grounding: {ignored}; {advice}", file=sys.stderr)
        root = ""
    if root:
        refuse_missing_folder(effective.settings)
    form = "%(asctime)s %(levelname)s %(name)s: %(message)s"
    logging.basicConfig(stream=sys.stderr, level=args.log_level.upper(), format=form)
    tools = Tools(Rules(effective.layers, effective.profiles, root), args.max_total)
    if sys.stdin.isatty():
        waiting = "waiting for an MCP client on standard input; Ctrl-D ends it"
        print(f"pytest-grounding: {waiting}", file=sys.stderr)
    serve(tools, version=__version__)
    return 0


def serve(tools: Tools, *, version: str = "") -> None:
    """Serve over standard input and output until the input ends."""
    anyio = require("anyio", extra=_EXTRA)
    server = build(tools, version=version)
    stdio = require("mcp.server.stdio", extra=_EXTRA)

    async def run() -> None:
        async with stdio.stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    if threading.current_thread() is threading.main_thread():
        # The thread that waits for input cannot be interrupted; without this, exit would wait for it.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
    anyio.run(run)


def build(tools: Tools, *, version: str = "") -> Any:
    """The SDK's server with the tools, for any of its transports."""
    anyio = require("anyio", extra=_EXTRA)
    types = require("mcp.types", extra=_EXTRA)
    lowlevel = require("mcp.server.lowlevel", extra=_EXTRA)
    listed = types.ListToolsResult(tools=list(map(types.Tool.model_validate, TOOLS)))
    limiter: list[Any] = []

    async def list_tools(_: Any, __: Any) -> Any:
        return listed

    async def call_tool(_: Any, params: Any) -> Any:
        if not limiter:
            # One call at a time: each uses a whole processor anyway.
            limiter.append(anyio.CapacityLimiter(1))
        work = partial(answer, tools, params.name, params.arguments or {})
        # In a thread, so that pings and cancellations are handled meanwhile.
        result = await anyio.to_thread.run_sync(work, limiter=limiter[0])
        return types.CallToolResult.model_validate(result)

    return lowlevel.Server(
        NAME,
        version=version,
        title="pytest-grounding",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def answer(tools: Tools, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The result of a call in the protocol's form; an error is also a result, so that the model reads it."""
    try:
        found = tools.call(name, arguments)
        return {"content": [_text_block(canonical_json(found))], "structuredContent": found}
    except GroundingError as error:
        told = one_line(str(error), _LONGEST)
    except Exception as error:  # a bug of ours must not stop the server
        _log.exception("%s failed", name)
        fault = "this is a fault of pytest-grounding, its log says more"
        told = f"{name} failed: {type(error).__name__}; {fault}"
    return {"content": [_text_block(told)], "isError": True}


def _text_block(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}
