"""What a renderer may use besides the report of the run."""

from __future__ import annotations

import hashlib
import os
import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

from pytest_grounding._io.jsonio import content_hash
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings

_PLAIN = re.compile(r"[^A-Za-z0-9_.\-]")
_LONGEST = 80
# Characters kept in an address: all that RFC 3986 allows except brackets, which would end a Markdown link.
_KEPT = "/:?#@!$&*+,;=%-._~"
_DRIVE = re.compile(r"[A-Za-z]:/+")


@dataclass(frozen=True, slots=True)
class Links:
    """Addresses that a report may link to; "" if unknown."""

    run: str = ""
    page: str = ""
    can_point: bool = False

    def transcript(self, anchor: str) -> str:
        """The address of one transcript in the page, or ""."""
        return f"{self.page.partition('#')[0]}#{anchor}" if self.can_point and anchor else ""


def links_of(
    *, page: str = "", html: str | None = None, environment: Mapping[str, str] | None = None
) -> Links:
    """The known addresses of a run."""
    known = os.environ if environment is None else environment
    run = _run_of(known)
    if named := _address(page):
        return Links(run, named, can_point=True)
    if html is None:
        return Links(run)
    if job := _address(known.get("CI_JOB_URL", "")):
        shown = f"{job}/artifacts/file/{quote(html)}" if html else f"{job}/artifacts/browse"
        return Links(run, shown, can_point=bool(html))
    # GitHub assigns an artifact's address on upload, which is later; the run's page lists them.
    return Links(run, f"{run}#artifacts" if run and known.get("GITHUB_RUN_ID") else "")


def _run_of(known: Mapping[str, str]) -> str:
    names = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")
    server, repository, number = (known.get(name, "") for name in names)
    if server and repository and number:
        return _address(f"{server.rstrip('/')}/{repository}/actions/runs/{number}")
    return _address(known.get("CI_JOB_URL", "") or known.get("BUILD_URL", ""))


def _address(text: str) -> str:
    text = text.strip()
    try:
        parts = urlsplit(text)
    except ValueError:
        return ""
    return quote(text, safe=_KEPT) if parts.scheme in ("http", "https") and parts.netloc else ""


def anchor_of(identifier: str) -> str:
    """The anchor of a transcript by its id: the same in every run, different for every id."""
    plain = _PLAIN.sub(_escaped, identifier)
    if len(plain) > _LONGEST:
        digest = hashlib.sha256(identifier.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        plain = f"{plain[: _LONGEST - 20]}~~{digest}"
    return f"t-{plain}"


def _escaped(match: re.Match[str]) -> str:
    return "".join(f"~{byte:02x}" for byte in match[0].encode("utf-8", "surrogatepass"))


def anchors_of(verdicts: Sequence[Verdict]) -> list[str]:
    """An anchor per verdict. If different contents share an id, each anchor ends in its content hash."""
    ids = Counter(verdict.id for verdict in verdicts)
    found: list[str] = []
    used: set[str] = set()
    for verdict in verdicts:
        anchor = anchor_of(verdict.id)
        if ids[verdict.id] > 1:
            digest = hashlib.sha256(verdict.transcript_hash.encode("utf-8", "surrogatepass")).hexdigest()
            anchor = f"{anchor}~~{digest[:8]}"
        number = 1
        while anchor in used:  # equal id and content: does not occur in a run, but must not break a page
            number += 1
            anchor = f"{anchor}~~{number}"
        used.add(anchor)
        found.append(anchor)
    return found


@dataclass(frozen=True, slots=True)
class LinkContext:
    """The transcripts behind the verdicts, and the path prefix of their files on the build server."""

    transcripts: Mapping[str, Transcript] = field(default_factory=dict)
    prefix: str = ""
    links: Links = Links()
    settings: Settings = field(default_factory=Settings)

    @classmethod
    def of(
        cls,
        transcripts: Iterable[Transcript] | Mapping[str, Transcript] = (),
        prefix: str = "",
        links: Links = Links(),
        settings: Settings | None = None,
    ) -> LinkContext:
        """The context with some transcripts; in a mapping the keys are their content hashes."""
        if not isinstance(transcripts, Mapping):
            transcripts = {content_hash(item.model_dump(mode="json")): item for item in transcripts}
        return cls(transcripts, prefix, links, settings or Settings())

    def transcript(self, verdict: Verdict) -> Transcript | None:
        """The transcript of a verdict, or None if unknown."""
        return self.transcripts.get(verdict.transcript_hash)

    def path(self, place: str) -> str:
        """The path of a file from the root of the repository, with forward slashes."""
        shown = place.replace("\\", "/")
        if shown.startswith("/") or _DRIVE.match(shown):
            here = Path.cwd().as_posix()
            root = here.removesuffix(f"/{self.prefix}") if self.prefix else here
            # Paths outside of it keep their folders, but do not reveal the machine's drives.
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


def links_to(page: str, targets: Iterable[tuple[str, str]]) -> Links:
    """Where the build server shows the run, and the HTML report among its reports."""
    files = [Path(path).resolve() for kind, path in targets if kind == "html" and path not in ("", "-")]
    if not files:
        return links_of(page=page)
    given = os.environ.get("CI_PROJECT_DIR")
    root = Path(given).resolve() if given else None
    inside = root is not None and files[0].is_relative_to(root)
    html = files[0].relative_to(root).as_posix() if root is not None and inside else ""
    return links_of(page=page, html=html)
