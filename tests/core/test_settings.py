"""Settings: ranges, layers, profiles and environment variables."""

import copy
import dataclasses
import math
import pickle
import re

import pytest
from every import each, table

import pytest_grounding as pg
from pytest_grounding.errors import SettingsError
from pytest_grounding.settings import (
    BUILD_SETTINGS,
    ENVIRONMENT,
    FIELDS,
    PROFILES,
    Settings,
    from_environment,
    parse_profiles,
    resolve,
)


def test_defaults_are_those_of_the_specification():
    settings = Settings()
    assert (settings.supported_threshold, settings.borderline_threshold) == (0.8, 0.7)
    assert settings.max_hallucination_rate == 0.3
    assert settings.relevance_threshold == 0.3
    assert (settings.accept_confidence, settings.reject_confidence) == (0.7, 0.4)
    assert (settings.suite_min_citation_accuracy, settings.suite_max_ungrounded_answers) == (0.99, 0.01)
    assert (settings.suite_confidence, settings.suite_min_confident_share) == (0.7, 0.7)
    assert settings.self_correction_max_retries == 2
    assert settings.audit_retention_days == 90
    assert settings.question_max_length == 2000


@each(
    *table(__file__, "bad"),
    ("accept_confidence", math.nan, "accept_confidence"),
    ("accept_confidence", math.inf, "accept_confidence"),
)
def test_a_bad_value_names_its_setting_and_what_to_write(name, value, words):
    with pytest.raises(SettingsError, match=words):
        Settings.of({name: value})


@each("command line", "argument", "marker")
def test_rejects_the_prefix_of_ini_keys(source):
    said = rf"'grounding_profile' \(from {source}\) is unknown; leave out the prefix: 'profile'$"
    with pytest.raises(SettingsError, match=said):
        resolve([(source, {"grounding_profile": "strict"})])
    with pytest.raises(SettingsError, match=r"; did you mean 'fail_on'\?$"):
        resolve([(source, {"grounding_fail_of": "review"})])


def test_converts_text():
    settings = Settings.of({"accept_confidence": "0.9", "enabled": "no", "index_base": "0"})
    assert (settings.accept_confidence, settings.enabled, settings.index_base) == (0.9, False, 0)
    assert Settings.of({"accept_confidence": 1}).accept_confidence == 1.0


def test_the_strongest_layer_wins():
    layers = [
        ("ini", {"accept_confidence": 0.5, "profile": "strict"}),
        ("environment", {"accept_confidence": "0.6"}),
        ("marker", {"index_base": 0}),
    ]
    settings, origin = resolve(layers)
    assert settings.accept_confidence == 0.6
    assert settings.require_citations == "error"
    assert origin["accept_confidence"] == "environment"
    assert origin["require_citations"] == "profile strict"
    assert origin["index_base"] == "marker"
    assert origin["language"] == "default"


@each(("strict", "a str"), (["strict"], "a list"), (1, "an int"))
def test_rejects_settings_that_are_not_a_mapping(values, kind):
    problem = f"settings (from argument) are a mapping, and this is {kind}"
    with pytest.raises(SettingsError, match=re.escape(problem)):
        Settings.of(values)


@each(
    (["a: index_base=0", "b: expect=1", "a: index_base=1"], "'a' is on two lines; write one"),
    (["a: index_base=0 expect=1 index_base=1"], "names a setting twice; keep one of the two"),
    (["a index_base=0"], "write NAME: SETTING=VALUE SETTING=VALUE"),
)
def test_rejects_malformed_profiles(lines, problem):
    with pytest.raises(SettingsError, match=f"^grounding_profiles: .*{problem}"):
        parse_profiles(lines)
    with pytest.raises(SettingsError, match=f"^grounding_directories: .*{problem.replace('NAME', 'FOLDER')}"):
        parse_profiles(lines, key="grounding_directories")


def test_shipped_profiles():
    assert all(Settings.of({"profile": name}).profile == name for name in PROFILES)
    strict, lenient = Settings.of({"profile": "strict"}), Settings.of({"profile": "lenient"})
    assert strict.accept_confidence > lenient.accept_confidence
    assert strict.max_hallucination_rate < lenient.max_hallucination_rate


