"""Models and their certificates."""
from __future__ import annotations

import html
import os
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np

from . import _core
from ._data import Data, groups_of
from ._files import read_options
from ._frames import as_core, check_names, data_for
from ._threads import limited, threads_of

Path = Union[str, "os.PathLike[str]"]


class ClassGap(NamedTuple):
    """One-versus-rest: the certificate of one class."""

    label: float
    primal: float
    dual: float
    gap: float


class Certificate(NamedTuple):
    """primal >= P(x) and dual <= P*, with every rounding error included: P(x) - P* <= gap."""

    primal: float
    dual: float
    gap: float
    relative_gap: float
    distance_bound: Optional[float]
    """|x - x*| is at most this, where the penalty is strongly convex."""
    guaranteed: bool
    """False: no lower bound can be guaranteed for this problem."""


class ScoreBounds(NamedTuple):
    """Intervals of the optimal model's scores, with every rounding error included."""

    low: np.ndarray  # as decision_function
    high: np.ndarray
    settled: np.ndarray  # per row: the optimal model predicts the same label; False in regression


class ProbabilityBounds(NamedTuple):
    """Intervals of the optimal model's probabilities, with every rounding error included."""

    low: np.ndarray  # as predict_proba
    high: np.ndarray


class Verification(NamedTuple):
    """The certificate, recomputed from the data by independent code."""

    holds: bool
    primal: float
    dual: float
    gap: float
    classes: List[ClassGap]
    problems: List[str]
    """Why it does not hold: whole sentences."""

    def __bool__(self) -> bool:
        return self.holds


trace_fields = ("passes", "entry_passes", "solve_seconds", "check_seconds", "primal", "dual", "gap", "nonzeros", "class_label")


def trace_of(numbers: _core.Numbers) -> np.ndarray:
    table = np.asarray(numbers)
    return table.view([(name, np.float64) for name in trace_fields]).reshape(len(table)).view(np.recarray)


_no_trace = np.zeros(0, dtype=[(name, np.float64) for name in trace_fields]).view(np.recarray)


def framed(page: str, height: int = 640) -> str:
    """A page as an element of a notebook."""
    return (f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-scripts allow-downloads" '
            f'style="width: 100%; height: {height}px; border: 1px solid #ccc" title="seesaw"></iframe>')


