"""Arrays, weights and parameters of estimators, checked."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

_floats = (np.dtype(np.float64), np.dtype(np.float32))


def plain_rows(X: Any, finite: bool = True) -> bool:
    """Whether scikit-learn's checks, which take 0.2 ms, would return X as it is: finite numbers in C order. finite=False: numbers
    that are not finite are found later, by the conversion."""
    return (type(X) is np.ndarray and X.ndim == 2 and X.dtype in _floats and X.dtype.isnative and X.flags.c_contiguous and X.flags.aligned
            and X.size > 0 and (not finite or _finite(X)))


def _finite(array: np.ndarray) -> bool:
    """False also where only the sum is not finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(array.sum(dtype=np.float64)))


def plain_labels(y: Any, count: int) -> bool:
    """The same of labels or targets of one dimension."""
    return (type(y) is np.ndarray and y.shape == (count,) and y.flags.c_contiguous and y.dtype.isnative and y.dtype.kind in "biuf"
            and (y.dtype.kind != "f" or _finite(y)))


def row_weights(sample_weight: Any, n: int) -> Optional[np.ndarray]:
    """As float64, one per row; None if none are given."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight)
    if weights.ndim == 0:
        weights = np.full(n, float(weights))
    if weights.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    weights = np.array(weights, dtype=np.float64)
    if weights.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if weights.shape != (n,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n,)}!")
    if not np.isfinite(weights).all():
        raise ValueError(f"Input sample_weight contains {'NaN' if np.isnan(weights).any() else 'infinity'}.")
    if (weights < 0).any():
        raise ValueError("Negative values in data passed to `sample_weight`: weights must be at least zero.")
    if n > 0 and not weights.any():
        raise ValueError("all values of sample_weight are zero; at least one weight must be above zero.")
    with np.errstate(over="ignore"):
        total = weights.sum()
    if total > 1e100:  # lambda is a multiple of 1 / total, and numbers of its inverse square overflow
        raise ValueError(f"the sum of sample_weight is {total:.3g}; divide the weights by a number that makes it at most 1e100.")
    return weights


def checked(name: str, value: Any, least: float = 0.0, strict: bool = False) -> float:
    """A parameter as a number that is at least `least` (strict: above it)."""
    number = float(value) if isinstance(value, (int, float, np.integer, np.floating)) else float("nan")
    if not (number > least if strict else number >= least):
        raise ValueError(f"{name} == {value!r} must be {'>' if strict else '>='} {least:g}.")
    return number


def weighted(weights: Optional[np.ndarray], factors: np.ndarray, index: np.ndarray) -> np.ndarray:
    """Weights of rows times those of their classes. A class that would vanish has 1e-12 of the total instead of 0: it stays
    a class, and changes the objective by no more than that."""
    of_rows = np.ones(len(index)) if weights is None else weights
    product = of_rows * factors[index]
    total = product.sum()
    for k in range(len(factors)):
        mine = index == k
        if mine.any() and not product[mine].any():
            product[mine] = 1e-12 * max(total, 1.0) / mine.sum()
    return product


def total_of(weights: Optional[np.ndarray], n: int) -> float:
    return float(n) if weights is None else float(weights.sum())
