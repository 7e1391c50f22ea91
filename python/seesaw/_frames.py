"""Data frames as tables: written as a CSV with all digits, which has the rules of files."""
from __future__ import annotations

import csv
import os
import re
import tempfile
from typing import Any, Callable, Dict, List, Optional

import numpy as np

from . import _core
from ._data import Data, as_vector, core_rows, names_of
from ._files import names_given, read

_read_as_missing = {"", "?", "na", "n/a", "nan", "null", "none"}  # as in files (docs/formats.md)


def is_frame(X: Any) -> bool:
    """A data frame of pandas, without an import of it."""
    return hasattr(X, "dtypes") and hasattr(X, "columns") and hasattr(X, "iloc")


def _is_text(column: Any) -> bool:
    """Categorical, text, dates: columns that a table encodes and an array of numbers cannot hold."""
    return getattr(column.dtype, "kind", "O") not in "biuf"


def has_text(X: Any) -> bool:
    return is_frame(X) and any(_is_text(X.iloc[:, j]) for j in range(X.shape[1]))


def _number(value: Any) -> str:
    """All digits; 1.0 is 1, the same level whether a column has integers or, for missing values, floats."""
    value = float(value)
    whole = abs(value) < 2.0**53 and value == int(value) and (value != 0 or np.copysign(1, value) > 0)
    return str(int(value)) if whole else repr(value)


def _text(value: Any) -> str:
    return _number(value) if isinstance(value, (float, np.floating)) and np.isfinite(value) else str(value)


def _cells(column: Any) -> List[str]:
    """As in a CSV: numbers with all their digits, dates in ISO form, nothing for missing values."""
    kind = getattr(column.dtype, "kind", "O")
    missing = column.isna().to_numpy()
    if kind == "M":
        texts = column.dt.strftime("%Y-%m-%dT%H:%M:%S.%f")
    elif kind == "f":
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
        if np.isinf(values).any():
            raise ValueError(f"column {column.name!r} contains infinity; remove or replace it.")
        texts = ["" if none else _number(value) for value, none in zip(values, missing)]
    else:
        texts = [_text(value) for value in column]
    if column.dtype == "category" and missing.any():
        for text, none in zip(texts, missing):
            if not none and text.strip().lower() in _read_as_missing:
                raise ValueError(f"column {column.name!r} has missing values and the level {text!r}, which tables read as missing; "
                                 "rename the level, or give the missing values a level of their own.")
    return ["" if none else text for text, none in zip(texts, missing)]


def _surely_word(name: str) -> bool:
    """Not taken for a number, a date or a missing value in the first line of a file."""
    return re.match(r"[^\W\d]", name) is not None and name.lower() not in _read_as_missing | {"inf", "infinity"}


class _Written:
    """A frame as a CSV. `marker`: a column without content that makes the first line a header in any case; "" where the
    names are enough. `separator`: the one to read it by, where cells or names contain others."""

    def __init__(self, frame: Any, path: str, header: bool = True, mark: bool = False) -> None:
        names = [str(name) for name in frame.columns]
        columns = [_cells(frame.iloc[:, j]) for j in range(frame.shape[1])]
        words = [_surely_word(name) for name in names]
        self.marker = ""
        if mark and (not any(words) or (not all(words) and has_text(frame))):
            self.marker = "row"
            while self.marker in names:
                self.marker += "_"
            names, columns = names + [self.marker], columns + [["0"] * len(frame)]
        others = any(re.search("[;\t|]", text) for column in [names] + columns for text in column)
        self.separator = "comma" if others else None
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            if header:
                writer.writerow(names)
            writer.writerows(zip(*columns))


def _of_kind(frame: Any, categorical: bool) -> List[str]:
    """The columns of levels, or those of dates."""
    kinds = [dtype == "category" if categorical else getattr(dtype, "kind", "") == "M" for dtype in frame.dtypes]
    return [str(name) for name, wanted in zip(frame.columns, kinds) if wanted]


def _renamed(error: _core.Error, names: Dict[str, str]) -> _core.Error:
    text = str(error)
    for path, name in names.items():
        text = text.replace(path, name)
    return _core.Error(text)


