"""How the rivals are called, on data in memory."""
import json
import os
import tempfile
from typing import Dict, List, Optional, Tuple

import numpy as np

from cells import LOSS, Cell
from lines import Lines
from rivals import rivals_of
from scikit import Scikit
from sets import Loaded
from sweep import Rival


class Newest:
    """newest.py, one process for all sets; with python None, no packages."""

    def __init__(self, python: Optional[str], script: str):
        self.lines = Lines([python, script], greeting=True)
        self.versions: Dict[str, str] = json.loads(self.lines.start() or "{}") if python else {}

    def run(self, request: dict) -> dict:
        answer = self.lines.request(json.dumps(request))
        return json.loads(answer) if answer else {"error": "newest.py ended"}

    def close(self) -> None:
        self.lines.close()


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
        answer = self.lines.request(f"{family} {request['l1']!r} {request['tolerance']!r} {request['cap']!r} {int(request['centred'])} {request['least']} {request['most']}")
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

    def __init__(self, cache: str, data: Loaded, programs: str, here: str, newest: Newest):
        self.data, self.cache, self.newest = data, cache, newest
        self.make = {"newest": lambda: newest, "scikit-learn": lambda: Scikit(data), "glmnet": lambda: Glmnet(data, f"{here}/glmnet.R")}
        if os.path.exists(f"{programs}/peers_liblinear"):
            self.make["liblinear"] = lambda: Liblinear(f"{programs}/peers_liblinear", cache)
        self.made = {}

    def of(self, loss: str) -> List[Rival]:
        return [rival for rival in rivals_of(loss, self.data, self.newest.versions) if rival.group in self.make]

    def run(self, cell: Cell, rival: Rival, tolerance: Optional[float], cap: float, runs: Tuple[int, int] = (1, 1)) -> dict:
        """`runs`: how often a short run is repeated, at least and at most."""
        if rival.group not in self.made:
            self.made[rival.group] = self.make[rival.group]()
        kind = LOSS[cell.loss]
        lam, l1 = self.data.coefficients(cell, kind.penalty, kind.phi)
        request = {"solver": rival.solver, "tolerance": tolerance, "cap": cap, "loss": kind.phi, "lambda": lam, "l1": l1, "centred": cell.centred,
                   "factor": rival.factor, "n": self.data.n, "package": rival.package, "data": self.cache, "least": runs[0], "most": runs[1]}
        return self.made[rival.group].run(request)

    def run_again(self, cell: Cell, known: dict, cap: float, runs: Tuple[int, int]) -> dict:
        """A run of the sweep, with the same tolerance."""
        rival = next(rival for rival in self.of(cell.loss) if (rival.who, rival.solver) == (known["who"], known["solver"]))
        return self.run(cell, rival, known["tolerance"], cap, runs)

    def close(self) -> None:
        for group, server in self.made.items():
            if group != "newest":
                server.close()
