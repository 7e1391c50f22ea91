"""Our methods on a cell, and the lower bound by which all runs are measured."""
import hashlib
import json
import subprocess
from typing import List, Tuple

from cells import LOSS, Cell
from lines import Lines
from results import TARGETS, Results, relative

DEFAULT_METHODS = ["auto", "newton", "lbfgs", "ssn", "cdcg", "rot", "ws", "sdca", "catr"]
EXTRA_REFERENCE_METHODS = ["primal-ag", "ada-bpd"]  # for the lower bound only, if no default method has a good one
REFERENCE_GAP = 1e-9
TIME_FACTOR = 4  # a method may take this many times as long as our fastest one
GOOD_REFERENCE = 1e-8  # a gap at which the lower bound is not improved further


class Ours:
    """`data`: the set as loaded (sets.py), for lambda and l1."""

    def __init__(self, programs: str, cache: str, data):
        self.data = data
        self.lines = Lines([f"{programs}/peers_ours", cache])

    def run(self, cell: Cell, solver: str, gap: float, cap: float, runs: Tuple[int, int] = (3, 3)) -> dict:
        kind = LOSS[cell.loss]
        lam, l1 = self.data.coefficients(cell, kind.penalty, kind.phi)
        return json.loads(self.lines.request(json.dumps({"solver": solver, "loss": kind.phi, "lambda": lam, "l1": l1, "gap": gap, "cap": cap, "centred": cell.centred, "least": runs[0], "most": runs[1]})))

    def close(self) -> None:
        self.lines.close()


def build_of(programs: str) -> str:
    with open(f"{programs}/peers_ours", "rb") as stream:
        return hashlib.sha256(stream.read()).hexdigest()[:12]


def methods(programs: str, wanted: str) -> List[str]:
    """`wanted`: all, or names, or empty (the default methods); names that are not in the catalog are ignored."""
    answer = subprocess.run([f"{programs}/seesaw", "solvers", "--json"], check=True, capture_output=True, text=True).stdout
    available = [recipe["name"] for recipe in json.loads(answer)]
    return available if wanted == "all" else [name for name in (wanted.split(",") if wanted else DEFAULT_METHODS) if name in available]


def measure(cell: Cell, solver: str, results: Results, run, cap: float, build: str, who: str = "ours", gaps=TARGETS) -> None:
    """Measures the time to each gap, unless known for this build. Limit: `TIME_FACTOR` times our fastest method in the cell."""
    for gap in gaps:
        best = min((r["cpu"] for r in results.runs(cell) if r["who"] == who == "ours" and r["arrived"] and r["tolerance"] == gap and r["build"] == build), default=cap)
        allowed = min(cap, max(0.05, TIME_FACTOR * best))
        known = results.find(cell, who, solver, gap)
        if known and known["build"] == build and (known["arrived"] or known.get("unsupported") or known["cap"] >= allowed):
            continue
        answer = run(cell, solver, gap, allowed)
        line = {"kind": "run", **cell.as_json(), "who": who, "solver": solver, "tolerance": gap, "cap": allowed, "build": build, **answer}
        if line.get("capped"):
            line["cpu"] = allowed
        if line.get("primal") is not None and line.get("dual") is not None:
            line["accuracy"] = relative(line["primal"], line["dual"])
        line["arrived"] = line.get("status") == "converged"
        results.add(line)
        if line.get("unsupported"):
            return


def find_reference(cell: Cell, results: Results, run, cap: float, build: str, solvers: List[str]) -> None:
    """Runs the methods in turn until the lower bound is good enough."""
    for solver in [*solvers, *EXTRA_REFERENCE_METHODS]:
        gap = results.reference_gap(cell)
        if gap is not None and gap <= GOOD_REFERENCE:
            return
        measure(cell, solver, results, run, cap, build, who="reference", gaps=[REFERENCE_GAP])
