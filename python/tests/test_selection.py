"""Estimators with cross-validation, against scikit-learn's at tight tolerance, against searches and against one fit per row."""
import inspect
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.linear_model as linear
from conftest import made
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, StratifiedKFold

import seesaw

Cs = [0.01, 0.1, 1.0, 10.0]


def theirs_of(name, **options):
    """scikit-learn's estimator: the parameters that newer versions have renamed or removed are translated, or the test is skipped."""
    known = inspect.signature(getattr(linear, name)).parameters
    if "n_alphas" in options and "n_alphas" not in known:
        options.setdefault("alphas", options.pop("n_alphas"))
        options.pop("n_alphas", None)
    if "multi_class" in options and "multi_class" not in known:
        if options.pop("multi_class") == "ovr":
            pytest.skip("this scikit-learn has no one-versus-rest")
    if "use_legacy_attributes" in known:
        options["use_legacy_attributes"] = True
    return getattr(linear, name)(**options)


def weights_for(y, wanted):
    return np.random.RandomState(5).rand(len(y)) + 0.1 if wanted else None


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("classes, multi_class", [(2, "auto"), (3, "multinomial"), (3, "ovr"), (2, "multinomial")])
def test_logistic_regression_cv_is_theirs(classes, multi_class, weighted):
    X, labels, _ = made(n=150, classes=classes)
    weights = weights_for(labels, weighted)
    if classes == 2 and multi_class == "multinomial" and "multi_class" not in inspect.signature(linear.LogisticRegressionCV).parameters:
        pytest.skip("this scikit-learn has no multinomial loss of two classes")
    ours = seesaw.LogisticRegressionCV(Cs=Cs, cv=4, multi_class=multi_class, tol=1e-12, scoring="neg_log_loss").fit(X, labels, weights)
    theirs = theirs_of("LogisticRegressionCV", Cs=Cs, cv=4, multi_class=multi_class, tol=1e-10, max_iter=10**5, scoring="neg_log_loss").fit(X, labels, weights)
    assert np.array_equal(ours.C_, theirs.C_) and np.array_equal(ours.Cs_, theirs.Cs_) and ours.scores_.keys() == theirs.scores_.keys()
    for key in ours.scores_:
        np.testing.assert_allclose(ours.scores_[key], theirs.scores_[key], rtol=1e-4)  # as accurate as their lbfgs is
        np.testing.assert_allclose(ours.coefs_paths_[key], theirs.coefs_paths_[key], rtol=1e-3, atol=1e-4)
    assert ours.n_iter_.shape == theirs.n_iter_.shape
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-3, atol=1e-4)
    assert ours.certificate_.verify(X, labels, weights).holds and ours.dual_gap_ <= 1e-11 * ours.primal_objective_ * len(ours.C_)
    assert ours.dual_coef_.shape[0] == len(labels)


def test_logistic_regression_cv_elastic_net_and_l1():
    X, labels, _ = made(n=150)
    options = dict(Cs=[0.5, 2, 5], cv=3, scoring="neg_log_loss")
    ours = seesaw.LogisticRegressionCV(penalty="elasticnet", l1_ratios=[0.1, 0.9], tol=1e-10, **options).fit(X, labels)
    theirs = theirs_of("LogisticRegressionCV", penalty="elasticnet", l1_ratios=[0.1, 0.9], solver="saga", tol=1e-9, max_iter=10**5, **options).fit(X, labels)
    assert ours.C_ == theirs.C_ and ours.l1_ratio_ == theirs.l1_ratio_ and ours.n_iter_.shape == theirs.n_iter_.shape
    np.testing.assert_allclose(ours.scores_[1], theirs.scores_[1], rtol=5e-4)  # as accurate as their saga is
    assert ours.coefs_paths_[1].shape == theirs.coefs_paths_[1].shape == (3, 3, 2, 7)
    l1 = seesaw.LogisticRegressionCV(penalty="l1", tol=1e-10, **options).fit(X, labels)
    found = theirs_of("LogisticRegressionCV", penalty="l1", solver="saga", tol=1e-9, max_iter=10**5, **options).fit(X, labels)
    np.testing.assert_allclose(l1.scores_[1], found.scores_[1], rtol=5e-4)
    assert l1.C_ == found.C_


