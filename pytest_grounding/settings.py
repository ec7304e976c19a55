"""Every threshold and switch, with its range, its environment variable and its help text.

A `Settings` is a frozen dataclass of the standard library: importing this module costs a pytest run
almost nothing. The figures are the defaults of the specification of the validation core
(``docs/settings.md`` lists them with what each decides).
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import shlex
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pytest_grounding.errors import SettingsError

POLICIES = ("off", "warn", "error")
OUTCOMES = ("pass", "warn", "fail")


def _setting(
    default: Any,
    text: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: Sequence[str] | None = None,
    env: str | None = None,
) -> Any:
    facts = {"help": text, "low": low, "high": high, "choices": choices, "env": env}
    return dataclasses.field(default=default, metadata=facts)


def _share(default: float, text: str, *, env: str | None = None) -> Any:
    return _setting(default, text, low=0.0, high=1.0, env=env)


if TYPE_CHECKING:
    from dataclasses import dataclass as _declared
else:

    def _declared(**_: bool) -> Any:
        # The methods that a frozen dataclass has are written by hand below: to generate them for so many
        # fields costs every run of pytest three milliseconds.
        return dataclasses.dataclass(init=False, repr=False, eq=False)


@_declared(frozen=True, kw_only=True, eq=False, repr=False)
class Settings:
    """The thresholds and switches of one validation.

    Build one with `Settings(...)`, with `Settings.of(mapping)` or with `resolve(...)`, which layers
    several sources. Every value is checked; one out of range raises `SettingsError`.
    """

    # -- switches
    enabled: bool = _setting(True, "run validation at all", env="VALIDATION_ENABLED")
    hallucination_detection: bool = _setting(
        True, "check claims against the chunks", env="HALLUCINATION_DETECTION_ENABLED"
    )
    profile: str = _setting("default", "named set of thresholds: strict, default, lenient, or your own")
    language: str = _setting("", "BCP 47 tag to assume where a transcript names none; empty: detect")

    # -- scorers
    scorer: str = _setting(
        "builtin",
        "who scores relevance and support: builtin, cohere, cohere-embed, embeddings, local, or one of an "
        "extension; several with commas, the later ones serve when the earlier fail",
    )
    judge: str = _setting(
        "", "who settles borderline claims: cohere, or an extension's; empty: nobody", env="VALIDATION_LLM"
    )
    judge_model: str = _setting("", "model of the judge; empty: its own default", env="VALIDATION_MODEL")
    judge_self_rag: bool = _setting(False, "let the judge make the three Self-RAG checks too")
    judge_claims: bool = _setting(False, "let the judge take answers apart into claims")
    rerank_model: str = _setting("rerank-v3.5", "model of the scorer cohere")
    embed_model: str = _setting("embed-v4.0", "model of the scorer cohere-embed")
    embeddings: str = _setting(
        "", "callable of the scorer embeddings, as package.module:function: texts to vectors"
    )
    embeddings_recorded: bool = _setting(False, "keep the vectors of the scorer embeddings on the cassette")
    local_model: str = _setting("", "folder of the scorer local: model.onnx, tokenizer.json, config.json")
    cassette: str = _setting("grounding.cassette.jsonl", "file of the recorded answers of remote scorers")
    record: str = _setting(
        "none",
        "remote scorers and programs: none replays alone, new records what is missing, all records anew",
        choices=("none", "new", "all"),
    )
    recordings: str = _setting(
        "recordings", "folder, from the test's own, in which record_transcript keeps transcripts"
    )
    remote_deadline: float = _setting(
        30.0, "seconds that one remote call may take, retries among them", low=0.01, high=600
    )
    remote_run_deadline: float = _setting(
        600.0, "seconds that all remote calls of a run may take", low=0.01, high=86_400
    )
    remote_retries: int = _setting(2, "how often a remote call is tried again", low=0, high=10)

    # -- claims and hallucinations
    supported_threshold: float = _share(0.8, "support from which a claim is supported")
    borderline_threshold: float = _share(
        0.7,
        "support from which a claim is borderline; below, it is unsupported",
        env="HALLUCINATION_SIMILARITY_THRESHOLD",
    )
    regenerate_hallucination_rate: float = _share(0.1, "above this rate the detector recommends a retry")
    max_hallucination_rate: float = _share(
        0.3, "above this rate a transcript is rejected", env="HALLUCINATION_MAX_RATE"
    )
    abstained: str = _setting("fail", "what a claim that no scorer could score does", choices=OUTCOMES)
    nothing_checked: str = _setting(
        "warn", "what an answer without any checkable claim does", choices=OUTCOMES
    )

    # -- citations
    require_citations: str = _setting("off", "what a checked claim without a citation is", choices=POLICIES)
    index_base: int = _setting(1, "number of the first chunk in [n] markers", low=0, high=1)
    alignment_threshold: float = _share(0.7, "support that a claim needs from the chunk that it cites")
    quote_similarity: float = _share(0.85, "similarity from which a wrong quote is a near miss")
    source_root: str = _setting("", "folder that code citations are looked up in; empty: chunks only")
    link_base: str = _setting("", "base address for sources that carry a slug")
    cms_base: str = _setting("", "base address for sources that carry a payload id")

    # -- retrieval
    relevance_threshold: float = _share(0.3, "relevance from which a chunk is relevant")
    good_mean_relevance: float = _share(0.6, "mean relevance that a Good retrieval needs")
    good_min_relevant: int = _setting(2, "relevant chunks that a Good retrieval needs", low=1, high=1000)
    presence_word_share: float = _share(
        0.6, "weighted share of the question's content words that a stated answer needs"
    )

    # -- confidence and the gate on one transcript
    confidence_model: str = _setting(
        "self_rag", "which confidence decides", choices=("self_rag", "tiered", "calibrated")
    )
    accept_confidence: float = _share(
        0.7, "confidence from which a transcript can be accepted", env="VALIDATION_CONFIDENCE_THRESHOLD"
    )
    reject_confidence: float = _share(0.4, "confidence below which a transcript is rejected")
    calibration: str = _setting("", "file with a calibration map, written by pytest-grounding calibrate")
    uncertain_note: str = _setting(
        "Note: not every statement in this answer is backed by the sources it cites.",
        "note that annotate_uncertain appends",
    )

    # -- self-correction
    self_correction: bool = _setting(
        True, "let assert_self_corrects regenerate", env="SELF_CORRECTION_ENABLED"
    )
    self_correction_max_retries: int = _setting(
        2, "how often to regenerate", low=0, high=10, env="SELF_CORRECTION_MAX_RETRIES"
    )

    # -- transcripts
    question_max_length: int = _setting(2000, "longest question, in characters", low=1, high=1_000_000)
    question: str = _setting("", "question of recordings that hold none; empty: they are errors")
    columns: str = _setting("", "columns of tables, such as question=Frage, answer=Antwort, chunks=Kontext")
    corpus: str = _setting("", "JSON Lines file with the texts of passages that recordings name by id alone")

    # -- audit log
    audit_retention_days: int = _setting(
        90, "age from which audit records can be pruned", low=1, high=36_500, env="AUDIT_RETENTION_DAYS"
    )
    audit_required: bool = _setting(False, "fail when the audit log cannot be written")

    # -- the gate of the build
    suite_min_citation_accuracy: float = _share(0.99, "citation accuracy that the suite needs")
    suite_max_ungrounded_answers: float = _share(
        0.01, "the share of answers with an ungrounded citation must stay below this"
    )
    suite_max_hallucination_rate: float = _share(0.1, "hallucination rate that the suite may reach")
    suite_confidence: float = _share(0.7, "confidence that counts as confident in the suite's share")
    suite_min_confident_share: float = _share(0.7, "the share of confident answers must be above this")
    fail_on: str = _setting(
        "review", "status from which a transcript fails on its own", choices=("review", "reject")
    )
    suite: str = _setting("on", "let a run's transcripts count for the suite", choices=("on", "off"))
    expect: int = _setting(0, "transcripts that a whole run must at least hold", low=0, high=10_000_000)
    missing: str = _setting(
        "fail", "what a transcript that a run holds and nothing validated does", choices=OUTCOMES
    )
    no_transcripts: str = _setting("fail", "what a promised but empty suite does", choices=OUTCOMES)
    partial_runs: str = _setting(
        "undecided", "what a run that its user narrowed does", choices=("undecided", "fail")
    )
    baseline_policy: str = _setting(
        "any",
        "what fails against a baseline: any worsening; tolerance=x, a figure that drops by more than x; "
        "significant=alpha, a drop that chance does not explain",
    )
    baseline_inconclusive: str = _setting(
        "warn", "what a drop does that chance could explain, under significant=alpha", choices=OUTCOMES
    )
    baseline_missing: str = _setting(
        "fail",
        "what a transcript or figure of the baseline does that vanished or was not scored",
        choices=OUTCOMES,
    )

    if not TYPE_CHECKING:

        def __init__(self, **values):
            if unknown := values.keys() - FIELDS.keys():
                raise TypeError(f"Settings has no {', '.join(sorted(unknown))}")
            for name, field in FIELDS.items():
                value = _checked(field, values[name]) if name in values else field.default
                object.__setattr__(self, name, value)
            self._check_order()

        def __setattr__(self, name, value):
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

        def __delattr__(self, name):
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")

    def _check_order(self) -> None:
        if self.borderline_threshold > self.supported_threshold:
            raise SettingsError(
                f"borderline_threshold ({self.borderline_threshold}) is above supported_threshold "
                f"({self.supported_threshold}); write a value of at most {self.supported_threshold}"
            )
        if self.reject_confidence > self.accept_confidence:
            raise SettingsError(
                f"reject_confidence ({self.reject_confidence}) is above accept_confidence "
                f"({self.accept_confidence}); write a value of at most {self.accept_confidence}"
            )
        if self.baseline_policy != "any":
            parse_baseline_policy(self.baseline_policy)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Settings) and self.as_dict() == other.as_dict()

    def __hash__(self) -> int:
        return hash(tuple(self.as_dict().values()))

    def __repr__(self) -> str:
        changed = {name: value for name, value in self.as_dict().items() if value != FIELDS[name].default}
        return f"Settings({', '.join(f'{name}={value!r}' for name, value in changed.items())})"

    @classmethod
    def of(cls, values: Settings | Mapping[str, Any] | None = None) -> Settings:
        """Settings from a mapping, from other settings, or the defaults.

        A mapping may name a ``profile``; its own values win over those of the profile.

        Raises:
            SettingsError: a key is unknown or a value is out of range.
        """
        if isinstance(values, Settings):
            return values
        return resolve([("argument", values)])[0] if values else _defaults()

    def with_values(self, values: Mapping[str, Any]) -> Settings:
        """A copy with some values changed, checked like new ones."""
        _refuse_unknown(values, "argument")
        return dataclasses.replace(self, **values)

    def as_dict(self) -> dict[str, Any]:
        """The values by name, as plain data."""
        return {name: getattr(self, name) for name in FIELDS}

    @property
    def fingerprint(self) -> str:
        """Hash of all values that can change a verdict, as 16 hexadecimal digits.

        What only the build's gate looks at (`BUILD_SETTINGS`) is left out: a stricter limit for the suite
        leaves every verdict, golden and baseline as it is.
        """
        return _fingerprint(self)


@lru_cache(maxsize=64)
def _fingerprint(settings: Settings) -> str:
    values = {name: value for name, value in settings.as_dict().items() if name not in BUILD_SETTINGS}
    # A folder has another name on every machine; what counts is that code citations are looked up.
    values["source_root"] = bool(settings.source_root)
    text = json.dumps(values, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@lru_cache(maxsize=1)
def _defaults() -> Settings:
    return Settings()


FIELDS: dict[str, dataclasses.Field[Any]] = {field.name: field for field in dataclasses.fields(Settings)}

#: Settings that no verdict depends on: the build's gate, what a test run does, the audit log, and where
#: judgements are recorded: recorded and replayed, they give one verdict.
BUILD_SETTINGS = frozenset(
    name
    for name in FIELDS
    if name.startswith(("suite", "audit_", "self_correction", "remote_", "record", "cassette", "baseline_"))
    or name in {"profile", "fail_on", "expect", "missing", "no_transcripts", "partial_runs"}
)

#: Environment variable -> setting.
ENVIRONMENT: dict[str, str] = {
    field.metadata["env"]: name for name, field in FIELDS.items() if field.metadata["env"]
}

PROFILES: dict[str, dict[str, Any]] = {
    "default": {},
    "strict": {
        "require_citations": "error",
        "accept_confidence": 0.8,
        "max_hallucination_rate": 0.1,
        "nothing_checked": "fail",
        "suite_max_hallucination_rate": 0.02,
        "partial_runs": "fail",
    },
    "lenient": {
        "supported_threshold": 0.7,
        "borderline_threshold": 0.6,
        "accept_confidence": 0.6,
        "alignment_threshold": 0.5,
        "max_hallucination_rate": 0.5,
        "nothing_checked": "pass",
        "suite_min_citation_accuracy": 0.95,
        "suite_max_ungrounded_answers": 0.05,
        "suite_max_hallucination_rate": 0.2,
        "suite_min_confident_share": 0.5,
    },
}


def resolve(
    layers: Sequence[tuple[str, Mapping[str, Any]]],
    *,
    profiles: Mapping[str, Mapping[str, Any]] | None = None,
) -> tuple[Settings, dict[str, str]]:
    """Layer several sources of values into settings.

    Args:
        layers: pairs of source name and values, the weakest first (profile, ini, environment, command
            line, marker, argument); a profile named by the strongest layer is laid beneath all.
        profiles: further profiles by name.

    Returns:
        The settings, and for each setting the name of the source that decided it.

    Raises:
        SettingsError: a key or profile is unknown, or a value is out of range; names key and source.
    """
    known = {**PROFILES, **(profiles or {})}
    name, named_by = "default", "default"
    for source, values in layers:
        if "profile" in values:
            name, named_by = str(values["profile"]), source
    if name not in known:
        raise SettingsError(
            f"profile {name!r} (from {named_by}) is unknown; write one of: {', '.join(sorted(known))}"
        )
    merged: dict[str, Any] = {}
    origin = dict.fromkeys(FIELDS, "default")
    for source, values in ((f"profile {name}", known[name]), *layers):
        _refuse_unknown(values, source)
        for key, value in values.items():
            try:
                merged[key] = _checked(FIELDS[key], value)
            except SettingsError as error:
                raise SettingsError(f"{error} (from {source})") from None
            origin[key] = source
    return Settings(**merged), origin


def parse_profiles(lines: Sequence[str], *, key: str = "grounding_profiles") -> dict[str, dict[str, str]]:
    """Named sets of settings from an ini key: ``NAME: SETTING=VALUE SETTING=VALUE``, one a line.

    Args:
        lines: the lines of the key.
        key: its name, for messages: ``grounding_profiles``, or ``grounding_directories``, whose names are
            folders.

    Raises:
        SettingsError: a line is not of that form.
    """
    profiles: dict[str, dict[str, str]] = {}
    for line in lines:
        name, colon, rest = line.partition(":")
        try:
            pairs = [pair.partition("=") for pair in shlex.split(rest)]
        except ValueError as error:
            raise SettingsError(f"{key}: {line!r}: {error}") from None
        if not colon or not name.strip() or not all(equals for _, equals, _ in pairs):
            raise SettingsError(f"{key}: {line!r}: write NAME: SETTING=VALUE SETTING=VALUE")
        profiles[name.strip()] = {setting: value for setting, _, value in pairs}
    return profiles


def parse_baseline_policy(text: str) -> tuple[str, float]:
    """The name of a baseline's policy and its number (0 for ``any``).

    Raises:
        SettingsError: it is none of the policies, or its number is out of range.
    """
    name, _, number = text.partition("=")
    if text == "any":
        return text, 0.0
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if (name == "tolerance" and 0 <= value < 1) or (name == "significant" and 0 < value < 1):
        return name, value
    raise SettingsError(
        f"baseline_policy = {text!r} is not known; write any, tolerance=0.02 or significant=0.05 "
        "(numbers from 0 to 1)"
    )


def directory_layers(
    directories: Mapping[str, Mapping[str, Any]], path: str
) -> list[tuple[str, Mapping[str, Any]]]:
    """The layers of ``grounding_directories`` that a file lies under, the outermost folder first.

    Args:
        directories: folder -> settings; folders are written from where the configuration file stands.
        path: the file, from there too, with forward slashes.
    """
    found = []
    for folder, values in directories.items():
        clean = folder.replace("\\", "/").strip("/").removeprefix("./")
        if path == clean or path.startswith(f"{clean}/"):
            found.append((clean.count("/"), f"directory {clean}", values))
    return [(name, values) for _, name, values in sorted(found, key=lambda item: item[:2])]


def from_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The settings that environment variables name, still as text."""
    return {name: environ[variable] for variable, name in ENVIRONMENT.items() if environ.get(variable)}


