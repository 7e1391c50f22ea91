"""Time limits, callbacks and Ctrl-C of estimators that solve several problems; where warnings point."""
import time
import warnings

import numpy as np
import pytest
from conftest import made
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import KFold
from test_runtime import latency_of_ctrl_c

import seesaw


def several_targets(n=3000):
    X, _, y = made(n=n, d=60)
    rng = np.random.RandomState(0)
    return X, np.column_stack([y + rng.randn(n) for _ in range(6)])


ENDLESS = dict(tol=1e-300, max_iter=1e12, solver="seesaw:bpd")


def test_the_time_limit_is_that_of_all_problems():
    X, Y = several_targets()
    begin = time.monotonic()
    with pytest.warns(ConvergenceWarning, match="time_limit"):
        fitted = seesaw.Ridge(time_limit=1.0, **ENDLESS).fit(X, Y)
    assert time.monotonic() - begin < 3.5  # 6 s if it were that of each
    assert fitted.status_ == "time-limit" and fitted.coef_.shape == (6, 60) and fitted.certificate_.verify(X, Y).holds
    for wrong in (0, -1, "1"):
        with pytest.raises(ValueError, match="time_limit"):
            seesaw.Ridge(time_limit=wrong).fit(X, Y)


def test_a_callback_stops_several_problems_and_keeps_them():
    X, Y = several_targets(500)
    seen = []

    def callback(progress):
        seen.append(progress)
        return np.bool_(len(seen) < 3)

    for estimator, target in ((seesaw.Ridge(callback=callback, **ENDLESS), Y), (seesaw.RidgeClassifier(callback=callback, **ENDLESS), Y.argmax(axis=1)),
                              (seesaw.Lasso(alpha=0.01, callback=callback, tol=1e-300, max_iter=1e12, solver="seesaw:ada-bpd"), Y)):
        seen.clear()
        fitted = estimator.fit(X, target)
        assert len(seen) == 3  # not called again once it has stopped
        assert fitted.status_ == "interrupted" and fitted.coef_.shape == (6, 60)
        assert fitted.certificate_.verify(X, target).holds

    def stop(progress):
        raise StopIteration

    assert seesaw.Ridge(callback=stop, **ENDLESS).fit(X, Y).status_ == "interrupted"


CHOOSERS = [("LassoCV", {"alphas": [0.1, 0.01]}), ("ElasticNetCV", {"alphas": [0.1, 0.03, 0.01], "l1_ratio": [0.5, 0.9]}), ("RidgeCV", {"alphas": [0.1, 1, 10], "cv": 4}),
            ("RidgeCV", {"alphas": [0.1, 1, 10]}), ("LogisticRegressionCV", {"Cs": [0.1, 1, 10]})]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("name, options", CHOOSERS)
def test_limits_of_estimators_with_cross_validation(name, options, jobs):
    X, labels, y = made(n=400)
    y = labels if name == "LogisticRegressionCV" else y
    calls = []
    free = getattr(seesaw, name)(n_jobs=jobs, random_state=0, max_iter=1000, time_limit=100, callback=calls.append, **options).fit(X, y)
    assert free.status_ == "converged" and calls and np.array_equal(free.coef_, getattr(seesaw, name)(**options).fit(X, y).coef_)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        fitted = getattr(seesaw, name)(n_jobs=jobs, time_limit=1e-4, tol=1e-300, **options).fit(X, y)  # never reached: the optimum is not 0
        assert fitted.status_ == "time-limit" and fitted.certificate_.verify(X, y).holds
        calls.clear()
        fitted = getattr(seesaw, name)(n_jobs=jobs, callback=lambda progress: calls.append(1) or False, **options).fit(X, y)
    assert len(calls) == 1 and fitted.status_ == "interrupted" and fitted.certificate_.verify(X, y).holds


def test_folds_that_were_stopped_are_a_warning():
    X, _, y = made(n=400)
    with pytest.warns(ConvergenceWarning, match="of 100 fits on parts of the data did not converge .time-limit"):
        seesaw.LassoCV(n_alphas=20, cv=5, time_limit=1e-4).fit(X, y)


