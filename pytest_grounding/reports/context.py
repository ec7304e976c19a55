"""What a renderer may know besides the report of the run."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pytest_grounding._jsonio import content_hash
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.reports.links import NOWHERE, Links, links_of
from pytest_grounding.settings import Settings

_DRIVE = re.compile(r"[A-Za-z]:/+")


@dataclass(frozen=True, slots=True)
class Context:
    """The transcripts behind the verdicts, and where the build server looks for their files."""

    transcripts: Mapping[str, Transcript] = field(default_factory=dict)
    prefix: str = ""
    links: Links = NOWHERE
    settings: Settings = field(default_factory=Settings)

    @classmethod
    def of(
        cls,
        transcripts: Iterable[Transcript] | Mapping[str, Transcript] = (),
        prefix: str = "",
        links: Links = NOWHERE,
        settings: Settings | None = None,
    ) -> Context:
        """The context with some transcripts; a mapping of them is by the hash of their content."""
        if isinstance(transcripts, Mapping):
            return cls(transcripts, prefix, links, settings or Settings())
        known = {content_hash(item.model_dump(mode="json")): item for item in transcripts}
        return cls(known, prefix, links, settings or Settings())

    def transcript(self, verdict: Verdict) -> Transcript | None:
        """The transcript that a verdict is on, or None where it is not known."""
        return self.transcripts.get(verdict.transcript_hash)

    def path(self, place: str) -> str:
        """The path of a file from the root of the repository, with forward slashes."""
        shown = place.replace("\\", "/")
        if shown.startswith("/") or _DRIVE.match(shown):
            here = Path.cwd().as_posix()
            root = here.removesuffix(f"/{self.prefix}") if self.prefix else here
            # What lies elsewhere keeps its folders, and says nothing of the machine's drives.
            outside = _DRIVE.sub("", shown).lstrip("/")
            return posixpath.relpath(shown, root) if f"{shown}/".startswith(f"{root}/") else outside
        return posixpath.normpath(posixpath.join(self.prefix, shown)) if self.prefix else shown


def prefix_of(folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """The path from the root of the repository to a folder."""
    known = os.environ if environment is None else environment
    here = folder.resolve()
    roots = [Path(known[name]) for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR") if known.get(name)]
    roots += [parent for parent in (here, *here.parents) if (parent / ".git").exists()][:1]
    for root in roots:
        if here.is_relative_to(root.resolve()):
            relative = here.relative_to(root.resolve()).as_posix()
            return "" if relative == "." else relative
    return ""


def links_to(run: str, page: str, targets: Iterable[tuple[str, str]]) -> Links:
    """Where the build server shows the run, and the HTML report that is among its reports."""
    files = [Path(path).resolve() for kind, path in targets if kind == "html" and path not in ("", "-")]
    if not files:
        return links_of(run=run, page=page)
    given = os.environ.get("CI_PROJECT_DIR")
    root = Path(given).resolve() if given else None
    inside = root is not None and files[0].is_relative_to(root)
    html = files[0].relative_to(root).as_posix() if root is not None and inside else ""
    return links_of(run=run, page=page, html=html)
