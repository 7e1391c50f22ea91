"""The problems that an estimator states, and the certificate of their solutions."""
from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional

import numpy as np

from ._data import Data, core_rows
from ._model import Model, Verification, verify


class Problem(NamedTuple):
    labels: np.ndarray  # per row
    weights: Optional[np.ndarray]
    options: Dict[str, Any]  # fields of _core.Training
    scale: float = 1.0  # of the objective: a gap of 1e-6 tol of it is accepted too, where the optimum is 0
    then: Optional[str] = None  # the method to try where `auto` does not converge: l1 with a nonsmooth loss is hard


class EstimatorCertificate:
    """How far from the optimum a fitted estimator can be: P(x) - P* <= gap.

    Of several problems (targets, classes) primal, dual and gap are sums; `models` has them one by one, each with its own
    certificate, as `seesaw.Model`.
    """

    def __init__(self, models: List[Model], kind: type, parameters: Dict[str, Any]) -> None:
        self.models = models
        self._kind = kind
        self._parameters = {name: None if name == "callback" else value for name, value in parameters.items()}
        parts = [model.certificate for model in models]
        self.primal = float(sum(part.primal for part in parts))
        self.dual = float(sum(part.dual for part in parts))
        self.gap = float(sum(part.gap for part in parts))
        self.relative_gap = max(part.relative_gap for part in parts)
        bounds = [part.distance_bound for part in parts]
        self.distance_bound = None if None in bounds else float(np.sqrt(sum(b * b for b in bounds if b is not None)))
        self.guaranteed = all(part.guaranteed for part in parts)

    def verify(self, X: Any, y: Any, sample_weight: Any = None) -> Verification:
        """Recomputes the certificate from the training data, independently of the training code."""
        rows, problems = self._kind(**self._parameters)._make_problems(X, y, sample_weight)
        if len(problems) != len(self.models):
            raise ValueError(f"this certificate is of {len(self.models)} problems; the data states {len(problems)}.")
        rows = core_rows(rows)
        parts = [verify(Data._of(rows.with_labels(p.labels, p.weights)), m) for p, m in zip(problems, self.models)]
        if len(parts) == 1:
            return parts[0]
        return Verification(all(part.holds for part in parts), sum(part.primal for part in parts), sum(part.dual for part in parts),
                            sum(part.gap for part in parts), [one for part in parts for one in part.classes],
                            [problem for part in parts for problem in part.problems])

    def __repr__(self) -> str:
        return f"<certificate: P = {self.primal:.6g}, P - P* <= {self.gap:.2e}>"
