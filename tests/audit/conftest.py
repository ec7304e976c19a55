"""What runs of pytest inside of these tests load stays loaded: one module is one object for all tests."""

import pytest_grounding.audit
import pytest_grounding.engine  # noqa: F401
