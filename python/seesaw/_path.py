"""Models for a range of C, lambda or l1, proved for every value in it."""
from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

import numpy as np

from . import _core
from ._frames import data_for
from ._model import Certificate, Model, Path, Verification, verification_of
from ._progress import Callback, ProgressLine
from ._threads import limited, on_main_thread, threads_of
from ._train import data_of, training_of

Range = Tuple[float, float]


class CoveringModel(NamedTuple):
    """The model of a path at a value of its parameter: P(x) - P* <= gap there."""

    model: Model
    place: int
    primal: float
    dual: float
    gap: float


class ModelPath:
    """The models of a path, from the strongest penalty to the weakest. Made by `path` or `ModelPath.load`; immutable.

    A sequence: len(path), path[k] (a `Model` with its certificate at values[k]) and iteration.
    """

    def __init__(self, core: _core.ModelPath, status: str = "", seconds: Optional[float] = None) -> None:
        self._core = core
        self._entries = core.entries
        self.status = status
        """converged, or why the path ended: interrupted, time-limit, pass-limit, stalled. Empty if it was loaded."""
        self.seconds = seconds

    @property
    def parameter(self) -> str:
        """C, lambda or l1: what `values`, `range` and `covers` are of."""
        return self._core.parameter

    @property
    def range(self) -> Range:
        return self._core.range

    @property
    def accuracy(self) -> float:
        """For every value of the range one of the models has gap <= accuracy times the optimum there."""
        return self._core.accuracy

    @property
    def complete(self) -> bool:
        """All of the range is covered (or all values of a grid are there), and every fit converged."""
        return self._core.complete

    @property
    def uncovered(self) -> List[Range]:
        """Parts of the range that no model covers."""
        return self._core.uncovered

    @property
    def values(self) -> np.ndarray:
        """Of the parameter, one per model."""
        return np.array([entry[0] for entry in self._entries], dtype=np.float64)

    @property
    def covers(self) -> np.ndarray:
        """The interval that each model covers with the accuracy of the path, of shape (models, 2); NaN where there is none."""
        return np.array([entry[1] or (np.nan, np.nan) for entry in self._entries], dtype=np.float64).reshape(-1, 2)

    @property
    def certificates(self) -> List[Certificate]:
        """Of each model at its value."""
        return [Certificate(*entry[2]) for entry in self._entries]

    @property
    def combined(self) -> np.ndarray:
        """Whether a model is a convex combination of two fits."""
        return np.array([entry[3] for entry in self._entries], dtype=bool)

    @property
    def coefs(self) -> np.ndarray:
        """Shape (models, features), or (models, classes, features)."""
        return np.array([model.coef for model in self])

    @property
    def intercepts(self) -> np.ndarray:
        """Shape (models,), or (models, classes)."""
        return np.array([model.intercept for model in self])

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, index: int) -> Model:
        if not -len(self) <= index < len(self):
            raise IndexError(f"a path of {len(self)} models has no model {index}.")
        return Model(self._core.model(index % len(self)))

    def __iter__(self) -> Iterator[Model]:
        return (self[k] for k in range(len(self)))

    def at(self, value: float) -> CoveringModel:
        """The model that covers a value of the parameter, and what is proved about it there."""
        found = self._core.covering(float(value))
        if found is None:
            raise ValueError(f"no model of this path covers {self.parameter} = {value:g}: the path is over {self.parameter} in "
                             f"[{self.range[0]:g}, {self.range[1]:g}]" + (", and not all of it is covered." if self.uncovered else "."))
        return CoveringModel(self[found[0]], *found)

    def verify(self, X: Any, y: Any = None, sample_weight: Any = None) -> Verification:
        """Recomputes every certificate from the training data and checks that the intervals meet."""
        data = data_for(lambda: self._core.model(0), X, y, sample_weight)
        return verification_of(limited(threads_of(None), lambda: _core.verify_path(data._core, self._core)))

    def save(self, path: Path) -> None:
        """As `seesaw path` does: `path`, and the dual points in `path`.dual."""
        self._core.save(os.fspath(path))

    @classmethod
    def load(cls, path: Path) -> ModelPath:
        """A path that `save` or the program wrote."""
        return cls(_core.ModelPath.load(os.fspath(path)))

    def __repr__(self) -> str:
        return (f"<seesaw.ModelPath: {len(self)} models, {self.parameter} in [{self.range[0]:g}, {self.range[1]:g}], "
                f"accuracy {self.accuracy:g}{'' if self.complete else ', not complete'}>")


def path(data: Any, y: Any = None, *, C: Optional[Range] = None, lambda_: Union[Range, float, None] = None,
         l1: Union[Range, float, None] = None, mix: Optional[float] = None, accuracy: float = 1e-3, points: Optional[int] = None,
         sample_weight: Any = None, callback: Optional[Callback] = None, verbose: bool = False, **options: Any) -> ModelPath:
    """Trains models such that for every C, lambda or l1 in a range one of them is within `accuracy` of the optimum, proved.

    Parameters
    ----------
    data, y, sample_weight : as of `train`
    C, lambda_, l1 : (smaller, larger)
        The range, of one of them. lambda_ or l1 may be a number instead, which is kept. Without a range: 100 values as
        glmnet chooses them.
    mix : float in (0, 1), optional
        Elastic net: l1 = mix tau and lambda = (1 - mix) tau, where tau varies; the range is of lambda_ or C.
    accuracy : float
        For every value in the range a model has gap <= accuracy times the optimum.
    points : int, optional
        Fit so many values, equally spaced in the logarithm, each to `gap` (1e-6), instead of covering the range.
    options : as of `train`
        gap is that of each fit, time_limit that of the whole path.
    """
    data = data_of(data, y, sample_weight)
    ranges = {name: (float(value[0]), float(value[1])) if isinstance(value, (tuple, list, np.ndarray)) and len(value) == 2 else None
              for name, value in (("C", C), ("lambda_", lambda_), ("l1", l1))}
    settings: Dict[str, Any] = {"keep_lines": False, **options}
    settings.update({name: value for name, value in (("lambda_", lambda_), ("l1", l1)) if value is not None and ranges[name] is None})
    if C is not None and ranges["C"] is None:
        raise ValueError(f"C == {C!r} must be a range (smaller, larger); train() fits one C.")
    training = training_of(**settings)
    line = ProgressLine(callback) if verbose else None
    core, status, seconds = _core.train_path(data._core, training, line if line is not None else callback, on_main_thread(),
                                             ranges["C"], ranges["lambda_"], ranges["l1"], mix, accuracy, points or 0)
    result = ModelPath(core, status, seconds)
    if line is not None:
        line.finish(f"{status}: {len(result)} models, {seconds:.2f} s")
    return result
