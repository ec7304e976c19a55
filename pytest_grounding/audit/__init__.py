"""The audit log: a line of JSON per validation, chained by hashes, safe for many processes."""

from pytest_grounding.audit.log import AuditLog, AuditWarning
from pytest_grounding.audit.records import AuditNote, AuditRecord

__all__ = ["AuditLog", "AuditNote", "AuditRecord", "AuditWarning"]
