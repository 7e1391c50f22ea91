"""Linear models with a proof: every fit has a certificate that bounds its distance from the optimum.

    >>> import seesaw
    >>> model = seesaw.train(X, y, loss="hinge", C=1)        # doctest: +SKIP
    >>> model.certificate.gap, seesaw.verify(seesaw.Data(X, y), model).holds        # doctest: +SKIP

The estimators (LogisticRegression, LinearSVC, LinearSVR, Ridge, RidgeClassifier, Lasso, ElasticNet, QuantileRegressor,
HuberRegressor) have the parameters and attributes of scikit-learn's, which they need; everything else needs numpy alone.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, List

from ._core import Error, InvalidArray, InvalidOption, ParseError, Progress, ShapeError, Unsupported
from ._core import version as __version__
from ._data import Data
from ._files import read
from ._frames import Table
from ._model import Certificate, ClassGap, Model, ProbabilityBounds, ScoreBounds, Verification, load, save, verify
from ._path import CoveringModel, ModelPath, path
from ._train import Comparison, compare, losses, solvers, train

if TYPE_CHECKING:
    from ._linear import ElasticNet, HuberRegressor, Lasso, QuantileRegressor
    from ._logistic import LogisticRegression
    from ._logistic_cv import LogisticRegressionCV
    from ._regression_cv import ElasticNetCV, LassoCV, RidgeCV
    from ._ridge import Ridge, RidgeClassifier
    from ._svm import LinearSVC, LinearSVR

_estimators = {"LogisticRegression": "_logistic", "LogisticRegressionCV": "_logistic_cv", "LassoCV": "_regression_cv",
               "ElasticNetCV": "_regression_cv", "RidgeCV": "_regression_cv", "Lasso": "_linear", "ElasticNet": "_linear", "QuantileRegressor": "_linear",
               "HuberRegressor": "_linear", "Ridge": "_ridge", "RidgeClassifier": "_ridge", "LinearSVC": "_svm", "LinearSVR": "_svm"}

__all__ = ["Certificate", "ClassGap", "Comparison", "Data", "Error", "InvalidArray", "InvalidOption", "Model", "ModelPath", "ParseError", "CoveringModel",
           "ProbabilityBounds", "Progress", "ScoreBounds", "ShapeError", "Table", "Unsupported", "Verification", "__version__", "compare", "load", "losses", "path", "read", "save",
           "solvers", "train", "verify", "ElasticNet", "HuberRegressor", "Lasso", "LinearSVC", "LinearSVR", "LogisticRegression",
           "LogisticRegressionCV", "LassoCV", "ElasticNetCV", "RidgeCV", "QuantileRegressor", "Ridge", "RidgeClassifier"]


def __getattr__(name: str) -> Any:
    # scikit-learn takes a second to import: only where an estimator is used.
    if name not in _estimators:
        raise AttributeError(f"module 'seesaw' has no attribute {name!r}")
    from importlib import import_module

    try:
        value = getattr(import_module("." + _estimators[name], __name__), name)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "sklearn":
            raise
        raise ImportError(f"seesaw.{name} needs scikit-learn; seesaw.train works without it.") from error
    globals()[name] = value
    return value


def __dir__() -> List[str]:
    return sorted(set(globals()) | set(_estimators))
