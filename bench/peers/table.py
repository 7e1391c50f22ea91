"""Tables from results: the times in each cell, and their ratios in each regime. Needs only Python."""
import math
import statistics
import sys
from dataclasses import dataclass
from typing import Dict, Iterable, List, Optional, Tuple

from cells import LOSSES, SETS, Cell
from regimes import END_TO_END, REGIMES
from results import TARGETS, Results

LOOSE_REFERENCE = 1e-7  # if the lower bound is not better than this, rivals may be closer to the optimum than can be shown
REGRET = ((1.10, 2.4), (1.08, 1.5))  # geometric mean and maximum: goal, stretch goal

Timed = Optional[Tuple[str, float]]  # name, CPU seconds


@dataclass
class Rounds:
    """The fastest peer and auto, next to each other (rounds.py). Medians; ratios are taken within a round."""

    rival: Timed
    auto: Optional[float]  # None: not certified within the cap in one of the rounds
    ratios: List[float]  # ascending
    ours: dict  # the answer of the round with the median time

    @property
    def ratio(self) -> Optional[float]:
        return statistics.median(self.ratios) if self.ratios else None

    @property
    def spread(self) -> str:
        return f"{number(self.ratios[0])} to {number(self.ratios[-1])}" if len(self.ratios) > 1 else ""


@dataclass
class CellResult:
    """The fastest runs of a cell for one target accuracy."""

    own: Timed  # our fastest certified run, without auto
    auto: Optional[float]  # None: not certified within the cap
    rival: Timed
    auto_ran: bool
    own_ran: bool
    rivals_ran: bool
    bounded: bool  # there is a lower bound: without it no accuracy is known
    rounds: Optional[Rounds] = None

    @property
    def complete(self) -> bool:
        return self.own_ran and self.rivals_ran and self.bounded

    @property
    def best_own(self) -> Timed:
        choices = [t for t in (self.own, ("auto", self.auto) if self.auto is not None else None) if t]
        return min(choices, key=lambda t: t[1]) if choices else None

    def seconds(self, without_auto: bool) -> Optional[float]:
        """The time of auto, in the rounds if there are any; `without_auto`: that of our fastest method."""
        if self.rounds:
            return self.rounds.auto
        return self.best_own[1] if without_auto and self.best_own else self.auto

    def ratio(self, without_auto: bool) -> Optional[float]:
        if self.rounds:
            return self.rounds.ratio
        ours = self.seconds(without_auto)
        return self.rival[1] / ours if self.rival and ours else None

    @property
    def regret(self) -> Optional[float]:
        return self.auto / self.best_own[1] if self.auto is not None and self.own else None


def name_of(run: dict) -> str:
    return f"{run['who']} {run['solver']}" if run["who"] != run["solver"] else run["who"]


