"""Training and comparison of methods."""
from __future__ import annotations

import json
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence

from . import _core
from ._data import Data, groups_of
from ._frames import has_text, table_of
from ._model import Model, framed
from ._progress import Callback, ProgressLine
from ._threads import on_main_thread, threads_of


def run(data: _core.Data, training: _core.Training, callback: Optional[Callback] = None, verbose: Any = False) -> _core.TrainingResult:
    """_core.train with a progress line, and Ctrl-C where this thread may handle it."""
    line = ProgressLine(callback) if verbose else None
    if line is not None:
        training.progress_interval = 0.1
    result = _core.train(data, training, line if line is not None else callback, on_main_thread())
    if line is not None:
        gap = result.model.certificate[2]
        line.finish(f"{result.status} by {result.method}: {result.seconds:.2f} s, {result.passes:g} passes, gap {gap:.2e}")
    return result


def data_of(data: Any, y: Any, sample_weight: Any) -> Data:
    """What train() and path() are given, as Data."""
    if not isinstance(data, Data):
        if y is None:
            raise ValueError("train needs labels: train(X, y), or train(seesaw.Data(X, y)).")
        return table_of(data, y, sample_weight) if has_text(data) else Data(data, y, sample_weight)
    if y is not None or sample_weight is not None:
        raise ValueError("labels and weights are part of seesaw.Data; Data.with_labels changes them.")
    return data


def training_of(*, loss: Optional[str] = None, loss_parameter: Optional[float] = None,
                penalty: Optional[str] = None, lambda_: Optional[float] = None, l1: Optional[float] = None, C: Optional[float] = None,
                penalty_factors: Optional[Sequence[float]] = None, lower: Optional[Sequence[float]] = None,
                upper: Optional[Sequence[float]] = None, nonnegative: bool = False, intercept: str = "free", intercept_scaling: float = 1.0,
                class_weight: Any = None, blocks: Optional[Sequence[int]] = None, scaling: str = "none", precision: str = "exact",
                solver: str = "auto",
                solver_options: Optional[Mapping[str, Any]] = None, seed: int = 1, warm_start: Optional[Model] = None,
                gap: Optional[float] = None, gap_abs: Optional[float] = None, max_passes: Optional[float] = None,
                time_limit: Optional[float] = None, check_every: float = 0, n_jobs: Optional[int] = None,
                progress_interval: float = 0.5, keep_lines: bool = True) -> _core.Training:
    """The options of train() and path()."""
    if isinstance(class_weight, str) and class_weight != "balanced":
        raise ValueError(f"class_weight is a dict or 'balanced', not {class_weight!r}.")
    values: Dict[str, Any] = {
        "loss_parameter": loss_parameter, "lambda_": lambda_, "l1": l1, "C": C, "intercept": intercept, "intercept_scaling": intercept_scaling,
        "scaling": scaling, "precision": precision, "solver": solver, "seed": seed, "gap": gap, "gap_abs": gap_abs, "max_passes": max_passes,
        "time_limit": time_limit, "check_every": check_every, "threads": threads_of(n_jobs), "progress_interval": progress_interval,
        "keep_lines": keep_lines, "nonnegative": nonnegative, "balanced": isinstance(class_weight, str),
        "solver_options": {str(name): str(value) for name, value in (solver_options or {}).items()}}
    values.update({name: value for name, value in (("loss", loss), ("penalty", penalty)) if value is not None})
    values.update({name: list(map(float, each)) for name, each in (("penalty_factors", penalty_factors), ("lower", lower), ("upper", upper))
                   if each is not None})
    if class_weight is not None and not isinstance(class_weight, str):
        values["class_weight"] = {float(label): float(weight) for label, weight in class_weight.items()}
    if blocks is not None:
        values["blocks"] = list(blocks)
    if warm_start is not None:
        values["warm_start"] = warm_start._core
    training = _core.Training()
    for name, value in values.items():
        try:
            setattr(training, name, value)
        except TypeError:
            raise ValueError(f"{name} == {value!r} is not of a type that this option takes.") from None
    return training


