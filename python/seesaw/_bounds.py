"""Intervals of the optimal scores and probabilities, of estimators: from those of their models."""
from __future__ import annotations

from typing import Any, List, Tuple

import numpy as np

from ._model import Model, ProbabilityBounds

Interval = Tuple[np.ndarray, np.ndarray]


def down(values: np.ndarray) -> np.ndarray:
    return np.nextafter(values, -np.inf)


def up(values: np.ndarray) -> np.ndarray:
    return np.nextafter(values, np.inf)


def columns_of(models: List[Model], X: Any) -> Tuple[Interval, np.ndarray]:
    """Low and high, one column per output of all models, and whether labels are settled by the first."""
    found = [model.decision_bounds(X) for model in models]
    low, high = (np.column_stack([one[side].reshape(len(one[side]), -1) for one in found]) for side in (0, 1))
    return (low, high), found[0].settled


def contains_own(bounds: Interval, own: np.ndarray) -> Interval:
    """The estimator's own numbers are rounded in another order."""
    return np.minimum(bounds[0], own), np.maximum(bounds[1], own)


def signs_settled(bounds: Interval) -> np.ndarray:
    """Per row: every score is above 0, or is not, for all values in the intervals."""
    return ((bounds[0] > 0) | (bounds[1] <= 0)).all(axis=1)


def largest_settled(bounds: Interval, own: np.ndarray) -> np.ndarray:
    """Per row: the largest score of the estimator is the largest for all values in the intervals."""
    rows, best = np.arange(len(own)), own.argmax(axis=1)
    others = bounds[1].copy()
    others[rows, best] = -np.inf
    return bounds[0][rows, best] > others.max(axis=1)


def one_versus_rest(bounds: Interval) -> ProbabilityBounds:
    """Of q_k / sum_j q_j with q = 1 / (1 + exp(-score)): rises with q_k and falls with the others. exp and logaddexp are accurate
    to a few units in the last place, of arguments up to 745: each q, and the quotient, is widened by 1e-12 of it."""
    low, high = (np.exp(-np.logaddexp(0, -side)) for side in bounds)
    low, high = low * (1 - 1e-12), high * (1 + 1e-12) + 1e-320

    def share(mine: np.ndarray, others: np.ndarray) -> np.ndarray:
        rest = np.column_stack([np.delete(others, k, axis=1).sum(axis=1) for k in range(others.shape[1])])
        return mine / (mine + rest)

    return ProbabilityBounds(share(low, high) * (1 - 1e-12), np.minimum(share(high, low) * (1 + 1e-12), 1.0))
