"""Recognise file names: by extension, or by a known name without one."""

from __future__ import annotations

import re

from pytest_grounding._io.lazy_patterns import lazy

#: Extensions of files cited in answers, without the dot.
EXTENSIONS = lazy(
    r"adoc|asm|astro|bash|bat|bzl|c|cc|cfg|clj|cljs|cmake|cmd|conf|cpp|cs|css|csv|cts|cu|cue|cxx|d|dart|diff"
    r"|ejs|el|elm|env|erb|erl|ex|exs|f90|fish|fs|fsx|gd|go|gql|gradle|graphql|groovy|h|haml|hbs|hcl|hpp|hrl"
    r"|hs|htm|html|hxx|idl|ini|ipynb|java|jinja2?|jl|js|json|json5|jsonc|jsonl|jsx|kt|kts|less|lisp|lock|log"
    r"|lua|m|make|markdown|md|mdx|mjs|mk|ml|mli|mm|mts|nim|nix|php|pl|plist|pm|po|pp|prisma|proto|ps1|pug|py"
    r"|pyi|pyx|r|rb|rake|rkt|rs|rst|sass|sbt|scala|scm|scss|sh|sol|sql|styl|svelte|swift|tcl|tex|tf|tfvars"
    r"|thrift|toml|ts|tsv|tsx|txt|v|vb|vhd|vhdl|vim|vue|wat|xml|xsd|xsl|yaml|yml|zig|zsh",
    re.IGNORECASE,
)
#: Names of files without an extension.
BARE_NAMES = lazy(
    r"makefile|dockerfile|jenkinsfile|rakefile|gemfile|procfile|vagrantfile|license|readme|changelog"
    r"|\.env|\.gitignore|\.dockerignore|\.editorconfig",
    re.IGNORECASE,
)
#: Extensions of documents, archives and pictures.
DOCUMENTS = frozenset(
    """pdf doc docx odt rtf xls xlsx ods ppt pptx odp epub zip gz tar tgz rar jar whl png jpg jpeg gif svg
    webp mp3 mp4 wav avi mov exe dll dmg iso apk deb rpm db sqlite parquet bak tmp""".split()
)
_NAMES = tuple(f".transcript{s}.json{end}" for s in ("", "s") for end in ("", "l"))


def is_nearly_named(file: str) -> bool:
    """Whether a name is nearly that of a recording: except for case or an s too many or too few."""
    return file.lower().endswith(_NAMES)
