"""Our methods on a cell, and the lower bound that everyone is measured by."""
import hashlib
import json
import subprocess
from typing import List

from cells import LOSS, Cell
from lines import Lines
from results import TARGETS, Results, relative

CONTENDERS = ["auto", "newton", "ssn", "cdcg", "rot", "ws", "sdca", "catr"]
LAST_RESORTS = ["primal-ag", "ada-bpd"]  # for the lower bound alone, where no contender has a good one
REFERENCE_GAP = 1e-9
PATIENCE = 4
GOOD_REFERENCE = 1e-8  # good enough not to be looked for again


class Ours:
    """`data`: the set as loaded (sets.py), for lambda and l1."""

    def __init__(self, programs: str, cache: str, data):
        self.data = data
        self.lines = Lines([f"{programs}/peers_ours", cache])

    def run(self, cell: Cell, solver: str, gap: float, cap: float) -> dict:
        kind = LOSS[cell.loss]
        lam, l1 = self.data.coefficients(cell, kind.penalty, kind.phi)
        return json.loads(self.lines.ask(json.dumps({"solver": solver, "loss": kind.phi, "lambda": lam, "l1": l1, "gap": gap, "cap": cap, "centred": cell.centred})))

    def close(self) -> None:
        self.lines.close()


def build_of(programs: str) -> str:
    with open(f"{programs}/peers_ours", "rb") as stream:
        return hashlib.sha256(stream.read()).hexdigest()[:12]


def methods(programs: str, wanted: str) -> List[str]:
    """`wanted`: all, or names, or nothing (the contenders); those that the catalog does not have are left out."""
    said = subprocess.run([f"{programs}/seesaw", "solvers", "--json"], check=True, capture_output=True, text=True).stdout
    there = [recipe["name"] for recipe in json.loads(said)]
    return there if wanted == "all" else [name for name in (wanted.split(",") if wanted else CONTENDERS) if name in there]


def measure(cell: Cell, solver: str, results: Results, run, cap: float, build: str, who: str = "ours", gaps=TARGETS) -> None:
    """To each gap, where this build has not done so. A method may take `PATIENCE` times as long as our best in the cell."""
    for gap in gaps:
        best = min((r["cpu"] for r in results.runs(cell) if r["who"] == who == "ours" and r["arrived"] and r["tolerance"] == gap and r["build"] == build), default=cap)
        allowed = min(cap, max(0.05, PATIENCE * best))
        known = results.find(cell, who, solver, gap)
        if known and known["build"] == build and (known["arrived"] or known.get("unsupported") or known["cap"] >= allowed):
            continue
        said = run(cell, solver, gap, allowed)
        line = {"kind": "run", **cell.as_json(), "who": who, "solver": solver, "tolerance": gap, "cap": allowed, "build": build, **said}
        if line.get("capped"):
            line["cpu"] = allowed
        if line.get("primal") is not None and line.get("dual") is not None:
            line["accuracy"] = relative(line["primal"], line["dual"])
        line["arrived"] = line.get("status") == "converged"
        results.add(line)
        if line.get("unsupported"):
            return


def find_reference(cell: Cell, results: Results, run, cap: float, build: str, solvers: List[str]) -> None:
    """The methods in turn, until the bound is as good as it need be."""
    for solver in [*solvers, *LAST_RESORTS]:
        gap = results.reference_gap(cell)
        if gap is not None and gap <= GOOD_REFERENCE:
            return
        measure(cell, solver, results, run, cap, build, who="reference", gaps=[REFERENCE_GAP])
