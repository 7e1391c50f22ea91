"""Arrays, sparse matrices and data frames as rows for the library, without a copy where that is possible."""
from __future__ import annotations

import os
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _core
from ._threads import limited, threads_of

_floats = (np.dtype(np.float64), np.dtype(np.float32))
_integers = (np.dtype(np.int32), np.dtype(np.int64))


def names_of(X: Any) -> Optional[List[str]]:
    """The names of the columns of a data frame, if all of them are strings."""
    columns = getattr(X, "columns", None)
    if columns is None or not hasattr(X, "shape"):
        return None
    names = list(columns)
    return names if names and all(isinstance(name, str) for name in names) else None


def _plain(array: np.ndarray) -> np.ndarray:
    """In native byte order, aligned, contiguous in C order: the array itself if it is all that."""
    return np.require(array, dtype=array.dtype.newbyteorder("="), requirements=["C", "A"])


def as_vector(values: Any, name: str, count: int) -> np.ndarray:
    array = np.asarray(values)
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    if array.dtype.kind not in "biuf":
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError):
            raise ValueError(f"{name} must be numbers, not {array.dtype}; seesaw's estimators take labels of any kind.") from None
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(f"{name} should be a 1d array, got an array of shape {array.shape} instead.")
    if len(array) != count:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{count}, {len(array)}]")
    return np.ascontiguousarray(array, dtype=np.float64)


def groups_of(blocks: Any, sample_weight: Any = None) -> Optional[List[int]]:
    """The number of the group of each row, of those with a weight above 0: the others are not part of the data."""
    if blocks is None:
        return None
    array = np.asarray(blocks)
    if array.ndim != 1:
        raise ValueError(f"blocks should be a 1d array with the group of each row, got an array of shape {array.shape} instead.")
    if sample_weight is not None and np.shape(sample_weight) == array.shape:
        array = array[np.asarray(sample_weight) > 0]
    return np.unique(array, return_inverse=True)[1].tolist()


def _canonical(X: Any) -> Any:
    """A CSR matrix whose columns increase strictly in each row: X itself if they do."""
    if getattr(X, "has_canonical_format", True):
        return X
    X = X.copy()
    X.sum_duplicates()
    return X


def _csr_arrays(X: Any) -> Tuple[int, np.ndarray, np.ndarray, np.ndarray]:
    if X.format != "csr":
        X = X.tocsr()
    X = _canonical(X)
    rows, features = X.shape
    values, columns, offsets = np.asarray(X.data), np.asarray(X.indices), np.asarray(X.indptr)
    if values.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    if values.dtype not in _floats:
        values = values.astype(np.float64)
    if columns.dtype.kind not in "iu" or offsets.dtype.kind not in "iu":
        raise ValueError("indices and indptr of a sparse matrix must be integers.")
    if columns.dtype not in _integers:
        columns = columns.astype(np.int64)
    if offsets.dtype not in _integers:
        offsets = offsets.astype(np.int64)
    if offsets.ndim != 1 or len(offsets) != rows + 1:
        raise ValueError(f"indptr has {offsets.size} elements; a matrix of {rows} rows needs {rows + 1}.")
    return features, _plain(offsets), _plain(columns), _plain(values)


def _dense_array(X: Any) -> np.ndarray:
    array = np.asarray(X)
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    if array.ndim != 2:
        raise ValueError(f"Expected 2D array, got {array.ndim}D array instead: X has one row per sample and one column per feature.")
    if array.dtype.newbyteorder("=") not in _floats:
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"X cannot be converted to numbers: {error}") from None
    return _plain(array)


def is_sparse(X: Any) -> bool:
    return hasattr(X, "tocsr") and hasattr(X, "shape")


