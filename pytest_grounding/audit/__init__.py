"""The audit log: one line of JSON a validation, chained by hashes, safe for many processes."""

from pytest_grounding.audit.log import AuditLog, AuditWarning
from pytest_grounding.audit.verifying import AuditNote, AuditRecord

__all__ = ["AuditLog", "AuditNote", "AuditRecord", "AuditWarning"]
