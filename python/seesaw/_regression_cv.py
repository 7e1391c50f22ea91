"""LassoCV, ElasticNetCV, RidgeCV."""
from __future__ import annotations

from numbers import Real
from typing import Any, Callable, List, Optional, Tuple

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import check_scalar
from sklearn.utils.validation import column_or_1d

from ._certificate import Problem
from ._checks import checked, row_weights
from ._folds import FoldTags, check_folds, fit_along, in_threads, parts_of, rows_of, warn_of_paths
from ._leave_one_out import leave_one_out
from ._limits import Limits, interruptible
from ._linear import ElasticNet
from ._model import Model
from ._ridge import Ridge


def _alphas_to_zero(X: Any, y: np.ndarray, weights: Optional[np.ndarray], intercept: bool, positive: bool, ratio: float, eps: float,
                    count: int) -> np.ndarray:
    """From the smallest alpha that gives w = 0 down to eps of it."""
    if ratio == 0:
        raise ValueError("Automatic alpha grid generation is not supported for l1_ratio=0. Please supply a grid by providing your "
                         "estimator with the appropriate `alphas=` argument.")
    s = np.full(len(y), 1 / len(y)) if weights is None else weights / weights.sum()
    residual = s * (y - s @ y) if intercept else s * y
    gradient = np.asarray(X.T @ residual)
    largest = float((gradient if positive else np.abs(gradient)).max()) / ratio
    least = np.finfo(float).resolution
    if largest <= least:
        return np.full(count, least)
    return np.geomspace(largest, largest * eps, count)


