"""How well is it seen that an answer leaves out a part of its question."""
