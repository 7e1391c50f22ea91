"""What fitted estimators state about themselves: bounds, probabilities, models that fit the user's files."""
import numpy as np
import pytest
import scipy.sparse as sp
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


BOUNDED = [("LogisticRegression", {}, 2), ("LogisticRegression", {"multi_class": "multinomial"}, 2), ("LogisticRegression", {}, 3),
           ("LogisticRegression", {"multi_class": "ovr"}, 3), ("LogisticRegression", {"solver": "liblinear"}, 2),
           ("LogisticRegression", {"multi_class": "ovr", "class_weight": "balanced"}, 3), ("LogisticRegression", {"l1_ratio": 0.3}, 2),
           ("LogisticRegression", {"fit_intercept": False}, 3), ("LogisticRegressionCV", {"Cs": [0.5], "cv": 3}, 3), ("LinearSVC", {}, 2),
           ("LinearSVC", {"class_weight": {0: 1, 1: 2, 2: 3}}, 3), ("LinearSVC", {"multi_class": "crammer_singer", "fit_intercept": False}, 2),
           ("LinearSVC", {"multi_class": "crammer_singer"}, 3), ("RidgeClassifier", {}, 2), ("RidgeClassifier", {}, 3)]


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("name, options, classes", BOUNDED)
def test_bounds_of_classifiers_contain_the_optimum(name, options, classes, sparse):
    X, labels, _ = made(n=150, d=5, classes=classes, seed=4)
    rows = sp.csr_matrix(X) if sparse else X
    # Few passes: an interior point of the intervals, far from the optimum.
    method = "seesaw:sdca" if options.get("solver") != "liblinear" else "liblinear"
    loose = getattr(seesaw, name)(tol=3e-3, **{**options, "solver": method}).fit(rows, labels)
    tight = getattr(seesaw, name)(tol=1e-13, **options).fit(rows, labels)
    bounds = loose.decision_bounds(rows)
    scores, own = tight.decision_function(rows), loose.decision_function(rows)
    assert bounds.low.shape == bounds.high.shape == scores.shape and bounds.settled.shape == (len(X),) and bounds.settled.dtype == bool
    assert (bounds.low <= own).all() and (own <= bounds.high).all()
    assert (bounds.low <= scores + 1e-6).all() and (scores - 1e-6 <= bounds.high).all()
    assert (loose.predict(rows) == tight.predict(rows))[bounds.settled].all()
    assert tight.decision_bounds(rows).settled.mean() > 0.9 or options.get("multi_class") == "crammer_singer"
    if not name.startswith("Logistic"):
        return
    found, optimal = loose.predict_proba_bounds(rows), tight.predict_proba(rows)
    assert found.low.shape == found.high.shape == optimal.shape and found.low.min() >= 0 and found.high.max() <= 1
    assert (found.low <= loose.predict_proba(rows)).all() and (loose.predict_proba(rows) <= found.high).all()
    assert (found.low <= optimal + 1e-6).all() and (optimal - 1e-6 <= found.high).all()
    assert np.max(tight.predict_proba_bounds(rows).high - tight.predict_proba_bounds(rows).low) < 1e-2


@pytest.mark.parametrize("name, targets", [("Ridge", 1), ("Ridge", 3), ("ElasticNet", 1), ("ElasticNet", 2), ("LinearSVR", 1), ("HuberRegressor", 1), ("RidgeCV", 2)])
def test_bounds_of_regressors_contain_the_optimum(name, targets):
    X, _, y = made(n=150, d=5, seed=4)
    y = y if targets == 1 else np.column_stack([y * k + X[:, 0] for k in range(targets)])
    small = {"alpha": 0.1} if name == "ElasticNet" else {}
    loose = getattr(seesaw, name)(tol=1e-3, solver="seesaw:sdca", **small).fit(X, y)
    tight = getattr(seesaw, name)(tol=1e-13, **small).fit(X, y)
    bounds = loose.decision_bounds(X)
    assert bounds.low.shape == y.shape and not bounds.settled.any() and len(bounds.settled) == len(X)
    assert (bounds.low <= loose.predict(X)).all() and (loose.predict(X) <= bounds.high).all()
    assert (bounds.low <= tight.predict(X) + 1e-6).all() and (tight.predict(X) - 1e-6 <= bounds.high).all()


