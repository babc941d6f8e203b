"""`banditplan bandits`: games as a table, and as pictures beside the theory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from banditplan import _core
from banditplan.bandits.play import Played, play
from banditplan.cli.display import say
from banditplan.cli.options import Command, Option, UsageError, natural
from banditplan.cli.stdout import print_line
from banditplan.components import components
from banditplan.components.spec import parse_list
from banditplan.files import check_folder

PLOTS = ("regret", "least", "bound", "condition")
FORMATS = (".svg", ".png", ".pdf")


def run(files: list[str], options: dict[str, Any]) -> int:
    if options["output"] is not None:
        check_folder(options["output"], "the plot", "--output")
    print_line(_table(files[0] if files else None, options))
    return 0


def _table(plot: str | None, options: dict[str, Any]) -> str:
    """Play, draw what was asked for, and return a table as text."""
    if plot is None:
        if options["output"] is not None:
            raise UsageError(f"--output needs a plot: {', '.join(PLOTS)}")
        return games_table(_games(plot, options))
    if plot not in PLOTS:
        raise UsageError(f'there is no plot "{plot}"; there are {", ".join(PLOTS)}')
    output = options["output"] or f"{plot}.svg"
    if not output.endswith(FORMATS):
        raise UsageError(f'--output: "{output}" must end in one of {", ".join(FORMATS)}')
    from banditplan.bandits import bounds, plots  # before the games, so that what is missing is said at once

    if plot == "condition":
        plots.save(plots.condition(), output)
        say(f"wrote {output}")
        return bounds.table()
    games = _games(plot, options)
    figures = {"regret": plots.regret, "least": plots.least, "bound": plots.bound}
    plots.save(figures[plot](games), output)
    say(f"wrote {output}")
    return games_table(games)


def _games(plot: str | None, options: dict[str, Any]) -> list[Played]:
    arms = parse_list(options["arms"], _core.Costs, "arms", "gaussian(0, 1)")
    players: Sequence[_core.Bandit] = [each() for each in components(_core.Bandit).values()]
    if options["bandits"] is not None:
        players = parse_list(options["bandits"], _core.Bandit, "bandits", "ucb1(c=2)")
    if plot == "bound":
        players = [_core.Ucb1Normal2()]
    keys = ("pulls", "repetitions", "seed", "initial_pulls")
    return [play(bandit, arms, **{key: options[key] for key in keys}) for bandit in players]


def games_table(games: Sequence[Played]) -> str:
    """A line per bandit, least regret first."""
    lines = [f"{'bandit':16}{'regret':>12}{'deviation':>12}{'10 %':>12}{'90 %':>12}{'least cost':>12}"]
    for played in sorted(games, key=lambda played: played.regret.mean[-1]):
        regret, least = played.regret, played.least
        numbers = (regret.mean, regret.deviation, regret.quantile(0.1), regret.quantile(0.9), least.mean)
        lines.append(f"{played.bandit:16}" + "".join(f"{column[-1]:12,.2f}" for column in numbers))
    return "\n".join(lines)


def command(name: str, summary: str) -> Command:
    return Command(
        name,
        summary,
        ("[PLOT]",),
        (
            Option(
                "--arms",
                "where the costs come from: gaussian(mean, deviation), uniform(low, high), constant(cost), "
                "urn([1, 2, 3]), drawn without replacement, or urn([0, 1], replace=True)",
                "TEXT",
                str,
                "gaussian(0, 1), gaussian(0.5, 1), gaussian(1, 1)",
            ),
            Option("--bandits", "such as ucb1(c=2), normal2; all of `banditplan components` if not given", "TEXT"),
            Option("--pulls", "of one game", "N", natural, 10_000),
            Option("--initial-pulls", "of every arm, in turn, before the bandit chooses", "N", natural, 1),
            Option("--repetitions", "how many games each bandit plays, with the seeds N, N+1 …", "N", natural, 100),
            Option("--seed", "of the first game", "N", natural, 0),
            Option("--output", "where to write the plot, as .svg, .png or .pdf; PLOT.svg if not given", "FILE"),
        ),
        run,
        "PLOT is one of\n"
        "  regret     cumulative regret over pulls\n"
        "  least      the least cost met so far over pulls\n"
        "  bound      the regret of UCB1-Normal2 beside its bound, as a function of α\n"
        "  condition  the χ² condition behind the bound, and the minimum number of pulls; nothing is played\n"
        "Plots need Matplotlib and SciPy: pip install 'banditplan[plot]'.",
    )