def test_logistic_regression_cv_without_refit():
    X, labels, _ = made(n=150, classes=3)
    for multi_class in ("ovr", "multinomial"):
        options = dict(Cs=Cs, cv=3, refit=False, multi_class=multi_class)
        ours = seesaw.LogisticRegressionCV(tol=1e-12, **options).fit(X, labels)
        theirs = theirs_of("LogisticRegressionCV", tol=1e-10, max_iter=10**5, **options).fit(X, labels)
        np.testing.assert_allclose(ours.C_, theirs.C_)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-3, atol=1e-4)
        assert not hasattr(ours, "certificate_")


def test_the_choice_is_that_of_a_search():
    X, labels, _ = made(n=200)
    cv = StratifiedKFold(4, shuffle=True, random_state=1)
    ours = seesaw.LogisticRegressionCV(Cs=Cs, cv=cv).fit(X, labels)
    search = GridSearchCV(seesaw.LogisticRegression(), {"C": Cs}, cv=cv).fit(X, labels)
    assert ours.C_[0] == search.best_params_["C"]
    assert np.array_equal(ours.scores_[1].mean(axis=0), search.cv_results_["mean_test_score"])
    np.testing.assert_allclose(ours.coef_, search.best_estimator_.coef_, rtol=1e-3, atol=1e-4)
    groups = list(GroupKFold(3).split(X, labels, np.arange(200) % 7))
    assert seesaw.LogisticRegressionCV(Cs=3, cv=groups).fit(X, np.where(labels, "b", "a")).scores_["b"].shape == (3, 3)
    with pytest.raises(ValueError, match="fold 2 does not have all classes"):
        seesaw.LogisticRegressionCV(Cs=3, cv=KFold(2)).fit(X[np.argsort(labels)], np.sort(labels))


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name, options", [("LassoCV", {}), ("ElasticNetCV", {"l1_ratio": [0.3, 0.8]}), ("ElasticNetCV", {"positive": True}),
                                           ("LassoCV", {"alphas": [0.5, 0.01, 0.1], "fit_intercept": False})])
def test_paths_of_squares_are_theirs(name, options, weighted, sparse):
    X, _, y = made(n=90)
    X = sp.csr_matrix(X) if sparse else X
    weights = weights_for(y, weighted)
    options = {"n_alphas": 12, "cv": 4, **options}
    if weighted or "positive" in options:
        options.setdefault("alphas", np.geomspace(2, 0.002, 12))  # scikit-learn 1.2 chooses them without the weights and bounds
    ours = getattr(seesaw, name)(tol=1e-11, **options).fit(X, y, weights)
    theirs = theirs_of(name, tol=1e-12, max_iter=10**6, **options).fit(X, y, weights)
    np.testing.assert_allclose(ours.alphas_, theirs.alphas_, rtol=1e-10)
    np.testing.assert_allclose(ours.mse_path_, theirs.mse_path_, rtol=1e-5)
    np.testing.assert_allclose(ours.alpha_, theirs.alpha_, rtol=1e-10)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-4, atol=1e-5)
    assert getattr(ours, "l1_ratio_", None) == getattr(theirs, "l1_ratio_", None)
    assert ours.certificate_.verify(X, y, weights).holds


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("n, d", [(40, 6), (12, 20)])
@pytest.mark.parametrize("intercept", [True, False])
def test_leaving_out_every_row(n, d, intercept, sparse):
    X, _, y = made(n=n, d=d)
    weights = weights_for(y, True)
    alphas = [0.1, 1.0, 30.0]
    ours = seesaw.RidgeCV(alphas, fit_intercept=intercept, store_cv_values=True).fit(sp.csr_matrix(X) if sparse else X, y, weights)
    errors = np.zeros((n, 3))
    for i in range(n):
        others = np.arange(n) != i
        for k, alpha in enumerate(alphas):
            fitted = linear.Ridge(alpha, fit_intercept=intercept, solver="cholesky").fit(X[others], y[others], weights[others])
            errors[i, k] = weights[i] * (y[i] - fitted.predict(X[i : i + 1])[0]) ** 2
    np.testing.assert_allclose(ours.cv_values_, errors, rtol=1e-6, atol=1e-9)
    assert ours.alpha_ == alphas[errors.mean(axis=0).argmin()] and ours.cv_results_ is ours.cv_values_
    np.testing.assert_allclose(ours.best_score_, -errors.mean(axis=0).min(), rtol=1e-6)
    np.testing.assert_allclose(ours.coef_, linear.Ridge(ours.alpha_, fit_intercept=intercept).fit(X, y, weights).coef_, rtol=1e-4, atol=1e-6)
    assert ours.certificate_.verify(sp.csr_matrix(X) if sparse else X, y, weights).holds


