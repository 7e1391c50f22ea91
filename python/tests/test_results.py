"""What fitted estimators state about themselves: bounds, probabilities, models that fit the user's files."""
import numpy as np
import pytest
from conftest import made
from sklearn import linear_model

import seesaw


def test_distance_bound_of_two_classes_by_crammer_singer():
    """coef_ is w1 - w0, the certificate is about (w0, w1)."""
    X, labels, _ = made(n=150, d=5, seed=4)
    optimum = seesaw.LinearSVC(multi_class="crammer_singer", tol=1e-12, fit_intercept=False).fit(X, labels).coef_
    fitted = seesaw.LinearSVC(multi_class="crammer_singer", tol=1e-2, fit_intercept=False).fit(X, labels)
    joint = fitted.certificate_.models[0].certificate.distance_bound
    assert fitted.distance_bound_ >= np.sqrt(2) * joint
    assert np.linalg.norm(fitted.coef_ - optimum) <= fitted.distance_bound_ + 1e-6
    three = seesaw.LinearSVC(multi_class="crammer_singer").fit(*made(classes=3)[:2])
    assert three.distance_bound_ == three.certificate_.distance_bound
