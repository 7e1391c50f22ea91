"""Sweeps a rival's tolerance from loose to tight. Needs only Python."""
from dataclasses import dataclass
from typing import List, Optional

from cells import Cell
from results import TARGETS, Results

TARGET = min(TARGETS)
SHORT_RUN = 0.3  # CPU seconds, as in capped.h


@dataclass(frozen=True)
class Rival:
    who: str  # liblinear, scikit-learn, glmnet; of the package index: with the version, as in celer-0.7.4
    solver: str  # its name in the tables
    loosest: Optional[int]  # tolerances are 10^loosest ... 10^tightest; None: no tolerance
    tightest: int = 0
    factor: float = 1  # LIBLINEAR: its C / our C
    most: float = float("inf")  # the largest number of unknowns, d (or min(n, d) for Ridge), for which it is run
    package: Optional[str] = None  # of the package index (newest.py)

    @property
    def group(self) -> str:
        """As in the option --who."""
        return "newest" if self.package else self.who

    @property
    def tolerances(self) -> List[Optional[float]]:
        return [None] if self.loosest is None else [10.0**k for k in range(self.loosest, self.tightest - 1, -1)]


def sweep(cell: Cell, rival: Rival, results: Results, run, cap: float, time_factor: float = 2) -> None:
    """From loose to tight until a run is within 1e-6 of the optimum, reaches the cap, or does not improve any more. If another rival
    has reached the target, a run is limited to `time_factor` times its time: beyond that it cannot be the fastest."""
    stuck, before, loose = 0, None, None
    for tolerance in rival.tolerances:
        line = one_run(cell, rival, tolerance, results, run, cap, time_factor)
        if line.get("capped") or line.get("error"):
            return
        if results.within(cell, line, TARGET):
            if loose is not None:  # the first tolerance that suffices may be tighter than necessary: one more run, half way back
                one_run(cell, rival, tolerance * 10**0.5, results, run, cap, time_factor)
            return
        best = results.best_primal(cell)
        same = before is not None and abs(line["primal"] - before) <= 1e-10 * abs(before)
        stuck = stuck + 1 if same else 0
        if stuck >= 3 or (same and line["primal"] - best <= 1e-7 * abs(best)):
            return
        before, loose = line["primal"], tolerance


def one_run(cell: Cell, rival: Rival, tolerance, results: Results, run, cap: float, time_factor: float) -> dict:
    times = [r["cpu"] for r in results.runs(cell) if r["who"] not in ("ours", "reference") and results.within(cell, r, TARGET)]
    allowed = min(cap, max(0.05, time_factor * min(times))) if times else cap
    known = results.find(cell, rival.who, rival.solver, tolerance)
    if known and not known.get("error") and (not known.get("capped") or known["cap"] >= allowed):
        return known
    answer = run(cell, rival, tolerance, allowed)
    if answer.get("cpu", SHORT_RUN) < SHORT_RUN and results.within(cell, answer, max(TARGETS)):  # a run that may count: the fastest of three
        answer = min([answer, run(cell, rival, tolerance, allowed, (2, 2))], key=lambda one: one.get("cpu", SHORT_RUN))
    line = {"kind": "run", **cell.as_json(), "who": rival.who, "solver": rival.solver, "tolerance": tolerance, "cap": allowed, **answer}
    if line.get("capped"):
        line["cpu"] = allowed
    line["accuracy"] = results.accuracy(cell, line)
    line["arrived"] = results.within(cell, line, TARGET)
    return results.add(line)
