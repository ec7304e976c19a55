"""Run a recipe of ``docs/scale.md`` on a small cluster here: ``run_recipe.py spark|ray DOCS WORK``.

The Python that runs it has pyspark or ray; it need have nothing else of what the tests need.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

WORKERS = 2


def recipe(docs: Path, name: str, work: str) -> str:
    """The block of the page that names a cluster, with another work folder."""
    blocks = re.findall(r"```python\n(.*?)```", docs.read_text(encoding="utf-8"), re.DOTALL)
    [block] = [text for text in blocks if f"{name}." in text and "/shared/work" in text]
    return block.replace("/shared/work", work)


def on_spark(text: str) -> None:
    """Run a recipe with a session of Spark, which is stopped."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    chosen = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": "512m",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
    }
    builder: Any = SparkSession.builder.master(f"local[{WORKERS}]")
    for key, value in chosen.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    try:
        _timed(text, {"spark": spark})
    finally:
        spark.stop()


def on_ray(text: str) -> None:
    """Run a recipe with Ray on this machine, which is shut down."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray

    # The names of its sockets must be short.
    with tempfile.TemporaryDirectory(prefix="r", dir="/tmp", ignore_cleanup_errors=True) as place:
        ray.init(
            num_cpus=WORKERS,
            object_store_memory=80 << 20,
            include_dashboard=False,
            logging_level="ERROR",
            _temp_dir=place,
        )
        try:
            _timed(text, {})
        finally:
            ray.shutdown()


def _timed(text: str, names: dict[str, Any]) -> None:
    started = time.perf_counter()
    exec(text, names)
    print(f"seconds: {time.perf_counter() - started:.1f}", flush=True)


if __name__ == "__main__":
    cluster, page, folder = sys.argv[1:]
    {"spark": on_spark, "ray": on_ray}[cluster](recipe(Path(page), cluster, folder))
