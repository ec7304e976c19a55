"""The report page and the review page under attack: every field of what they show, with each payload.

Nothing runs, nothing is asked for, and nothing becomes markup. The fields are found in the data itself, so that a
field that a verdict gets later is attacked from its first day.
"""

from __future__ import annotations

import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from made_runs import plain, run

from pytest_grounding.golden import Golden, Pending, Store
from pytest_grounding.golden.diff import compare
from pytest_grounding.golden.review import Item
from pytest_grounding.model.run import RunReport
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.reports import review_html
from pytest_grounding.reports.context import Context
from pytest_grounding.reports.write import render
from pytest_grounding.settings import Settings
