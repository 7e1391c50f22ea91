"""C-ordered float64 and float32 arrays and CSR matrices are used where they are."""
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import made

import seesaw


def changed_through_memory(X, change):
    """Whether a change of the caller's memory is seen by data made before it. (Users must not do that: this is how a test
    can see that nothing was copied.)"""
    data = seesaw.Data(X, np.ones(X.shape[0]))
    change()
    same = seesaw.Data(X, np.ones(X.shape[0])).hash
    return data.hash == same


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_dense_rows_are_not_copied(dtype):
    X = made(dtype=dtype)[0]
    assert changed_through_memory(X, lambda: X.__setitem__((3, 2), 7))
    part = X[10:50]  # contiguous as well
    assert changed_through_memory(part, lambda: X.__setitem__((20, 1), 9))
    F = np.asfortranarray(X)
    assert not changed_through_memory(F, lambda: F.__setitem__((3, 2), 8))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_sparse_rows_are_not_copied(dtype, index):
    X = sp.csr_matrix(made(dtype=dtype)[0])
    X.indices, X.indptr = X.indices.astype(index), X.indptr.astype(index)
    assert changed_through_memory(X, lambda: X.data.__setitem__(3, 7))
    C = X.tocsc()
    assert not changed_through_memory(C, lambda: C.data.__setitem__(3, 8))


def test_read_only_and_mapped_arrays(tmp_path):
    X, y = made()[0], made()[2]
    expected = seesaw.Ridge().fit(X, y).coef_
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    assert np.array_equal(seesaw.Ridge().fit(mapped, y).coef_, expected)
    assert np.array_equal(seesaw.train(mapped, y, loss="squared", lambda_=1 / len(y), gap=1e-6).coef, expected)


def test_the_arrays_live_as_long_as_the_data():
    X, y = made(n=2000, d=50)[::2]
    data = seesaw.Data(X.copy(), y)  # nothing but the data refers to the copy
    before = data.hash
    for _ in range(20):
        np.zeros((2000, 50))  # would reuse freed memory
    assert seesaw.Data(X, y).hash == before
    assert seesaw.train(data.with_labels(y), loss="squared").certificate.gap >= 0
    X.resize  # an exported buffer cannot be resized
    locked = np.ones((4, 3))
    held = seesaw.Data(locked)
    with pytest.raises(ValueError):
        locked.resize((400, 300))
    assert held.shape == (4, 3)


@pytest.mark.parametrize("kind", ["dense64", "dense32", "csr"])
def test_memory_before_solving(kind):
    """Peak memory of making the data: at most 8 (n + 1) bytes, labels and weights, and 2 MB above the input."""
    script = textwrap.dedent(f"""
        import numpy as np, resource, seesaw
        kind = {kind!r}
        n, d = 200_000, 50
        rng = np.random.RandomState(0)
        y, s = rng.randn(n), np.ones(n)
        if kind == "csr":
            import scipy.sparse as sp
            indptr = np.arange(0, 20 * n + 1, 20, dtype=np.int32)
            X = sp.csr_matrix((np.ones(20 * n), np.tile(np.arange(20, dtype=np.int32) * 2, n), indptr), (n, d))
            X.has_canonical_format  # computed once by scipy
        else:
            X = np.ones((n, d), dtype=np.float64 if kind == "dense64" else np.float32)
        seesaw.Data(np.ones((100, 5)), np.ones(100), np.ones(100)).hash  # starts the threads
        def peak():
            return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]) * 1024
        def now():
            return int(next(line for line in open("/proc/self/status") if line.startswith("VmRSS")).split()[1]) * 1024
        open("/proc/self/clear_refs", "w").write("5")  # the peak begins here
        before = now()
        data = seesaw.Data(X, y, s)
        data.hash
        more = peak() - before
        assert more <= 8 * (n + 1) + 16 * n + (2 << 20), more  # labels and weights are copied
        print("ok", more)
    """)
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout.startswith("ok"), run.stderr