class ElasticNetCV(FoldTags, ElasticNet):
    """Elastic net with alpha (and l1_ratio) chosen by cross-validation; the model refitted to all rows has a certificate.

    Parameters as in scikit-learn, of which `precompute`, `copy_X` and `selection` have no effect; see `ElasticNet`. The fits of a
    fold follow alphas with warm starts; folds are fitted in n_jobs threads, with the same results for any number.

    Attributes as in scikit-learn (alpha_, alphas_, l1_ratio_, mse_path_), and those of `ElasticNet` for the model refitted.
    """

    _converts_first = False
    _several_targets = False
    warm_start = False

    def __init__(self, *, l1_ratio: Any = 0.5, eps: float = 1e-3, n_alphas: Any = 100, alphas: Any = None, fit_intercept: bool = True,
                 precompute: Any = "auto", max_iter: Optional[float] = None, tol: float = 1e-6, cv: Any = None, copy_X: bool = True,
                 verbose: Any = 0, n_jobs: Optional[int] = None, positive: bool = False, random_state: Any = None,
                 selection: str = "cyclic", solver: str = "auto", time_limit: Optional[float] = None,
                 callback: Optional[Callable[..., Any]] = None) -> None:
        self.l1_ratio = l1_ratio
        self.eps = eps
        self.n_alphas = n_alphas
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.tol = tol
        self.cv = cv
        self.copy_X = copy_X
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.solver = solver
        self.time_limit = time_limit
        self.callback = callback

    def _checked_targets(self, X: Any, y: Any, sample_weight: Any) -> Tuple[Any, np.ndarray, Optional[np.ndarray]]:
        X, y = self._checked_rows(X, y, y_numeric=True, multi_output=True)
        if y.ndim == 2 and y.shape[1] > 1:
            raise ValueError(f"For multi-task outputs, use MultiTask{type(self).__name__}")
        y = np.ascontiguousarray(column_or_1d(y, warn=True), dtype=np.float64)
        return X, y, row_weights(sample_weight, len(y))

    def _grids(self, X: Any, y: np.ndarray, weights: Optional[np.ndarray], ratios: np.ndarray) -> List[np.ndarray]:
        """Alphas for each l1_ratio, descending."""
        alphas = self.alphas
        if alphas is None or isinstance(alphas, (int, np.integer)):
            given = self.n_alphas if alphas is None else alphas
            count = 100 if isinstance(given, str) else int(check_scalar(given, "n_alphas", (int, np.integer), min_val=1))
            eps = checked("eps", self.eps, strict=True)
            return [_alphas_to_zero(X, y, weights, self.fit_intercept, self.positive, ratio, eps, count) for ratio in ratios]
        for place, alpha in enumerate(alphas):
            check_scalar(alpha, f"alphas[{place}]", Real, min_val=0.0, include_boundaries="left")
        return [np.sort(np.asarray(alphas, dtype=np.float64))[::-1]] * len(ratios)

    def _make_problems(self, X: Any, y: Any, sample_weight: Any) -> Tuple[Any, List[Problem]]:
        """That of the refit, without its options: for the verification of certificates."""
        X, y, weights = self._checked_targets(X, y, sample_weight)
        return X, [Problem(y, weights, {})]

    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Any:
        """Chooses alpha and fits; returns self."""
        X, y, weights = self._checked_targets(X, y, sample_weight)
        ratios = np.atleast_1d(self.l1_ratio)
        grids = self._grids(X, y, weights, ratios)
        folds = list(check_cv(self.cv).split(X, y))
        check_folds(folds, weights, True)
        limits = Limits(self.time_limit, self.callback)

        def task(ratio: float, alphas: np.ndarray, train: np.ndarray, test: np.ndarray) -> Callable[..., Any]:
            return lambda limits, threads: self._fold(X, y, weights, ratio, alphas, train, test, limits, threads)

        found = in_threads(self.n_jobs, [task(ratio, alphas, train, test) for ratio, alphas in zip(ratios, grids) for train, test in folds],
                           limits)
        warn_of_paths(self, [models for models, _ in found])
        errors = np.reshape([errors for _, errors in found], (len(ratios), len(folds), -1))
        means = errors.mean(axis=1)
        best_ratio, best = divmod(int(means.argmin()), means.shape[1])
        self.mse_path_ = np.squeeze(np.moveaxis(errors, 2, 1))
        self.alpha_ = grids[best_ratio][best]
        self.l1_ratio_ = ratios[best_ratio]
        self.alphas_ = grids[0] if self.alphas is not None and not isinstance(self.alphas, (int, np.integer)) or len(ratios) == 1 else np.array(grids)
        self._two_dimensional = False
        problems = [Problem(y, weights, self._options(self.alpha_, self.l1_ratio_), self._scale(y, weights, True))]
        self._store(self._solve(X, problems, limits), problems)
        return self

    def _fold(self, X: Any, y: np.ndarray, weights: Optional[np.ndarray], ratio: float, alphas: np.ndarray, train: np.ndarray,
              test: np.ndarray, limits: Limits, threads: int) -> Tuple[List[Model], np.ndarray]:
        """The models along alphas, and their mean squared errors on the rows left out."""
        of_train, of_test = parts_of(weights, train, test)
        scale = self._scale(y[train], of_train, True)
        problems = [Problem(y[train], of_train, self._options(alpha, ratio), scale) for alpha in alphas]
        models = fit_along(self, rows_of(X, train), problems, limits, threads)
        predicted = rows_of(X, test) @ np.array([model.coef for model in models]).T + np.array([model.intercept for model in models])
        return models, np.average((np.asarray(predicted) - y[test][:, None]) ** 2, axis=0, weights=of_test)


