"""The whole command, from text file to model file, against liblinear-train at its default tolerance. Wall seconds, files in the page cache."""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from typing import Dict, List

import numpy as np

import sets
from cells import REGRESSION, Cell
from results import Results, relative

SOLVERS = {"squared-hinge": 1, "hinge": 3, "logistic": 0}  # of liblinear-train
SMALLEST = 1_000_000  # bytes
REPEATS = 3
LONG = 10  # seconds: longer commands run once


def measured(name: str, command: List[str]) -> Dict[str, float]:
    """Wall and CPU seconds, of the run with the median wall time."""
    times = []
    while len(times) < REPEATS and (not times or times[-1][0] < LONG):
        used, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append((wall, after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime))
        if done.returncode not in (0, 3):
            raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}")
    wall, cpu = sorted(times)[len(times) // 2]
    return {name: wall, f"{name}_cpu": cpu}


def weights_of(model: str, d: int) -> np.ndarray:
    """The weights of a binary LIBLINEAR model, oriented so that positive scores mean +1."""
    with open(model) as stream:
        lines = stream.read().split("\n")
    first_label = float(next(line for line in lines if line.startswith("label")).split()[1])
    numbers = np.array([float(v) for v in lines[lines.index("w") + 1:] if v.strip()])
    return np.pad(numbers, (0, d - len(numbers))) * np.sign(first_label)


def lower_bound(cell: Cell, results: Results, program: str, text: str, model: str) -> float:
    gap = results.reference_gap(cell)
    if gap is not None and gap <= 1e-6:
        return results.lower_bound(cell)
    output = subprocess.run([program, "train", text, model, "--loss", cell.loss, "--C", "1", "--intercept", "none", "--gap", "1e-6", "--time", "20", "--json", "--quiet"],
                          capture_output=True, text=True).stdout
    return json.loads(output.strip().split("\n")[-1])["dual"]


def measure(args, results: Results) -> None:
    program = f"{args.build}/bin/seesaw"
    known = {(line["set"], line["loss"]) for line in results.end_to_end}
    for name in args.sets.split(","):
        cache = None if name in REGRESSION else sets.prepare(name, args.data, f"{args.cache}/sets", program)
        text = f"{args.cache}/sets/{name}.svm"
        if cache is None or os.path.getsize(text) < SMALLEST:
            continue
        data = None
        for loss, number in SOLVERS.items():
            if loss not in args.losses.split(",") or (name, loss) in known:
                continue
            print(f"end to end: {name} {loss}", file=sys.stderr, flush=True)
            data = data or sets.Loaded(cache)
            cell = Cell(name, loss, 1.0)
            with tempfile.TemporaryDirectory() as folder:
                model = f"{folder}/model"
                ours = [program, "train", text, model, "--loss", loss, "--C", "1", "--intercept", "none", "--quiet"]
                subprocess.run(["cat", text], stdout=subprocess.DEVNULL)
                theirs = measured("liblinear", ["liblinear-train", "-q", "-s", str(number), "-c", "1", text, model])
                primal = data.primal(loss, weights_of(model, data.d), data.b, (1 / data.n, 0.0))
                accuracy = max(relative(primal, lower_bound(cell, results, program, text, model)), 1e-9)
                results.add({"kind": "end-to-end", "set": name, "loss": loss, "bytes": os.path.getsize(text), **theirs, "liblinear_accuracy": accuracy,
                             **measured("default", ours), **measured("default_one_thread", [*ours, "--threads", "1"]),
                             **measured("matching", [*ours, "--gap", f"{min(accuracy, 0.5):.3g}"])})
