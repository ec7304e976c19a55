"""Counters of validations, and the metric families made of them."""

from __future__ import annotations

import math
import os
import threading
import time
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

from pytest_grounding._io.tables import rows_beside
from pytest_grounding._io.wording import measured, share_or_none
from pytest_grounding.citations import builtin_syntaxes
from pytest_grounding.citations.extract import LIST
from pytest_grounding.citations.syntax import PROVIDER
from pytest_grounding.engine.citation_tools import report_of
from pytest_grounding.engine.transcript_input import Given, GivenSettings, as_transcript, excess
from pytest_grounding.engine.validation import validate
from pytest_grounding.errors import InputError, SettingsError, require
from pytest_grounding.model.finding import BACKED, HALLUCINATED
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry, Metric

#: Upper bounds of the histograms, in seconds: of the checks of citations, and of a whole validation.
BUCKETS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1)
WHOLE_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1.0)

#: The built-in citation syntaxes; an extension's syntax adds its own name.
SYNTAXES = tuple(sorted({*(syntax.name for syntax in builtin_syntaxes()), LIST, PROVIDER}))
Kind = Literal["counter", "gauge", "histogram"]
_ROWS = rows_beside(__file__, "metrics.tsv")  # name, kind, label, values of the label, help
#: Suite figure -> its meaning; exported as the gauge ``grounding_<figure>``.
FIGURES = {name: text for name, kind, _, _, text in _ROWS if kind == "gauge"}
_EXTRA = "metrics"
_lock = threading.Lock()
#: The instruments of each registry: a second `PrometheusMetrics` on it uses the same ones.
_known: weakref.WeakKeyDictionary[CollectorRegistry, _Instruments] = weakref.WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Family:
    """One metric."""

    name: str
    help: str
    label: str = ""
    values: tuple[str, ...] = ()
    kind: Kind = "counter"


_FAMILIES = tuple(
    Family(name, text, label, SYNTAXES if label == "kind" else tuple(values.split()), cast(Kind, kind))
    for name, kind, label, values, text in _ROWS
    if kind != "gauge"
)
VALIDATIONS, HALLUCINATIONS, ANSWERS, UNGROUNDED, CONFIDENCE, CLAIMS, DURATION, WHOLE_DURATION = _FAMILIES
COUNTERS = _FAMILIES[:6]


def gauge_of(figure: str) -> Family:
    """The gauge of a suite figure."""
    return Family(f"grounding_{figure}", f"Suite figure: {FIGURES.get(figure, figure)}.", kind="gauge")


def gauge_of_limit(figure: str, comparison: str) -> Family:
    """The gauge of the limit of a suite figure."""
    text = f"Limit of the suite figure, which must be {comparison} this."
    return Family(f"grounding_{figure}_limit", text, kind="gauge")


@dataclass(frozen=True, slots=True)
class MetricsTally:
    """Counts over one or many verdicts."""

    counted: Mapping[tuple[str, str], int] = field(default_factory=dict)

    @classmethod
    def of(cls, verdicts: Iterable[Verdict], *, confident: float = 0.7) -> MetricsTally:
        """Count verdicts."""
        found: Counter[tuple[str, str]] = Counter()
        for verdict in verdicts:
            _count(found, verdict, confident)
        return cls(dict(found))

    def of_family(self, family: Family) -> dict[str, int]:
        """Counts of one family by label value: the known values first, then others by name."""
        others = sorted(label for name, label in self.counted if name == family.name)
        labels = dict.fromkeys([*(family.values if family.label else ("",)), *others])
        return {label: self.counted.get((family.name, label), 0) for label in labels}

    def figures(self) -> dict[str, float | None]:
        """The suite figures; None without anything to measure."""
        citations = self.of_family(VALIDATIONS)
        claims = self.of_family(CLAIMS)
        answers = sum(self.of_family(ANSWERS).values())
        levels = self.of_family(CONFIDENCE)
        backed = sum(claims[name] for name in BACKED)
        hallucinated = sum(claims[name] for name in HALLUCINATED)
        cited = citations["valid"] + citations["invalid_removed"]
        return {
            "citation_accuracy": share_or_none(citations["valid"], cited),
            "ungrounded_answers": share_or_none(self.of_family(UNGROUNDED)[""], answers),
            "hallucination_rate": share_or_none(hallucinated, hallucinated + backed),
            "confident_share": share_or_none(levels["confident"], sum(levels.values())),
        }


