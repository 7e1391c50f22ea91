"""What the estimators with cross-validation share: fits along a list of penalties, folds in threads."""
from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, TypeVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ._base import CertifiedEstimator
from ._certificate import Problem
from ._data import core_rows
from ._limits import Abandoned, Limits, stack_level
from ._model import Model
from ._threads import cores, limited, threads_of
from ._train import run


class FoldTags:
    """First base of the estimators with cross-validation: what scikit-learn's checks cannot expect of them."""

    def _more_tags(self) -> Dict[str, Any]:
        return {"_xfail_checks": {"check_sample_weights_invariance": "rows of weight 0 change the folds"}}

    def __sklearn_tags__(self) -> Any:  # scikit-learn requires both in one class
        return super().__sklearn_tags__()  # type: ignore[misc]


Result = TypeVar("Result")
Task = Callable[[Limits, int], Result]


def in_threads(n_jobs: Optional[int], tasks: Sequence[Task], limits: Limits) -> List[Any]:
    """The results of tasks, each called with the limits of its fits and a number of threads: several tasks at a time with
    one thread each, or one after the other. Neither changes a result."""
    threads = threads_of(n_jobs) or cores()
    if threads == 1 or len(tasks) == 1:
        return [task(limits, threads) for task in tasks]
    with ThreadPoolExecutor(min(threads, len(tasks))) as pool:
        futures = [pool.submit(task, limits, 1) for task in tasks]
        try:
            return [future.result() for future in futures]
        except BaseException:  # also Ctrl-C: the fits that run end within progress_interval, and no other one begins
            limits.abandon()
            for future in futures:
                future.cancel()
            raise


def fit_along(estimator: CertifiedEstimator, X: Any, problems: Sequence[Problem], limits: Limits, threads: int) -> List[Model]:
    """Solves problems with the same labels and weights, each from the solution of the last. Where the time limit or the
    callback ends one, its model is used for the remaining ones."""
    first = problems[0]
    data = limited(threads, lambda: core_rows(X).with_labels(first.labels, first.weights))
    models: List[Model] = []
    for problem in problems:
        if limits.abandoned:
            raise Abandoned
        training = estimator._training(problem)
        training.threads = threads
        training.progress_interval = 0.1
        training.time_limit = limits.seconds()
        if models:
            training.warm_start = models[-1]._core
        result = run(data, training, limits)
        models.append(Model(result.model))
        if result.status in ("interrupted", "time-limit"):
            break
    return models + [models[-1]] * (len(problems) - len(models))


def warn_of_paths(estimator: CertifiedEstimator, paths: Sequence[Sequence[Model]]) -> None:
    """One warning for all fits of the folds that did not converge."""
    models = [model for path in paths for model in path]
    failed = [model for model in models if not model.converged]
    if failed:
        largest = max(model.certificate.relative_gap for model in failed)
        warnings.warn(f"{len(failed)} of {len(models)} fits on parts of the data did not converge ({failed[0].status}): their objectives are "
                      f"at most {largest:.2g} of themselves above the minimum (tol = {estimator.tol:g}).", ConvergenceWarning, stacklevel=stack_level())


def rows_of(X: Any, index: np.ndarray) -> Any:
    """Rows of an array in C order, or of a CSR matrix."""
    part = X[index]
    return part if hasattr(part, "tocsr") else np.ascontiguousarray(part)


def parts_of(weights: Optional[np.ndarray], *indices: np.ndarray) -> Tuple[Optional[np.ndarray], ...]:
    """The weights of some rows; None where there are none."""
    return tuple(None if weights is None else weights[index] for index in indices)


def check_folds(folds: Sequence[Tuple[np.ndarray, np.ndarray]], weights: Optional[np.ndarray], scores_weighted: bool) -> None:
    """The training part of each fold needs a row of weight above 0, and the test part where scores are weighted."""
    for number, fold in enumerate(folds):
        for part, index in zip(("training", "test") if scores_weighted else ("training",), fold):
            if weights is not None and not weights[index].any():
                raise ValueError(f"all values of sample_weight are zero in the {part} part of fold {number + 1}; use fewer folds, or other ones.")