class LassoCV(ElasticNetCV):
    """Lasso with alpha chosen by cross-validation: ElasticNetCV with l1_ratio=1."""

    def __init__(self, *, eps: float = 1e-3, n_alphas: Any = 100, alphas: Any = None, fit_intercept: bool = True, precompute: Any = "auto",
                 max_iter: Optional[float] = None, tol: float = 1e-6, copy_X: bool = True, cv: Any = None, verbose: Any = 0,
                 n_jobs: Optional[int] = None, positive: bool = False, random_state: Any = None, selection: str = "cyclic",
                 solver: str = "auto", time_limit: Optional[float] = None, callback: Optional[Callable[..., Any]] = None) -> None:
        super().__init__(l1_ratio=1.0, eps=eps, n_alphas=n_alphas, alphas=alphas, fit_intercept=fit_intercept, precompute=precompute,
                         max_iter=max_iter, tol=tol, cv=cv, copy_X=copy_X, verbose=verbose, n_jobs=n_jobs, positive=positive,
                         random_state=random_state, selection=selection, solver=solver, time_limit=time_limit, callback=callback)

    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Any:
        """Chooses alpha and fits; returns self."""
        super().fit(X, y, sample_weight)
        del self.l1_ratio_
        return self


class _Predictions(RegressorMixin, BaseEstimator):
    """An estimator whose predictions are known: for scorers."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def fit(self, X: Any, y: Any) -> None: ...

    def predict(self, X: Any) -> np.ndarray:
        return self.values


class RidgeCV(FoldTags, Ridge):
    """Ridge regression with alpha chosen by cross-validation; the model refitted to all rows has a certificate.

    Parameters as in scikit-learn, of which `gcv_mode` has no effect. cv=None: every row is left out once, in closed form by a
    decomposition of X (dense: O(n d min(n, d))). `store_cv_results` is the newer name of `store_cv_values`.

    Attributes as in scikit-learn (alpha_, best_score_, cv_values_ and cv_results_), and those of `Ridge` for the model refitted.
    """

    _converts_first = False
    positive = False

    def __init__(self, alphas: Any = (0.1, 1.0, 10.0), *, fit_intercept: bool = True, scoring: Any = None, cv: Any = None,
                 gcv_mode: Optional[str] = None, store_cv_values: bool = False, store_cv_results: Optional[bool] = None,
                 alpha_per_target: bool = False, tol: float = 1e-6, solver: str = "auto", n_jobs: Optional[int] = None, verbose: Any = 0,
                 max_iter: Optional[float] = None, random_state: Any = None, time_limit: Optional[float] = None,
                 callback: Optional[Callable[..., Any]] = None) -> None:
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.scoring = scoring
        self.cv = cv
        self.gcv_mode = gcv_mode
        self.store_cv_values = store_cv_values
        self.store_cv_results = store_cv_results
        self.alpha_per_target = alpha_per_target
        self.tol = tol
        self.solver = solver
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.max_iter = max_iter
        self.random_state = random_state
        self.time_limit = time_limit
        self.callback = callback

    def _grid(self) -> np.ndarray:
        if np.ndim(self.alphas) == 0:
            return np.array([check_scalar(self.alphas, "alphas", Real, min_val=0.0, include_boundaries="neither")], dtype=np.float64)
        for place, alpha in enumerate(self.alphas):
            check_scalar(alpha, f"alphas[{place}]" if len(self.alphas) > 1 else "alphas", Real, min_val=0.0, include_boundaries="neither")
        return np.asarray(self.alphas, dtype=np.float64)

    def _make_problems(self, X: Any, y: Any, sample_weight: Any) -> Tuple[Any, List[Problem]]:
        X, y, weights = self._checked_targets(X, y, sample_weight)
        return X, self._target_problems(y, weights, getattr(self, "alpha_", 1.0))

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RidgeCV:
        """Chooses alpha and fits; returns self. y of two dimensions: several targets."""
        alphas = self._grid()
        if self.gcv_mode not in (None, "auto", "svd", "eigen"):
            raise ValueError(f"gcv_mode must be 'auto', 'svd' or 'eigen'; got {self.gcv_mode!r}")
        stores = bool(self.store_cv_values or self.store_cv_results)
        X, y, weights = self._checked_targets(X, y, sample_weight)
        limits = Limits(self.time_limit, self.callback)
        if self.cv is None:
            self._leave_one_out(X, y, weights, alphas, stores)
        else:
            if stores:
                raise ValueError(f"cv!=None and {'store_cv_results' if self.store_cv_results else 'store_cv_values'}=True are incompatible")
            if self.alpha_per_target:
                raise ValueError("cv!=None and alpha_per_target=True are incompatible")
            self._by_folds(X, y, weights, alphas, limits)
        problems = self._target_problems(y, weights, self.alpha_)
        self._store(self._solve(X, problems, limits), problems)
        return self

    def _by_folds(self, X: Any, y: np.ndarray, weights: Optional[np.ndarray], alphas: np.ndarray, limits: Limits) -> None:
        """alpha_ of the best mean score, the first of equals."""
        targets = y[:, None] if y.ndim == 1 else y
        folds = list(check_cv(self.cv, y).split(X, y))
        check_folds(folds, weights, False)
        order = np.argsort(-alphas, kind="stable")  # from the strongest penalty to the weakest

        def task(train: np.ndarray, target: int) -> Callable[..., List[Model]]:
            of_train = parts_of(weights, train)[0]
            problems = [self._target_problems(targets[train, target], of_train, alphas[k])[0] for k in order]
            return lambda limits, threads: fit_along(self, rows_of(X, train), problems, limits, threads)

        paths = in_threads(self.n_jobs, [task(train, target) for train, _ in folds for target in range(targets.shape[1])], limits)
        warn_of_paths(self, paths)
        fitted = Ridge(fit_intercept=self.fit_intercept)
        fitted.n_features_in_ = X.shape[1]
        scorer = check_scoring(fitted, scoring=self.scoring)
        scores = np.empty((len(folds), len(alphas)))
        for fold, (_, test) in enumerate(folds):
            of_fold = paths[fold * targets.shape[1]:(fold + 1) * targets.shape[1]]
            for place, k in enumerate(order):
                models = [path[place] for path in of_fold]
                fitted.coef_, fitted.intercept_ = np.array([model.coef for model in models]), np.array([model.intercept for model in models])
                if y.ndim == 1:
                    fitted.coef_, fitted.intercept_ = fitted.coef_[0], fitted.intercept_[0]
                scores[fold, k] = scorer(fitted, rows_of(X, test), y[test])
        best = int(scores.mean(axis=0).argmax())
        self.alpha_, self.best_score_ = float(alphas[best]), float(scores[:, best].mean())

    def _leave_one_out(self, X: Any, y: np.ndarray, weights: Optional[np.ndarray], alphas: np.ndarray, stores: bool) -> None:
        scorer = check_scoring(self, scoring=self.scoring, allow_none=True) if self.scoring is not None else None
        targets = y[:, None] if y.ndim == 1 else y
        residuals = interruptible(lambda: leave_one_out(X, targets, weights, alphas, self.fit_intercept))  # (rows, targets, alphas)
        s = np.ones(len(y)) if weights is None else weights
        if scorer is None:
            values = s[:, None, None] * residuals**2
            scores = -values.mean(axis=0)
            totals = scores if self.alpha_per_target else scores.mean(axis=0, keepdims=True)
        else:
            values = targets[:, :, None] - residuals
            columns = [slice(j, j + 1) for j in range(targets.shape[1])] if self.alpha_per_target else [slice(None)]
            totals = np.array([[scorer(_Predictions(values[:, part, k].ravel()), X, targets[:, part].ravel()) for k in range(len(alphas))]
                               for part in columns])
        best = totals.argmax(axis=1)
        one = not self.alpha_per_target or targets.shape[1] == 1
        self.alpha_ = float(alphas[best[0]]) if one else alphas[best]
        self.best_score_ = float(totals[0, best[0]]) if one else totals[np.arange(len(best)), best]
        if stores:
            self.cv_values_ = self.cv_results_ = values[:, 0] if y.ndim == 1 else values
