"""The server: its tools, and how it introduces itself."""

from __future__ import annotations

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

from banditplan.mcp.root import Root
from banditplan.mcp.tools import Tools
from banditplan.server.runs import Runs
from banditplan.version import VERSION

INSTRUCTIONS = (
    "A planner for tasks in PDDL: classical planning with types, negation, quantifiers, conditional effects, axioms "
    "and action costs. Write a domain and a problem, call `check` until there are no faults, then `solve`. `examples` "
    "shows PDDL that works. `validate`, `simulate` and `next_actions` tell what a sequence of actions does; "
    "`explain_unsolvable` tells why there is no plan."
)


def create_server(runs: Runs, folder: str | None = None) -> MCPServer[None]:
    """The server; whoever runs it ends the runs. Requests may name files below `folder`, if there is one."""
    server: MCPServer[None] = MCPServer(
        "banditplan",
        title="banditplan",
        version=VERSION,
        instructions=INSTRUCTIONS,
        log_level="WARNING",
    )
    tools = Tools(runs, Root(folder, runs.settings.request_limit))
    harmless = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    for tool in (
        tools.check,
        tools.solve,
        tools.validate,
        tools.explain_unsolvable,
        tools.simulate,
        tools.next_actions,
        tools.examples,
    ):
        server.add_tool(tool, annotations=harmless)
    return server
