"""The matrix of the benchmark: sets x losses x penalty strengths. A cell is one combination."""
from dataclasses import dataclass
from typing import List, Optional

# Small sets first: the first results are available early.
CLASSIFICATION = ["colon-cancer", "covtype10k", "madelon", "arcene", "reuters-moneyfx", "a9a", "w8a", "ijcnn1", "usps", "mnist.t", "news20",
                  "cover-odds", "dense50k", "text200k"]
REGRESSION = ["abalone", "cpuact"]
SETS = REGRESSION + CLASSIFICATION

COSTS = [1.0, 100.0, 0.01, 10000.0]  # in the order in which they are run
FRACTIONS = [0.1, 0.01]  # of the smallest l1 that gives x = 0


@dataclass(frozen=True)
class Loss:
    name: str  # in tables and on the command line
    phi: str  # our name of the loss function
    penalty: str = "l2"
    classes: bool = True  # used on binary classification sets
    numbers: bool = False  # used on regression sets


LOSSES = [
    Loss("hinge", "hinge"),
    Loss("squared-hinge", "squared-hinge"),
    Loss("logistic", "logistic"),
    Loss("squared", "squared", numbers=True),
    Loss("absolute", "absolute", classes=False, numbers=True),
    Loss("lasso", "squared", penalty="l1", numbers=True),
    Loss("l1-logistic", "logistic", penalty="l1"),
]
LOSS = {loss.name: loss for loss in LOSSES}


@dataclass(frozen=True)
class Cell:
    set: str
    loss: str
    C: Optional[float]  # 1/(C n) is lambda, or l1 if the penalty is l1
    fraction: Optional[float] = None  # instead of C: l1 as a fraction of the smallest that gives x = 0

    @property
    def strength(self) -> str:
        return f"C {self.C:g}" if self.C is not None else f"{self.fraction:g} l1max"

    @property
    def centred(self) -> bool:
        """Lasso on binary classification sets: labels of -1 and 1 minus their mean, as there is no intercept."""
        return self.loss == "lasso" and self.set not in REGRESSION

    def as_json(self) -> dict:
        return {"set": self.set, "loss": self.loss, "C": self.C, "fraction": self.fraction}


def cell_of(line: dict) -> Cell:
    return Cell(line["set"], line["loss"], line["C"], line["fraction"])


def matrix(sets: List[str], losses: List[str], costs: List[float], fractions: List[float]) -> List[Cell]:
    """In the order in which they are run: by strength, then by set, so that a set is read once per strength."""
    cells = []
    # The fractions come after the first C: the goals for l1 are stated for them.
    strengths = [(C, None) for C in costs[:1]] + [(None, fraction) for fraction in fractions] + [(C, None) for C in costs[1:]]
    for C, fraction in strengths:
        for name in sets:
            for loss in losses:
                kind = LOSS[loss]
                if not (kind.numbers if name in REGRESSION else kind.classes) or (fraction is not None and kind.penalty != "l1"):
                    continue
                cells.append(Cell(name, loss, C, fraction))
    return cells
