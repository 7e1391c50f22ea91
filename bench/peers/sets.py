"""The data sets of the peers' benchmark, prepared once in a folder outside the repository: NAME.svm and NAME.ssw (a binary cache)."""
import lzma
import os
import subprocess
from typing import Callable, Dict, Optional, Tuple

import numpy as np
from scipy import sparse
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

Data = Tuple[sparse.csr_matrix, np.ndarray]


def unchanged(X, b) -> Data:
    return X, b


def up_to(limit: float, then: Callable = unchanged) -> Callable:
    """Labels up to `limit` are +1, the others -1."""
    return lambda X, b: then(X, np.where(b <= limit, 1.0, -1.0))


def unit_rows(X, b) -> Data:
    norms = np.sqrt(X.multiply(X).sum(axis=1)).A1
    return sparse.diags(1 / np.where(norms > 0, norms, 1)) @ X, b


def divided_by(number: float) -> Callable:
    return lambda X, b: (X / number, b)


def standardized(X, b) -> Data:
    A = X.toarray()
    deviation = A.std(axis=0)
    return sparse.csr_matrix((A - A.mean(axis=0)) / np.where(deviation > 0, deviation, 1)), b


def with_constant(X, b) -> Data:
    X, b = standardized(X, b)
    return sparse.csr_matrix(sparse.hstack([X, np.ones((X.shape[0], 1))])), b


FILES: Dict[str, Tuple[str, Callable]] = {
    "abalone": ("abalone", with_constant),
    "cpuact": ("cpuact", with_constant),
    "colon-cancer": ("colon-cancer", unchanged),
    "covtype10k": ("covtype.binary.scale.10k", unchanged),
    "madelon": ("madelon.2600", standardized),
    "arcene": ("arcene", divided_by(1000)),
    "reuters-moneyfx": ("reuters-moneyfx", unchanged),
    "a9a": ("a9a", unchanged),
    "w8a": ("w8a", unchanged),
    "ijcnn1": ("ijcnn1", unchanged),
    "usps": ("usps", up_to(5)),
    "mnist.t": ("mnist.t", up_to(4, divided_by(255))),
    "news20": ("news20", up_to(10, unit_rows)),
    "cover-odds": ("cover-odds", with_constant),
}
GENERATED = {
    "text200k": ["text", "--n", "200000", "--d", "50000", "--row-size", "75"],
    "dense50k": ["factors", "--n", "50000", "--d", "500"],
}


def two_classes(b: np.ndarray) -> np.ndarray:
    return np.where(b == b.max(), 1.0, -1.0) if len(np.unique(b)) == 2 else b


def prepare(name: str, source: str, folder: str, program: str) -> Optional[str]:
    """Path of the set's cache, created if necessary; None if the set's file is absent."""
    text, cache = f"{folder}/{name}.svm", f"{folder}/{name}.ssw"
    if os.path.exists(cache):
        return cache
    os.makedirs(folder, exist_ok=True)
    if name in GENERATED:
        subprocess.run([program, "synth", GENERATED[name][0], text, *GENERATED[name][1:]], check=True, stdout=subprocess.DEVNULL)
    else:
        file, change = FILES[name]
        path = next((p for p in (f"{source}/{file}.xz", f"{source}/{file}") if os.path.exists(p)), None)
        if path is None:
            return None
        with (lzma.open(path) if path.endswith(".xz") else open(path, "rb")) as stream:
            X, b = load_svmlight_file(stream, zero_based=False)
        if name not in ("abalone", "cpuact"):
            b = two_classes(b)
        X, b = change(X, b)
        dump_svmlight_file(sparse.csr_matrix(X), b, text, zero_based=False)
    subprocess.run([program, "convert", text, cache], check=True, stdout=subprocess.DEVNULL)
    return cache


class Loaded:
    """A prepared set in memory: A, dense or by rows, whichever is faster for the rivals, and labels b. Reads the cache (docs/formats.md)."""

    def __init__(self, cache: str):
        raw = np.memmap(cache, dtype=np.uint8, mode="r")
        if int(raw[8:12].view(np.uint32)[0]) != 2:
            raise ValueError(f"{cache} is not a cache of format 2: delete it, and it is prepared again")
        storage, n, d, stored, self.nnz, weighted = (int(v) for v in raw[32:80].view(np.uint64))
        assert not weighted
        at = 128

        def take(kind, count, alignment=64):
            nonlocal at
            at = -(-at // alignment) * alignment
            size = np.dtype(kind).itemsize * count
            array = np.array(raw[at:at + size].view(kind))
            at += size
            return array

        sparse_rows = storage < 2
        columns = take(np.uint32, stored, 4096) if sparse_rows else None
        values = take(np.float32 if storage % 2 else np.float64, stored, 4096).astype(np.float64)
        self.b = take(np.float64, n)
        if sparse_rows:
            self.A = sparse.csr_matrix((values, columns.astype(np.int32), take(np.uint64, n + 1).astype(np.int32)), shape=(n, d))
            if stored > 0.3 * n * d:
                self.A = self.A.toarray()
        else:
            self.A = values.reshape(n, d)
            self.nnz = int(np.count_nonzero(self.A))
        self.n, self.d = n, d

    @property
    def dense(self) -> bool:
        return isinstance(self.A, np.ndarray)

    def target(self, centred: bool) -> np.ndarray:
        return self.b - self.b.mean() if centred else self.b

    def coefficients(self, cell, penalty: str, phi: str) -> Tuple[float, float]:
        """lambda and l1 of the cell."""
        if cell.fraction is not None:
            derivatives = self.b / 2 if phi == "logistic" else self.target(cell.centred)
            return 0.0, cell.fraction * float(np.abs(self.A.T @ derivatives).max()) / self.n
        strength = 1 / (cell.C * self.n)
        return (strength, 0.0) if penalty == "l2" else (0.0, strength)

    def primal(self, phi: str, x: np.ndarray, b: np.ndarray, coefficients: Tuple[float, float]) -> float:
        z, x, b = (self.A @ x).astype(np.longdouble), x.astype(np.longdouble), b.astype(np.longdouble)
        values = {
            "hinge": lambda: np.maximum(0, 1 - b * z),
            "squared-hinge": lambda: np.maximum(0, 1 - b * z) ** 2,
            "logistic": lambda: np.maximum(0, -b * z) + np.log1p(np.exp(-np.abs(z))),
            "squared": lambda: (z - b) ** 2 / 2,
            "absolute": lambda: np.abs(z - b),
        }[phi]()
        return float(values.mean() + coefficients[0] / 2 * (x @ x) + coefficients[1] * np.abs(x).sum())
