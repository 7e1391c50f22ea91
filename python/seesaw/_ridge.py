"""Ridge and RidgeClassifier."""
from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np
from sklearn.preprocessing import LabelBinarizer
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from ._base import CertifiedClassifier, CertifiedRegressor, passes_of
from ._bounds import Interval, signs_settled
from ._certificate import Problem
from ._checks import checked, row_weights, total_of, weighted
from ._compat import weights_of_classes
from ._model import Model


def _ridge_options(alpha: Any, weights: Optional[np.ndarray], n: int, intercept: bool, positive: bool) -> Dict[str, Any]:
    strength = checked("alpha", alpha) / total_of(weights, n)
    options: Dict[str, Any] = {"loss": "squared", "intercept": "free" if intercept else "none"}
    options.update({"penalty": "l2", "lambda_": strength} if strength > 0 else {"penalty": "none"})
    if positive:
        options["nonnegative"] = True
    return options


class Ridge(CertifiedRegressor):
    """Least squares with an l2 penalty, with a certificate.

    Minimizes sum_i s_i (y_i - a_i.w - b)^2 + alpha |w|^2; of several targets (y of two dimensions) each is a problem of
    its own, and alpha may be an array with one number per target.

    Parameters as in scikit-learn, of which `copy_X` has no effect; tol is the relative duality gap, max_iter the number
    of passes. For the others see `LogisticRegression`.
    """

    _several_targets = True

    def __init__(self, alpha: Any = 1.0, *, fit_intercept: bool = True, copy_X: bool = True, max_iter: Optional[float] = None,
                 tol: float = 1e-6, solver: str = "auto", positive: bool = False, random_state: Any = None, n_jobs: Optional[int] = None,
                 verbose: Any = 0, time_limit: Optional[float] = None, callback: Optional[Callable[..., Any]] = None) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.solver = solver
        self.positive = positive
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.time_limit = time_limit
        self.callback = callback

    def _make_problems(self, X: Any, y: Any, sample_weight: Any) -> Tuple[Any, List[Problem]]:
        X, y, weights = self._checked_targets(X, y, sample_weight)
        return X, self._target_problems(y, weights, self.alpha)

    def _target_problems(self, y: np.ndarray, weights: Optional[np.ndarray], alpha: Any) -> List[Problem]:
        """alpha: one number, or one per target."""
        targets = y[:, None] if y.ndim == 1 else y
        self._two_dimensional = y.ndim == 2
        alphas = np.asarray(alpha).ravel()
        if alphas.size not in (1, targets.shape[1]):
            raise ValueError(f"Number of targets and number of penalties do not correspond: {alphas.size} != {targets.shape[1]}")
        alphas = np.broadcast_to(alphas, targets.shape[1])
        return [Problem(np.ascontiguousarray(t), weights, _ridge_options(each.item(), weights, len(t), self.fit_intercept, self.positive),
                        self._scale(t, weights, True)) for t, each in zip(targets.T, alphas)]

    def _store(self, models: List[Model], problems: List[Problem]) -> None:
        super()._store(models, problems)
        if self._two_dimensional:
            self.coef_ = np.array([model.coef for model in models])
            self.intercept_ = np.array([model.intercept for model in models]) if self.fit_intercept else 0.0
            self.n_iter_ = np.array([passes_of(model) for model in models])


class RidgeClassifier(CertifiedClassifier):
    """Classification by ridge regression on targets -1 and +1, one problem per class, with a certificate.

    Parameters as in scikit-learn; see `Ridge`.
    """

    def __init__(self, alpha: float = 1.0, *, fit_intercept: bool = True, copy_X: bool = True, max_iter: Optional[float] = None,
                 tol: float = 1e-6, class_weight: Any = None, solver: str = "auto", positive: bool = False, random_state: Any = None,
                 n_jobs: Optional[int] = None, verbose: Any = 0, time_limit: Optional[float] = None,
                 callback: Optional[Callable[..., Any]] = None) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.class_weight = class_weight
        self.solver = solver
        self.positive = positive
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.time_limit = time_limit
        self.callback = callback

    def _make_problems(self, X: Any, y: Any, sample_weight: Any) -> Tuple[Any, List[Problem]]:
        X, y = self._checked_rows(X, y, multi_output=True)
        if np.ndim(y) == 2 and np.shape(y)[1] == 1:
            y = column_or_1d(y, warn=True)
        weights = row_weights(sample_weight, X.shape[0])
        self._multilabel = np.ndim(y) == 2
        if self._multilabel:
            check_classification_targets(y)
            self._binarizer = LabelBinarizer(pos_label=1, neg_label=-1)
            targets = np.asarray(self._binarizer.fit_transform(y), dtype=np.float64).T
            self.classes_ = self._binarizer.classes_
        else:
            index = self._classes_of(y, least=1)  # one class: the target is -1 everywhere, as there
            if self.class_weight is not None:
                # As there: balanced by counts, whatever the weights of rows.
                factors = np.asarray(weights_of_classes(self.class_weight, self.classes_, y), dtype=np.float64)
                weights = weighted(weights, factors, index)
            count = len(self.classes_)
            targets = np.array([np.where(index == k, 1.0, -1.0) for k in (range(count) if count > 2 else [1])])
        options = _ridge_options(self.alpha, weights, X.shape[0], self.fit_intercept, self.positive)
        return X, [Problem(np.ascontiguousarray(t), weights, options, 0.5) for t in targets]

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RidgeClassifier:
        """Fits; returns self. Labels may be of any kind, or an indicator matrix of several labels per row."""
        X, problems = self._make_problems(X, y, sample_weight)
        models = self._solve(X, problems)
        self.coef_ = np.array([model.coef for model in models])
        self.intercept_ = np.array([model.intercept for model in models]) if self.fit_intercept else 0.0
        self.n_iter_ = np.array([passes_of(model) for model in models])
        self.dual_coef_ = self._dual(models, problems)
        return self

    def _settled(self, bounds: Interval, own: np.ndarray) -> np.ndarray:
        return signs_settled(bounds) if self._multilabel else super()._settled(bounds, own)

    def predict(self, X: Any) -> np.ndarray:
        """Labels of the rows of X."""
        if not getattr(self, "_multilabel", False):
            return super().predict(X)
        return self._binarizer.inverse_transform(np.where(self._scores(X) > 0, 1, -1))

    def _more_tags(self) -> Dict[str, Any]:
        return {"multilabel": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags
