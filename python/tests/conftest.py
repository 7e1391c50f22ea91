"""Data that the tests share."""
import os

import numpy as np
import pytest

os.environ.pop("OMP_NUM_THREADS", None)


def made(n=120, d=6, classes=2, seed=0, dtype=np.float64):
    """Rows, labels 0 .. classes-1 that are not separable, and targets."""
    rng = np.random.RandomState(seed)
    X = rng.randn(n, d)
    X[rng.rand(n, d) < 0.3] = 0
    W = rng.randn(d, classes)
    labels = (X @ W + 1.5 * rng.randn(n, classes)).argmax(axis=1)
    y = X @ W[:, 0] + 0.5 * rng.randn(n) + 2
    return np.ascontiguousarray(X, dtype=dtype), labels, y


@pytest.fixture
def binary():
    X, labels, _ = made()
    return X, labels


@pytest.fixture
def numbers():
    X, _, y = made()
    return X, y
