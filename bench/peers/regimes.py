"""The regimes with performance goals: their cells and goals. `facts`: the line of a set, with n, d, nnz."""
from dataclasses import dataclass
from typing import Callable, Optional

SMOOTH = ("logistic", "squared-hinge")
L2 = ("hinge", "squared-hinge", "logistic")
L1 = ("lasso", "l1-logistic")


@dataclass(frozen=True)
class Regime:
    name: str
    holds: Callable[[object, dict], bool]  # (cell, facts): whether the cell belongs to it
    wanted: Optional[float]  # goal: geometric mean of rival / auto
    lowest: Optional[float] = None  # goal: the lowest ratio of any cell
    stretch: Optional[float] = None
    stretch_lowest: Optional[float] = None


def wide(facts: dict) -> bool:
    """n much smaller than d."""
    return facts["n"] <= 3000 and facts["n"] < facts["d"] / 2


def text(facts: dict) -> bool:
    return facts["d"] > 2500 and not wide(facts)


def narrow(facts: dict, most: int = 800) -> bool:
    return facts["d"] <= most and not wide(facts)


def long_rows(facts: dict) -> bool:
    return narrow(facts) and facts["nnz"] / facts["n"] >= 50


REGIMES = [
    Regime("hinge, d <= 800, C >= 100", lambda c, f: c.loss == "hinge" and narrow(f) and c.C >= 100, 50, 3.8, 100, 7.6),
    Regime("hinge, d <= 800, C = 1", lambda c, f: c.loss == "hinge" and narrow(f) and c.C == 1, 4.7, 2.8, 7),
    Regime("hinge, d <= 800, C = 0.01", lambda c, f: c.loss == "hinge" and narrow(f) and c.C == 0.01, 1.9, 0.5, 3, 1),
    Regime("absolute, C >= 1", lambda c, f: c.loss == "absolute" and c.C >= 1, 9, None, 20),
    Regime("logistic, squared hinge, short sparse rows, d <= 300, C >= 1",
           lambda c, f: c.loss in SMOOTH and narrow(f, 300) and not long_rows(f) and c.C >= 1, 4, 0.84, 7, 1.2),
    Regime("the same, long or dense rows, C >= 1", lambda c, f: c.loss in SMOOTH and long_rows(f) and c.C >= 1, 5.5, 1.9, 8),
    Regime("n << d, logistic, squared hinge", lambda c, f: c.loss in SMOOTH and wide(f), 5.7, 1.1, 8),
    Regime("n << d, hinge", lambda c, f: c.loss == "hinge" and wide(f), 10, 1.1, 15),
    Regime("text, C <= 1", lambda c, f: c.loss in L2 and text(f) and c.C <= 1, 1.5, 0.8, 2.2, 1.1),
    Regime("text, C = 100, hinge", lambda c, f: c.loss == "hinge" and text(f) and c.C == 100, 4.6, None, 6),
    Regime("text, C = 100, squared hinge", lambda c, f: c.loss == "squared-hinge" and text(f) and c.C == 100, 1.9, None, 3),
    Regime("text, C = 100, logistic", lambda c, f: c.loss == "logistic" and text(f) and c.C == 100, 1.3, None, 2),
    Regime("text, C = 10,000, hinge", lambda c, f: c.loss == "hinge" and text(f) and c.C == 10000, 1.6, None, 1.5),
    Regime("text, C = 10,000, squared hinge", lambda c, f: c.loss == "squared-hinge" and text(f) and c.C == 10000, None, None, 1.5),
    Regime("text, C = 10,000, logistic", lambda c, f: c.loss == "logistic" and text(f) and c.C == 10000, 0.6, None, 1.5),
    Regime("lasso, l1-logistic, dense or n << d, fractions of l1max", lambda c, f: c.loss in L1 and not text(f) and c.fraction is not None, 3, 1.5, 8),
    Regime("the same, by C", lambda c, f: c.loss in L1 and not text(f) and c.C is not None, 3, 1.5, 8),
    Regime("lasso, l1-logistic, text, fractions of l1max", lambda c, f: c.loss in L1 and text(f) and c.fraction is not None, None, 0.4, 1.2, 0.9),
    Regime("the same, by C", lambda c, f: c.loss in L1 and text(f) and c.C is not None, None, 0.4, 1.2, 0.9),
    Regime("ridge, small d", lambda c, f: c.loss == "squared" and narrow(f), 1, None, 3),
    Regime("all cells of hinge, squared hinge, logistic", lambda c, f: c.loss in L2, 3.5, 0.48, 5, 0.9),
]
END_TO_END = (5, 10)  # liblinear-train / ours, on files over 1 MB: wanted, stretch
