"""Files and tables: CSV with text, dates and empty cells, and data frames with the same rules."""
from __future__ import annotations

import csv
import os
import tempfile
from typing import Any, Dict, List, Optional, Sequence, Union

import numpy as np

from . import _core
from ._data import Data, core_rows
from ._threads import limited, threads_of

Path = Union[str, "os.PathLike[str]"]
Names = Union[str, Sequence[str]]
_separators = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}


def bytes_of(memory: Union[int, str]) -> int:
    """Of "2G", "512M", "64K" or a number; K, M and G are powers of 1024."""
    if not isinstance(memory, str):
        size = float(memory)
    else:
        text = memory.strip().upper()
        text = text[:-1] if text.endswith("B") else text
        factor = {"K": 2.0**10, "M": 2.0**20, "G": 2.0**30, "T": 2.0**40}.get(text[-1:], 0.0)
        try:
            size = float(text[:-1]) * factor if factor else float(text)
        except ValueError:
            size = 0.0
    if not 1 <= size < 2.0**60:
        raise ValueError(f"memory == {memory!r} must be a size such as '512M' or '2G'.")
    return int(size)


def _names(names: Optional[Names]) -> List[str]:
    return [] if names is None else [names] if isinstance(names, str) else [str(name) for name in names]


def read_options(*, format: str = "guess", index_base: int = 1, label: Optional[Any] = None, label_column: Optional[Any] = None,
                 labels: Optional[Path] = None, n_features: Optional[int] = None, precision: str = "exact", memory: Union[int, str, None] = None,
                 separator: Optional[str] = None, drop: Optional[Names] = None, keep: Optional[Names] = None,
                 categorical: Optional[Names] = None, date: Optional[Names] = None, min_count: int = 1,
                 impute: Union[str, float] = "median", hash: int = 0, log_target: bool = False) -> _core.ReadOptions:
    """The arguments of `read`, checked."""
    if precision not in ("exact", "single"):
        raise ValueError("`precision` is 'exact' or 'single'.")
    if label is not None and label_column is not None and label != label_column:
        raise ValueError("label and label_column are the same argument; give one of them.")
    if hash and (hash < 2 or hash & (hash - 1)):
        raise ValueError(f"hash == {hash!r} must be a power of two, such as 2**20.")
    options = _core.ReadOptions()
    options.format, options.index_base, options.single = format, index_base, precision == "single"
    chosen = label if label_column is None else label_column
    options.label_column = "" if chosen is None else str(chosen)
    options.labels = "" if labels is None else os.fspath(labels)
    if n_features is not None:
        options.width, options.width_of = n_features, "`n_features`"
    options.memory = 0 if memory is None else bytes_of(memory)
    table = _core.TableOptions()
    if separator is not None:
        table.separator = _separators.get(separator, separator)
        if table.separator not in _separators.values():
            raise ValueError(f"separator == {separator!r} must be one of comma, semicolon, tab, pipe.")
    table.drop, table.keep, table.categorical, table.dates = _names(drop), _names(keep), _names(categorical), _names(date)
    table.min_count, table.hash_size, table.log_target = min_count, hash, log_target
    if isinstance(impute, str):
        table.impute = impute
    else:
        table.impute, table.constant = "constant", float(impute)
    options.table = table
    return options


def read(path: Path, *, sample_weight: Optional[Path] = None, **options: Any) -> Data:
    """Reads LIBSVM text, CSV, NumPy files (.npy, .npz) or a .ssw cache, plain or compressed, as the program does.

    Parameters
    ----------
    format : {"guess", "libsvm", "csv", "cache", "numpy"}
    index_base : 1 or 0
        LIBSVM: the index of the first feature.
    label (or label_column) : str or int, optional
        CSV: a name, a number from 1, or "none"; by default the first column.
    labels : path, optional
        NumPy: a .npy file with one label per row.
    n_features : int, optional
        Missing features are 0 (in CSV they are an error), additional ones are an error.
    precision : {"exact", "single"}
        single: values are rounded to float32, in half the memory.
    memory : int or str such as "2G", optional
        Of a cache: its rows stay on disk, and at most so much of them is in memory at a time.
    sample_weight : path, optional
        A file with one weight >= 0 per row.
    drop, keep, categorical, date : names of columns, optional
        Tables (CSV with text, dates or empty cells): columns to leave out, the only ones to use, columns of levels even if they
        contain numbers, columns of dates, as days since 1970-01-01.
    min_count : int
        Levels of fewer rows are pooled into one feature.
    impute : {"median", "mean"} or a number
        The value of empty cells; an indicator is added.
    hash : int
        Columns of more than 1000 levels are hashed to so many features, a power of two.
    log_target : bool
        Train on the logarithm of the label; predict() undoes it.
    separator : {"comma", "semicolon", "tab", "pipe"}, optional

    Models trained on a table store its encoding: `Model.read` reads other files by it.
    """
    chosen = read_options(**options)
    core = limited(threads_of(None), lambda: _core.Data.read(os.fspath(path), chosen, "" if sample_weight is None else os.fspath(sample_weight)))
    return Data._of(core, chosen.label_column != "none")


