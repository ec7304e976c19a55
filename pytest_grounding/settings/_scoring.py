"""The settings that choose who scores and who judges, and how they are asked."""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from pytest_grounding.settings._declare import declared, setting

if TYPE_CHECKING:
    from pytest_grounding.settings.glossary_setting import Line


class Derived:
    """The base of `Settings`, which has the fields that these values are made of."""

    if TYPE_CHECKING:
        glossary: str

        def as_dict(self) -> dict[str, Any]:
            """The values by name."""
            ...

    else:

        def __setattr__(self, name, value):
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

        def __delattr__(self, name):
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Derived) and self.as_dict() == other.as_dict()

    def __hash__(self) -> int:
        return hash(tuple(self.as_dict().values()))

    def __repr__(self) -> str:
        usual = type(self)().as_dict()
        changed = [f"{name}={value!r}" for name, value in self.as_dict().items() if value != usual[name]]
        return f"Settings({', '.join(changed)})"

    @cached_property
    def glossary_lines(self) -> tuple[Line, ...]:
        """The lines of the glossary with their numbers; its file is read once for each settings."""
        if not self.glossary:
            return ()
        # Here and below: a run of pytest without a glossary loads nothing for it.
        from pytest_grounding.settings.glossary_setting import glossary_lines

        return glossary_lines(self.glossary)

    @property
    def glossary_file(self) -> str:
        """Path of the glossary's file, or "" where the setting holds the rules."""
        from pytest_grounding.settings.glossary_setting import is_glossary_path

        return self.glossary if is_glossary_path(self.glossary) else ""

    @property
    def glossary_rules(self) -> list[str]:
        """What the glossary says, whatever its order, its comments and its place."""
        return sorted({line for _, line in self.glossary_lines})


@declared(frozen=True, kw_only=True, eq=False, repr=False)
class Scoring(Derived):
    """The first fields of `Settings`: switches, scorers and judges."""

    # -- switches
    enabled: bool = setting(True, "run validation at all", env="VALIDATION_ENABLED")
    hallucination_detection: bool = setting(
        True, "check claims against the chunks", env="HALLUCINATION_DETECTION_ENABLED"
    )
    profile: str = setting(
        "default",
        "named set of thresholds: strict, default, lenient, or your own",
        env="VALIDATION_PROFILE",
    )
    language: str = setting("", "BCP 47 tag to assume where a transcript names none; empty: detect")

    # -- scorers
    scorer: str = setting(
        "builtin",
        "who scores relevance and support: builtin, cohere, cohere-embed (with a model behind a colon if you "
        "like), embeddings, local, or an extension's; several with commas: a later one takes over when an "
        "earlier one fails",
    )
    judge: str = setting(
        "",
        "who decides claims in the engine's place: anthropic, cohere, ollama, openai, or an extension's, "
        "with a model behind a colon if you like; empty: nobody",
        env="VALIDATION_LLM",
    )
    judge_model: str = setting("", "model of the judge; empty: its own default", env="VALIDATION_MODEL")
    judge_scope: Literal["all", "doubtful", "borderline"] = setting(
        "all",
        "which claims the judge decides: all that are checked; doubtful: those that the engine does not "
        "clearly support; borderline",
        choices=("all", "doubtful", "borderline"),
    )
    judge_url: str = setting("", "address of the judge; empty: that of the service")
    judge_key_env: str = setting(
        "", "name of the environment variable that holds the judge's key; empty: the usual one of the service"
    )
    judge_concurrency: int = setting(1, "requests to judges that may run at once", low=1, high=64)
    judge_max_requests: int = setting(
        0, "requests to judges that a run may make; 0: no limit", low=0, high=10_000_000
    )
    judge_min_agreement: float = setting(
        0.0,
        "agreement with people (Cohen's kappa) from which a judge decides; below it, or unmeasured, it only "
        "warns; 0: no limit",
        low=0.0,
        high=1.0,
    )
    judge_measured: str = setting(
        "", "file of measured agreement, written by pytest-grounding calibrate --judge"
    )
    embeddings: str = setting(
        "", "callable of the scorer embeddings, as package.module:function: texts to vectors"
    )
    local_model: str = setting(
        "", "folder of the scorer local: model.onnx and tokenizer.json, or their grounding-model.json"
    )
    cassette: str = setting("grounding.cassette.jsonl", "file of the recorded answers of remote scorers")
    record: Literal["none", "new", "all"] = setting(
        "none",
        "remote scorers and programs: none only replays, new records what is missing, all records everything",
        choices=("none", "new", "all"),
    )
    remote_deadline: float = setting(
        30.0, "seconds that a remote request may wait for its answer", low=0.01, high=600
    )
    remote_retries: int = setting(2, "how often a remote call is tried again", low=0, high=10)
