"""Bad input raises ValueError or TypeError; nothing crashes the interpreter."""
import numpy as np
import pytest
import scipy.sparse as sp
from conftest import made

import seesaw
from seesaw import _core

BAD = (ValueError, TypeError)


def test_what_users_know():
    X, labels, y = made()
    nan, inf = X.copy(), X.copy()
    nan[3, 2], inf[4, 1] = np.nan, np.inf
    for kind, target in ((seesaw.LogisticRegression, labels), (seesaw.Ridge, y)):
        with pytest.raises(ValueError, match="contains NaN"):
            kind().fit(nan, target)
        with pytest.raises(ValueError, match="infinity"):
            kind().fit(inf, target)
        with pytest.raises(ValueError, match="inconsistent numbers of samples"):
            kind().fit(X, target[:-1])
        with pytest.raises(ValueError, match="Expected 2D array"):
            kind().fit(X[:, 0], target)
        with pytest.raises(ValueError, match="minimum of 1 is required"):
            kind().fit(X[:0], target[:0])
        with pytest.raises(ValueError, match="minimum of 1 is required"):
            kind().fit(X[:, :0], target)
        with pytest.raises(ValueError, match="features"):
            kind().fit(X, target).predict(X[:, :3])
        with pytest.raises(ValueError, match="sample_weight.shape"):
            kind().fit(X, target, sample_weight=np.ones(3))
        with pytest.raises(ValueError, match="NaN"):
            kind().fit(X, target, sample_weight=np.full(len(target), np.nan))
    with pytest.raises(ValueError, match="Unknown label type"):
        seesaw.LogisticRegression().fit(X, y)
    with pytest.raises(ValueError, match="only one class"):
        seesaw.LogisticRegression().fit(X, np.ones(len(y)))
    with pytest.raises(ValueError):
        seesaw.Ridge().fit(X, np.where(y > 0, np.nan, y))


def test_functional_layer():
    X, labels, y = made()
    nan = X.copy()
    nan[3, 2] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        seesaw.Data(nan, y)
    with pytest.raises(ValueError, match="infinity"):
        seesaw.Data(sp.csr_matrix(np.where(np.isnan(nan), np.inf, nan)), y)
    for bad in [X[0], X[None], 3.0, None, "text", [["a", "b"]], X + 1j, np.empty((0, 3)), object(), [[1, 2], [3]], {"a": 1},
                np.array([[1, "x"]], dtype=object), np.array(["2020"], dtype="datetime64[D]")]:
        with pytest.raises(BAD):
            seesaw.Data(bad, y)
    for target in [y[:-1], np.column_stack([y, y]), ["a"] * len(y), np.full(len(y), np.nan), y + 1j, 5]:
        with pytest.raises(BAD):
            seesaw.Data(X, target)
    for weights in [np.ones(3), -np.ones(len(y)), np.full(len(y), np.inf), np.zeros(len(y)), "abc"]:
        with pytest.raises(BAD):
            seesaw.Data(X, y, weights)
    with pytest.raises(ValueError, match="labels"):
        seesaw.train(X)
    with pytest.raises(ValueError):
        seesaw.train(seesaw.Data(X, y), y)
    with pytest.raises(seesaw.Error):
        seesaw.train(seesaw.Data(X))
    for options in [dict(loss="no"), dict(penalty="no"), dict(lambda_=-1), dict(C=0), dict(gap=-1), dict(gap_abs=float("nan")), dict(max_passes=-1),
                    dict(time_limit=-1), dict(solver="no"), dict(solver_options={"no": 1}), dict(intercept="no"), dict(scaling="no"),
                    dict(precision="no"), dict(class_weight="no"), dict(class_weight={5: 1}), dict(n_jobs=0), dict(seed=-1), dict(n_jobs=10**6),
                    dict(lower=[0] * 3), dict(penalty_factors=[-1] * 6), dict(lambda_="x"), dict(warm_start=3)]:
        with pytest.raises((ValueError, TypeError, AttributeError)):
            seesaw.train(X, labels, **options)
    with pytest.raises(seesaw.InvalidOption) as caught:
        seesaw.train(X, labels, lambda_=-1)
    assert caught.value.field == "lambda" and "`lambda_`" in str(caught.value)
    with pytest.raises(ValueError, match="features|numbers"):
        seesaw.train(X, labels, C=1).predict(X[:, :2])
    with pytest.raises(BAD):
        seesaw.Data(X, feature_names=["a"])
    with pytest.raises(ValueError):
        seesaw.Model.from_bytes(b"\x00\xff nonsense")


def broken_csr(change):
    X = sp.csr_matrix(made(n=20, d=5)[0])
    X.has_sorted_indices = X.has_canonical_format = True  # it lies
    change(X)
    return X


