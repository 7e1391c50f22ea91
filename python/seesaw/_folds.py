"""What the estimators with cross-validation share: fits along a list of penalties, folds in threads."""
from __future__ import annotations

import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, TypeVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from ._base import CertifiedEstimator
from ._certificate import Problem
from ._data import core_rows
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
Task = Callable[[Callable[..., bool], int], Result]


def in_threads(n_jobs: Optional[int], tasks: Sequence[Task]) -> List[Any]:
    """The results of tasks, each called with a callback for its fits and a number of threads: several tasks at a time with
    one thread each, or one after the other. Neither changes a result."""
    threads = threads_of(n_jobs) or cores()
    if threads == 1 or len(tasks) == 1:
        return [task(lambda progress: True, threads) for task in tasks]
    stopped = threading.Event()

    def proceed(progress: Any) -> bool:
        return not stopped.is_set()

    with ThreadPoolExecutor(min(threads, len(tasks))) as pool:
        futures = [pool.submit(task, proceed, 1) for task in tasks]
        try:
            return [future.result() for future in futures]
        except BaseException:  # also Ctrl-C: the fits that run end at their next check
            stopped.set()
            for future in futures:
                future.cancel()
            raise


def fit_along(estimator: CertifiedEstimator, X: Any, problems: Sequence[Problem], proceed: Callable[..., bool], threads: int) -> List[Model]:
    """Solves problems with the same labels and weights, each from the solution of the last."""
    first = problems[0]
    data = limited(threads, lambda: core_rows(X).with_labels(first.labels, first.weights))
    models: List[Model] = []
    for problem in problems:
        training = estimator._training(problem)
        training.threads = threads
        training.progress_interval = 0.1
        if models:
            training.warm_start = models[-1]._core
        models.append(Model(run(data, training, proceed).model))
    return models


def warn_of_paths(estimator: CertifiedEstimator, paths: Sequence[Sequence[Model]]) -> None:
    """One warning for all fits of the folds that did not converge."""
    models = [model for path in paths for model in path]
    failed = [model for model in models if not model.converged]
    if failed:
        largest = max(model.certificate.relative_gap for model in failed)
        warnings.warn(f"{len(failed)} of {len(models)} fits on parts of the data did not converge ({failed[0].status}): their objectives are "
                      f"at most {largest:.2g} of themselves above the minimum (tol = {estimator.tol:g}).", ConvergenceWarning, stacklevel=3)


def rows_of(X: Any, index: np.ndarray) -> Any:
    """Rows of an array in C order, or of a CSR matrix."""
    part = X[index]
    return part if hasattr(part, "tocsr") else np.ascontiguousarray(part)


def parts_of(weights: Optional[np.ndarray], *indices: np.ndarray) -> Tuple[Optional[np.ndarray], ...]:
    """The weights of some rows; None where there are none."""
    return tuple(None if weights is None else weights[index] for index in indices)