def test_ridge_cv_targets_scores_and_folds():
    X, _, y = made(n=80)
    Y = np.column_stack([y, np.random.RandomState(0).randn(80)])
    one = seesaw.RidgeCV([0.1, 1, 10, 1000], alpha_per_target=True).fit(X, Y)
    theirs = linear.RidgeCV([0.1, 1, 10, 1000], alpha_per_target=True).fit(X, Y)
    assert np.array_equal(one.alpha_, theirs.alpha_) and one.coef_.shape == (2, 6)
    np.testing.assert_allclose(one.coef_, theirs.coef_, rtol=1e-4, atol=1e-6)
    both = seesaw.RidgeCV([0.1, 1, 10, 1000]).fit(X, Y)
    assert both.alpha_ == linear.RidgeCV([0.1, 1, 10, 1000]).fit(X, Y).alpha_
    for scoring in ("neg_mean_absolute_error", "r2"):
        assert seesaw.RidgeCV([0.1, 1, 10], scoring=scoring).fit(X, y).alpha_ == linear.RidgeCV([0.1, 1, 10], scoring=scoring).fit(X, y).alpha_
    folds = seesaw.RidgeCV([0.1, 1, 10, 100], cv=5).fit(X, y)
    other = linear.RidgeCV([0.1, 1, 10, 100], cv=5).fit(X, y)
    assert folds.alpha_ == other.alpha_ and folds.certificate_.verify(X, y).holds
    np.testing.assert_allclose(folds.best_score_, other.best_score_, rtol=1e-5)
    with pytest.raises(ValueError, match="incompatible"):
        seesaw.RidgeCV(cv=3, store_cv_values=True).fit(X, y)


CHOOSERS = [(seesaw.LogisticRegressionCV(Cs=3, cv=3), "class"), (seesaw.LogisticRegressionCV(Cs=3, cv=3, multi_class="ovr"), "class"),
            (seesaw.LassoCV(n_alphas=5, cv=3), "number"), (seesaw.ElasticNetCV(n_alphas=5, cv=3, l1_ratio=[0.5, 1]), "number"),
            (seesaw.RidgeCV(cv=3), "number"), (seesaw.RidgeCV(), "number")]


@pytest.mark.parametrize("chooser, kind", CHOOSERS)
def test_the_same_bits_for_any_number_of_threads(chooser, kind):
    X, labels, y = made(n=300, classes=3)
    target = labels if kind == "class" else y
    found = [clone(chooser).set_params(n_jobs=jobs).fit(X, target) for jobs in (1, 2, 3, None)]
    for one in found[1:]:
        assert np.array_equal(one.coef_, found[0].coef_) and np.array_equal(one.intercept_, found[0].intercept_)
        for name in ("mse_path_", "C_", "alpha_"):
            assert np.array_equal(getattr(one, name, 0), getattr(found[0], name, 0))
    copy = pickle.loads(pickle.dumps(found[0]))
    assert np.array_equal(copy.predict(X), found[0].predict(X)) and copy.certificate_.verify(X, target).holds


def test_ctrl_c_ends_all_folds():
    X, labels, _ = made(n=3000, d=60)
    endless = seesaw.LogisticRegressionCV(Cs=[1e9] * 50, cv=10, tol=0, max_iter=1e12, solver="seesaw:sdca", n_jobs=2)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threads = threading.active_count()
    try:
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            endless.fit(X, labels)
    finally:
        signal.signal(signal.SIGINT, before)
    deadline = time.monotonic() + 60
    while threading.active_count() > threads and time.monotonic() < deadline:
        time.sleep(0.05)
    assert threading.active_count() <= threads  # no fold is left running
