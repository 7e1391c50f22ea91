"""What all estimators share: from arrays to problems of the library, and from its results to fitted attributes.

An estimator is one problem or several (one per target, or per class): `_make_problems` states them from X, y and the
parameters, in `fit` and again when a certificate is verified.
"""
from __future__ import annotations

import warnings
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._bounds import Interval, columns_of, contains_own, largest_settled, signs_settled
from ._certificate import EstimatorCertificate, Problem
from ._checks import checked, plain_labels, plain_rows, row_weights
from ._compat import validate, weights_of_classes
from ._data import core_rows
from ._limits import Limits, stack_level
from ._model import Model, ScoreBounds
from ._threads import limited, threads_of
from ._train import run

# Solvers of scikit-learn, which users have in their code: `auto` solves the same problem. "seesaw:NAME" is ours.
_their_solvers = {"lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga", "svd", "cholesky", "lsqr", "sparse_cg",
                  "highs", "highs-ds", "highs-ipm", "interior-point", "revised simplex"}


_parameter_names: Dict[type, List[str]] = {}


def _parameters_of(estimator: BaseEstimator) -> Dict[str, Any]:
    """get_params(deep=False), which inspects the signature each time and takes 0.1 ms."""
    kind = type(estimator)
    if kind not in _parameter_names:
        _parameter_names[kind] = list(estimator.get_params(deep=False))
    return {name: getattr(estimator, name) for name in _parameter_names[kind]}


def passes_of(model: Model) -> int:
    """As n_iter_: a whole number, at least 1."""
    return max(1, int(np.ceil(model.passes)))


