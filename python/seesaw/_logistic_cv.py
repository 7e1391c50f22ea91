"""LogisticRegressionCV."""
from __future__ import annotations

import warnings
from typing import Any, Callable, List, NamedTuple, Optional, Tuple

import numpy as np
from sklearn.metrics import get_scorer
from sklearn.model_selection import check_cv

from ._base import passes_of
from ._certificate import Problem
from ._checks import checked, row_weights, total_of, weighted
from ._compat import weighs_scores
from ._folds import FoldTags, check_folds, fit_along, in_threads, parts_of, rows_of, warn_of_paths
from ._limits import Limits
from ._logistic import LogisticRegression
from ._model import Model


class _FoldPath(NamedTuple):
    """The models of one training part for all Cs, at one l1_ratio."""

    models: List[Model]
    weights: np.ndarray  # (Cs, outputs, features + 1): coef and intercept
    scores: List[float]


class LogisticRegressionCV(FoldTags, LogisticRegression):
    """Logistic regression with C (and l1_ratio) chosen by cross-validation; the model refitted to all rows has a certificate.

    Parameters as in scikit-learn; for tol, max_iter, solver, random_state and n_jobs see `LogisticRegression`. The fits of a
    fold follow Cs with warm starts; folds are fitted in n_jobs threads, with the same results for any number.

    use_legacy_attributes=False: C_ and l1_ratio_ are numbers, scores_ and coefs_paths_ arrays, as in newer versions there.

    Attributes as in scikit-learn (C_, Cs_, l1_ratio_, l1_ratios_, scores_, coefs_paths_, n_iter_), and those of
    `LogisticRegression` for the model refitted. Without refit, the weights are means over folds and have no certificate.
    """

    _converts_first = False
    C = 1.0
    l1_ratio = None
    scores_: Any
    coefs_paths_: Any
    C_: Any
    l1_ratio_: Any
    warm_start = False

    def __init__(self, *, Cs: Any = 10, fit_intercept: bool = True, cv: Any = None, dual: bool = False, penalty: Optional[str] = "auto",
                 scoring: Any = None, solver: str = "auto", tol: float = 1e-6, max_iter: Optional[float] = None, class_weight: Any = None,
                 n_jobs: Optional[int] = None, verbose: Any = 0, refit: bool = True, intercept_scaling: float = 1.0,
                 multi_class: str = "auto", random_state: Any = None, l1_ratios: Any = None,
                 use_legacy_attributes: Any = True, time_limit: Optional[float] = None,
                 callback: Optional[Callable[..., Any]] = None) -> None:
        self.Cs = Cs
        self.fit_intercept = fit_intercept
        self.cv = cv
        self.dual = dual
        self.penalty = penalty
        self.scoring = scoring
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.refit = refit
        self.intercept_scaling = intercept_scaling
        self.multi_class = multi_class
        self.random_state = random_state
        self.l1_ratios = l1_ratios
        self.use_legacy_attributes = use_legacy_attributes
        self.time_limit = time_limit
        self.callback = callback

    def _grid(self) -> np.ndarray:
        if isinstance(self.Cs, (int, np.integer)):
            if self.Cs < 1:
                raise ValueError(f"Cs == {self.Cs!r} must be at least 1, or a list of numbers.")
            return np.logspace(-4, 4, self.Cs)
        Cs = np.asarray(self.Cs, dtype=np.float64)
        for C in Cs:
            checked("Cs", float(C), strict=True)
        return Cs

    def _has_ratios(self) -> bool:
        return self.l1_ratios is not None and not isinstance(self.l1_ratios, str)  # "warn": a default of scikit-learn

    def _ratios(self) -> List[Optional[float]]:
        """l1_ratios; [None] where the penalty is l1 or l2."""
        given = self._has_ratios()
        if self.penalty == "elasticnet" or (self.penalty in ("auto", "deprecated") and given):
            ratios = list(self.l1_ratios) if given else []
            numbers = all(isinstance(ratio, (int, float, np.integer, np.floating)) and 0 <= ratio <= 1 for ratio in ratios)
            if not ratios or not numbers:
                raise ValueError(f"l1_ratios must be a list of numbers between 0 and 1; got (l1_ratios={self.l1_ratios!r})")
            return [float(ratio) for ratio in ratios]
        if self.penalty not in ("l1", "l2", "auto", "deprecated"):
            raise ValueError(f"penalty must be 'l2', 'l1', 'elasticnet' or 'auto'; got (penalty={self.penalty!r})")
        if given:
            warnings.warn(f"l1_ratios parameter is only used when penalty is 'elasticnet'. Got (penalty={self.penalty})")
        return [None]

    def _scoring(self) -> Any:
        return None if isinstance(self.scoring, str) and self.scoring == "warn" else self.scoring  # "warn": as above

    def _share(self, ratio: Optional[float]) -> float:
        return float(self.penalty == "l1") if ratio is None else ratio

    def _targets(self, X: Any, y: Any, sample_weight: Any) -> Tuple[Any, np.ndarray, List[np.ndarray], Optional[np.ndarray]]:
        """X, the class of each row, the labels of each problem (one-versus-rest: of each class), and the weights of rows."""
        X, index, weights = self._checked_classes(X, y, sample_weight)
        factors = self._class_weights(index, weights)  # balanced: of all rows, not of each fold
        if factors is not None:
            weights = weighted(weights, factors, index)
        count = len(self.classes_)
        if self._mode(count) == "ovr":
            return X, index, [(index == k).astype(np.float64) for k in range(count)], weights
        return X, index, [index.astype(np.float64)], weights

    def _refit_labels(self, index: np.ndarray, targets: List[np.ndarray]) -> List[np.ndarray]:
        return [self._labels(index)] if len(targets) == 1 else targets

    def _make_problems(self, X: Any, y: Any, sample_weight: Any) -> Tuple[Any, List[Problem]]:
        """Those of the refit, without their options: for the verification of certificates."""
        X, index, targets, weights = self._targets(X, y, sample_weight)
        return X, [Problem(labels, weights, {}) for labels in self._refit_labels(index, targets)]

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LogisticRegressionCV:
        """Chooses C and fits; returns self. Labels may be of any kind."""
        self.Cs_, ratios = self._grid(), self._ratios()
        X, index, targets, weights = self._targets(X, y, sample_weight)
        count = len(self.classes_)
        mode = self._mode(count)
        binary_mode = "logistic" if mode == "ovr" else mode
        folds = list(check_cv(self.cv, index, classifier=True).split(X, index))
        for number, (train, _) in enumerate(folds):
            if len(np.unique(index[train])) < count:
                raise ValueError(f"the training part of fold {number + 1} does not have all classes; use fewer folds, or stratified ones.")

        of_scores = row_weights(sample_weight, len(index)) if weighs_scores else None

        def task(labels: np.ndarray, train: np.ndarray, test: np.ndarray, ratio: Optional[float]) -> Callable[..., _FoldPath]:
            return lambda limits, threads: self._fold(X, labels, weights, of_scores, train, test, binary_mode, ratio, limits, threads)

        check_folds(folds, row_weights(sample_weight, len(index)), weighs_scores)
        limits = Limits(self.time_limit, self.callback)
        paths = in_threads(self.n_jobs, [task(labels, train, test, ratio) for labels in targets for train, test in folds for ratio in ratios],
                           limits)
        warn_of_paths(self, [path.models for path in paths])
        shape = (len(targets), len(folds), len(ratios), len(self.Cs_))
        scores = np.reshape([path.scores for path in paths], shape)
        coefs = np.reshape([path.weights for path in paths], shape + paths[0].weights.shape[1:])
        passes = np.reshape([[passes_of(model) for model in path.models] for path in paths], shape)
        self._choose(scores, coefs, ratios, mode)
        if self.refit:
            problems = [Problem(labels, weights, self._options(binary_mode, C, self._share(ratio), total_of(weights, len(index))))
                        for labels, C, ratio in zip(self._refit_labels(index, targets), self.C_, self.l1_ratio_)]
            models = self._solve(X, problems, limits)
            self.dual_coef_ = self._dual(models, problems)
            self.coef_, self.intercept_ = self._weights(models, binary_mode)
        if self.use_legacy_attributes or mode == "ovr":
            self._store_paths(scores, coefs, passes, ratios)
        else:
            self.C_, self.l1_ratio_, self.l1_ratios_ = float(self.C_[0]), self._share(self.l1_ratio_[0]), np.array(ratios)
            self.scores_, self.coefs_paths_, self.n_iter_ = scores[0], coefs[0] if self.fit_intercept else coefs[0][..., :-1], passes[0].astype(np.int32)
        if not self.fit_intercept:
            self.intercept_ = np.zeros(len(self.intercept_))
        return self

    def _fold(self, X: Any, labels: np.ndarray, weights: Optional[np.ndarray], of_scores: Optional[np.ndarray], train: np.ndarray,
              test: np.ndarray, mode: str, ratio: Optional[float], limits: Limits, threads: int) -> _FoldPath:
        of_train = parts_of(weights, train)[0]
        total = total_of(of_train, len(train))
        problems = [Problem(labels[train], of_train, self._options(mode, C, self._share(ratio), total)) for C in self.Cs_]
        # From the strongest penalty to the weakest, whatever the order of Cs.
        order = np.argsort(self.Cs_, kind="stable")
        models: List[Any] = [None] * len(order)
        for place, model in zip(order, fit_along(self, rows_of(X, train), [problems[k] for k in order], limits, threads)):
            models[place] = model
        scored = LogisticRegression(multi_class="multinomial" if mode.startswith("softmax") else "ovr", fit_intercept=self.fit_intercept)
        # As there: binary problems are scored with the labels -1 and 1.
        scored.classes_ = np.array([-1, 1]) if mode == "logistic" else np.unique(labels).astype(int)
        truth = (np.where(labels > 0, 1, -1) if mode == "logistic" else labels.astype(int))[test]
        scored.n_features_in_ = X.shape[1]
        scorer = get_scorer(self._scoring()) if self._scoring() else None
        X_test = rows_of(X, test)
        weighed = {} if of_scores is None else {"sample_weight": of_scores[test]}
        packed, scores = [], []
        for model in models:
            scored.coef_, scored.intercept_ = self._weights([model], mode)
            packed.append(np.column_stack([scored.coef_, scored.intercept_]))
            scores.append(float(scored.score(X_test, truth, **weighed) if scorer is None else scorer(scored, X_test, truth, **weighed)))
        return _FoldPath(models, np.array(packed), scores)

    def _choose(self, scores: np.ndarray, coefs: np.ndarray, ratios: List[Optional[float]], mode: str) -> None:
        """C_ and l1_ratio_, one per problem: of the best mean score, the first of equals; without refit, means over the best of
        each fold, of their weights too."""
        shares = np.array([np.nan if ratio is None else ratio for ratio in ratios])
        n_Cs = len(self.Cs_)
        flat = scores.reshape(len(scores), scores.shape[1], -1)
        chosen: List[Tuple[float, float]] = []
        means = []
        for target in range(len(flat)):
            if self.refit:
                best = int(flat[target].sum(axis=0).argmax())
                chosen.append((self.Cs_[best % n_Cs], shares[best // n_Cs]))
                continue
            bests = flat[target].argmax(axis=1)
            chosen.append((float(self.Cs_[bests % n_Cs].mean()), float(shares[bests // n_Cs].mean())))
            means.append(np.mean([coefs[target, fold, best // n_Cs, best % n_Cs] for fold, best in enumerate(bests)], axis=0))
        repeat = len(self.classes_) if mode == "softmax" else 1
        self.C_ = np.repeat([C for C, _ in chosen], repeat)
        self.l1_ratio_ = np.array([None if np.isnan(ratio) else ratio for _, ratio in chosen] * repeat)
        if not self.refit:
            packed = np.vstack(means)
            self.coef_, self.intercept_ = packed[:, :-1], packed[:, -1]

    def _store_paths(self, scores: np.ndarray, coefs: np.ndarray, passes: np.ndarray, ratios: List[Optional[float]]) -> None:
        """scores_, coefs_paths_ and n_iter_: (folds, Cs), or (folds, Cs, l1_ratios) where ratios are given."""
        self.l1_ratios_ = np.array(ratios)
        keys = self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        scores, coefs, passes = (np.swapaxes(array, 2, 3) for array in (scores, coefs, passes))  # folds, Cs, ratios
        if not self.fit_intercept:
            coefs = coefs[..., :-1]
        if not self._has_ratios():
            scores, coefs, passes = scores[..., 0], coefs[:, :, :, 0], passes[..., 0]
        places = [(k, 0) if len(scores) == len(keys) else (0, k) for k in range(len(keys))]  # the problem and its output
        self.scores_ = {key: scores[target] for key, (target, _) in zip(keys, places)}
        self.coefs_paths_ = {key: coefs[target][..., output, :] for key, (target, output) in zip(keys, places)}
        self.n_iter_ = passes.astype(np.int32)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """By `scoring`, or the accuracy."""
        return get_scorer(self._scoring() or "accuracy")(self, X, y, sample_weight=sample_weight)