def test_reads_environment_variables():
    assert sorted(ENVIRONMENT) == [
        *("AUDIT_RETENTION_DAYS", "GROUNDING_GLOSSARY", "GROUNDING_KNOWN", "HALLUCINATION_DETECTION_ENABLED"),
        *("HALLUCINATION_MAX_RATE", "HALLUCINATION_SIMILARITY_THRESHOLD", "PAYLOAD_PUBLIC_SERVER_URL"),
        *("SELF_CORRECTION_ENABLED", "SELF_CORRECTION_MAX_RETRIES"),
        *("VALIDATION_CONFIDENCE_THRESHOLD", "VALIDATION_ENABLED"),
        *("VALIDATION_LLM", "VALIDATION_MODEL", "VALIDATION_PROFILE"),
    ]
    values = from_environment({"VALIDATION_ENABLED": "false", "HALLUCINATION_MAX_RATE": "0.2", "HOME": "/"})
    settings, origin = resolve([("environment", values)])
    assert (settings.enabled, settings.max_hallucination_rate) == (False, 0.2)
    assert origin["enabled"] == "environment"
    assert from_environment({"VALIDATION_ENABLED": ""}) == {}


def changed(name):
    """The defaults but for one setting."""
    field = FIELDS[name]
    if name == "baseline_policy":
        return Settings(baseline_policy="tolerance=0.1")
    if name == "profile":
        # As a profile of the user that changes nothing.
        return Settings(**(Settings().as_dict() | {"profile": "team"}))
    judging = {"judge_url": "http://localhost:1/v1", "judge_key_env": "A_KEY"}
    if name in judging:
        return Settings(**{name: judging[name]})
    if name == "glossary":
        return Settings(glossary="charge = fee")
    if name == "rules":
        return Settings(rules="fact.name:info")
    if field.metadata["choices"]:
        return Settings(**{name: next(c for c in field.metadata["choices"] if c != field.default)})
    make = {
        bool: lambda value: not value,
        int: lambda value: value - 1 if value > (field.metadata["low"] or 0) else value + 1,
        float: lambda value: value * 0.99 or 0.5,
        str: lambda value: value + "x",
    }[type(field.default)]
    return Settings(**{name: make(field.default)})


def test_the_fingerprint_covers_all_settings_of_a_verdict():
    own = [name for name in FIELDS if name not in BUILD_SETTINGS]
    marks = {changed(name).fingerprint for name in own}
    assert len(marks | {Settings().fingerprint}) == len(own) + 1
    assert {changed(name).fingerprint for name in BUILD_SETTINGS} == {Settings().fingerprint}
    # A folder of this machine does not count.
    assert Settings(source_root="/home/a").fingerprint == Settings(source_root="b").fingerprint
    assert "suite_confidence" in BUILD_SETTINGS
    assert "accept_confidence" not in BUILD_SETTINGS


def test_settings_are_a_frozen_dataclass_that_compares_by_value():
    settings = Settings(accept_confidence=0.8)
    assert settings == Settings(accept_confidence=0.8) != Settings()
    assert hash(Settings()) == hash(Settings())
    assert Settings() != "Settings()"
    assert repr(settings) == "Settings(accept_confidence=0.8)"
    assert dataclasses.is_dataclass(settings)
    assert dataclasses.replace(settings, index_base=0).accept_confidence == 0.8
    with pytest.raises(dataclasses.FrozenInstanceError):
        settings.index_base = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        del settings.index_base
    with pytest.raises(
        TypeError, match=r"Settings has no acept_confidence; did you mean 'accept_confidence'\?$"
    ):
        Settings(acept_confidence=1)
    assert pickle.loads(pickle.dumps(settings)) == copy.copy(settings) == settings


TRANSCRIPT = {
    "id": "t",
    "question": "How long do refunds take?",
    "chunks": [{"id": "c", "text": "Refunds are paid within 14 days of the return.", "score": 0.9}],
    "answer": "Refunds are paid within 14 days of the return [1].",
}


@each(*table(__file__, "derived"))
def test_one_variable_sets_both_thresholds(variable, value, expected):
    settings = pg.Settings.from_environment({variable: value}).as_dict()
    assert {name: settings[name] for name in expected} == expected


