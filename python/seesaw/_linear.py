"""Lasso, ElasticNet, QuantileRegressor, HuberRegressor."""
from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._base import CertifiedRegressor, passes_of
from ._certificate import Problem
from ._checks import checked, total_of
from ._model import Model


class ElasticNet(CertifiedRegressor):
    """Least squares with l1 and l2 penalty, with a certificate.

    Minimizes sum_i s_i (y_i - a_i.w - b)^2 / (2 sum_i s_i) + alpha l1_ratio |w|_1 + alpha (1 - l1_ratio)/2 |w|^2.

    Parameters as in scikit-learn, of which `precompute`, `copy_X` and `selection` have no effect; tol is the relative
    duality gap, max_iter the number of passes. positive=True: w >= 0. For the others see `LogisticRegression`.
    Of several targets (y of two dimensions) each is a problem of its own.
    """

    _several_targets = True

    def __init__(self, alpha: float = 1.0, *, l1_ratio: float = 0.5, fit_intercept: bool = True, precompute: Any = False,
                 max_iter: Optional[float] = None, copy_X: bool = True, tol: float = 1e-6, warm_start: bool = False, positive: bool = False,
                 random_state: Any = None, selection: str = "cyclic", solver: str = "auto", n_jobs: Optional[int] = None, verbose: Any = 0,
                 time_limit: Optional[float] = None, callback: Optional[Callable[..., Any]] = None) -> None:
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.copy_X = copy_X
        self.tol = tol
        self.warm_start = warm_start
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.solver = solver
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.time_limit = time_limit
        self.callback = callback

    def _make_problems(self, X: Any, y: Any, sample_weight: Any) -> Tuple[Any, List[Problem]]:
        X, y, weights = self._checked_targets(X, y, sample_weight)
        options = self._options(self.alpha, self.l1_ratio)
        targets = y[:, None] if y.ndim == 1 else y
        self._two_dimensional = y.ndim == 2
        return X, [Problem(np.ascontiguousarray(t), weights, options, self._scale(t, weights, True)) for t in targets.T]

    def _options(self, alpha: Any, ratio: Any) -> Dict[str, Any]:
        alpha, ratio = checked("alpha", alpha), checked("l1_ratio", ratio)
        if ratio > 1:
            raise ValueError(f"l1_ratio must be between 0 and 1; got l1_ratio={ratio!r}")
        options: Dict[str, Any] = {"loss": "squared", **self._intercept()}
        l1, l2 = alpha * ratio, alpha * (1 - ratio)
        if l1 > 0 and l2 > 0:
            options.update(penalty="elastic-net", l1=l1, lambda_=l2)
        elif l1 > 0:
            options.update(penalty="l1", l1=l1)
        elif l2 > 0:
            options.update(penalty="l2", lambda_=l2)
        else:
            options["penalty"] = "none"
        if self.positive:
            options["nonnegative"] = True
        return options

    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Any:
        """Fits; returns self. y of two dimensions: several targets. `check_input` has no effect: input is always checked."""
        return super().fit(X, y, sample_weight)

    def _store(self, models: List[Model], problems: List[Problem]) -> None:
        super()._store(models, problems)
        if self._two_dimensional and len(models) > 1:
            self.coef_ = np.array([model.coef for model in models])
            self.intercept_ = np.array([model.intercept for model in models]) if self.fit_intercept else 0.0
            self.n_iter_ = [passes_of(model) for model in models]
            self.dual_gap_ = np.array([model.certificate.gap for model in models])
        elif self._two_dimensional and self.fit_intercept:
            self.intercept_ = np.array([self.intercept_])

    @property
    def sparse_coef_(self) -> Any:
        """coef_ as a CSR matrix."""
        from scipy.sparse import csr_matrix

        check_is_fitted(self)
        return csr_matrix(self.coef_)


class Lasso(ElasticNet):
    """Least squares with an l1 penalty, with a certificate: ElasticNet with l1_ratio=1.

    Minimizes sum_i s_i (y_i - a_i.w - b)^2 / (2 sum_i s_i) + alpha |w|_1.
    """

    def __init__(self, alpha: float = 1.0, *, fit_intercept: bool = True, precompute: Any = False, copy_X: bool = True,
                 max_iter: Optional[float] = None, tol: float = 1e-6, warm_start: bool = False, positive: bool = False,
                 random_state: Any = None, selection: str = "cyclic", solver: str = "auto", n_jobs: Optional[int] = None, verbose: Any = 0,
                 time_limit: Optional[float] = None, callback: Optional[Callable[..., Any]] = None) -> None:
        super().__init__(alpha, l1_ratio=1.0, fit_intercept=fit_intercept, precompute=precompute, copy_X=copy_X, max_iter=max_iter, tol=tol,
                         warm_start=warm_start, positive=positive, random_state=random_state, selection=selection, solver=solver,
                         n_jobs=n_jobs, verbose=verbose, time_limit=time_limit, callback=callback)