def core_rows(X: Any, y: Any = None, sample_weight: Any = None) -> _core.Data:
    """The rows of X, with labels and weights where they are given. Zero copy for float64 and float32 in C order, and for CSR
    (int64 columns and int32 offsets are converted, not the values)."""
    def vectors(rows: int) -> Tuple[Optional[np.ndarray], Optional[np.ndarray]]:
        return (None if y is None else as_vector(y, "y", rows), None if sample_weight is None else as_vector(sample_weight, "sample_weight", rows))

    try:
        if is_sparse(X):
            arrays = _csr_arrays(X)
            return _core.Data.sparse(*arrays, *vectors(len(arrays[1]) - 1))
        array = _dense_array(X)
        return _core.Data.dense(array, *vectors(array.shape[0]))
    except _core.InvalidArray as error:
        if error.array != "values":
            raise
        found = "NaN" if "nan" in str(error) else "infinity"
        raise ValueError(f"Input X contains {found} (element {error.index} of its values); remove or replace it.") from None


class Data:
    """Rows with labels and weights, immutable.

    Parameters
    ----------
    X : array, sparse matrix or data frame of shape (rows, features)
        C-ordered float64 and float32 arrays and CSR matrices are used without a copy of their values, and must not be
        changed as long as the data exists. Anything else is converted.
    y : array of numbers, optional
        Labels or targets. Without them the data can be predicted, not trained on.
    sample_weight : array of numbers >= 0, optional
    feature_names : list of str, optional
        By default the names of the columns of a data frame. Models store them.
    """

    def __init__(self, X: Any, y: Any = None, sample_weight: Any = None, *, feature_names: Optional[Sequence[str]] = None) -> None:
        def make() -> _core.Data:
            rows = core_rows(X, y, sample_weight)
            names = names_of(X) if feature_names is None else [str(name) for name in feature_names]
            return rows if names is None else rows.with_feature_names(names)

        self._core = limited(threads_of(None), make)
        self.labelled = y is not None

    @classmethod
    def _of(cls, core: _core.Data, labelled: bool = True) -> Data:
        data = cls.__new__(cls)
        data._core = core
        data.labelled = labelled
        return data

    def with_labels(self, y: Any, sample_weight: Any = None) -> Data:
        """The same rows, shared, with other labels and weights."""
        return Data._of(self._core.with_labels(
            as_vector(y, "y", self.n_rows),
            None if sample_weight is None else as_vector(sample_weight, "sample_weight", self.n_rows)))

    @property
    def shape(self) -> Tuple[int, int]:
        return self._core.rows, self._core.features

    @property
    def n_rows(self) -> int:
        """Rows of weight 0 are not counted: they are removed."""
        return self._core.rows

    @property
    def n_features(self) -> int:
        return self._core.features

    @property
    def n_entries(self) -> int:
        """Values that are not 0; of sparse matrices: values stored."""
        return self._core.entries

    @property
    def nbytes(self) -> int:
        """Of the rows, borrowed or not."""
        return self._core.bytes

    @property
    def labels(self) -> np.ndarray:
        return np.asarray(self._core.labels)

    @property
    def weights(self) -> Optional[np.ndarray]:
        weights = np.asarray(self._core.weights)
        return weights if len(weights) else None

    @property
    def feature_names(self) -> List[str]:
        return list(self._core.feature_names)

    @property
    def hash(self) -> int:
        """Of values, labels and weights: the same for every storage, and what models store."""
        return self._core.hash

    @property
    def on_disk(self) -> bool:
        """Its rows are read from the file as they are needed: `read(path, memory=...)`."""
        return self._core.on_disk

    @property
    def notes(self) -> List[str]:
        """Of a table: how its columns are encoded, a sentence each."""
        return list(self._core.notes)

    @property
    def label_names(self) -> List[str]:
        """Of a table with text labels: label k is the k-th of them."""
        return list(self._core.label_names)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a cache (.ssw), which `read` and the program map into memory without parsing."""
        self._core.save(os.fspath(path))

    def __repr__(self) -> str:
        return f"<seesaw.Data: {self.n_rows} rows, {self.n_features} features, {self.n_entries} entries>"
