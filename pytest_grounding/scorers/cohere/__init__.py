"""Cohere's rerank, embed and chat, through its own SDK."""

from pytest_grounding.scorers.cohere.client import CohereClient
from pytest_grounding.scorers.cohere.rerank import RerankScorer

__all__ = ["CohereClient", "RerankScorer"]
