"""What environment variables say, for a service and for a test."""

import pytest
from every import each

import pytest_grounding as pg
from pytest_grounding.errors import SettingsError
from pytest_grounding.settings import resolve

TRANSCRIPT = {
    "id": "t",
    "question": "How long do refunds take?",
    "chunks": [{"id": "c", "text": "Refunds are paid within 14 days of the return.", "score": 0.9}],
    "answer": "Refunds are paid within 14 days of the return [1].",
}


@each(("0.85", 0.75, 0.85), ("0.8", 0.7, 0.8), ("1", 0.9, 1.0), ("0.5", 0.4, 0.5), ("0.05", 0.0, 0.05))
def test_one_variable_moves_both_thresholds_of_support(value, borderline, supported):
    settings = pg.Settings.from_environment({"HALLUCINATION_SIMILARITY_THRESHOLD": value})
    assert (settings.borderline_threshold, settings.supported_threshold) == (borderline, supported)


@each(("0.3", 0.3), ("0", 0.0), ("0.4", 0.4), ("0.9", 0.4))
def test_a_low_confidence_that_accepts_is_not_below_the_one_that_rejects(value, reject):
    settings = pg.Settings.from_environment({"VALIDATION_CONFIDENCE_THRESHOLD": value})
    assert (settings.accept_confidence, settings.reject_confidence) == (float(value), reject)


def test_what_was_moved_along_says_where_it_came_from():
    layers = [
        ("ini", {"borderline_threshold": 0.7}),
        ("environment", {"supported_threshold": "0.85"}),
        ("command line", {}),
    ]
    settings, origin = resolve(layers)
    assert settings.borderline_threshold == 0.75
    assert origin["supported_threshold"] == origin["borderline_threshold"] == "environment"


def test_a_stronger_source_overrules_the_variable_and_what_it_moved():
    settings, _ = resolve(
        [("environment", {"supported_threshold": "0.95"}), ("marker", {"supported_threshold": 0.8})]
    )
    assert (settings.borderline_threshold, settings.supported_threshold) == (0.7, 0.8)
    with pytest.raises(SettingsError, match="environment variable HALLUCINATION_SIMILARITY_THRESHOLD"):
        resolve(
            [("environment", {"supported_threshold": "0.6"}), ("argument", {"borderline_threshold": 0.7})]
        )


def test_an_ini_that_contradicts_itself_is_still_an_error():
    with pytest.raises(SettingsError, match="borderline_threshold"):
        resolve([("ini", {"borderline_threshold": 0.85}), ("environment", {})])


def test_the_variables_of_the_process_are_read_when_none_are_given(monkeypatch):
    monkeypatch.setenv("VALIDATION_PROFILE", "lenient")
    monkeypatch.setenv("HALLUCINATION_MAX_RATE", "0.25")
    settings = pg.Settings.from_environment()
    assert (settings.profile, settings.max_hallucination_rate) == ("lenient", 0.25)
    assert settings.accept_confidence == 0.6


def test_a_profile_of_your_own_and_the_precedence_of_the_sources():
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
    (
        {"VALIDATION_ENABLED": "perhaps"},
        "write true or false (from environment variable VALIDATION_ENABLED)",
    ),
    ({"SELF_CORRECTION_MAX_RETRIES": "many"}, "variable SELF_CORRECTION_MAX_RETRIES"),
)
def test_a_wrong_variable_is_named(environ, words):
    with pytest.raises(SettingsError) as raised:
        pg.Settings.from_environment(environ)
    assert words in str(raised.value)


def test_without_settings_validation_does_not_depend_on_the_machine(monkeypatch):
    before = pg.validate(TRANSCRIPT).to_json()
    monkeypatch.setenv("VALIDATION_CONFIDENCE_THRESHOLD", "1")
    monkeypatch.setenv("VALIDATION_ENABLED", "nonsense")
    assert pg.validate(TRANSCRIPT).to_json() == before
    assert pg.Settings.of(None) == pg.Settings()