def test_a_stronger_source_overrides_a_derived_threshold():
    settings, origin = resolve(
        [("ini", {"borderline_threshold": 0.7}), ("environment", {"supported_threshold": "0.85"})]
    )
    assert settings.borderline_threshold == 0.75
    assert origin["supported_threshold"] == origin["borderline_threshold"] == "environment"
    settings, _ = resolve(
        [("environment", {"supported_threshold": "0.95"}), ("marker", {"supported_threshold": 0.8})]
    )
    assert (settings.borderline_threshold, settings.supported_threshold) == (0.7, 0.8)
    with pytest.raises(SettingsError, match="environment variable HALLUCINATION_SIMILARITY_THRESHOLD"):
        resolve(
            [("environment", {"supported_threshold": "0.6"}), ("argument", {"borderline_threshold": 0.7})]
        )
    with pytest.raises(SettingsError, match="borderline_threshold"):
        resolve([("ini", {"borderline_threshold": 0.85}), ("environment", {})])


def test_reads_the_variables_of_the_process(monkeypatch):
    monkeypatch.setenv("VALIDATION_PROFILE", "lenient")
    monkeypatch.setenv("HALLUCINATION_MAX_RATE", "0.25")
    settings = pg.Settings.from_environment()
    assert (settings.profile, settings.max_hallucination_rate) == ("lenient", 0.25)
    assert settings.accept_confidence == 0.6


def test_precedence_of_profiles_and_sources():
    settings = pg.Settings.from_environment(
        {"VALIDATION_PROFILE": "desk", "HALLUCINATION_MAX_RATE": "0.2", "SELF_CORRECTION_MAX_RETRIES": "1"},
        profiles={
            "desk": {
                "accept_confidence": 0.9,
                "relevance_threshold": 0.5,
                "max_hallucination_rate": 0.5,
                "reject_confidence": 0.3,
            }
        },
        defaults={"relevance_threshold": 0.4, "max_hallucination_rate": 0.4},
        values={"self_correction_max_retries": 3},
    )
    assert settings.profile == "desk"
    assert settings.reject_confidence == 0.3  # the profile alone says so
    assert settings.relevance_threshold == 0.4  # the defaults win over the profile
    assert settings.max_hallucination_rate == 0.2  # a variable wins over both
    assert settings.self_correction_max_retries == 3  # an argument wins over all


@each(
    ({"VALIDATION_PROFILE": "lax"}, "profile 'lax' (from environment variable VALIDATION_PROFILE)"),
    ({"HALLUCINATION_SIMILARITY_THRESHOLD": "85"}, "variable HALLUCINATION_SIMILARITY_THRESHOLD"),
    ({"VALIDATION_ENABLED": "perhaps"}, "write true or false (from environment variable VALIDATION_ENABLED)"),
    ({"SELF_CORRECTION_MAX_RETRIES": "many"}, "variable SELF_CORRECTION_MAX_RETRIES"),
)
def test_a_wrong_variable_is_named(environ, words):
    with pytest.raises(SettingsError) as raised:
        pg.Settings.from_environment(environ)
    assert words in str(raised.value)


def test_validation_without_settings_ignores_the_environment(monkeypatch):
    before = pg.validate(TRANSCRIPT).to_json()
    monkeypatch.setenv("VALIDATION_CONFIDENCE_THRESHOLD", "1")
    monkeypatch.setenv("VALIDATION_ENABLED", "nonsense")
    assert pg.validate(TRANSCRIPT).to_json() == before
    assert pg.Settings.of(None) == pg.Settings()


@each(
    ("https://alice@judge.example/v1", "alice"),
    ("https://alice:s3cret@judge.example/v1", "s3cret"),
    ("https://:s3cret@judge.example/v1", "s3cret"),
)
def test_an_address_with_a_user_or_password_is_refused_without_being_shown(address, private):
    with pytest.raises(SettingsError, match=r"^judge_url contains a user or password; ") as caught:
        Settings(judge_url=address)
    assert private not in str(caught.value)


def test_an_address_with_an_at_sign_in_its_path_is_one():
    assert Settings(judge_url="https://judge.example/@team/v1").judge_url.endswith("/@team/v1")
