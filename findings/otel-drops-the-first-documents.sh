#!/bin/sh
# opentelemetry-sdk==1.45.2, openinference-instrumentation-langchain==0.1.80, langchain-core==1.8.3
#
# A traced LangChain retriever that returns 70 documents loses the FIRST ones, not the last: the instrumentation
# writes two attributes a document, the SDK keeps 128 attributes of a span (OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT) and drops
# the oldest. What is left begins at retrieval.documents.7, so that a reader who counts documents in the order of the
# export takes document 7 for the source of the mark [1]. A warning is logged; the JSON (span.to_json(), which the console
# exporter writes) does not say that anything was dropped.
#
# Output seen:
#   documents retrieved: 70
#   first document in the span: 7
#   documents in the span: 63
#   attributes dropped, by the span object: 17
#   the JSON of the span mentions dropped attributes: False
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check opentelemetry-sdk==1.45.2 \
    openinference-instrumentation-langchain==0.1.80 langchain-core==1.8.3
cat > "$folder/run.py" <<'PYTHON'
import re

from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

exporter = InMemorySpanExporter()
provider = TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
LangChainInstrumentor().instrument(tracer_provider=provider)


class Retriever(BaseRetriever):
    def _get_relevant_documents(self, query, *, run_manager):
        return [Document(page_content=f"Notice {n + 1}.", metadata={"page": n + 1}) for n in range(70)]


found = Retriever().invoke("Which notice is the first?")
(span,) = exporter.get_finished_spans()
names = [re.match(r"retrieval\.documents\.(\d+)\.", name) for name in span.attributes]
numbers = sorted({int(match[1]) for match in names if match})
said = "dropped" in span.to_json()
print("documents retrieved:", len(found))
print("first document in the span:", numbers[0])
print("documents in the span:", len(numbers))
print("attributes dropped, by the span object:", span.dropped_attributes)
print("the JSON of the span mentions dropped attributes:", said)
raise SystemExit(0 if len(found) == 70 and numbers[0] > 0 and not said else 1)
PYTHON
"$folder/venv/bin/python" "$folder/run.py"
