"""Mutation testing for RAG gates: plant known faults into good answers, and report which the gate catches."""

from pytest_grounding.mutation.faults import FAULTS, Fault, fault_names
from pytest_grounding.mutation.mutate_files import MutationReport, mutate

__all__ = ["FAULTS", "Fault", "MutationReport", "fault_names", "mutate"]
