"""Counters of a service, in a registry of ``prometheus_client``."""

from __future__ import annotations

import math
import os
import threading
import time
import weakref
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from pytest_grounding._optional import require
from pytest_grounding.engine import Given, GivenSettings, validate
from pytest_grounding.errors import InputError, SettingsError
from pytest_grounding.metrics.tally import (
    BUCKETS,
    COUNTERS,
    DURATION,
    FIGURES,
    RETRIEVAL_DURATION,
    Family,
    Tally,
    gauge_of,
)
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry, Metric

_EXTRA = "metrics"
_lock = threading.Lock()
#: The instruments of each registry: a second `PrometheusMetrics` on it counts into the same ones.
_known: weakref.WeakKeyDictionary[CollectorRegistry, _Instruments] = weakref.WeakKeyDictionary()


class PrometheusMetrics:
    """Counts verdicts into a registry of ``prometheus_client``; safe to use from many threads.

    Two of them on one registry share their counters, so an application may be built twice. The families
    are listed in ``docs/metrics.md``. In the multi-process mode of ``prometheus_client`` the counters work
    as they are, and `text` adds up all processes.

    Args:
        registry: a ``CollectorRegistry``; None takes the global one, which the default ``/metrics``
            endpoints of ``prometheus_client`` serve.
        settings: thresholds for `validate`, and ``suite_confidence``, from which on an answer counts as
            confident.

    Attributes:
        registry: the registry in use.

    Raises:
        MissingExtraError: ``prometheus_client`` is not installed; names the extra ``metrics``.
        SettingsError: a setting is out of range, or the registry holds metrics of these names that are
            not ours.
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

    def observe(self, verdict: Verdict, *, seconds: float | None = None) -> None:
        """Count one verdict."""
        if seconds is not None and not (math.isfinite(seconds) and seconds >= 0):
            raise InputError(f"{seconds!r} is no duration", field="seconds", hint="give seconds, 0 or more")
        tally = Tally.of([verdict], confident=self._settings.suite_confidence)
        taken = sum(verdict.retrieval.stage_ms.values()) / 1000
        self._instruments.add(tally, seconds, taken if seconds is not None else None)

    def validate(self, transcript: Given, settings: GivenSettings = None) -> Verdict:
        """Validate one transcript, take the time and count the verdict.

        Args:
            transcript: a Transcript, or a mapping that becomes one.
            settings: thresholds for this call; None takes those given to the constructor.

        Returns:
            The verdict of `pg.validate`, unchanged.

        Raises:
            InputError: the mapping is no transcript; nothing was counted.
            SettingsError: a setting is unknown or out of range; nothing was counted.
        """
        began = time.perf_counter()
        verdict = validate(transcript, self._settings if settings is None else settings)
        self.observe(verdict, seconds=time.perf_counter() - began)
        return verdict

    def text(self) -> str:
        """All that the registry holds in the text format of Prometheus (version 0.0.4)."""
        client = require("prometheus_client", extra=_EXTRA)
        registry = self.registry
        if is_multiprocess():
            shared = require("prometheus_client.multiprocess", extra=_EXTRA)
            registry = client.CollectorRegistry()
            every_process = shared.MultiProcessCollector(registry)
            registry.register(_Figures(client, every_process.collect))
        text: str = client.generate_latest(registry).decode("utf-8")
        return text


def is_multiprocess() -> bool:
    """Whether ``prometheus_client`` keeps its values in files that several processes share."""
    return any(os.environ.get(name) for name in ("PROMETHEUS_MULTIPROC_DIR", "prometheus_multiproc_dir"))


class _Instruments:
    """The counters, the histogram and the figures of one registry."""

    def __init__(self, client: Any, registry: CollectorRegistry) -> None:
        self._counters: dict[str, Any] = {}
        # Figures are shares: one must not see an answer counted here and not yet there.
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
            self._durations = [
                client.Histogram(family.name, family.help, buckets=BUCKETS, registry=registry)
                for family in (DURATION, RETRIEVAL_DURATION)
            ]
            registered += self._durations
            if not is_multiprocess():
                registry.register(_Figures(client, self._collect))
        except ValueError as error:
            for collector in registered:
                registry.unregister(collector)
            raise SettingsError(
                f"the registry holds a metric of the same name already ({error}); "
                f"give PrometheusMetrics a CollectorRegistry of its own"
            ) from error

    def _collect(self) -> list[Metric]:
        with self._guard:
            return [metric for counter in self._counters.values() for metric in counter.collect()]

    def add(self, tally: Tally, *seconds: float | None) -> None:
        """Add what was counted, and how long the answer and its retrieval took."""
        with self._guard:
            for (name, label), number in tally.counted.items():
                counter = self._counters[name]
                (counter.labels(label) if label else counter).inc(number)
            for duration, taken in zip(self._durations, seconds, strict=False):
                if taken is not None:
                    duration.observe(taken)


class _Figures:
    """The suite figures as gauges, made of the counters at each scrape; one without a value has no sample."""

    def __init__(self, client: Any, source: Any) -> None:
        self._client = client
        self._source = source

    def describe(self) -> Iterable[Metric]:
        """The families without samples, so that the registry knows their names."""
        return [self._gauge(name, None) for name in FIGURES]

    def collect(self) -> Iterator[Metric]:
        """The families with the value of now."""
        counted = {
            (sample.name, sample.labels.get(family.label, "")): int(sample.value)
            for metric in self._source()
            for sample in metric.samples
            if (family := _OURS.get(sample.name)) is not None
        }
        for name, value in Tally(counted).figures().items():
            yield self._gauge(name, value)

    def _gauge(self, name: str, value: float | None) -> Metric:
        family = gauge_of(name)
        found: Metric = self._client.Metric(family.name, family.help, "gauge")
        if value is not None:
            found.add_sample(family.name, {}, value)
        return found


_OURS: dict[str, Family] = {family.name: family for family in COUNTERS}