def _read_frame(frame: Any, label: Any, sample_weight: Any, options: Dict[str, Any]) -> _core.Data:
    left_out = names_given(options.get("drop")) + [str(label)]
    for name, found in (("categorical", _of_kind(frame, True)), ("date", _of_kind(frame, False))):
        given = names_given(options.get(name))
        options[name] = given + [column for column in found if column not in given and column not in left_out]
    with tempfile.TemporaryDirectory() as folder:
        path, weights = os.path.join(folder, "frame.csv"), os.path.join(folder, "weights")
        written = _Written(frame, path, mark=True)
        if written.marker:
            options["drop"] = names_given(options.get("drop")) + [written.marker]
        if written.separator is not None:
            options["separator"] = written.separator
        if sample_weight is not None:
            values = np.asarray(sample_weight, dtype=np.float64).ravel()
            with open(weights, "w") as file:
                file.writelines(f"{float(value)!r}\n" for value in values)
        try:
            return read(path, label=label, format="csv", sample_weight=None if sample_weight is None else weights, **options)._core
        except _core.Error as error:
            raise _renamed(error, {path: "the frame", weights: "sample_weight"}) from None


class Table(Data):
    """A table as Data: a CSV with text, dates and empty cells, or a data frame with the same rules.

    Parameters
    ----------
    source : path or data frame
        Of a frame, categorical columns are columns of levels, and columns of dates are days since 1970-01-01. Texts that mean
        a missing value in a file (NA, nan, none, null, ?) mean it in a frame, too.
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


def check_names(found: List[str], model: _core.Model, source: str) -> None:
    """Features are found by their places: data with other names, or in another order, is refused."""
    expected = model.feature_names
    if not found or not expected or found == expected:
        return
    if len(found) != len(expected):
        return  # the message about the number of features is clearer
    place = next(k for k, (one, other) in enumerate(zip(found, expected)) if one != other)
    raise _core.Error(f"the columns of {source} are not those of the model: feature {place + 1} is {found[place]!r}, that of the model "
                      f"{expected[place]!r}; keep the features in the order of training, and name the label column where there is one.")


def _encoded(frame: Any, model: _core.Model) -> _core.Data:
    """By the encoding of a model of a table."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "frame.csv")
        table = _core.TableOptions()
        table.separator = ","
        options = _core.ReadOptions()
        options.format, options.table = "csv", table
        try:
            _Written(frame, path)
            data = model.read(path, options)
            if data.rows != len(frame):  # trained on a file without a header: its columns are known by their places
                _Written(frame, path, header=False)
                data = model.read(path, options)
        except _core.Error as error:
            raise _renamed(error, {path: "the frame"}) from None
    if data.rows != len(frame):
        raise _core.Error(f"the frame has {len(frame)} rows, of which {data.rows} were read; rename its columns as those of the training.")
    return data


def as_core(X: Any, model: Optional[_core.Model] = None) -> _core.Data:
    """Data, or anything that it can be made of; a frame for a model of a table is encoded by it."""
    if isinstance(X, Data):
        if model is not None and not (model.is_table and X._core.is_table):
            check_names(X.feature_names, model, "this data")
        return X._core
    if model is not None and model.is_table and is_frame(X):
        return _encoded(X, model)
    if model is not None:
        check_names(names_of(X) or [], model, "X")
    return core_rows(X)


def data_for(model: Callable[[], _core.Model], X: Any, y: Any, sample_weight: Any) -> Data:
    """The training data of a model, to verify it; a frame is encoded as the model's table."""
    if isinstance(X, Data):
        if y is not None:
            raise ValueError("labels and weights are part of seesaw.Data; Data.with_labels changes them.")
        return X
    if y is None:
        raise ValueError("verification needs the labels of the training: verify(X, y), or verify(seesaw.Data(X, y)).")
    if not is_frame(X) or not model().is_table:
        return Data(X, y, sample_weight)
    rows = _encoded(X, model())
    if len(y) != len(X):
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{len(X)}, {len(y)}]")
    labels, names = np.asarray(y), model().label_names
    if names:
        places = {name: float(place) for place, name in enumerate(names)}
        texts = _cells(X.assign(**{"label": labels})["label"])
        unknown = sorted(set(texts) - set(places))
        if unknown:
            raise ValueError(f"the label {unknown[0]!r} is none of the model's: {', '.join(map(repr, names))}.")
        labels = np.array([places[text] for text in texts])
    return Data._of(rows.with_labels(as_vector(labels, "y", rows.rows),
                                     None if sample_weight is None else as_vector(sample_weight, "sample_weight", rows.rows)))
