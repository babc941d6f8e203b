"""Pages that are read from the code when the site is built: the Python API, the commands, and the components."""

from __future__ import annotations

import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from banditplan.cli.main import COMMANDS, PROGRAM
from banditplan.cli.options import command_help, named
from banditplan.components import ALIASES, FAMILIES, components


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Called by MkDocs when it has found the pages."""
    sys.path.insert(0, str(Path(__file__).parent))
    from api_reference import page

    pages = {"python": page(), "commands": _commands(), "components": _components()}
    for name, content in pages.items():
        files.append(File.generated(config, f"reference/{name}.md", content=content))
    return files


def _commands() -> str:
    parts = ["# Commands\n", f"What `{PROGRAM} COMMAND --help` prints.\n"]
    for words, command in named(COMMANDS).items():
        program = " ".join([PROGRAM, *words.split()[:-1]])
        parts.append(f"## {words}\n\n```text\n{command_help(command, program)}\n```\n")
    return "\n".join(parts)


def _components() -> str:
    parts = [
        "# Components\n",
        "What a search text can name, with all options and their defaults; `banditplan components` lists them too.\n",
    ]
    for family, base in FAMILIES:
        parts += [f"## {family}\n", "| text | class | |", "|---|---|---|"]
        parts += [f"| `{item()!r}` | `{item.__name__}` | {item.__doc__} |" for item in components(base).values()]
        parts.append("")
    parts += ["## Names of searches\n", "| name | stands for |", "|---|---|"]
    parts += [f"| `{alias}` | `{text}` |" for alias, text in ALIASES.items()]
    return "\n".join(parts) + "\n"
