"""What settings, commands and options of earlier versions are replaced by."""

from pathlib import Path

_LINES = Path(__file__).with_name("gone.tsv").read_text(encoding="utf-8").splitlines()
GONE: dict[str, str] = {line.partition("\t")[0]: line.partition("\t")[2] for line in _LINES}