@pytest.mark.parametrize("change", [
    lambda X: X.indices.__setitem__(0, 99), lambda X: X.indices.__setitem__(0, -1), lambda X: X.indices.__setitem__(slice(None), 2),
    lambda X: X.indptr.__setitem__(3, 10**6), lambda X: X.indptr.__setitem__(3, -5), lambda X: X.indptr.__setitem__(-1, 0),
    lambda X: X.indptr.__setitem__(0, 1), lambda X: setattr(X, "indptr", X.indptr[:-3]), lambda X: setattr(X, "indices", X.indices[:-3]),
    lambda X: setattr(X, "data", X.data[:-3]), lambda X: setattr(X, "indptr", np.zeros(0, dtype=np.int32)),
    lambda X: setattr(X, "indices", X.indices.astype(np.float64) + 0.5), lambda X: setattr(X, "indptr", X.indptr.astype(np.int64) + 2**40),
    lambda X: setattr(X, "indices", X.indices.astype(np.int64) + 2**32), lambda X: setattr(X, "_shape", (10**9, 5)),
    lambda X: setattr(X, "_shape", (20, 2)), lambda X: setattr(X, "data", X.data.reshape(1, -1))])
def test_broken_sparse_matrices(change):
    with pytest.raises(BAD):
        X = broken_csr(change)
        seesaw.train(X, np.arange(20.0), loss="squared").predict(X)


def test_the_binding_itself():
    """_core refuses what the package would never pass."""
    X = np.ascontiguousarray(made(n=20, d=5)[0])
    y = np.arange(20.0)
    arrays = [X, X.T, X[::-1], X[:, ::2], X[::2], X.astype(np.float32), X.astype(np.int64), X.astype(">f8"), X.astype(np.longdouble), X.astype(complex),
              X.astype(object), X.astype("S4"), X[0], X[None], X[:0], X[:, :0], np.float64(3), b"bytes", bytearray(7), memoryview(X), None, 3, "x", [1, 2],
              np.frombuffer(bytearray(20 * 5 * 8 + 1), dtype=np.uint8)[1:].view(np.float64).reshape(20, 5), np.lib.stride_tricks.as_strided(X, (20, 5), (0, 8)),
              np.zeros((20, 5), dtype=[("a", "f8")]), np.zeros((2**20, 0)), y, y[::-1], y.astype(np.int32), y.astype(np.uint64), np.arange(21, dtype=np.int32)]
    outcomes = {True: 0, False: 0}

    def attempt(call):
        try:
            data = call()
            data.hash, data.labels, data.rows
            outcomes[True] += 1
        except (ValueError, TypeError, BufferError):
            outcomes[False] += 1

    for a in arrays:
        for b in arrays:
            attempt(lambda: _core.Data.dense(a, b, None))
            attempt(lambda: _core.Data.dense(X, a, b))
            for c in arrays[::3]:
                attempt(lambda: _core.Data.sparse(5, a, b, c, None, None))
    attempt(lambda: _core.Data.sparse(-1, y, y, y, None, None))
    attempt(lambda: _core.Data.sparse(2**63, np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0), None, None))
    assert outcomes[True] > 0 and outcomes[False] > 1000
    for bad in (None, 3, "x", X):
        with pytest.raises(TypeError):
            _core.train(bad, _core.Training(), None, False)
        with pytest.raises(TypeError):
            _core.verify(bad, bad)


def test_random_sparse_arrays():
    """Random arrays of random types: refused, or rows that can be used."""
    rng = np.random.RandomState(0)
    accepted = 0
    for _ in range(2000):
        n, d, size = rng.randint(0, 4), rng.randint(0, 4), rng.randint(0, 6)
        kinds = [np.int32, np.int64, np.uint32, np.uint64, np.int8, np.float64]
        indptr = np.sort(rng.randint(-1, size + 2, n + 1)).astype(kinds[rng.randint(6)])
        if rng.rand() < 0.7 and len(indptr):
            indptr[0], indptr[-1] = 0, size
        indices = rng.randint(-1, d + 1, size).astype(kinds[rng.randint(6)])
        values = rng.randn(size).astype([np.float64, np.float32, np.float16][rng.randint(3)])
        try:
            data = _core.Data.sparse(d, indptr, indices, values, None, None)
        except (ValueError, TypeError):
            continue
        accepted += 1
        data.hash
    assert accepted > 10


class Lies:
    """An object whose shape and length are not those of its arrays."""

    shape = (10**6, 5)
    format = "csr"
    has_canonical_format = True

    def __init__(self, X):
        self.data, self.indices, self.indptr = X.data, X.indices, X.indptr

    def tocsr(self):
        return self

    def __len__(self):
        return 10**6


def test_objects_that_lie():
    X = sp.csr_matrix(made(n=20, d=5)[0])
    with pytest.raises(BAD):
        seesaw.Data(Lies(X), np.ones(20))

    class Array:
        shape = (10, 10)

        def __array__(self, *_, **__):
            return np.ones(3)

    with pytest.raises(BAD):
        seesaw.Data(Array(), np.ones(10))


def test_large_integers_and_values():
    with pytest.raises(BAD):
        seesaw.train(np.full((4, 2), 1e300), [0, 1, 0, 1.0], loss="squared")
    with pytest.raises((ValueError, TypeError, OverflowError)):
        seesaw.train(np.ones((4, 2)), [10**400, 1, 0, 1])
    with pytest.raises((ValueError, TypeError, OverflowError)):
        seesaw.train(np.ones((4, 2)), [0, 1, 0, 1], seed=2**70)
    big = np.array([[2**62, 1], [3, 4]], dtype=np.int64)
    assert seesaw.Data(big).shape == (2, 2)
