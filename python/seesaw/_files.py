"""Files: LIBSVM text, CSV and tables, NumPy files, caches."""
from __future__ import annotations

import os
from typing import Any, List, Optional, Sequence, Union

from . import _core
from ._data import Data
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


def names_given(names: Optional[Names]) -> List[str]:
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
    table.drop, table.keep, table.categorical, table.dates = names_given(drop), names_given(keep), names_given(categorical), names_given(date)
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
