"""The newest peers of the Python package index: LIBLINEAR, scikit-learn, celer, skglm and cyanure, each fit a child process as in scikit.py.

Run by the Python of a virtual environment (environment.py), one process for all sets, since skglm compiles its functions at the first call.
The first line of output has the versions of the packages that can be loaded. Requests and answers are JSON lines; "data" is the path of the
prepared set, and "solver" is one of rivals.py without the version.
"""
import importlib
import importlib.metadata
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np  # noqa: E402
from scipy import sparse  # noqa: E402

from scikit import NO_LIMIT, Scikit  # noqa: E402
from sets import Loaded  # noqa: E402

PACKAGES = {"liblinear": "liblinear-official", "scikit-learn": "scikit-learn", "celer": "celer", "skglm": "skglm", "cyanure": "cyanure"}  # name, in the index
MODULES = {"liblinear": "liblinear.liblinear", "scikit-learn": "sklearn", "celer": "celer", "skglm": "skglm", "cyanure": "cyanure.estimators"}


def versions() -> dict:
    found = {}
    for name, package in PACKAGES.items():
        try:
            importlib.import_module(MODULES[name])
            found[name] = importlib.metadata.version(package)
        except Exception as error:  # whatever a package raises, the others are run
            print(f"{package} cannot be loaded, skipped: {error}", file=sys.stderr)
    return found


class LiblinearFit:
    """train() of LIBLINEAR; only it is timed. The problem has been built before."""

    def __init__(self, problem, options: str):
        from liblinear.liblinear import parameter
        self.problem, self.parameter = problem, parameter(options)

    def fit(self, A, b) -> None:
        from liblinear.liblinear import liblinear
        self.model = liblinear.train(self.problem, self.parameter)

    @property
    def coef_(self) -> np.ndarray:
        model = self.model.contents
        weights = np.array(model.w[:model.nr_feature])
        classes = self.parameter.solver_type < 11
        return -weights if classes and model.label[0] < 0 else weights  # positive scores mean its first label


def celer(how: str, tolerance: float, n: int, l1: float):
    from celer import Lasso, LogisticRegression
    if how == "Lasso":
        return Lasso(alpha=l1, fit_intercept=False, tol=tolerance, max_iter=10_000, max_epochs=1_000_000)
    return LogisticRegression(C=1 / (l1 * n), solver=how.split()[1], fit_intercept=False, tol=tolerance, max_iter=10_000, max_epochs=1_000_000)


def skglm(how: str, tolerance: float, l1: float):
    from skglm import Lasso, SparseLogisticRegression
    if how == "Lasso":
        return Lasso(alpha=l1, fit_intercept=False, tol=tolerance, max_iter=10_000, max_epochs=1_000_000)
    return SparseLogisticRegression(alpha=l1, fit_intercept=False, tol=tolerance, max_iter=10_000, max_epochs=1_000_000)


def cyanure(how: str, tolerance: float, lam: float, l1: float):
    """Its squared hinge has a factor 1/2."""
    from cyanure.estimators import Classifier, Regression
    options = dict(penalty="l1" if l1 else "l2", lambda_1=l1 or lam, fit_intercept=False, tol=tolerance, max_iter=100_000, verbose=False, n_threads=1)
    if how == "squared-hinge":
        return Classifier(loss="sqhinge", **{**options, "lambda_1": options["lambda_1"] / 2})
    return Classifier(loss="logistic", **options) if how == "logistic" else Regression(**options)


class Newest(Scikit):
    def __init__(self, data: Loaded):
        super().__init__(data)
        self.problem, self.compiled = None, set()

    def by_columns(self, request: dict) -> bool:
        return request["package"] in ("celer", "skglm") or super().by_columns(request)

    def estimator(self, request: dict):
        solver, tolerance, n, lam, l1 = (request[key] for key in ("solver", "tolerance", "n", "lambda", "l1"))
        package = request["package"]
        if package == "liblinear":
            C = request["factor"] / ((lam or l1) * n)
            return LiblinearFit(self.problem, f"{solver} -c {C!r} -e {tolerance!r} -p 0 -q")
        if package == "celer":
            return celer(solver, tolerance, n, l1)
        if package == "skglm":
            return skglm(solver, tolerance, l1)
        return cyanure(solver, tolerance, lam, l1) if package == "cyanure" else super().estimator(request)

    def prepare(self, request: dict) -> None:
        super().prepare(request)
        package, solver = request["package"], request["solver"]
        if package == "liblinear" and self.problem is None:
            from liblinear.liblinear import problem
            self.problem = problem(self.data.b, sparse.csr_matrix(self.data.A))
        if package in ("celer", "skglm", "cyanure") and (package, solver) not in self.compiled:
            self.compiled.add((package, solver))
            A, b = np.array([[1.0, 0], [0, 1], [1, 1], [2, 1]]), np.array([-1.0, 1, 1, -1])
            A = np.asfortranarray(A) if self.data.dense else sparse.csc_matrix(A) if self.by_columns(request) else sparse.csr_matrix(A)
            self.estimator({**request, "n": 4, "tolerance": 1e-2, "lambda": 0.1 if request["lambda"] else 0, "l1": 0.1 if request["l1"] else 0}).fit(A, b)


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a package prints is not an answer
    answers.write(json.dumps(versions()) + "\n")
    answers.flush()
    cache, server = None, None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["data"] != cache:
                cache, server = request["data"], Newest(Loaded(request["data"]))
            answer = server.run(request)
        except Exception as error:  # in the first call, which is not a child process
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
