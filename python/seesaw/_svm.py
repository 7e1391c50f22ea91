"""LinearSVC and LinearSVR."""
from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from ._base import CertifiedClassifier, CertifiedRegressor, passes_of
from ._bounds import Interval, down, up
from ._certificate import Problem
from ._checks import checked, weighted
from ._model import Model


def _intercept_options(estimator: Any) -> Dict[str, Any]:
    if not estimator.fit_intercept:
        return {"intercept": "none"}
    return {"intercept": "penalized", "intercept_scaling": checked("intercept_scaling", estimator.intercept_scaling, strict=True)}


class LinearSVC(CertifiedClassifier):
    """Linear support vector classification, with a certificate.

    Minimizes C sum_i s_i loss(y_i a_i.w) + |w|^2 / 2 (or |w|_1), the loss being hinge or squared hinge. As in scikit-learn,
    a_i ends with the constant `intercept_scaling`, whose weight is penalized like any other. More than two classes:
    one-versus-rest, or jointly (multi_class="crammer_singer").

    Parameters as in scikit-learn, of which `dual` has no effect; tol is the relative duality gap, max_iter the number of
    passes. For the others see `LogisticRegression`.
    """

    def __init__(self, penalty: str = "l2", loss: str = "squared_hinge", *, dual: Any = "auto", tol: float = 1e-6, C: float = 1.0,
                 multi_class: str = "ovr", fit_intercept: bool = True, intercept_scaling: float = 1, class_weight: Any = None,
                 verbose: Any = 0, random_state: Any = None, max_iter: Optional[float] = None, solver: str = "auto",
                 warm_start: bool = False, n_jobs: Optional[int] = None, time_limit: Optional[float] = None,
                 callback: Optional[Callable[..., Any]] = None) -> None:
        self.penalty = penalty
        self.loss = loss
        self.dual = dual
        self.tol = tol
        self.C = C
        self.multi_class = multi_class
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter
        self.solver = solver
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.callback = callback

    def _options(self) -> Dict[str, Any]:
        losses = {"hinge": "hinge", "squared_hinge": "squared-hinge"}
        if self.loss not in losses:
            raise ValueError(f"loss must be 'hinge' or 'squared_hinge'; got {self.loss!r}")
        if self.penalty not in ("l1", "l2"):
            raise ValueError(f"penalty must be 'l1' or 'l2'; got {self.penalty!r}")
        options = {"loss": losses[self.loss], "penalty": self.penalty, "C": checked("C", self.C, strict=True), **_intercept_options(self)}
        if self.multi_class == "crammer_singer":
            options.update(loss="multiclass-hinge", penalty="l2")
        elif self.multi_class != "ovr":
            raise ValueError(f"multi_class must be 'ovr' or 'crammer_singer'; got {self.multi_class!r}")
        return options

    def _make_problems(self, X: Any, y: Any, sample_weight: Any) -> Tuple[Any, List[Problem]]:
        X, index, weights = self._checked_classes(X, y, sample_weight)
        options = self._options()
        count = len(self.classes_)
        factors = self._class_weights(index, weights)
        if factors is not None and count > 2 and self.multi_class == "ovr":
            # LIBLINEAR, and so scikit-learn, applies the weight of a class where it is the positive one only.
            problems = []
            for k in range(count):
                sides = (index == k).astype(int)
                problems.append(Problem(sides.astype(np.float64), weighted(weights, np.array([1.0, factors[k]]), sides), options))
            return X, problems
        if factors is not None:
            weights = weighted(weights, factors, index)
        then = "ada-bpd" if options["penalty"] == "l1" and self.loss == "hinge" else None
        return X, [Problem(self._labels(index), weights, options, then=then)]

    def _bounds_of_scores(self, bounds: Interval) -> Interval:
        if self.multi_class != "crammer_singer" or len(self.classes_) > 2:
            return bounds
        low, high = bounds  # coef_ is w1 - w0
        return down(low[:, 1:] - high[:, :1]), up(high[:, 1:] - low[:, :1])

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LinearSVC:
        """Fits; returns self. Labels may be of any kind."""
        X, problems = self._make_problems(X, y, sample_weight)
        models = self._solve(X, problems)
        self.dual_coef_ = self._dual(models, problems)
        self.coef_ = np.vstack([np.atleast_2d(model.coef) for model in models])
        self.intercept_ = np.concatenate([np.atleast_1d(model.intercept) for model in models])
        if self.multi_class == "crammer_singer" and len(self.classes_) == 2:
            self.coef_, self.intercept_ = self.coef_[1:] - self.coef_[:1], self.intercept_[1:] - self.intercept_[:1]
            if self.distance_bound_ is not None:  # of (w0, w1); |d1 - d0| <= sqrt(2) |(d0, d1)|
                self.distance_bound_ = float(np.nextafter(np.sqrt(2.0) * self.distance_bound_, np.inf))
        if not self.fit_intercept:
            self.intercept_ = 0.0
        self.n_iter_ = max(passes_of(model) for model in models)
        return self


class LinearSVR(CertifiedRegressor):
    """Linear support vector regression, with a certificate.

    Minimizes C sum_i s_i loss(y_i - a_i.w) + |w|^2 / 2, with the loss max(0, |r| - epsilon) or its square. As in
    scikit-learn, a_i ends with the constant `intercept_scaling`, whose weight is penalized like any other.

    Parameters as in scikit-learn, of which `dual` has no effect; tol is the relative duality gap, max_iter the number of
    passes. For the others see `LogisticRegression`.
    """

    def __init__(self, *, epsilon: float = 0.0, tol: float = 1e-6, C: float = 1.0, loss: str = "epsilon_insensitive",
                 fit_intercept: bool = True, intercept_scaling: float = 1.0, dual: Any = "auto", verbose: Any = 0, random_state: Any = None,
                 max_iter: Optional[float] = None, solver: str = "auto", warm_start: bool = False, n_jobs: Optional[int] = None,
                 time_limit: Optional[float] = None, callback: Optional[Callable[..., Any]] = None) -> None:
        self.epsilon = epsilon
        self.tol = tol
        self.C = C
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.dual = dual
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter
        self.solver = solver
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.time_limit = time_limit
        self.callback = callback

    def _make_problems(self, X: Any, y: Any, sample_weight: Any) -> Tuple[Any, List[Problem]]:
        X, y, weights = self._checked_targets(X, y, sample_weight)
        losses = {"epsilon_insensitive": "epsilon-insensitive", "squared_epsilon_insensitive": "squared-epsilon-insensitive"}
        if self.loss not in losses:
            raise ValueError(f"loss must be 'epsilon_insensitive' or 'squared_epsilon_insensitive'; got {self.loss!r}")
        options = {"loss": losses[self.loss], "loss_parameter": checked("epsilon", self.epsilon), "penalty": "l2",
                   "C": checked("C", self.C, strict=True), **_intercept_options(self)}
        return X, [Problem(y, weights, options, self._scale(y, weights, self.loss != "epsilon_insensitive"))]

    def _store(self, models: List[Model], problems: List[Problem]) -> None:
        super()._store(models, problems)
        self.intercept_ = np.array([self.intercept_]) if self.fit_intercept else 0.0