def _count(found: Counter[tuple[str, str]], verdict: Verdict, confident: float) -> None:
    found[ANSWERS.name, verdict.shown_status] += 1
    if not verdict.switched_off:
        known = measured(verdict.confidence)
        level = "none"
        if known is not None:
            level = "confident" if known >= confident else "unsure"
        found[CONFIDENCE.name, level] += 1
    for claim in verdict.claims:
        # A waived claim is not a fault, but is not shown to be supported either.
        found[CLAIMS.name, claim.status if claim.waived is None else "unchecked"] += 1
    if "validation" in verdict.switched_off:
        return
    citations = [item for item in verdict.citations if item.counts]
    invalid = [item for item in citations if not item.valid]
    found[VALIDATIONS.name, "valid"] += len(citations) - len(invalid)
    found[VALIDATIONS.name, "invalid_removed"] += len(invalid)
    is_stating = verdict.abstention != "rightly_declined" and any(claim.checked for claim in verdict.claims)
    if not citations and is_stating:
        found[VALIDATIONS.name, "missing"] += 1
    if invalid:
        found[UNGROUNDED.name, ""] += 1
    for item in invalid:
        found[HALLUCINATIONS.name, item.syntax] += 1


class PrometheusMetrics:
    """Counts verdicts in a registry of ``prometheus_client``; safe to use from many threads.

    Two instances on one registry share their counters, so an application may be built twice. The families
    are listed in ``docs/metrics.md``. In the multi-process mode of ``prometheus_client`` the counters work
    unchanged, and `text` adds up all processes.

    Args:
        registry: a ``CollectorRegistry``; None uses the global one, which the default ``/metrics``
            endpoints of ``prometheus_client`` serve.
        settings: thresholds for `validate`, and ``suite_confidence``, from which on an answer counts as
            confident.

    Attributes:
        registry: the registry in use.

    Raises:
        MissingExtraError: ``prometheus_client`` is not installed; names the extra ``metrics``.
        SettingsError: a setting is out of range, or the registry contains other metrics with these
            names.
    """

    #: Content type of `text`, for the header of an HTTP response.
    content_type: ClassVar[str] = "text/plain; version=0.0.4; charset=utf-8"

    registry: CollectorRegistry

    def __init__(self, registry: CollectorRegistry | None = None, *, settings: GivenSettings = None) -> None:
        client = require("prometheus_client", extra=_EXTRA)
        self._settings = Settings.of(settings)
        self.registry = client.REGISTRY if registry is None else registry
        with _lock:
            found = _known.get(self.registry)
            if found is None:
                found = _known[self.registry] = _Instruments(client, self.registry)
        self._instruments = found

    def observe(
        self, verdict: Verdict, *, seconds: float | None = None, citation_seconds: float | None = None
    ) -> None:
        """Count one verdict.

        Args:
            verdict: the verdict.
            seconds: how long the whole validation took.
            citation_seconds: how long the checks of its citations took, as `pg.check_citations` makes them.

        Raises:
            InputError: one of them is not a duration; nothing was counted.
        """
        for name, value in {"seconds": seconds, "citation_seconds": citation_seconds}.items():
            if value is not None and not (math.isfinite(value) and value >= 0):
                raise InputError(f"{value!r} is not a duration", field=name, hint="give seconds, 0 or more")
        tally = MetricsTally.of([verdict], confident=self._settings.suite_confidence)
        self._instruments.add(tally, seconds, citation_seconds)

    def validate(self, transcript: Given, settings: GivenSettings = None) -> Verdict:
        """Validate one transcript, measure the time and count the verdict.

        The checks of citations run once more by themselves, to be timed.

        Args:
            transcript: a Transcript, or a mapping that becomes one.
            settings: thresholds for this call; None uses those given to the constructor.

        Returns:
            The verdict of `pg.validate`, unchanged.

        Raises:
            InputError: the mapping is not a transcript; nothing was counted.
            SettingsError: a setting is unknown or out of range; nothing was counted.
        """
        chosen = Settings.of(self._settings if settings is None else settings)
        recorded = as_transcript(transcript, chosen)
        citation_seconds = self.citation_seconds(recorded, chosen)
        began = time.perf_counter()
        verdict = validate(recorded, chosen)
        self.observe(verdict, seconds=time.perf_counter() - began, citation_seconds=citation_seconds)
        return verdict

    def citation_seconds(self, transcript: Given, settings: GivenSettings = None) -> float | None:
        """Seconds that the checks of a transcript's citations take, for `observe`; None if they are off."""
        chosen = Settings.of(self._settings if settings is None else settings)
        recorded = as_transcript(transcript, chosen)
        if not chosen.enabled or excess(recorded):
            return None
        began = time.perf_counter()
        try:
            report_of(recorded, chosen)
        except Exception:
            # What is wrong becomes a finding of the validation, or its error.
            return None
        return time.perf_counter() - began

    def text(self) -> str:
        """All metrics of the registry in the text format of Prometheus (version 0.0.4)."""
        client = require("prometheus_client", extra=_EXTRA)
        registry = self.registry
        if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
            shared = require("prometheus_client.multiprocess", extra=_EXTRA)
            registry = client.CollectorRegistry()
            registry.register(_Figures(client, shared.MultiProcessCollector(registry).collect))
        text: str = client.generate_latest(registry).decode("utf-8")
        return text


