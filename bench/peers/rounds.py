"""Rounds: the fastest peers of a cell and our `auto` one directly after the other, so that other work on the machine slows both. Needs only Python.

A peer runs with the tolerance that its sweep found. Ratios are taken within a round; their spread is that of the rounds.
"""
from typing import Callable, List

from cells import Cell
from results import TARGETS, Results

ROUNDS = 3
PEERS = 2  # so many per cell
RUNS = (3, 15)  # a short run is repeated at least and at most so often; the fastest counts
TARGET = min(TARGETS)


def fastest(cell: Cell, results: Results, available: Callable[[dict], bool]) -> List[dict]:
    """The sweep's fastest converged run of each of the fastest peers."""
    best = {}
    for run in results.runs(cell):
        if run["who"] in ("ours", "reference") or not results.within(cell, run, TARGET) or not available(run):
            continue
        name = (run["who"], run["solver"])
        if name not in best or run["cpu"] < best[name]["cpu"]:
            best[name] = run
    return sorted(best.values(), key=lambda run: run["cpu"])[:PEERS]


def measure(cell: Cell, number: int, results: Results, run_peer, run_ours, available, cap: float, build: str) -> None:
    """Round `number`, unless known for this build and these peers. Every second round begins with ours."""
    peers = [{key: run[key] for key in ("who", "solver", "tolerance")} for run in fastest(cell, results, available)]
    known = results.rounds.get(cell, {}).get(number)
    if known and known["build"] == build and known["cap"] >= cap and [{key: run[key] for key in peer} for run, peer in zip(known["peers"], peers)] == peers:
        return

    def timed_peers() -> List[dict]:
        return [{**peer, **run_peer(cell, peer, cap, RUNS)} for peer in peers]

    if number % 2:
        timed, ours = timed_peers(), run_ours(cell, "auto", TARGET, cap, RUNS)
    else:
        ours, timed = run_ours(cell, "auto", TARGET, cap, RUNS), timed_peers()
    results.add({"kind": "round", **cell.as_json(), "round": number, "build": build, "cap": cap, "peers": timed, "ours": ours})
