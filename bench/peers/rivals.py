"""The rivals of each loss, with their tolerances. Needs only Python."""
import dataclasses
from typing import Dict, List, Optional

from sweep import Rival


def liblinear(number: int, factor: float = 1) -> List[Rival]:
    """The newest one first, then the system's."""
    return [Rival("liblinear", f"-s {number}", 0, -13, factor, package=package) for package in ("liblinear", None)]


def scikit(solver: str, loosest: Optional[int] = 0, tightest: int = -13, most: float = float("inf")) -> List[Rival]:
    return [Rival("scikit-learn", solver, loosest, tightest, most=most, package=package) for package in ("scikit-learn", None)]


def newest(package: str, solver: str, tightest: int = -12) -> List[Rival]:
    return [Rival(package, solver, -1, tightest, package=package)]


GLMNET = [Rival("glmnet", "glmnet", -5, -15)]

# The likely fastest first: slower ones are stopped early. LIBLINEAR's squared loss (-s 11, -s 12, p = 0) has no factor 1/2.
RIVALS = {
    "hinge": [*liblinear(3), *scikit("LinearSVC hinge dual")],
    "squared-hinge": [*liblinear(2), *liblinear(1), *newest("cyanure", "squared-hinge"), *scikit("LinearSVC squared-hinge primal"), *scikit("LinearSVC squared-hinge dual")],
    "logistic": [*liblinear(0), *liblinear(7), *newest("cyanure", "logistic"), *scikit("LogisticRegression lbfgs", -1),
                 *scikit("LogisticRegression newton-cholesky", -1, most=5000), *scikit("LogisticRegression newton-cg", -1),
                 *scikit("LogisticRegression liblinear"), *scikit("LogisticRegression liblinear dual"),
                 *scikit("LogisticRegression sag", -1), *scikit("LogisticRegression saga", -1)],
    "squared": [*scikit("Ridge cholesky", None, most=5000), *scikit("Ridge lsqr", -1, -12), *scikit("Ridge sparse_cg", -1, -12), *scikit("Ridge svd", None, most=2000),
                *newest("cyanure", "squared"), *liblinear(11, 0.5), *liblinear(12, 0.5), *scikit("Ridge sag", -1), *scikit("Ridge saga", -1)],
    "absolute": [*liblinear(13), *scikit("LinearSVR dual")],
    "lasso": [*newest("celer", "Lasso"), *newest("skglm", "Lasso"), *scikit("Lasso", -1, -12), *scikit("Lasso gram", -1, -12, most=5000), *newest("cyanure", "squared"), *GLMNET],
    "l1-logistic": [*liblinear(6), *newest("skglm", "SparseLogisticRegression"), *newest("celer", "LogisticRegression celer-pn"), *newest("cyanure", "logistic"), *GLMNET,
                    *scikit("LogisticRegression liblinear"), *scikit("LogisticRegression saga", -1)],
}


def rivals_of(loss: str, data, versions: Dict[str, str]) -> List[Rival]:
    """`versions`: of the packages of the index; empty if there are none. Of scikit-learn only the newest runs."""

    def fits(rival: Rival) -> bool:
        unknowns = min(data.n, data.d) if rival.solver.startswith("Ridge") else data.d
        return unknowns <= rival.most and (data.dense or rival.solver != "Ridge svd")

    def present(rival: Rival) -> bool:
        return rival.package in versions if rival.package else rival.who != "scikit-learn" or "scikit-learn" not in versions

    return [dataclasses.replace(rival, who=f"{rival.package}-{versions[rival.package]}") if rival.package else rival
            for rival in RIVALS[loss] if fits(rival) and present(rival)]
