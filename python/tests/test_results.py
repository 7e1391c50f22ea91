"""What fitted estimators state about themselves: bounds, probabilities, models that fit the user's files."""
import numpy as np
import pytest
from conftest import made

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


@pytest.mark.parametrize("options, classes", [({}, 2), ({"multi_class": "multinomial"}, 2), ({}, 3), ({"multi_class": "ovr"}, 3)])
def test_small_probabilities_are_accurate(options, classes):
    X, labels, _ = made(n=60, d=4, classes=classes)
    fitted = seesaw.LogisticRegression(**options).fit(X, labels)
    far = 300 * X / np.abs(fitted.decision_function(X)).reshape(len(X), -1).max(axis=1, keepdims=True)
    found = fitted.predict_proba(far)
    scores = np.asarray(fitted.decision_function(far), dtype=np.longdouble)
    if classes == 2:
        scores = scores * (2 if options else 1)
        expected = np.column_stack([1 / (1 + np.exp(scores)), 1 / (1 + np.exp(-scores))])
    else:
        expected = 1 / (1 + np.exp(-scores)) if options else np.exp(scores - scores.max(axis=1, keepdims=True))
        expected = expected / expected.sum(axis=1, keepdims=True)
    assert found.min() < 1e-60
    np.testing.assert_allclose(found, expected.astype(float), rtol=1e-12)
    np.testing.assert_allclose(fitted.predict_log_proba(far), np.log(expected).astype(float), rtol=1e-12, atol=1e-12)
    assert np.isfinite(fitted.predict_log_proba(100 * far)).all()
    np.testing.assert_allclose(fitted.predict_proba(100 * far).sum(axis=1), 1, rtol=1e-12)


def test_regressors_have_no_sparsify():
    """As in scikit-learn, where it belongs to classifiers; predictions of several targets depend on the shape of coef_."""
    X, _, y = made()
    for estimator in (seesaw.Ridge(), seesaw.Lasso(alpha=0.1), seesaw.LinearSVR()):
        assert not hasattr(estimator, "sparsify") and not hasattr(estimator, "densify")
        assert estimator.fit(X, y).predict(X).shape == y.shape
    labels = made(classes=3)[1]
    for estimator in (seesaw.LogisticRegression(), seesaw.LinearSVC(), seesaw.RidgeClassifier()):
        fitted = estimator.fit(X, labels)
        expected = fitted.predict(X)
        assert np.array_equal(fitted.sparsify().predict(X), expected) and np.array_equal(fitted.densify().predict(X), expected)