class QuantileRegressor(CertifiedRegressor):
    """Linear quantile regression with an l1 penalty, with a certificate.

    Minimizes sum_i s_i pinball(y_i - a_i.w - b) / sum_i s_i + alpha |w|_1.

    Parameters as in scikit-learn, of which `solver_options` has no effect; for the others see `LogisticRegression`.
    """

    def __init__(self, *, quantile: float = 0.5, alpha: float = 1.0, fit_intercept: bool = True, solver: str = "auto",
                 solver_options: Optional[Dict[str, Any]] = None, tol: float = 1e-6, max_iter: Optional[float] = None,
                 random_state: Any = None, n_jobs: Optional[int] = None, verbose: Any = 0, time_limit: Optional[float] = None,
                 callback: Optional[Callable[..., Any]] = None) -> None:
        self.quantile = quantile
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.solver = solver
        self.solver_options = solver_options
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.time_limit = time_limit
        self.callback = callback

    def _make_problems(self, X: Any, y: Any, sample_weight: Any) -> Tuple[Any, List[Problem]]:
        X, y, weights = self._checked_targets(X, y, sample_weight)
        alpha, quantile = checked("alpha", self.alpha), checked("quantile", self.quantile, strict=True)
        if quantile >= 1:
            raise ValueError(f"quantile == {self.quantile!r} must be in the range (0.0, 1.0).")
        if alpha == 0:
            raise ValueError("alpha == 0: the pinball loss without a penalty has no certificate (it has no curvature that bounds the distance "
                             "to the optimum); use a small alpha, such as alpha=1e-6.")
        options: Dict[str, Any] = {"loss": "quantile", "loss_parameter": quantile, **self._intercept(), "penalty": "l1", "l1": alpha}
        return X, [Problem(y, weights, options, self._scale(y, weights, False), "ada-bpd")]


class HuberRegressor(CertifiedRegressor):
    """Linear regression by Huber's loss at a fixed scale, with a certificate.

    Minimizes sum_i s_i sigma H((y_i - a_i.w - b) / sigma) + alpha |w|^2, with H(z) = z^2 for |z| < epsilon and
    2 epsilon |z| - epsilon^2 beyond. scikit-learn's HuberRegressor also fits sigma; here it is a parameter, in the units
    of y: residuals above epsilon sigma count linearly. With sigma = scale_ of scikit-learn's fit, the result is the same.

    Parameters
    ----------
    epsilon : float, default=1.35
    alpha : float, default=0.0001
    sigma : float, default=1.0

    For the others see `LogisticRegression`.
    """

    def __init__(self, *, epsilon: float = 1.35, max_iter: Optional[float] = None, alpha: float = 0.0001, warm_start: bool = False,
                 fit_intercept: bool = True, tol: float = 1e-6, sigma: float = 1.0, solver: str = "auto", random_state: Any = None,
                 n_jobs: Optional[int] = None, verbose: Any = 0, time_limit: Optional[float] = None,
                 callback: Optional[Callable[..., Any]] = None) -> None:
        self.epsilon = epsilon
        self.max_iter = max_iter
        self.alpha = alpha
        self.warm_start = warm_start
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.sigma = sigma
        self.solver = solver
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.time_limit = time_limit
        self.callback = callback

    def _make_problems(self, X: Any, y: Any, sample_weight: Any) -> Tuple[Any, List[Problem]]:
        X, y, weights = self._checked_targets(X, y, sample_weight)
        alpha, sigma = checked("alpha", self.alpha), checked("sigma", self.sigma, strict=True)
        epsilon = checked("epsilon", self.epsilon, 1.0)
        options: Dict[str, Any] = {"loss": "huber", "loss_parameter": epsilon * sigma, **self._intercept()}
        options.update({"penalty": "l2", "lambda_": alpha * sigma / total_of(weights, len(y))} if alpha > 0 else {"penalty": "none"})
        return X, [Problem(y, weights, options, self._scale(y, weights, True))]

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> HuberRegressor:
        """Fits; returns self."""
        super().fit(X, y, sample_weight)
        self.scale_ = float(self.sigma)
        bound = self.epsilon * self.sigma
        self.outliers_ = np.abs(np.asarray(y, dtype=np.float64).ravel() - self.predict(X)) > bound
        return self
