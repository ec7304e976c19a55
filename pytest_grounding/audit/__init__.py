"""The audit log: one line of JSON a validation, chained by hashes, safe for many processes."""

from pytest_grounding.audit.audit_record import AuditNote, AuditRecord
from pytest_grounding.audit.log import AuditLog, AuditWarning

__all__ = ["AuditLog", "AuditNote", "AuditRecord", "AuditWarning"]