def train(data: Any, y: Any = None, *, loss: Optional[str] = None, loss_parameter: Optional[float] = None,
          penalty: Optional[str] = None, lambda_: Optional[float] = None, l1: Optional[float] = None, C: Optional[float] = None,
          penalty_factors: Optional[Sequence[float]] = None, lower: Optional[Sequence[float]] = None,
          upper: Optional[Sequence[float]] = None, nonnegative: bool = False, intercept: str = "free", intercept_scaling: float = 1.0, sample_weight: Any = None, class_weight: Any = None,
          blocks: Any = None, scaling: str = "none", precision: str = "exact", solver: str = "auto", solver_options: Optional[Mapping[str, Any]] = None,
          seed: int = 1, warm_start: Optional[Model] = None, gap: Optional[float] = None, gap_abs: Optional[float] = None,
          max_passes: Optional[float] = None, time_limit: Optional[float] = None, check_every: float = 0,
          n_jobs: Optional[int] = None, callback: Optional[Callback] = None, progress_interval: float = 0.5, verbose: bool = False,
          keep_lines: bool = True) -> Model:
    """Trains a linear model; returns it with a certificate of how far from the optimum it can be.

    Minimizes P(x, b) = sum_i c_i phi_i(a_i.x + b) + (lambda/2)|x|^2 + l1 |x|_1, where c_i are the weights divided by
    their sum S.

    Parameters
    ----------
    data : Data, or X of shape (rows, features)
    y : array of numbers, where `data` is not Data
    loss : str, optional
        One of `losses()`. By default logistic if there are two labels.
    loss_parameter : float, optional
        gamma, epsilon, quantile or threshold of the loss.
    penalty : {"l2", "l1", "elastic-net", "none"}, optional
        By default as the coefficients imply.
    lambda_, l1 : float, optional
        By default lambda = 1 / S; with penalty "l1" a tenth of the smallest l1 that gives x = 0.
    C : float, optional
        As in LIBLINEAR: lambda (or l1) = 1 / (C S).
    penalty_factors : one number >= 0 per feature, optional
        Factors of the penalty of each feature; 0: not penalized.
    lower, upper : one number per feature, optional
        Bounds of the weights, lower <= 0 <= upper; may be infinite.
    nonnegative : bool
        No weight below 0.
    intercept : {"free", "penalized", "none"}
    class_weight : dict of label to weight, or "balanced"
    blocks : array, optional
        The group of each row, for the losses "group-norm" and "group-max-hinge". Weights are equal within a group.
    scaling : {"none", "rows", "max", "columns-max", "columns-std"}
    solver : str
        One of `solvers()`.
    seed : int
        The same seed gives the same bits, whatever the number of threads.
    warm_start : Model, optional
        A start; the result has its own certificate.
    gap, gap_abs : float, optional
        Converged when P - D <= gap P, or P - D <= gap_abs. By default gap = 1e-4.
    max_passes, time_limit : float, optional
        Limits in passes over the data (default 10000) and in seconds (default none).
    n_jobs : int, optional
        Threads. None: all cores, at most OMP_NUM_THREADS.
    callback : callable, optional
        Called with a `Progress` at each check of the gap and about every `progress_interval` seconds; False stops.
    verbose : bool
        A progress line.
    keep_lines : bool
        Keep what the page of the training shows (`Model.report`).

    Ctrl-C stops training and raises KeyboardInterrupt.
    """
    data = data_of(data, y, sample_weight)
    training = training_of(
        blocks=groups_of(blocks, sample_weight),
        loss=loss, loss_parameter=loss_parameter, penalty=penalty, lambda_=lambda_, l1=l1, C=C, penalty_factors=penalty_factors, lower=lower,
        upper=upper, nonnegative=nonnegative, intercept=intercept, intercept_scaling=intercept_scaling, class_weight=class_weight, scaling=scaling,
        precision=precision, solver=solver, solver_options=solver_options, seed=seed, warm_start=warm_start, gap=gap, gap_abs=gap_abs,
        max_passes=max_passes, time_limit=time_limit, check_every=check_every, n_jobs=n_jobs, progress_interval=progress_interval,
        keep_lines=keep_lines)
    result = run(data._core, training, callback, verbose)
    return Model(result.model, result)


class Comparison:
    """Several methods on the same problem: `models` by name, and `refused`, with the reason, by name."""

    def __init__(self, models: Dict[str, Model], refused: Dict[str, str]) -> None:
        self.models = models
        self.refused = refused

    @property
    def lines(self) -> str:
        refused = (json.dumps({"type": "refused", "refused": name, "label": name, "why": why}) + "\n"
                   for name, why in self.refused.items())
        return "".join(model.lines for model in self.models.values()) + "".join(refused)

    def rows(self) -> List[Dict[str, Any]]:
        """One dict per method, ready for pandas.DataFrame."""
        return [{"solver": name, "status": model.status, "seconds": model.seconds, "passes": model.passes,
                 "primal": model.certificate.primal, "gap": model.certificate.gap} for name, model in self.models.items()]

    def __repr__(self) -> str:
        lines = [f"{'solver':16}{'status':14}{'seconds':>10}{'passes':>10}{'gap':>10}"]
        lines += [f"{row['solver']:16}{row['status']:14}{row['seconds']:10.3f}{row['passes']:10.5g}{row['gap']:10.1e}"
                  for row in self.rows()]
        lines += [f"{name:16}{why}" for name, why in self.refused.items()]
        return "\n".join(lines)

    def report(self) -> str:
        """The page of the comparison, as HTML."""
        return _core.page(self.lines)

    def _repr_html_(self) -> str:
        return framed(self.report(), 800)


def compare(data: Any, y: Any = None, *, solvers: Iterable[str] = ("auto", "sdca", "spdc", "saga", "katyusha"),
            gap: float = 1e-8, max_passes: float = 1000, **options: Any) -> Comparison:
    """Trains by several methods, each to the same gap; `options` as of `train`. Methods that do not apply are listed with
    the reason."""
    data = data_of(data, y, options.pop("sample_weight", None))
    models: Dict[str, Model] = {}
    refused: Dict[str, str] = {}
    for name in solvers:
        try:
            models[name] = train(data, solver=name, gap=gap, max_passes=max_passes, **options)
        except _core.Unsupported as error:
            refused[name] = str(error)
    return Comparison(models, refused)


def solvers() -> List[Dict[str, Any]]:
    """The methods: name, summary, paper, family, cost, needs, options."""
    return _core.methods()


def losses() -> List[Dict[str, Any]]:
    """The losses: name, formula, target, parameter, and whether they are of groups of rows (`blocks`)."""
    return _core.losses()