def test_bounds_of_models_and_refusals(binary):
    X, labels = binary
    model = seesaw.train(X, labels, loss="logistic", C=1, gap=1e-3, solver="sdca")
    found, scores = model.predict_proba_bounds(X), model.decision_bounds(X)
    np.testing.assert_allclose(found.low[:, 1], 1 / (1 + np.exp(-scores.low)), rtol=1e-9)
    np.testing.assert_allclose(found.high[:, 0], 1 / (1 + np.exp(scores.low)), rtol=1e-9)
    with pytest.raises(seesaw.Error, match="have probabilities"):
        seesaw.train(X, labels, loss="hinge", C=1).predict_proba_bounds(X)
    with pytest.raises(seesaw.Error, match="l1 alone"):
        seesaw.LogisticRegression(penalty="l1").fit(X, labels).decision_bounds(X)
    with pytest.raises(ValueError, match="refit=False"):
        seesaw.LogisticRegressionCV(Cs=3, cv=3, refit=False).fit(X, labels).decision_bounds(X)
    indicator = np.column_stack([labels, 1 - labels, X[:, 0] > 0])
    several = seesaw.RidgeClassifier(tol=1e-12).fit(X, indicator)
    bounds = several.decision_bounds(X)
    assert bounds.low.shape == indicator.shape and np.array_equal(bounds.settled, ((bounds.low > 0) | (bounds.high <= 0)).all(axis=1))
    assert bounds.settled.mean() > 0.9


def test_numpy_false_stops(binary):
    X, labels = binary
    calls = []

    def callback(progress):
        calls.append(progress.passes)
        return progress.passes < np.float64(2)  # numpy.bool_

    stopped = seesaw.train(X, labels, loss="logistic", lambda_=1e-9, gap=1e-15, gap_abs=1e-300, solver="bpd", max_passes=1e6, callback=callback)
    assert stopped.status == "interrupted" and calls[-1] >= 2
    assert seesaw.path(X, labels, C=(0.1, 10), callback=lambda progress: np.bool_(False)).status == "interrupted"
    assert seesaw.train(X, labels, C=1, callback=lambda progress: np.bool_(True)).converged


@pytest.mark.parametrize("name", ["Ridge", "LogisticRegression", "Lasso", "RidgeClassifier", "LassoCV"])
def test_weights_that_would_overflow_are_refused(name):
    X, labels, y = made()
    target = labels if name in ("LogisticRegression", "RidgeClassifier") else y
    for weight in (1e160, 1e308):
        with pytest.raises(ValueError, match="sum of sample_weight is .*; divide the weights"):
            getattr(seesaw, name)().fit(X, target, sample_weight=np.full(len(y), weight))
    weights = np.full(len(y), 1e90)
    fitted = getattr(seesaw, name)().set_params(**{"alpha": 1e90} if name.startswith("Ridge") else {"C": 1e-90} if name == "LogisticRegression" else {})
    assert fitted.fit(X, target, weights).status_ == "converged" and fitted.certificate_.verify(X, target, weights).holds


def test_ridge_classifier_of_one_class():
    """As scikit-learn's: a fit to -1 everywhere, which predicts the class."""
    X, _, _ = made()
    fitted, theirs = seesaw.RidgeClassifier(tol=1e-12).fit(X, np.ones(len(X))), linear_model.RidgeClassifier().fit(X, np.ones(len(X)))
    np.testing.assert_allclose(fitted.intercept_, theirs.intercept_, rtol=1e-9)
    assert np.abs(fitted.coef_).max() < 1e-6 and np.array_equal(fitted.predict(X), np.ones(len(X)))