class CertifiedEstimator(BaseEstimator):
    """Parameters that all estimators have: tol, max_iter, random_state, n_jobs, verbose, time_limit, callback."""

    tol: float
    max_iter: Optional[float]
    n_jobs: Optional[int]
    verbose: Any
    time_limit: Optional[float]
    callback: Any
    coef_: Any
    intercept_: Any
    n_iter_: Any
    dual_gap_: Any
    distance_bound_: Optional[float]
    dual_coef_: np.ndarray

    def _make_problems(self, X: Any, y: Any, sample_weight: Any) -> Tuple[Any, List[Problem]]:
        raise NotImplementedError

    _converts_first = True  # X is converted, and so checked, before anything else reads it

    def _checked_rows(self, X: Any, y: Any, **options: Any) -> Tuple[Any, np.ndarray]:
        if plain_rows(X, not self._converts_first) and plain_labels(y, X.shape[0]):  # nothing to convert or to refuse
            self.n_features_in_ = X.shape[1]
            if hasattr(self, "feature_names_in_"):
                del self.feature_names_in_
            return X, y
        return validate(self, X, y, accept_sparse="csr", dtype=[np.float64, np.float32], order="C", accept_large_sparse=True, **options)

    def _training(self, problem: Problem) -> _core.Training:
        training = _core.Training()
        tol = checked("tol", self.tol)
        training.gap = max(tol, 1e-15)
        training.gap_abs = max(1e-6 * training.gap * problem.scale, 1e-300)
        if self.max_iter is not None:
            training.max_passes = checked("max_iter", self.max_iter)
        elif problem.then is not None:
            training.max_passes = 100000.0
        solver = getattr(self, "solver", "auto")
        if not isinstance(solver, str):
            raise ValueError(f"solver == {solver!r} must be 'auto', a solver of scikit-learn, or 'seesaw:NAME'.")
        training.solver = "auto" if solver in _their_solvers else solver[len("seesaw:"):] if solver.startswith("seesaw:") else solver
        training.seed = self._seed()
        training.threads = threads_of(self.n_jobs)
        for name, value in problem.options.items():
            setattr(training, name, value)
        return training

    def _seed(self) -> int:
        state = getattr(self, "random_state", None)
        if state is None:
            return 1
        if isinstance(state, (int, np.integer)) and state >= 0:
            return int(state)
        return int(check_random_state(state).randint(1, 2**31 - 1))

    def _warm_models(self, problems: List[Problem], features: int) -> List[Optional[Model]]:
        """The models of the last fit, if they can be a start of this one."""
        before = getattr(self, "certificate_", None)
        if not getattr(self, "warm_start", False) or before is None or len(before.models) != len(problems):
            return [None] * len(problems)
        usable = []
        for problem, model in zip(problems, before.models):
            classes = model.classes
            joint = problem.options.get("loss") in ("softmax", "multiclass-hinge")
            outputs = len(classes) if joint or len(classes) > 2 else 1
            same = model.n_features == features and (
                len(classes) == 0 or (np.array_equal(classes, np.unique(problem.labels)) and model._core.outputs == outputs))
            usable.append(model if same else None)
        return usable

    def _solve(self, X: Any, problems: List[Problem], limits: Optional[Limits] = None) -> List[Model]:
        """Solves them one after the other and sets the attributes that do not depend on the kind of estimator."""
        warm = self._warm_models(problems, X.shape[1])
        rows = limited(threads_of(self.n_jobs), lambda: core_rows(X))
        names = getattr(self, "feature_names_in_", None)
        if names is not None:
            rows = rows.with_feature_names([str(name) for name in names])
        limits = Limits(self.time_limit, self.callback) if limits is None else limits
        models, methods = [], []
        for problem, start in zip(problems, warm):
            training = self._training(problem)
            training.time_limit = limits.seconds()
            if start is not None:
                training.warm_start = start._core
            data = rows.with_labels(problem.labels, problem.weights)
            result = run(data, training, limits.observer, self.verbose)
            if problem.then is not None and training.solver == "auto" and result.status in ("stalled", "pass-limit") and self.max_iter is None:
                training.solver = problem.then
                training.time_limit = limits.seconds()
                again = run(data, training, limits.observer, self.verbose)
                result = min(result, again, key=lambda one: one.model.certificate[2])  # by the gap
            models.append(Model(result.model))
            methods.append(result.method)
        self.certificate_ = certificate = EstimatorCertificate(models, type(self), _parameters_of(self))
        self.primal_objective_, self.dual_objective_ = certificate.primal, certificate.dual
        self.dual_gap_ = certificate.gap
        self.distance_bound_ = certificate.distance_bound
        self.solver_ = "; ".join(dict.fromkeys(methods))
        statuses = [model.status for model in models]
        self.status_ = next((status for status in statuses if status != "converged"), "converged")
        self._warn(certificate)
        return models

    def _warn(self, certificate: EstimatorCertificate) -> None:
        if self.status_ in ("converged", "interrupted"):
            return
        remedy = {"pass-limit": "increase max_iter", "time-limit": "increase time_limit"}.get(self.status_, "increase tol, or scale the features")
        warnings.warn(f"not converged ({self.status_}): the objective {certificate.primal:.6g} is at most {certificate.gap:.2g} above "
                      f"its minimum, a relative gap of {certificate.relative_gap:.2g} (tol = {self.tol:g}); {remedy}.",
                      ConvergenceWarning, stacklevel=stack_level())

    def _dual(self, models: List[Model], problems: List[Problem]) -> np.ndarray:
        """The dual variables of all rows given: 0 where the weight is 0. One column per problem or class."""
        columns = []
        for model, problem in zip(models, problems):
            dual = model.dual_coef
            if problem.weights is not None and len(dual) < len(problem.labels):
                full = np.zeros((len(problem.labels),) + dual.shape[1:])
                full[problem.weights > 0] = dual
                dual = full
            columns.append(dual)
        return columns[0] if len(columns) == 1 else np.column_stack(columns)

    def _rows_to_score(self, X: Any) -> Any:
        check_is_fitted(self)
        if plain_rows(X) and X.shape[1] == self.n_features_in_ and not hasattr(self, "feature_names_in_"):
            return X
        return validate(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)

    def _scores(self, X: Any) -> np.ndarray:
        """One column per row of coef_."""
        X = self._rows_to_score(X)
        coef = np.atleast_2d(self.coef_) if isinstance(self.coef_, np.ndarray) else self.coef_
        scores = X @ coef.T
        if hasattr(scores, "toarray"):
            scores = scores.toarray()
        return np.asarray(scores) + self.intercept_

    def _score_bounds(self, X: Any) -> Tuple[Interval, np.ndarray, np.ndarray]:
        """Low and high of the optimal scores, with columns as those of _scores(); whether labels are settled by the first model;
        and the estimator's own scores."""
        X = self._rows_to_score(X)
        if not hasattr(self, "certificate_"):
            raise ValueError("this estimator has no certificate, and so no bounds: it was fitted with refit=False.")
        bounds, settled = columns_of(self.certificate_.models, X)
        own = self._scores(X)
        return contains_own(self._bounds_of_scores(bounds), own), settled, own

    def _bounds_of_scores(self, bounds: Interval) -> Interval:
        """From intervals of the models' scores; others where coef_ is not that of the models."""
        return bounds

    def _more_tags(self) -> Dict[str, Any]:
        return {}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class CertifiedClassifier(ClassifierMixin, CertifiedEstimator):
    """Labels of any kind; scores, labels from scores."""

    class_weight: Any

    def _checked_classes(self, X: Any, y: Any, sample_weight: Any) -> Tuple[Any, np.ndarray, Optional[np.ndarray]]:
        """X, the index of the class of each row, and the weights of rows; sets classes_."""
        X, y = self._checked_rows(X, y)
        index = self._classes_of(y)
        return X, index, row_weights(sample_weight, len(index))

    def _classes_of(self, y: Any, least: int = 2) -> np.ndarray:
        """The index of the class of each row; sets classes_."""
        if not (type(y) is np.ndarray and y.ndim == 1 and (y.dtype.kind in "biu" or (y.dtype.kind == "f" and np.array_equal(y, np.floor(y))))):
            check_classification_targets(y)  # whole numbers are classes
        self.classes_, index = np.unique(y, return_inverse=True)
        if len(self.classes_) < least:
            raise ValueError("This solver needs samples of at least 2 classes in the data, but the data contains only one class: "
                             f"{self.classes_[0]!r}")
        return index

    def _labels(self, index: np.ndarray) -> np.ndarray:
        """Of a problem of all classes: the labels where they are numbers, which its model then has; otherwise the index of the
        class."""
        if self.classes_.dtype.kind in "biuf":
            values = self.classes_.astype(np.float64)
            if np.abs(values).max() <= 2.0**53:  # exact
                return values[index]
        return index.astype(np.float64)

    def _class_weights(self, index: np.ndarray, weights: Optional[np.ndarray]) -> Optional[np.ndarray]:
        """One per class, or None."""
        if self.class_weight is None:
            return None
        y = self.classes_[index]
        return np.asarray(weights_of_classes(self.class_weight, self.classes_, y, weights), dtype=np.float64)

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores a.coef_ + intercept_: per row, or per row and class."""
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def decision_bounds(self, X: Any) -> ScoreBounds:
        """Intervals of the optimal scores, in the shape of decision_function, and whether the optimal model predicts the same label
        for a row: proved by the certificate. Needs an l2 penalty."""
        bounds, settled, own = self._score_bounds(X)
        if len(self.certificate_.models) > 1 or not len(self.certificate_.models[0].classes):
            settled = self._settled(bounds, own)
        low, high = (side[:, 0] if own.shape[1] == 1 else side for side in bounds)
        return ScoreBounds(low, high, settled)

    def _settled(self, bounds: Interval, own: np.ndarray) -> np.ndarray:
        return signs_settled(bounds) if own.shape[1] == 1 else largest_settled(bounds, own)

    def predict(self, X: Any) -> np.ndarray:
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]

    def densify(self) -> Any:
        """coef_ as an array."""
        check_is_fitted(self)
        if hasattr(self.coef_, "toarray"):
            self.coef_ = self.coef_.toarray()
        return self

    def sparsify(self) -> Any:
        """coef_ as a CSR matrix."""
        from scipy.sparse import csr_matrix

        check_is_fitted(self)
        self.coef_ = csr_matrix(self.coef_)
        return self


class CertifiedRegressor(RegressorMixin, CertifiedEstimator):
    """One target, or several where `_several_targets`."""

    _several_targets = False
    fit_intercept: bool

    def _more_tags(self) -> Dict[str, Any]:
        return {"multioutput": self._several_targets}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = self._several_targets
        return tags

    def _checked_targets(self, X: Any, y: Any, sample_weight: Any) -> Tuple[Any, np.ndarray, Optional[np.ndarray]]:
        X, y = self._checked_rows(X, y, y_numeric=True, multi_output=self._several_targets)
        y = np.asarray(y, dtype=np.float64)
        return X, y, row_weights(sample_weight, len(y))

    def _scale(self, y: np.ndarray, weights: Optional[np.ndarray], squared: bool) -> float:
        """P of the best constant (or of 0, without an intercept); never quite 0."""
        def objective(r: np.ndarray) -> float:
            return float(0.5 * np.average(r * r, weights=weights) if squared else np.average(np.abs(r), weights=weights))

        return max(objective(y - np.average(y, weights=weights) if self.fit_intercept else y), 1e-14 * objective(y))

    def _intercept(self) -> Dict[str, Any]:
        return {"intercept": "free" if self.fit_intercept else "none"}

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fits; returns self.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n_samples, n_features)
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional
        """
        X, problems = self._make_problems(X, y, sample_weight)
        self._store(self._solve(X, problems), problems)
        return self

    def _store(self, models: List[Model], problems: List[Problem]) -> None:
        self.coef_ = models[0].coef
        self.intercept_ = np.float64(models[0].intercept)
        self.n_iter_ = passes_of(models[0])
        self.dual_coef_ = self._dual(models, problems)

    def predict(self, X: Any) -> np.ndarray:
        """Targets of the rows of X."""
        scores = self._scores(X)
        return scores if np.ndim(self.coef_) == 2 else scores[:, 0]

    def decision_bounds(self, X: Any) -> ScoreBounds:
        """Intervals of the predictions of the optimal model, in the shape of predict(), proved by the certificate. Needs an l2
        penalty. `settled` is False: there are no labels."""
        bounds, _, own = self._score_bounds(X)
        low, high = (side if np.ndim(self.coef_) == 2 else side[:, 0] for side in bounds)
        return ScoreBounds(low, high, np.zeros(len(own), dtype=bool))