class Model:
    """A trained model with its certificate. Made by `train` or `load`; immutable."""

    def __init__(self, core: _core.Model, result: Optional[_core.TrainingResult] = None) -> None:
        self._core = core
        self._result: Dict[str, Any] = {}
        if result is not None:
            self._result = {"method": result.method, "seconds": result.seconds, "entry_passes": result.entry_passes,
                            "messages": list(result.messages), "proved_zero": result.proved_zero,
                            "trace": trace_of(result.trace), "lines": result.lines}

    # Weights

    @property
    def coef(self) -> np.ndarray:
        """Shape (features,), or (classes, features) where there is a score per class. In the units of the data."""
        return np.ascontiguousarray(np.asarray(self._core.weights).T)

    @property
    def intercept(self) -> Union[float, np.ndarray]:
        """One per score."""
        values = np.asarray(self._core.intercepts)
        return float(values[0]) if len(values) == 1 else values

    @property
    def dual_coef(self) -> np.ndarray:
        """The dual variables y of the certificate: one per row of the training data, or one per row and class."""
        return np.asarray(self._core.dual)

    @property
    def classes(self) -> np.ndarray:
        """The labels, ascending; empty in regression."""
        return np.asarray(self._core.labels)

    @property
    def feature_names(self) -> List[str]:
        return list(self._core.feature_names)

    @property
    def n_features(self) -> int:
        return self._core.features

    @property
    def label_names(self) -> List[str]:
        """Trained on a table with text labels: class k is the k-th of them; otherwise empty."""
        return list(self._core.label_names)

    def read(self, path: Path, **options: Any) -> Data:
        """Reads data for this model: a table is encoded as the one that it was trained on, by column name, and labels may be
        missing. `options` as of `seesaw.read`."""
        chosen = read_options(**options)
        data = Data._of(limited(threads_of(None), lambda: self._core.read(os.fspath(path), chosen)))
        if not self._core.is_table:
            check_names(data.feature_names, self._core, os.fspath(path))
        return data

    # How it was made

    @property
    def objective(self) -> Dict[str, Any]:
        """The objective with every default resolved: loss, lambda, l1, intercept, scaling, class weights."""
        return dict(self._core.objective)

    @property
    def certificate(self) -> Certificate:
        return Certificate(*self._core.certificate)

    @property
    def class_certificates(self) -> List[ClassGap]:
        """One-versus-rest: of each class; their sums are `certificate`."""
        return [ClassGap(*one) for one in self._core.classes]

    @property
    def converged(self) -> bool:
        return self._core.converged

    @property
    def status(self) -> str:
        """converged, pass-limit, time-limit, interrupted, stalled or diverged."""
        return self._core.status

    @property
    def solver(self) -> str:
        return self._core.solver

    @property
    def method(self) -> str:
        """The method used; of `auto`, those it selected. Empty for a model that was loaded."""
        return self._result.get("method", "")

    @property
    def passes(self) -> float:
        return self._core.passes

    @property
    def seconds(self) -> Optional[float]:
        """Of the training; None for a model that was loaded."""
        return self._result.get("seconds")

    @property
    def messages(self) -> List[str]:
        return list(self._result.get("messages", []))

    @property
    def proved_zero(self) -> Optional[int]:
        """l1 > 0 and a smooth loss: the number of features proved to have weight 0 at the optimum."""
        return self._result.get("proved_zero")

    @property
    def trace(self) -> np.ndarray:
        """The checks of the gap, a record array: passes, solve_seconds, primal, dual, gap, ..."""
        return self._result.get("trace", _no_trace)

    @property
    def lines(self) -> str:
        """The training as JSON lines, as `seesaw train --trace` writes them; empty for a model that was loaded."""
        return self._result.get("lines", "")

    # Use

    def decision_function(self, X: Any) -> np.ndarray:
        """Scores a.coef + intercept: per row, or per row and class."""
        return np.asarray(limited(threads_of(None), lambda: self._core.decision(as_core(X, self._core))))

    def decision_bounds(self, X: Any) -> ScoreBounds:
        """Intervals of the optimal model's scores, proved by the certificate; needs an l2 penalty on every feature."""
        low, high, settled = limited(threads_of(None), lambda: self._core.decision_bounds(as_core(X, self._core)))
        return ScoreBounds(np.asarray(low), np.asarray(high), np.asarray(settled) != 0)

    def predict(self, X: Any) -> np.ndarray:
        """Labels in classification (text where the labels of a table were), otherwise scores."""
        found = np.asarray(limited(threads_of(None), lambda: self._core.predict(as_core(X, self._core))))
        names = self.label_names
        return np.array(names)[found.astype(int)] if names else found

    def predict_proba(self, X: Any) -> np.ndarray:
        """Of each of `classes`, per row; logistic and softmax losses only."""
        return np.asarray(limited(threads_of(None), lambda: self._core.probabilities(as_core(X, self._core))))

    def predict_proba_bounds(self, X: Any) -> ProbabilityBounds:
        """Intervals of the optimal model's probabilities, proved by the certificate; needs what decision_bounds() needs."""
        low, high = limited(threads_of(None), lambda: self._core.probability_bounds(as_core(X, self._core)))
        return ProbabilityBounds(np.asarray(low), np.asarray(high))

    def verify(self, X: Any, y: Any = None, sample_weight: Any = None, blocks: Any = None) -> Verification:
        """Recomputes the certificate from the training data, independently of the training code."""
        return verify(data_for(lambda: self._core, X, y, sample_weight), self, groups_of(blocks, sample_weight))

    def save(self, path: Path) -> None:
        """In Seesaw's format, which the program reads."""
        self._core.save(os.fspath(path))

    def save_liblinear(self, path: Path) -> None:
        """As a text model of LIBLINEAR."""
        self._core.save_liblinear(os.fspath(path))

    def to_bytes(self) -> bytes:
        """What `save` writes."""
        return self._core.to_bytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Model:
        return cls(_core.Model.from_bytes(bytes(data)))

    def __reduce__(self) -> Tuple[Any, ...]:
        return _restored, (self.to_bytes(), self._result)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        text = f"<seesaw.Model: {self.objective['loss']} loss, {self.n_features} features"
        try:
            certificate = self.certificate
        except _core.Error:
            return text + ">"
        return f"{text}, {self.status}, P = {certificate.primal:.6g}, gap {certificate.gap:.1e}>"

    def report(self) -> str:
        """The page of the training, as HTML: certificate, convergence, coefficients. Of a model that was trained here."""
        if not self.lines:
            raise ValueError("this model has no trace: it was loaded, or trained with keep_lines=False.")
        return _core.page(self.lines)

    def _repr_html_(self) -> Optional[str]:
        return framed(self.report()) if self.lines else None


def _restored(data: bytes, result: Dict[str, Any]) -> Model:
    model = Model.from_bytes(data)
    model._result = result
    return model


def verification_of(found: _core.Verified) -> Verification:
    holds, primal, dual, gap, classes, problems = found
    return Verification(holds, primal, dual, gap, [ClassGap(*one) for one in classes], list(problems))


def verify(data: Any, model: Model, blocks: Any = None) -> Verification:
    """Recomputes the certificate of the model from its training data, independently of the training code.

    `data` is the `Data` that the model was trained on, or one with the same content; `blocks` as in `train`.
    """
    if not isinstance(data, Data):
        raise TypeError("verify needs seesaw.Data with the labels of the training: seesaw.Data(X, y).")
    groups: List[int] = groups_of(blocks) or []
    return verification_of(limited(threads_of(None), lambda: (
        _core.verify_groups(data._core, model._core, groups) if groups else _core.verify(data._core, model._core))))


def load(path: Path) -> Model:
    """A model of Seesaw, as the program or `save` writes it, or a text model of LIBLINEAR."""
    return Model(_core.Model.load(os.fspath(path)))


def save(model: Model, path: Path) -> None:
    """Writes a model in Seesaw's format; `model.save(path)`."""
    model.save(path)
