"""A pytest plugin: scikit-learn's own tests meet our estimators in place of its own. `run` uses it."""
import importlib
import json
import os

import seesaw

OURS = {"_logistic": ["LogisticRegression", "LogisticRegressionCV"], "_ridge": ["Ridge", "RidgeClassifier", "RidgeCV"],
        "_coordinate_descent": ["Lasso", "ElasticNet", "LassoCV", "ElasticNetCV"], "_quantile": ["QuantileRegressor"]}
SWAPPED = {"sklearn.linear_model": sum(OURS.values(), []), **{"sklearn.linear_model." + module: names for module, names in OURS.items()},
           "sklearn.svm": ["LinearSVC", "LinearSVR"], "sklearn.svm._classes": ["LinearSVC", "LinearSVR"]}
outcomes = {}


def pytest_configure(config):
    for module, names in SWAPPED.items():
        for name in names:
            setattr(importlib.import_module(module), name, getattr(seesaw, name))


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        file, _, name = report.location
        outcomes[f"{os.path.basename(file)}::{name}"] = "skipped" if hasattr(report, "wasxfail") else report.outcome


def pytest_sessionfinish(session):
    with open(os.environ["SEESAW_OUTCOMES"], "w") as file:
        json.dump(outcomes, file)
