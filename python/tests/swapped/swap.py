"""A pytest plugin: scikit-learn's own tests meet our estimators in place of its own.

    python3 -m pytest -p swap ...      (with this folder on PYTHONPATH)
"""
import importlib

import seesaw

SWAPPED = {"sklearn.linear_model": ["LogisticRegression", "Ridge", "RidgeClassifier", "Lasso", "ElasticNet", "QuantileRegressor"],
           "sklearn.linear_model._logistic": ["LogisticRegression"], "sklearn.linear_model._ridge": ["Ridge", "RidgeClassifier"],
           "sklearn.linear_model._coordinate_descent": ["Lasso", "ElasticNet"], "sklearn.linear_model._quantile": ["QuantileRegressor"],
           "sklearn.svm": ["LinearSVC", "LinearSVR"], "sklearn.svm._classes": ["LinearSVC", "LinearSVR"]}


def pytest_configure(config):
    for module, names in SWAPPED.items():
        for name in names:
            setattr(importlib.import_module(module), name, getattr(seesaw, name))