def test_exceptions_of_callbacks_end_the_folds():
    X, _, y = made(n=400)

    def fail(progress):
        raise KeyError("here")

    for jobs in (1, 2):
        with pytest.raises(KeyError, match="here"):
            seesaw.LassoCV(n_jobs=jobs, callback=fail).fit(X, y)


@pytest.mark.parametrize("name, jobs", [("LassoCV", 1), ("LassoCV", 2), ("RidgeCV", 1)])
def test_ctrl_c_in_cross_validation(name, jobs):
    """CPU time of all threads: on an idle machine two of them use up to two seconds of it per second."""
    rng = np.random.RandomState(0)
    X = rng.randn(2000, 1200)
    y = X[:, :50].sum(axis=1) + rng.randn(len(X))
    latencies = [latency_of_ctrl_c(lambda: getattr(seesaw, name)(n_jobs=jobs).fit(X, y), after) for after in (0.2, 0.6, 1.0)]
    found = [latency for latency in latencies if latency is not None]
    assert found and max(found) < 0.5 * jobs, latencies


@pytest.mark.parametrize("name", ["Ridge", "Lasso", "ElasticNet", "HuberRegressor", "QuantileRegressor", "LogisticRegression", "LinearSVC", "LassoCV",
                                  "LogisticRegressionCV"])
def test_warnings_point_to_the_caller(name):
    X, labels, y = made(n=200, d=20)
    estimator = getattr(seesaw, name)(max_iter=1, tol=1e-14, solver="seesaw:ada-bpd" if name in ("Lasso", "LassoCV", "QuantileRegressor") else "seesaw:sdca")
    with pytest.warns(ConvergenceWarning) as caught:
        estimator.fit(X, labels if name in ("LogisticRegression", "LinearSVC", "LogisticRegressionCV") else y)
    assert {warning.filename for warning in caught} == {__file__}


def test_warm_start_of_another_kind_of_problem():
    for classes in (2, 3):
        X, labels, _ = made(classes=classes)
        fitted = seesaw.LinearSVC(warm_start=True).fit(X, labels)
        for change in (dict(multi_class="crammer_singer"), dict(multi_class="ovr"), dict(fit_intercept=False), dict(fit_intercept=True),
                       dict(multi_class="crammer_singer"), dict(loss="hinge", multi_class="ovr")):
            assert fitted.set_params(**change).fit(X, labels).status_ == "converged"
        logistic = seesaw.LogisticRegression(warm_start=True).fit(X, labels)
        for change in (dict(multi_class="multinomial"), dict(multi_class="ovr"), dict(multi_class="auto"), dict(solver="liblinear")):
            assert logistic.set_params(**change).fit(X, labels).status_ == "converged"


def test_folds_without_weight_are_refused_in_words():
    X, labels, y = made(n=60)
    weights = np.ones(60)
    weights[:20] = 0
    for estimator in (seesaw.LassoCV(cv=KFold(3)), seesaw.ElasticNetCV(cv=KFold(3))):
        with pytest.raises(ValueError, match="sample_weight are zero in the test part of fold 1"):
            estimator.fit(X, y, weights)
    weights = 1 - weights
    for estimator, target in ((seesaw.LassoCV(cv=KFold(3)), y), (seesaw.RidgeCV(cv=KFold(3)), y), (seesaw.LogisticRegressionCV(cv=KFold(3)), labels)):
        with pytest.raises(ValueError, match="sample_weight are zero in the (test part of fold 2|training part of fold 1)"):
            estimator.fit(X, target, weights)


def test_solvers_that_are_no_names_are_refused_in_words():
    X, _, y = made()
    for solver in (None, 3):
        with pytest.raises(ValueError, match="solver == .* must be"):
            seesaw.Ridge(solver=solver).fit(X, y)
        with pytest.raises(ValueError, match="solver == .*"):
            seesaw.train(X, y, loss="squared", solver=solver)
    for wrong in (dict(loss=3), dict(lambda_="1"), dict(seed="x"), dict(intercept=True), dict(max_passes="many")):
        with pytest.raises(ValueError, match=f"{next(iter(wrong))} == "):
            seesaw.train(X, y, **wrong)
