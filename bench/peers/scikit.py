"""scikit-learn's estimators, on a set read once. Each fit is a child process with a limit of CPU seconds; short ones are repeated."""
import json
import os
import signal
import time
import warnings

import numpy as np
import sklearn
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.svm import LinearSVC, LinearSVR

from sets import Loaded

warnings.filterwarnings("ignore")
SHORT_RUN = 0.3  # seconds, as in capped.h
NO_LIMIT = 100_000_000  # iterations: only the cap stops a run
L1_BY_RATIO = tuple(int(part) for part in sklearn.__version__.split(".")[:2]) >= (1, 8)  # LogisticRegression: l1_ratio instead of penalty


def estimator(solver: str, tolerance, n: int, lam: float, l1: float):
    """`solver`: the class and its options, as in "LogisticRegression lbfgs"."""
    kind, _, how = solver.partition(" ")
    svm = dict(C=1 / (lam * n) if lam else None, fit_intercept=False, tol=tolerance, max_iter=NO_LIMIT, random_state=1)
    if kind == "LinearSVC":
        loss, form = how.split()
        return LinearSVC(loss=loss.replace("-", "_"), dual=form == "dual", **svm)
    if kind == "LinearSVR":
        return LinearSVR(loss="epsilon_insensitive", epsilon=0, dual=True, **svm)
    if kind == "LogisticRegression":
        name, _, form = how.partition(" ")
        penalty = dict(l1_ratio=1.0 if l1 else 0.0) if L1_BY_RATIO else dict(penalty="l1" if l1 else "l2")
        return LogisticRegression(**penalty, solver=name, dual=form == "dual", C=1 / ((l1 or lam) * n), fit_intercept=False,
                                  tol=tolerance, max_iter=NO_LIMIT if name != "lbfgs" else 100_000, random_state=1)
    if kind == "Ridge":
        return Ridge(alpha=lam * n, solver=how, fit_intercept=False, tol=tolerance or 1e-4, max_iter=1_000_000, random_state=1)
    if kind == "Lasso":
        return Lasso(alpha=l1, fit_intercept=False, tol=tolerance, max_iter=1_000_000, precompute=how == "gram")
    raise ValueError(solver)


class Scikit:
    def __init__(self, data: Loaded):
        self.data = data
        self.columns = None  # the matrix by columns, for Lasso
        self._warm_up()

    def _warm_up(self) -> None:
        """The first call of a library is not timed."""
        A, b = np.array([[1.0, 0], [0, 1], [1, 1], [2, 1]]), np.array([-1.0, 1, 1, -1])
        for solver in ["LinearSVC hinge dual", "LinearSVR dual", "Ridge cholesky", "Ridge svd", "Ridge lsqr", "Ridge sparse_cg", "Ridge sag", "Ridge saga",
                       *(f"LogisticRegression {s}" for s in ("lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga"))]:
            estimator(solver, 1e-2, 4, 0.1, 0).fit(A, b)
        estimator("Lasso", 1e-2, 4, 0, 0.1).fit(A, b)

    def estimator(self, request: dict):
        return estimator(request["solver"], request["tolerance"], self.data.n, request["lambda"], request["l1"])

    def by_columns(self, request: dict) -> bool:
        return request["solver"].startswith("Lasso")

    def prepare(self, request: dict) -> None:
        """What is not timed."""
        if self.by_columns(request) and self.columns is None:
            self.columns = np.asfortranarray(self.data.A) if self.data.dense else self.data.A.tocsc()

    def run(self, request: dict) -> dict:
        self.prepare(request)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(read)
                signal.signal(signal.SIGPROF, signal.SIG_DFL)
                with os.fdopen(write, "w") as stream:
                    json.dump(self._fit(request), stream)
            except BaseException as error:  # report any error to the parent
                with os.fdopen(os.dup(write), "w") as stream:
                    json.dump({"error": f"{type(error).__name__}: {error}"}, stream)
            finally:
                os._exit(0)
        os.close(write)
        with os.fdopen(read) as stream:
            answer = stream.read()
        status = os.waitpid(child, 0)[1]
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF:
            return {"capped": True}
        return json.loads(answer) if answer else {"error": "the run ended without an answer"}

    def _fit(self, request: dict) -> dict:
        b = self.data.target(request["centred"])
        A = self.columns if self.by_columns(request) else self.data.A
        best, runs, total = None, 0, 0.0
        while runs == 0 or (best["cpu"] < SHORT_RUN and (runs < request["least"] or (runs < request["most"] and total < SHORT_RUN))):
            model = self.estimator(request)
            signal.setitimer(signal.ITIMER_PROF, request["cap"])
            cpu, wall = time.thread_time(), time.perf_counter()  # the process clock has coarse ticks while a limit is set
            model.fit(A, b)
            cpu, wall = time.thread_time() - cpu, time.perf_counter() - wall
            signal.setitimer(signal.ITIMER_PROF, 0)
            runs, total = runs + 1, total + cpu
            if best is None or cpu < best["cpu"]:
                best = {"cpu": cpu, "wall": wall}
        x = np.asarray(model.coef_, dtype=np.float64).ravel()
        best.update(runs=runs, primal=self.data.primal(request["loss"], x, b, (request["lambda"], request["l1"])))
        return best

    def close(self) -> None:
        self.data = self.columns = None
