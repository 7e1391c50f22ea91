"""A pytest plugin: scikit-learn's own tests meet our estimators in place of its own. `run` uses it."""
import importlib
import json
import os

import seesaw

SWAPPED = {"sklearn.linear_model": ["LogisticRegression", "Ridge", "RidgeClassifier", "Lasso", "ElasticNet", "QuantileRegressor"],
           "sklearn.linear_model._logistic": ["LogisticRegression"], "sklearn.linear_model._ridge": ["Ridge", "RidgeClassifier"],
           "sklearn.linear_model._coordinate_descent": ["Lasso", "ElasticNet"], "sklearn.linear_model._quantile": ["QuantileRegressor"],
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