def rounds_of(results: Results, cell: Cell) -> Optional[Rounds]:
    lines = list(results.rounds.get(cell, {}).values())
    if not lines:
        return None
    best = [quickest((run for run in line["peers"] if run.get("cpu") and results.within(cell, run, TARGETS[0])), name_of) for line in lines]
    ours = [line["ours"].get("cpu") if line["ours"].get("status") == "converged" else None for line in lines]
    ratios = sorted(rival[1] / own for rival, own in zip(best, ours) if rival and own)
    rivals = sorted((rival for rival in best if rival), key=lambda rival: rival[1])
    middle = sorted(lines, key=lambda line: line["ours"].get("cpu", 0))[len(lines) // 2]["ours"]
    return Rounds(rivals[len(rivals) // 2] if rivals else None, None if None in ours else statistics.median(ours), ratios, middle)


def quickest(runs: Iterable[dict], name) -> Timed:
    best = min(runs, key=lambda run: run["cpu"], default=None)
    return (name(best), max(best["cpu"], 1e-6)) if best else None


def cell_result(results: Results, cell: Cell, target: float) -> CellResult:
    runs = results.runs(cell)
    own = [r for r in runs if r["who"] == "ours" and r.get("arrived") and r["tolerance"] <= target]
    rivals = [r for r in runs if r["who"] not in ("ours", "reference")]
    within = [r for r in rivals if results.within(cell, r, target)]
    auto = quickest((r for r in own if r["solver"] == "auto"), lambda r: "auto")
    rounds = rounds_of(results, cell) if target == TARGETS[0] else None
    return CellResult(own=quickest((r for r in own if r["solver"] != "auto"), lambda r: r["solver"]),
                    auto=auto[1] if auto else None,
                    rival=rounds.rival if rounds else quickest(within, name_of),
                    auto_ran=any(r["who"] == "ours" and r["solver"] == "auto" for r in runs), own_ran=any(r["who"] == "ours" for r in runs),
                    rivals_ran=bool(rivals), bounded=results.lower_bound(cell) is not None, rounds=rounds)


def mean(values: List[float]) -> Optional[float]:
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def number(value: Optional[float], digits: int = 3) -> str:
    return "" if value is None else f"{value:.{digits}g}"


def markdown(head: List[str], rows: List[List[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


def order(cell: Cell):
    names = [loss.name for loss in LOSSES]
    place = lambda item, among: among.index(item) if item in among else len(among)
    return place(cell.set, SETS), place(cell.loss, names), cell.C is None, cell.C or -(cell.fraction or 0)


def versus(result: CellResult, without_auto: bool) -> str:
    if not result.complete:
        return ""
    if result.rival is None:
        return "rival fails" if result.seconds(without_auto) else "both fail"
    return number(result.ratio(without_auto)) or "ours fails"


def table_of_cells(results: Results, cells: List[Cell], by_cell: Dict[Cell, Tuple[CellResult, ...]], without_auto: bool) -> str:
    rows = []
    for cell in cells:
        tight, loose = by_cell[cell]
        gap = results.reference_gap(cell)
        own, rival = tight.best_own, tight.rival
        rows.append([cell.set, cell.loss, cell.strength, own[0] if own else "-", number(own[1]) if own else "-",
                     number(tight.seconds(False)) or ("fails" if tight.auto_ran else ""), number(tight.regret), rival[0] if rival else "-",
                     number(rival[1]) if rival else "fails" if tight.rivals_ran and tight.bounded else "-", versus(tight, without_auto),
                     tight.rounds.spread if tight.rounds else "", versus(loose, without_auto),
                     "" if gap is not None and gap <= LOOSE_REFERENCE else "none" if gap is None else f"{gap:.0e}"])
    return markdown(["set", "loss", "strength", "best own", "s", "auto s", "regret", "best rival", "s", "ratio 1e-6", "spread", "ratio 1e-3", "loose bound"], rows)


def table_of_ratios(cells: List[Cell], by_cell: Dict[Cell, Tuple[CellResult, ...]], without_auto: bool) -> str:
    """One row per set and loss, one column per strength."""
    strengths = sorted({cell.strength for cell in cells}, key=lambda text: (text.endswith("l1max"), float(text.removesuffix(" l1max").removeprefix("C "))))
    rows: Dict[Tuple[str, str], Dict[str, str]] = {}
    for cell in cells:
        tight = by_cell[cell][0]
        spread = f" ({tight.rounds.spread})" if tight.rounds and tight.rounds.spread else ""
        rows.setdefault((cell.set, cell.loss), {})[cell.strength] = versus(tight, without_auto) + spread
    return markdown(["set", "loss", *strengths], [[*names, *(row.get(strength, "") for strength in strengths)] for names, row in rows.items()])


def table_of_slower(cells: List[Cell], by_cell: Dict[Cell, Tuple[CellResult, ...]]) -> str:
    """The cells in which the fastest rival is faster than auto, with what is known of our run. Needs rounds."""
    slower = sorted((by_cell[cell][0].rounds.ratio, order(cell), cell) for cell in cells if by_cell[cell][0].rounds and (by_cell[cell][0].rounds.ratio or 1) < 1)
    rows = []
    for ratio, _, cell in slower:
        rounds = by_cell[cell][0].rounds
        run = rounds.ours
        rows.append([f"{cell.set} {cell.loss} {cell.strength}", f"{number(ratio)} ({rounds.spread})", rounds.rival[0] if rounds.rival else "", number(1e3 * rounds.rival[1]) if rounds.rival else "",
                     number(1e3 * rounds.auto) if rounds.auto else "", run.get("method", ""), number(run.get("passes")), number(1e3 * run.get("solve", 0)), number(1e3 * run.get("check", 0))])
    return markdown(["cell", "ratio", "rival", "ms", "auto ms", "method", "passes", "solve, wall ms", "checks, wall ms"], rows)


def summary(by_cell: Dict[Cell, Tuple[CellResult, ...]], without_auto: bool) -> str:
    compared = [result[0] for result in by_cell.values() if result[0].complete]
    ratios = [ratio for ratio in (result.ratio(without_auto) for result in compared) if ratio]
    wins = sum(result.rival is None and result.seconds(without_auto) is not None for result in compared)
    lost = sum(result.seconds(without_auto) is None for result in compared)
    return (f"{len(compared)} cells. Rival / ours to 1e-6 in {len(ratios)}: geometric mean {number(mean(ratios)) or '-'}, below 1 in {sum(ratio < 1 for ratio in ratios)}. "
            f"Only ours converged in {wins}; ours did not in {lost}.")


def table_of_methods(results: Results, cells: List[Cell]) -> str:
    """Each of our methods to 1e-6: the candidates of `auto`."""
    times: Dict[Cell, Dict[str, str]] = {}
    names: List[str] = []
    for cell in cells:
        for run in results.runs(cell):
            if run["who"] == "ours" and run["tolerance"] == TARGETS[0] and not run.get("unsupported"):
                times.setdefault(cell, {})[run["solver"]] = number(run["cpu"]) if run["arrived"] else "> " + number(run["cap"])
                names += [run["solver"]] if run["solver"] not in names else []
    return markdown(["set", "loss", "strength", *names], [[cell.set, cell.loss, cell.strength, *(row.get(name, "") for name in names)] for cell, row in times.items()])


def judged(value: Optional[float], wanted: Optional[float], allowance: float = 1.2) -> str:
    if value is None:
        return "-"
    return number(value) + ("" if wanted is None or value * allowance >= wanted else " **short**")


def table_of_regimes(results: Results, by_cell: Dict[Cell, Tuple[CellResult, ...]], without_auto: bool) -> str:
    rows = []
    for regime in REGIMES:
        chosen = [(cell, s) for cell, s in by_cell.items()
                  if cell.set in results.sets and s[0].complete and regime.holds(cell, results.sets[cell.set])]
        ratios = [(s[0].ratio(without_auto), cell) for cell, s in chosen if s[0].ratio(without_auto)]
        loose = [s[1].ratio(without_auto) for _, s in chosen if s[1].ratio(without_auto)]
        lowest = min(ratios, key=lambda r: r[0], default=None)
        pair = lambda a, b: "; ".join(number(v) for v in (a, b) if v is not None) or "certified"
        rows.append([regime.name, str(len(chosen)), str(sum(s[0].rival is None for _, s in chosen)),
                     str(sum(s[0].seconds(without_auto) is None for _, s in chosen)), judged(mean([r for r, _ in ratios]), regime.wanted),
                     judged(lowest[0], regime.lowest) + f" ({lowest[1].set} {lowest[1].loss} {lowest[1].strength})" if lowest else "-",
                     pair(regime.wanted, regime.lowest), pair(regime.stretch, regime.stretch_lowest) if regime.stretch else "", number(mean(loose)) or "-"])
    return markdown(["regime", "cells", "rival fails", "ours fails", "rival / ours to 1e-6, mean", "lowest cell", "wanted", "stretch", "to 1e-3, mean"], rows)


def regret_lines(by_cell: Dict[Cell, Tuple[CellResult, ...]]) -> List[str]:
    regrets = [(s[0].regret, cell) for cell, s in by_cell.items() if s[0].regret]
    if not regrets:
        return ["No regret: `auto` and our other methods have no cell in common."]
    worst = max(regrets, key=lambda r: r[0])
    return [f"Regret of auto (its time / that of our best method) over {len(regrets)} cells: geometric mean {mean([r for r, _ in regrets]):.3f} "
            f"(wanted {REGRET[0][0]}, stretch {REGRET[1][0]}), maximum {worst[0]:.2f} in {worst[1].set} {worst[1].loss} {worst[1].strength} "
            f"(wanted {REGRET[0][1]}, stretch {REGRET[1][1]})."]


def table_of_commands(lines: List[dict]) -> str:
    latest = {(line["set"], line["loss"]): line for line in lines}.values()
    rows = [[line["set"], f"{line['bytes'] / 1e6:.1f}", line["loss"], number(line["liblinear"]), f"{line['liblinear_accuracy']:.0e}", number(line["default"]),
             number(line["liblinear"] / line["default"]), number(line["default_one_thread"]), number(line["liblinear_cpu"] / line["default_one_thread_cpu"]),
             number(line["matching"]), number(line["liblinear"] / line["matching"])] for line in latest]
    head = ["set", "MB", "loss", "liblinear-train, s", "its accuracy", "seesaw, gap 1e-4, s", "ratio", "1 thread, s", "ratio in CPU s", "to its accuracy, s", "ratio"]
    ratios = [line["liblinear"] / line["default"] for line in latest]
    return markdown(head, rows) + (f"\n\nGeometric mean of the ratio at our default gap: {judged(mean(ratios), END_TO_END[0])} "
                                   f"(wanted {END_TO_END[0]}, stretch {END_TO_END[1]}); lowest {number(min(ratios))}.")


def render(results: Results) -> str:
    cells = sorted((cell for cell, runs in results.cells.items() if runs), key=order)
    by_cell = {cell: tuple(cell_result(results, cell, target) for target in TARGETS) for cell in cells}
    without_auto = not any(s[0].auto_ran for s in by_cell.values())
    parts = ["## Regimes", "CPU seconds of one thread, data in memory. A rival's fastest run within 1e-6 of the lower bound counts; ours are certified, and their time includes the certificates."]
    if without_auto:
        parts.append("There is no `auto` in these results: our fastest method is used instead.")
    parts += [table_of_regimes(results, by_cell, without_auto), summary(by_cell, without_auto), *regret_lines(by_cell),
              "## Ratios", table_of_ratios(cells, by_cell, without_auto)]
    if results.rounds:
        parts += ["## Cells below 1", table_of_slower(cells, by_cell)]
    parts += ["## Cells", table_of_cells(results, cells, by_cell, without_auto)]
    if any(s[0].own_ran for s in by_cell.values()):
        parts += ["## Our methods, CPU seconds to a gap of 1e-6", table_of_methods(results, cells)]
    if results.end_to_end:
        parts += ["## From text file to model file", "Wall seconds, files in the page cache, no intercept, C = 1.", table_of_commands(results.end_to_end)]
    return "\n\n".join(parts)


if __name__ == "__main__":
    print(render(Results(also=sys.argv[1:])))
