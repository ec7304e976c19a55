"""Recordings in the shapes of other tools, written for these tests: a museum's opening hours and tickets."""

import json
from pathlib import Path

QUESTION = "When is the museum open, and what does a ticket cost?"
HOURS = "The museum is open from Tuesday to Sunday, from 10 to 18 o'clock."
PRICE = "A ticket costs 12 €. Children under six enter free of charge."
#: One character beyond ASCII before the second statement, and one beyond the basic plane at the start.
FIRST = "😀 It is open from Tuesday to Sunday."
SECOND = "A ticket costs 12 €, café included."
ANSWER = f"{FIRST} {SECOND}"
MARKED = "It is open from Tuesday to Sunday [1]. A ticket costs 12 € [2]."

#: Name of the importer -> a value that it reads as it is. PROMPTFOO, LANGFUSE and LANGSMITH follow the
#: documentation of these tools and were not captured.
PAYLOADS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
LANGFUSE = PAYLOADS["langfuse"]
LANGGRAPH = PAYLOADS["langgraph"]
LANGSMITH = PAYLOADS["langsmith"]
PROMPTFOO = PAYLOADS["promptfoo"]
