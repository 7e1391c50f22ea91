"""LogisticRegression."""
from __future__ import annotations

import warnings
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from ._base import CertifiedClassifier, passes_of
from ._bounds import Interval, contains_own, down, one_versus_rest, up
from ._certificate import Problem
from ._checks import checked, total_of, weighted
from ._compat import weights_of_classes
from ._model import Model, ProbabilityBounds


def _log_sigmoid(scores: np.ndarray) -> np.ndarray:
    return -np.logaddexp(0, -scores)  # accurate for small probabilities too


def _log_normalized(logs: np.ndarray) -> np.ndarray:
    """Logarithms of numbers divided by their sum over the classes."""
    shifted = logs - logs.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


class LogisticRegression(CertifiedClassifier):
    """Logistic regression, binary or multinomial, with a certificate.

    Minimizes C sum_i s_i log(1 + exp(-y_i (a_i.w + b))) + (1 - l1_ratio)/2 |w|^2 + l1_ratio |w|_1, or the same with the
    multinomial loss.

    Parameters
    ----------
    penalty : {"auto", "l2", "l1", "elasticnet", None}, default="auto"
        auto: as `l1_ratio` implies, l2 without it.
    tol : float, default=1e-6
        Relative duality gap: the objective is at most this fraction above its minimum.
    C : float, default=1.0
        Inverse of the regularization strength; infinity: no penalty.
    solver : str, default="auto"
        Names of scikit-learn's solvers mean auto ("liblinear": one-versus-rest and a penalized intercept, as there);
        "seesaw:NAME" is a method of `seesaw.solvers()`.
    max_iter : float, optional
        Passes over the data.
    multi_class : {"auto", "ovr", "multinomial"}, default="auto"
        auto: multinomial for more than two classes.
    random_state : int, RandomState or None
        None: seed 1; results are the same each time.
    n_jobs : int, optional
        Threads; None: all cores, at most OMP_NUM_THREADS. Results do not depend on it.
    time_limit : float, optional
        Seconds, of all problems of the fit together (classes, targets, folds).
    callback : callable, optional
        Called with a `seesaw.Progress`, one call at a time; False stops the fit, and the models reached so far are kept with their
        certificates.

    Attributes
    ----------
    coef_, intercept_, classes_, n_iter_, n_features_in_, feature_names_in_ : as in scikit-learn
    dual_gap_ : float
        The objective (divided by C sum_i s_i) is at most this above its minimum.
    primal_objective_, dual_objective_ : float
    distance_bound_ : float or None
        The weights are at most this far from the optimal ones.
    dual_coef_ : array of shape (n_samples,) or (n_samples, n_classes)
    certificate_ : EstimatorCertificate
        `certificate_.verify(X, y)` recomputes it.
    status_, solver_ : str
    """

    def __init__(self, penalty: Optional[str] = "auto", *, dual: bool = False, tol: float = 1e-6, C: float = 1.0, fit_intercept: bool = True,
                 intercept_scaling: float = 1, class_weight: Any = None, random_state: Any = None, solver: str = "auto",
                 max_iter: Optional[float] = None, multi_class: str = "auto", verbose: Any = 0, warm_start: bool = False,
                 n_jobs: Optional[int] = None, l1_ratio: Optional[float] = None, time_limit: Optional[float] = None,
                 callback: Optional[Callable[..., Any]] = None) -> None:
        self.penalty = penalty
        self.dual = dual
        self.tol = tol
        self.C = C
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.class_weight = class_weight
        self.random_state = random_state
        self.solver = solver
        self.max_iter = max_iter
        self.multi_class = multi_class
        self.verbose = verbose
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.l1_ratio = l1_ratio
        self.time_limit = time_limit
        self.callback = callback

    def _ratio(self) -> Optional[float]:
        """The share of l1; None: no penalty."""
        if self.C == np.inf:
            return None
        if self.penalty is None or self.penalty == "none":
            if self.C != 1.0:
                warnings.warn("Setting penalty=None will ignore the C and l1_ratio parameters")
            return None
        checked("C", self.C, strict=True)
        if self.l1_ratio is not None and not 0 <= checked("l1_ratio", self.l1_ratio) <= 1:
            raise ValueError(f"l1_ratio must be between 0 and 1; got (l1_ratio={self.l1_ratio!r})")
        if self.penalty in ("auto", "deprecated"):
            return 0.0 if self.l1_ratio is None else float(self.l1_ratio)
        if self.penalty == "elasticnet":
            if self.l1_ratio is None:
                raise ValueError("l1_ratio must be specified when penalty is elasticnet.")
            return float(self.l1_ratio)
        if self.penalty not in ("l2", "l1"):
            raise ValueError(f"penalty must be 'l2', 'l1', 'elasticnet', 'auto' or None; got (penalty={self.penalty!r})")
        if self.l1_ratio not in (None, 0, 0.0):
            warnings.warn(f"l1_ratio parameter is only used when penalty is 'elasticnet'. Got (penalty={self.penalty})")
        return float(self.penalty == "l1")

    def _mode(self, classes: int) -> str:
        """logistic, ovr, softmax, or softmax of two classes."""
        if self.multi_class not in ("auto", "ovr", "multinomial", "deprecated"):
            raise ValueError(f"multi_class must be 'auto', 'ovr' or 'multinomial'; got {self.multi_class!r}")
        if classes == 2:
            return "softmax2" if self.multi_class == "multinomial" else "logistic"
        joint = self.multi_class == "multinomial" or (self.multi_class != "ovr" and self.solver != "liblinear")
        return "softmax" if joint else "ovr"

    def _options(self, mode: str, C: float, ratio: Optional[float], total: float) -> Dict[str, Any]:
        """Of a problem with weights that sum to `total`; ratio: as _ratio()."""
        if mode == "softmax" and ratio in (None, 1):
            raise ValueError(f"the multinomial loss {'without a penalty' if ratio is None else 'with l1 alone'} has no certificate, which needs an "
                             "l2 penalty; use l1_ratio < 1 (0.99 is nearly l1), or multi_class='ovr'.")
        options: Dict[str, Any] = {"loss": "softmax" if mode == "softmax" else "logistic"}
        if not self.fit_intercept:
            options["intercept"] = "none"
        elif self.solver == "liblinear":
            options["intercept"] = "penalized"
            options["intercept_scaling"] = checked("intercept_scaling", self.intercept_scaling, strict=True)
        # Two classes by softmax: weights -w and w, so that v = 2 w has half the l2 penalty.
        C, half = float(C), 2.0 if mode == "softmax2" else 1.0
        if ratio is None:
            options["penalty"] = "none"
        elif ratio == 0:
            options.update(penalty="l2", C=half * C)
        elif ratio == 1:
            options.update(penalty="l1", C=C)
        else:
            strength = 1 / (C * total)
            options.update(penalty="elastic-net", lambda_=(1 - ratio) * strength / half, l1=ratio * strength)
        return options

    def _make_problems(self, X: Any, y: Any, sample_weight: Any) -> Tuple[Any, List[Problem]]:
        X, index, weights = self._checked_classes(X, y, sample_weight)
        n, count = len(index), len(self.classes_)
        mode, ratio = self._mode(count), self._ratio()
        if mode == "ovr" and self.class_weight is not None and (self.solver == "liblinear" or isinstance(self.class_weight, str)):
            # LIBLINEAR, and so scikit-learn, applies the weight of a class where it is the positive one only. By the other solvers
            # there, each binary problem is balanced.
            factors = self._class_weights(index, weights) if self.solver == "liblinear" else None
            problems = []
            for k in range(count):
                sides = (index == k).astype(int)
                of_sides = self._balanced(sides, weights) if factors is None else weighted(weights, np.array([1.0, factors[k]]), sides)
                problems.append(Problem(sides.astype(np.float64), of_sides, self._options("logistic", self.C, ratio, of_sides.sum())))
            return X, problems
        factors = self._class_weights(index, weights)
        if factors is not None:
            weights = weighted(weights, factors, index)
        return X, [Problem(self._labels(index), weights, self._options(mode, self.C, ratio, total_of(weights, n)))]

    def _balanced(self, sides: np.ndarray, weights: Optional[np.ndarray]) -> np.ndarray:
        factors = weights_of_classes(self.class_weight, np.array([0, 1]), sides, weights)
        return weighted(weights, np.asarray(factors, dtype=np.float64), sides)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LogisticRegression:
        """Fits; returns self. Labels may be of any kind."""
        X, problems = self._make_problems(X, y, sample_weight)
        models = self._solve(X, problems)
        count = len(self.classes_)
        mode = self._mode(count)
        self.dual_coef_ = self._dual(models, problems)
        self.coef_, self.intercept_ = self._weights(models, mode)
        passes = [passes_of(model) for model in models]
        self.n_iter_ = np.array(passes * (count if mode == "ovr" and len(models) == 1 else 1), dtype=np.int32)
        return self

    def _weights(self, models: List[Model], mode: str) -> Tuple[np.ndarray, np.ndarray]:
        """coef_ and intercept_."""
        coef = np.vstack([np.atleast_2d(model.coef) for model in models])
        intercept = np.concatenate([np.atleast_1d(model.intercept) for model in models])
        if mode == "softmax2":
            coef, intercept = coef / 2, intercept / 2
        if mode == "softmax" and self.fit_intercept and self.solver != "liblinear":
            intercept = intercept - intercept.mean()  # a common constant changes nothing
        return coef, intercept

    def _bounds_of_scores(self, bounds: Interval) -> Interval:
        mode = self._mode(len(self.classes_))
        if mode == "softmax2":
            return bounds[0] / 2, bounds[1] / 2
        if mode == "softmax" and self.fit_intercept and self.solver != "liblinear":  # as in _weights()
            shift = np.mean(self.certificate_.models[0].intercept)
            return down(bounds[0] - shift), up(bounds[1] - shift)
        return bounds

    def predict_proba_bounds(self, X: Any) -> ProbabilityBounds:
        """Intervals of the optimal model's probabilities, in the shape of predict_proba: proved by the certificate. Needs an l2
        penalty."""
        bounds, _, _ = self._score_bounds(X)
        models = self.certificate_.models
        found = models[0].predict_proba_bounds(self._rows_to_score(X)) if len(models) == 1 else one_versus_rest(bounds)
        return ProbabilityBounds(*contains_own(found, self.predict_proba(X)))

    def predict_proba(self, X: Any) -> np.ndarray:
        """Of each of classes_, per row."""
        return np.exp(self.predict_log_proba(X))

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """The logarithms of predict_proba; finite also where a probability is too small for a float."""
        scores = self._scores(X)
        mode = self._mode(len(self.classes_))
        if mode == "softmax":
            return _log_normalized(scores)
        if mode == "softmax2":
            return _log_sigmoid(np.column_stack([-2 * scores, 2 * scores]))
        if mode == "logistic":
            return _log_sigmoid(np.column_stack([-scores, scores]))
        return _log_normalized(_log_sigmoid(scores))
