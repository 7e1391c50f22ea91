"""Results as JSON lines, appended one by one, so that a stopped benchmark can be resumed.

{"kind": "set", "set", "n", "d", "nnz"}
{"kind": "run", "set", "loss", "C", "fraction", "who", "solver", "tolerance", "cap", "cpu", "wall", "primal", "accuracy", "arrived", ...}

{"kind": "round", "set", "loss", "C", "fraction", "round", "build", "cap", "peers": [{"who", "solver", "tolerance", "cpu", "primal", ...}], "ours": {...}}

who: liblinear, scikit-learn, glmnet, celer-0.7.4 (with their solver and tolerance); ours (tolerance is the requested relative gap; with dual, status,
build); reference (ours, for the lower bound only). "accuracy" is (primal - D) / primal for the best D known when the line was written;
tables use the best D of all lines. "arrived": the run reached its target. Runs that reached the time limit have "capped": true, and "cpu"
is the limit. If a run or a round occurs twice, the later line counts.
"""
import json
import os
from typing import Dict, Iterable, List, Optional

from cells import Cell, cell_of

TARGETS = (1e-6, 1e-3)


class Results:
    def __init__(self, path: Optional[str] = None, fresh: bool = False, also: Iterable[str] = ()):
        """`also`: further files that are read and never written."""
        self.path = path
        self.sets: Dict[str, dict] = {}
        self.end_to_end: List[dict] = []
        self.cells: Dict[Cell, Dict[tuple, dict]] = {}
        self.rounds: Dict[Cell, Dict[int, dict]] = {}  # by number, of one build
        if path and fresh and os.path.exists(path):
            os.remove(path)
        for file in [*also, *([path] if path else [])]:
            if os.path.exists(file):
                with open(file) as stream:
                    for line in stream:
                        self._take_text(line)

    def _take_text(self, text: str) -> None:
        try:
            self._take(json.loads(text))
        except ValueError:
            pass  # the last line of a benchmark that was killed while writing

    def _take(self, line: dict) -> None:
        if line["kind"] == "set":
            self.sets[line["set"]] = line
        elif line["kind"] == "end-to-end":
            self.end_to_end.append(line)
        elif line["kind"] == "run":
            self.cells.setdefault(cell_of(line), {})[key_of(line)] = line
        elif line["kind"] == "round":
            known = self.rounds.get(cell_of(line), {})
            self.rounds[cell_of(line)] = {**{number: one for number, one in known.items() if one["build"] == line["build"]}, line["round"]: line}

    def add(self, line: dict) -> dict:
        self._take(line)
        if self.path:
            with open(self.path, "a+b") as stream:
                if stream.tell() > 0:
                    stream.seek(-1, os.SEEK_END)
                    if stream.read() != b"\n":  # truncated line: begin a new one
                        stream.write(b"\n")
                stream.write(json.dumps(line).encode() + b"\n")
        return line

    def runs(self, cell: Cell) -> List[dict]:
        return list(self.cells.get(cell, {}).values())

    def find(self, cell: Cell, who: str, solver: str, tolerance) -> Optional[dict]:
        return self.cells.get(cell, {}).get((who, solver, tolerance))

    def lower_bound(self, cell: Cell) -> Optional[float]:
        duals = [run["dual"] for run in self.runs(cell) if run.get("dual") is not None]
        return max(duals) if duals else None

    def best_primal(self, cell: Cell) -> Optional[float]:
        primals = [run["primal"] for run in self.runs(cell) if run.get("primal") is not None]
        return min(primals) if primals else None

    def accuracy(self, cell: Cell, run: dict) -> Optional[float]:
        bound = self.lower_bound(cell)
        return None if bound is None else relative(run.get("primal"), bound)

    def within(self, cell: Cell, run: dict, target: float) -> bool:
        accuracy = self.accuracy(cell, run)
        return accuracy is not None and accuracy <= target

    def reference_gap(self, cell: Cell) -> Optional[float]:
        """A bound of the relative distance of the best P of all runs to the optimum."""
        bound = self.lower_bound(cell)
        return None if bound is None else relative(self.best_primal(cell), bound)


def key_of(line: dict) -> tuple:
    return line["who"], line["solver"], line["tolerance"]


def relative(primal: Optional[float], bound: float) -> Optional[float]:
    if primal is None:
        return None
    return (primal - bound) / abs(primal) if primal != 0 else 0.0
