"""Prometheus figures: one definition of each family, for services (`PrometheusMetrics`) and for exports."""

from pytest_grounding.metrics.service import PrometheusMetrics
from pytest_grounding.metrics.tally import Tally

__all__ = ["PrometheusMetrics", "Tally"]