class _Instruments:
    def __init__(self, client: Any, registry: CollectorRegistry) -> None:
        self._counters: dict[str, Any] = {}
        self._durations: dict[str, Any] = {}
        # Figures are ratios: an answer must not be in one counter and not yet in another.
        self._guard = threading.Lock()
        registered: list[Any] = []
        try:
            for family in COUNTERS:
                labels = (family.label,) if family.label else ()
                counter = client.Counter(family.name, family.help, labels, registry=registry)
                registered.append(counter)
                self._counters[family.name] = counter
                for value in family.values:
                    counter.labels(value)
            for family, buckets in ((DURATION, BUCKETS), (WHOLE_DURATION, WHOLE_BUCKETS)):
                histogram = client.Histogram(family.name, family.help, buckets=buckets, registry=registry)
                registered.append(histogram)
                self._durations[family.name] = histogram
            if not os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
                registry.register(_Figures(client, self._collect))
        except ValueError as error:
            for collector in registered:
                registry.unregister(collector)
            problem = f"the registry already has a metric of this name ({error})"
            advice = "give PrometheusMetrics a CollectorRegistry of its own"
            raise SettingsError(f"{problem}; {advice}") from error

    def _collect(self) -> list[Metric]:
        with self._guard:
            return [metric for counter in self._counters.values() for metric in counter.collect()]

    def add(self, tally: MetricsTally, seconds: float | None, citation_seconds: float | None) -> None:
        with self._guard:
            for (name, label), number in tally.counted.items():
                counter = self._counters[name]
                (counter.labels(label) if label else counter).inc(number)
            for family, duration in ((WHOLE_DURATION, seconds), (DURATION, citation_seconds)):
                if duration is not None:
                    self._durations[family.name].observe(duration)


class _Figures:
    """The suite figures as gauges, computed from the counters at each scrape; without a value, no sample."""

    def __init__(self, client: Any, source: Any) -> None:
        self._client = client
        self._source = source

    def describe(self) -> Iterable[Metric]:
        """The families without samples, so that the registry knows their names."""
        return [self._gauge(name, None) for name in FIGURES]

    def collect(self) -> Iterator[Metric]:
        counted = {}
        labels = {family.name: family.label for family in COUNTERS}
        for metric in self._source():
            for sample in metric.samples:
                if sample.name in labels:
                    counted[sample.name, sample.labels.get(labels[sample.name], "")] = int(sample.value)
        for name, value in MetricsTally(counted).figures().items():
            yield self._gauge(name, value)

    def _gauge(self, name: str, value: float | None) -> Metric:
        family = gauge_of(name)
        found: Metric = self._client.Metric(family.name, family.help, "gauge")
        if value is not None:
            found.add_sample(family.name, {}, value)
        return found
