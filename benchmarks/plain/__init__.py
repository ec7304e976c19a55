"""Answers in which one plain fact is another one."""