def is_frame(X: Any) -> bool:
    """A data frame of pandas, without an import of it."""
    return hasattr(X, "dtypes") and hasattr(X, "columns") and hasattr(X, "iloc")


def _is_text(column: Any) -> bool:
    """Categorical, text, dates: columns that a table encodes and an array of numbers cannot hold."""
    kind = getattr(column.dtype, "kind", "O")
    return kind not in "biuf"


def has_text(X: Any) -> bool:
    return is_frame(X) and any(_is_text(X.iloc[:, j]) for j in range(X.shape[1]))


def _cells(column: Any) -> List[str]:
    """As in a CSV: numbers with all their digits, dates in ISO form, nothing for missing values."""
    kind = getattr(column.dtype, "kind", "O")
    missing = column.isna().to_numpy()
    if kind == "M":
        texts = column.dt.strftime("%Y-%m-%dT%H:%M:%S.%f")
    elif kind == "f":
        values = column.to_numpy()
        if np.isinf(values).any():
            raise ValueError(f"column {column.name!r} contains infinity; remove or replace it.")
        texts = [repr(float(value)) for value in values]
    else:
        texts = [str(value) for value in column]
    return ["" if none else text for text, none in zip(texts, missing)]


def _write_frame(frame: Any, path: str) -> None:
    names = [str(name) for name in frame.columns]
    columns = [_cells(frame.iloc[:, j]) for j in range(frame.shape[1])]
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(zip(*columns))


def _of_kind(frame: Any, categorical: bool) -> List[str]:
    """The columns of levels, or those of dates."""
    kinds = [dtype == "category" if categorical else getattr(dtype, "kind", "") == "M" for dtype in frame.dtypes]
    return [str(name) for name, wanted in zip(frame.columns, kinds) if wanted]


def _read_frame(frame: Any, label: Any, sample_weight: Any, options: Dict[str, Any]) -> _core.Data:
    left_out = _names(options.get("drop")) + [str(label)]
    for name, found in (("categorical", _of_kind(frame, True)), ("date", _of_kind(frame, False))):
        given = _names(options.get(name))
        options[name] = given + [column for column in found if column not in given and column not in left_out]
    with tempfile.TemporaryDirectory() as folder:
        path, weights = os.path.join(folder, "frame.csv"), os.path.join(folder, "weights")
        _write_frame(frame, path)
        if sample_weight is not None:
            values = np.asarray(sample_weight, dtype=np.float64).ravel()
            with open(weights, "w") as file:
                file.writelines(f"{float(value)!r}\n" for value in values)
        try:
            return read(path, label=label, format="csv", sample_weight=None if sample_weight is None else weights, **options)._core
        except _core.Error as error:
            raise _core.Error(str(error).replace(path, "the frame").replace(weights, "sample_weight")) from None


class Table(Data):
    """A table as Data: a CSV with text, dates and empty cells, or a data frame with the same rules.

    Parameters
    ----------
    source : path or data frame
        Of a frame, categorical columns are columns of levels, and columns of dates are days since 1970-01-01.
    label : str
        The column of the labels: numbers, or text (any number of classes).
    sample_weight : path, or an array where the source is a frame, optional
    options : as of `read`

    `notes` states how the columns are encoded. Models trained on it store the encoding: they predict frames, and files
    by `Model.read`.
    """

    def __init__(self, source: Any, label: Any = None, *, sample_weight: Any = None, **options: Any) -> None:
        if is_frame(source):
            self._core = _read_frame(source, label, sample_weight, options)
        else:
            self._core = read(source, label=label, sample_weight=sample_weight, **options)._core
        self.labelled = label != "none"


def table_of(frame: Any, y: Any, sample_weight: Any) -> Table:
    """A frame and its labels, apart from it."""
    label = str(getattr(y, "name", None) or "label")
    while label in map(str, frame.columns):
        label += "_"
    if len(y) != len(frame):
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{len(frame)}, {len(y)}]")
    return Table(frame.assign(**{label: np.asarray(y)}), label, sample_weight=sample_weight)


def as_core(X: Any, model: Optional[_core.Model] = None) -> _core.Data:
    """Data, or anything that it can be made of; a frame for a model of a table is encoded by it."""
    if isinstance(X, Data):
        return X._core
    if model is None or not model.is_table or not is_frame(X):
        return core_rows(X)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "frame.csv")
        _write_frame(X, path)
        options = _core.ReadOptions()
        options.format = "csv"
        try:
            return model.read(path, options)
        except _core.Error as error:
            raise _core.Error(str(error).replace(path, "the frame")) from None