def in_ci(environ: Mapping[str, str]) -> bool:
    """Whether this is a build: the variable ``CI`` is set, and not to a word for no."""
    return environ.get("CI", "").strip().lower() not in {"", "0", "false", "no", "off"}


def _refuse_unknown(values: Mapping[str, Any], source: str) -> None:
    for key in values:
        if key not in FIELDS:
            # Only a mistake needs it, and every run of pytest would pay for it.
            from difflib import get_close_matches

            near = get_close_matches(str(key), FIELDS, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else "; see: pytest-grounding settings"
            raise SettingsError(f"setting {key!r} (from {source}) is unknown{hint}")


def _checked(field: dataclasses.Field[Any], value: Any) -> Any:
    """The value in the type of its field, or SettingsError with the name and what to write."""
    default = field.default
    if isinstance(default, bool):
        return _as_bool(field.name, value)
    if isinstance(default, (int, float)):
        return _as_number(field, value)
    if not isinstance(value, str) and not hasattr(value, "__fspath__"):
        raise SettingsError(f"{field.name} = {value!r} is not text; write a string")
    text = str(value)
    choices = field.metadata["choices"]
    if choices and text not in choices:
        raise SettingsError(f"{field.name} = {text!r} is not known; write one of: {', '.join(choices)}")
    return text


def _as_bool(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in {"1", "true", "yes", "on"}:
        return True
    if word in {"0", "false", "no", "off"}:
        return False
    raise SettingsError(f"{name} = {value!r} is not a switch; write true or false")


def _as_number(field: dataclasses.Field[Any], value: Any) -> int | float:
    low, high = field.metadata["low"], field.metadata["high"]
    whole = isinstance(field.default, int)
    allowed = f"write a {'whole ' if whole else ''}number from {low} to {high}"
    try:
        if isinstance(value, bool):
            raise ValueError
        number = float(value)
        if whole and number != int(number):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise SettingsError(f"{field.name} = {value!r} is not a number of this kind; {allowed}") from None
    if math.isnan(number) or not low <= number <= high:
        raise SettingsError(f"{field.name} = {value!r} is out of range; {allowed}")
    return int(number) if whole else number
