"""The residuals of ridge regression where each row is left out once, in closed form.

With weights s, S = diag(s), a free intercept and centred rows, w(alpha) = (X'SX + alpha I)^-1 X'Sy and the leverage of row i is
h_i = s_i x_i'(X'SX + alpha I)^-1 x_i + s_i / sum s (the last term is that of the intercept). The model fitted without row i has
the residual (y_i - x_i.w - b) / (1 - h_i) at it. All alphas share one decomposition: sqrt(S) X = U diag(k) V'.
"""
from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np


def _decomposed(X: Any, mean: np.ndarray, root: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """U and k^2 of sqrt(S) (X - mean). Sparse rows are not centred themselves: by the smaller of the two Gram matrices."""
    n, d = X.shape
    if not hasattr(X, "tocsr"):
        U, k, _ = np.linalg.svd(root[:, None] * (X - mean), full_matrices=False)
        return U, k * k
    if n <= d:
        product = np.asarray((X @ X.T).todense())
        of_mean = np.asarray(X @ mean)
        squares, U = np.linalg.eigh(np.outer(root, root) * (product - of_mean[:, None] - of_mean[None, :] + mean @ mean))
        return U, np.maximum(squares, 0)
    of_rows = X.multiply(root[:, None]).tocsr()
    scaled = np.asarray(of_rows.T @ root)
    gram = np.asarray((of_rows.T @ of_rows).todense()) - np.outer(scaled, mean) - np.outer(mean, scaled) + (root @ root) * np.outer(mean, mean)
    squares, V = np.linalg.eigh(gram)
    used = squares > len(squares) * np.finfo(float).eps * squares[-1]
    squares, V = squares[used], V[:, used]
    return (of_rows @ V - np.outer(root, mean @ V)) / np.sqrt(squares), squares


def leave_one_out(X: Any, targets: np.ndarray, weights: Optional[np.ndarray], alphas: np.ndarray, intercept: bool) -> np.ndarray:
    """Of shape (rows, targets, alphas); 0 for rows of weight 0."""
    n, d = X.shape
    s = np.ones(n) if weights is None else weights
    root = np.sqrt(s)
    total = s.sum()
    mean = np.asarray(X.T @ s).ravel() / total if intercept else np.zeros(d)
    centred = targets - s @ targets / total if intercept else targets
    U, squares = _decomposed(X, mean, root)
    scaled = root[:, None] * centred
    projected = U.T @ scaled
    found = np.empty(targets.shape + (len(alphas),))
    with np.errstate(divide="ignore", invalid="ignore"):
        for k, alpha in enumerate(alphas):
            shrink = squares / (squares + alpha)
            leverage = (U * U) @ shrink + (s / total if intercept else 0)
            residual = scaled - U @ (shrink[:, None] * projected)
            found[:, :, k] = np.where(root[:, None] > 0, residual / root[:, None] / (1 - leverage)[:, None], 0)
    return found
