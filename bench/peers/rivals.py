"""The other programs that solve a loss, their tolerances, and how they are called."""
import json
import os
import tempfile
from typing import List, Optional

import numpy as np

from cells import LOSS, Cell
from lines import Lines
from scikit import Scikit
from sets import Loaded
from sweep import Rival


def liblinear(number: int, tightest: int = -13, factor: float = 1) -> Rival:
    return Rival("liblinear", f"-s {number}", 0, tightest, factor)


def scikit(solver: str, loosest: Optional[int] = 0, tightest: int = -13, most: float = float("inf")) -> Rival:
    return Rival("scikit-learn", solver, loosest, tightest, most=most)


# The likely fastest first: slower ones are stopped early. LIBLINEAR's squared loss (-s 11, -s 12, p = 0) has no factor 1/2.
RIVALS = {
    "hinge": [liblinear(3), scikit("LinearSVC hinge dual")],
    "squared-hinge": [liblinear(2), liblinear(1), scikit("LinearSVC squared-hinge primal"), scikit("LinearSVC squared-hinge dual")],
    "logistic": [liblinear(0), liblinear(7), scikit("LogisticRegression lbfgs", -1, -13), scikit("LogisticRegression newton-cholesky", -1, -13, most=5000),
                 scikit("LogisticRegression newton-cg", -1, -13), scikit("LogisticRegression liblinear"), scikit("LogisticRegression liblinear dual"),
                 scikit("LogisticRegression sag", -1), scikit("LogisticRegression saga", -1)],
    "squared": [scikit("Ridge cholesky", None, most=5000), scikit("Ridge lsqr", -1, -12), scikit("Ridge sparse_cg", -1, -12), scikit("Ridge svd", None, most=2000),
                liblinear(11, factor=0.5), liblinear(12, factor=0.5), scikit("Ridge sag", -1), scikit("Ridge saga", -1)],
    "absolute": [liblinear(13), scikit("LinearSVR dual")],
    "lasso": [scikit("Lasso", -1, -12), scikit("Lasso gram", -1, -12, most=5000), Rival("glmnet", "glmnet", -5, -15)],
    "l1-logistic": [liblinear(6), Rival("glmnet", "glmnet", -5, -15), scikit("LogisticRegression liblinear"), scikit("LogisticRegression saga", -1)],
}


def rivals_of(loss: str, data: Loaded) -> List[Rival]:
    def fits(rival: Rival) -> bool:
        unknowns = min(data.n, data.d) if rival.solver.startswith("Ridge") else data.d
        return unknowns <= rival.most and (data.dense or rival.solver != "Ridge svd")

    return [rival for rival in RIVALS[loss] if fits(rival)]


class Glmnet:
    def __init__(self, data: Loaded, script: str):
        self.data, self.folder = data, tempfile.TemporaryDirectory()
        self.lines = Lines(["Rscript", script, self.folder.name], greeting=True)
        self.written = False

    def _write(self) -> None:
        data, arrays = self.data, {}
        if data.dense:
            arrays["values"] = data.A.ravel(order="F")
        else:
            A = data.A.tocsc()
            arrays.update(rows=A.indices.astype(np.int32), columns=A.indptr.astype(np.int32), values=A.data)
        arrays.update(labels=data.b, shape=np.array([data.n, data.d, data.dense], np.int32))
        for name, array in arrays.items():
            array.tofile(f"{self.folder.name}/{name}")
        self.written = True

    def run(self, request: dict) -> dict:
        if not self.written:
            self._write()
        family = "binomial" if request["loss"] == "logistic" else "gaussian"
        answer = self.lines.request(f"{family} {request['l1']!r} {request['tolerance']!r} {request['cap']!r} {int(request['centred'])}")
        if answer == "capped" or not answer:
            return {"capped": True} if answer else {"error": "glmnet ended"}
        if answer.startswith("error"):
            return {"error": answer}
        cpu, wall, runs = answer.split()
        if float(cpu) > request["cap"]:
            return {"capped": True}
        x = np.fromfile(f"{self.folder.name}/weights")
        return {"cpu": float(cpu), "wall": float(wall), "runs": int(runs),
                "primal": self.data.primal(request["loss"], x, self.data.target(request["centred"]), (request["lambda"], request["l1"]))}

    def close(self) -> None:
        self.lines.close()
        self.folder.cleanup()


class Liblinear:
    def __init__(self, program: str, cache: str):
        self.lines = Lines([program, cache])

    def run(self, request: dict) -> dict:
        number = int(request["solver"].split()[1])
        return json.loads(self.lines.request(json.dumps({**request, "solver": number, "C": request["factor"] / ((request["lambda"] or request["l1"]) * request["n"])})))

    def close(self) -> None:
        self.lines.close()


class RivalPrograms:
    """The rivals of one set, with the data in memory."""

    def __init__(self, cache: str, data: Loaded, programs: str, here: str):
        self.data = data
        self.make = {"scikit-learn": lambda: Scikit(data), "glmnet": lambda: Glmnet(data, f"{here}/glmnet.R")}
        if os.path.exists(f"{programs}/peers_liblinear"):
            self.make["liblinear"] = lambda: Liblinear(f"{programs}/peers_liblinear", cache)
        self.made = {}

    def run(self, cell: Cell, rival: Rival, tolerance: Optional[float], cap: float) -> dict:
        if rival.who not in self.made:
            self.made[rival.who] = self.make[rival.who]()
        kind = LOSS[cell.loss]
        lam, l1 = self.data.coefficients(cell, kind.penalty, kind.phi)
        request = {"solver": rival.solver, "tolerance": tolerance, "cap": cap, "loss": kind.phi, "lambda": lam, "l1": l1, "centred": cell.centred,
                   "factor": rival.factor, "n": self.data.n}
        return self.made[rival.who].run(request)

    def close(self) -> None:
        for server in self.made.values():
            server.close()
