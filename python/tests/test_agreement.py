"""The same optimum as scikit-learn's estimators, by their own objectives, written here once more."""
import itertools

import numpy as np
import pytest
import scipy.sparse as sp
import sklearn.linear_model as linear
import sklearn.svm as svm
from conftest import made

import seesaw

pytestmark = pytest.mark.filterwarnings("ignore")
TIGHT = 1e-11


def cases(*values):
    return list(itertools.product(*values))


def logloss(z):  # log(1 + exp(-z))
    return np.logaddexp(0, -z)


def penalty(w, ratio):
    return (1 - ratio) / 2 * np.sum(w * w) + ratio * np.abs(w).sum()


def expect_same(ours, theirs, objective, factor=None, coefficients=1e-4, rtol=2e-9):
    """objective(coef, intercept) in the units of scikit-learn; factor: of our P."""
    mine, other = objective(ours.coef_, ours.intercept_), objective(theirs.coef_, theirs.intercept_)
    assert ours.status_ == "converged"
    if factor is not None:
        np.testing.assert_allclose(factor * ours.primal_objective_, mine, rtol=1e-10, atol=1e-14)
        assert mine - factor * ours.dual_gap_ <= other * (1 + 1e-12)  # no other point is below the lower bound
    assert mine <= other + rtol * max(abs(other), 1e-3)
    np.testing.assert_allclose(mine, other, rtol=1e-5)
    if coefficients:
        np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=coefficients, atol=coefficients)


def weights_for(weighted, n):
    return np.random.RandomState(5).randint(0, 4, n).astype(float) if weighted else np.ones(n)


def stored(X, sparse):
    return sp.csr_matrix(X) if sparse else X


@pytest.mark.parametrize("ratio, weighted, intercept, sparse", cases([0.0, 0.4, 1.0, None], [False, True], [False, True], [False, True]))
def test_logistic_binary(ratio, weighted, intercept, sparse):
    X, labels, _ = made(n=150, d=5, seed=4)
    s = weights_for(weighted, len(labels))
    C = 0.7
    ours = seesaw.LogisticRegression(C=C if ratio is not None else np.inf, l1_ratio=ratio, fit_intercept=intercept, tol=TIGHT)
    kind = {0.0: dict(penalty="l2", solver="lbfgs"), 1.0: dict(penalty="l1", solver="saga"), None: dict(penalty=None, solver="lbfgs"),
            0.4: dict(penalty="elasticnet", solver="saga", l1_ratio=0.4)}[ratio]
    theirs = linear.LogisticRegression(C=C, fit_intercept=intercept, tol=1e-12, max_iter=100000, **kind)
    for one in (ours, theirs):
        one.fit(stored(X, sparse), labels, sample_weight=s)
    sign = 2 * labels - 1

    def objective(w, b):
        loss = np.sum(s * logloss(sign * (X @ np.ravel(w) + b)))
        return loss if ratio is None else C * loss + penalty(w, ratio)

    expect_same(ours, theirs, objective, s.sum() * (1 if ratio is None else C))
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-4)


@pytest.mark.parametrize("weighted, intercept, sparse", cases([False, True], [False, True], [False, True]))
def test_softmax(weighted, intercept, sparse):
    X, labels, _ = made(n=150, d=5, classes=3, seed=4)
    s = weights_for(weighted, len(labels))
    ours = seesaw.LogisticRegression(C=0.5, fit_intercept=intercept, tol=TIGHT)
    theirs = linear.LogisticRegression(C=0.5, fit_intercept=intercept, tol=1e-12, max_iter=100000)
    for one in (ours, theirs):
        one.fit(stored(X, sparse), labels, sample_weight=s)

    def objective(w, b):
        z = X @ w.T + b
        return 0.5 * np.sum(s * (np.logaddexp.reduce(z, axis=1) - z[np.arange(len(z)), labels])) + penalty(w, 0)

    expect_same(ours, theirs, objective, 0.5 * s.sum())
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-4)


@pytest.mark.parametrize("class_weight", [None, "balanced", {0: 1, 1: 5, 2: 0.3}])
def test_logistic_one_versus_rest(class_weight):
    X, labels, _ = made(n=150, d=5, classes=3, seed=4)
    ours = seesaw.LogisticRegression(multi_class="ovr", class_weight=class_weight, tol=TIGHT).fit(X, labels)
    try:
        theirs = linear.LogisticRegression(multi_class="ovr", class_weight=class_weight, tol=1e-12, max_iter=100000).fit(X, labels)
    except TypeError:
        pytest.skip("this scikit-learn has no multi_class")
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-4)


@pytest.mark.parametrize("classes, class_weight", cases([2, 3], ["balanced", {0: 2, 1: 0.5}]))
def test_class_weights(classes, class_weight):
    X, labels, _ = made(n=150, d=5, classes=classes, seed=4)
    s = weights_for(True, len(labels))
    for ours, theirs in [(seesaw.LogisticRegression, linear.LogisticRegression), (seesaw.LinearSVC, svm.LinearSVC),
                         (seesaw.RidgeClassifier, linear.RidgeClassifier)]:
        mine = ours(class_weight=class_weight, tol=TIGHT).fit(X, labels, sample_weight=s)
        other = theirs(class_weight=class_weight, tol=1e-9, max_iter=200000).fit(X, labels, sample_weight=s)
        np.testing.assert_allclose(mine.coef_, np.atleast_2d(other.coef_), atol=3e-4, err_msg=ours.__name__)
        np.testing.assert_allclose(mine.intercept_, other.intercept_, atol=3e-4, err_msg=ours.__name__)


def test_class_weight_zero_is_legal():
    X, labels, _ = made(n=150, d=5, classes=3, seed=4)
    for name in ("LogisticRegression", "LinearSVC", "RidgeClassifier"):
        fitted = getattr(seesaw, name)(class_weight={0: 1, 1: 0, 2: 1}).fit(X, labels)
        assert list(fitted.classes_) == [0, 1, 2]
    one = seesaw.LinearSVC(class_weight={0: 1, 1: 0}).fit(X, labels > 0)
    assert (one.predict(X) == False).all()  # noqa: E712


@pytest.mark.parametrize("scaling, intercept, kind", cases([1, 10], [True, False], ["l2", "l1"]))
def test_liblinear_intercept(scaling, intercept, kind):
    X, labels, _ = made(n=150, d=5, seed=4)
    options = dict(penalty=kind, solver="liblinear", intercept_scaling=scaling, fit_intercept=intercept, C=0.3)
    ours = seesaw.LogisticRegression(tol=TIGHT, **options).fit(X, labels)
    theirs = linear.LogisticRegression(tol=1e-10, max_iter=10000, **options).fit(X, labels)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=2e-4)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=2e-4)


@pytest.mark.parametrize("classes, class_weight, weighted", cases([2, 3], ["balanced", {0: 1, 1: 5, 2: 0.3}], [False, True]))
def test_liblinear_class_weights(classes, class_weight, weighted):
    X, labels, _ = made(n=150, d=5, classes=classes, seed=4)
    if classes == 2 and not isinstance(class_weight, str):
        class_weight = {0: 1, 1: 5}
    s = weights_for(weighted, len(labels))
    ours = seesaw.LogisticRegression(solver="liblinear", class_weight=class_weight, tol=TIGHT)
    theirs = linear.LogisticRegression(solver="liblinear", class_weight=class_weight, tol=1e-10, max_iter=10000)
    try:
        theirs.fit(X, labels, sample_weight=s)
    except ValueError:
        pytest.skip("this liblinear has no more than two classes")
    ours.fit(X, labels, sample_weight=s)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=2e-4)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=2e-4)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-4)
    assert ours.certificate_.verify(X, labels, s).holds


def test_two_classes_by_softmax():
    X, labels, _ = made(n=150, d=5, seed=4)
    for kind in (dict(penalty="l2"), dict(penalty="l1", solver="saga"), dict(penalty="elasticnet", l1_ratio=0.3, solver="saga")):
        ours = seesaw.LogisticRegression(multi_class="multinomial", C=0.2, tol=TIGHT, **kind).fit(X, labels)
        try:
            theirs = linear.LogisticRegression(multi_class="multinomial", C=0.2, tol=1e-12, max_iter=100000, **kind).fit(X, labels)
        except TypeError:
            pytest.skip("this scikit-learn has no multi_class")
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-4)


@pytest.mark.parametrize("loss, kind, weighted, intercept, sparse", cases(
    ["hinge", "squared_hinge"], ["l2", "l1"], [False, True], [False, True], [False, True]))
def test_linear_svc(loss, kind, weighted, intercept, sparse):
    if loss == "hinge" and kind == "l1":
        pytest.skip("scikit-learn has none")
    X, labels, _ = made(n=150, d=5, seed=4)
    s = weights_for(weighted, len(labels))
    options = dict(loss=loss, penalty=kind, C=0.2, fit_intercept=intercept, intercept_scaling=3)
    ours = seesaw.LinearSVC(tol=TIGHT, **options)
    theirs = svm.LinearSVC(tol=1e-10, max_iter=1000000, dual=kind == "l2", **options)
    for one in (ours, theirs):
        one.fit(stored(X, sparse), labels, sample_weight=s)
    sign = 2 * labels - 1

    def objective(w, b):
        margin = np.maximum(0, 1 - sign * (X @ np.ravel(w) + b))
        bias = np.ravel(b) / 3
        return 0.2 * np.sum(s * (margin if loss == "hinge" else margin**2)) + penalty(np.append(w, bias), float(kind == "l1"))

    expect_same(ours, theirs, objective, 0.2 * s.sum(), coefficients=1e-3, rtol=1e-7)


@pytest.mark.parametrize("multi_class, classes", cases(["ovr", "crammer_singer"], [2, 3]))
def test_linear_svc_of_several_classes(multi_class, classes):
    X, labels, _ = made(n=150, d=5, classes=classes, seed=4)
    ours = seesaw.LinearSVC(multi_class=multi_class, tol=1e-9, C=0.5).fit(X, labels)
    theirs = svm.LinearSVC(multi_class=multi_class, tol=1e-9, max_iter=1000000, C=0.5, dual=True).fit(X, labels)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=2e-3)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=2e-3)


@pytest.mark.parametrize("loss, epsilon, weighted, intercept, sparse", cases(
    ["epsilon_insensitive", "squared_epsilon_insensitive"], [0.0, 0.3], [False, True], [False, True], [False, True]))
def test_linear_svr(loss, epsilon, weighted, intercept, sparse):
    X, _, y = made(n=150, d=5, seed=4)
    s = weights_for(weighted, len(y))
    options = dict(loss=loss, epsilon=epsilon, C=0.2, fit_intercept=intercept)
    ours = seesaw.LinearSVR(tol=TIGHT, **options)
    theirs = svm.LinearSVR(tol=1e-11, max_iter=1000000, **options)
    for one in (ours, theirs):
        one.fit(stored(X, sparse), y, sample_weight=s)

    def objective(w, b):
        r = np.maximum(0, np.abs(X @ w + b - y) - epsilon)
        return 0.2 * np.sum(s * (r if loss == "epsilon_insensitive" else r**2)) + penalty(np.append(w, b if intercept else 0), 0)

    expect_same(ours, theirs, objective, 0.2 * s.sum(), coefficients=1e-3, rtol=1e-6)


@pytest.mark.parametrize("alpha, positive, weighted, intercept, sparse", cases(
    [0.5, 0.0], [False, True], [False, True], [False, True], [False, True]))
def test_ridge(alpha, positive, weighted, intercept, sparse):
    if positive and alpha == 0:
        pytest.skip("bounds need a penalty")
    X, _, y = made(n=150, d=5, seed=4)
    s = weights_for(weighted, len(y))
    options = dict(alpha=alpha, fit_intercept=intercept, positive=positive)
    ours = seesaw.Ridge(tol=TIGHT, **options).fit(stored(X, sparse), y, sample_weight=s)
    # scikit-learn has no positive ridge of sparse rows.
    theirs = linear.Ridge(tol=1e-12, **options).fit(X, y, sample_weight=s)

    def objective(w, b):
        return np.sum(s * (X @ w + b - y) ** 2) + alpha * np.sum(w * w)

    expect_same(ours, theirs, objective, 2 * s.sum())


@pytest.mark.parametrize("ratio, positive, weighted, intercept, sparse", cases(
    [1.0, 0.3], [False, True], [False, True], [False, True], [False, True]))
def test_lasso_and_elastic_net(ratio, positive, weighted, intercept, sparse):
    X, _, y = made(n=150, d=5, seed=4)
    s = weights_for(weighted, len(y))
    options = dict(alpha=0.2, fit_intercept=intercept, positive=positive)
    if ratio == 1:
        ours, theirs = seesaw.Lasso(tol=TIGHT, **options), linear.Lasso(tol=1e-12, max_iter=100000, **options)
    else:
        ours, theirs = seesaw.ElasticNet(l1_ratio=ratio, tol=TIGHT, **options), linear.ElasticNet(l1_ratio=ratio, tol=1e-12, max_iter=100000, **options)
    for one in (ours, theirs):
        one.fit(stored(X, sparse), y, sample_weight=s)

    def objective(w, b):
        return np.sum(s * (X @ w + b - y) ** 2) / (2 * s.sum()) + 0.2 * penalty(w, ratio)

    expect_same(ours, theirs, objective, 1.0)


@pytest.mark.parametrize("quantile, alpha, weighted, intercept, sparse", cases([0.5, 0.2], [0.1, 0.01], [False, True], [False, True], [False, True]))
def test_quantile(quantile, alpha, weighted, intercept, sparse):
    X, _, y = made(n=80, d=5, seed=4)
    s = weights_for(weighted, len(y))
    ours = seesaw.QuantileRegressor(quantile=quantile, alpha=alpha, fit_intercept=intercept, tol=1e-8).fit(stored(X, sparse), y, sample_weight=s)
    theirs = linear.QuantileRegressor(quantile=quantile, alpha=alpha, fit_intercept=intercept, solver="highs").fit(X, y, sample_weight=s)

    def objective(w, b):
        r = y - X @ w - b
        return np.sum(s * np.where(r > 0, quantile * r, (quantile - 1) * r)) / s.sum() + alpha * np.abs(w).sum()

    expect_same(ours, theirs, objective, 1.0, coefficients=None, rtol=2e-8)  # the optimum need not be unique


@pytest.mark.parametrize("weighted, intercept", cases([False, True], [False, True]))
def test_huber_at_the_scale_that_scikit_learn_fits(weighted, intercept):
    X, _, y = made(n=150, d=5, seed=4)
    y = y.copy()
    y[::10] += 20
    s = weights_for(weighted, len(y))
    theirs = linear.HuberRegressor(alpha=0.3, fit_intercept=intercept, tol=1e-10, max_iter=10000).fit(X, y, sample_weight=s)
    ours = seesaw.HuberRegressor(alpha=0.3, fit_intercept=intercept, sigma=theirs.scale_, tol=TIGHT).fit(X, y, sample_weight=s)

    def objective(w, b):
        z = np.abs(X @ w + b - y) / theirs.scale_
        return np.sum(s * theirs.scale_ * np.where(z < 1.35, z * z, 2 * 1.35 * z - 1.35**2)) + 0.3 * np.sum(w * w)

    expect_same(ours, theirs, objective, 2 * s.sum() / theirs.scale_, coefficients=1e-3)
    assert np.array_equal(ours.outliers_, theirs.outliers_)


@pytest.mark.parametrize("classes, weighted, intercept, sparse", cases([2, 3], [False, True], [False, True], [False, True]))
def test_ridge_classifier(classes, weighted, intercept, sparse):
    X, labels, _ = made(n=150, d=5, classes=classes, seed=4)
    s = weights_for(weighted, len(labels))
    ours, theirs = seesaw.RidgeClassifier(tol=TIGHT, fit_intercept=intercept), linear.RidgeClassifier(fit_intercept=intercept, solver="cholesky")
    ours.fit(stored(X, sparse), labels, sample_weight=s)
    theirs.fit(X, labels, sample_weight=s)  # their solvers of sparse rows are less accurate
    theirs.coef_ = np.atleast_2d(theirs.coef_)
    targets = np.column_stack([np.where(labels == k, 1.0, -1.0) for k in (range(classes) if classes > 2 else [1])])

    def objective(w, b):
        return np.sum(s[:, None] * (X @ w.T + b - targets) ** 2) + np.sum(w * w)

    expect_same(ours, theirs, objective, 2 * s.sum(), coefficients=1e-5)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-5)
    assert np.array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize("multi_class, weighted, intercept, sparse", cases(["ovr", "crammer_singer"], [False, True], [False, True], [False, True]))
def test_linear_svc_of_three_classes(multi_class, weighted, intercept, sparse):
    X, labels, _ = made(n=150, d=5, classes=3, seed=4)
    s = weights_for(weighted, len(labels))
    ours = seesaw.LinearSVC(multi_class=multi_class, tol=1e-10, C=0.5, fit_intercept=intercept)
    theirs = svm.LinearSVC(multi_class=multi_class, tol=1e-9, max_iter=1000000, C=0.5, dual=True, fit_intercept=intercept)
    for one in (ours, theirs):
        one.fit(stored(X, sparse), labels, sample_weight=s)

    def objective(w, b):
        scores = X @ w.T + b
        if multi_class == "ovr":
            margins = np.maximum(0, 1 - np.where(labels[:, None] == np.arange(3), 1, -1) * scores) ** 2
        else:
            margins = (scores + (labels[:, None] != np.arange(3))).max(axis=1, keepdims=True) - scores[np.arange(len(scores)), labels][:, None]
        return 0.5 * np.sum(s[:, None] * margins) + penalty(w, 0) + penalty(np.ravel(b), 0)

    expect_same(ours, theirs, objective, 0.5 * s.sum(), coefficients=2e-3, rtol=1e-6)


@pytest.mark.parametrize("solver, weighted, intercept, sparse", cases(["auto", "liblinear"], [False, True], [False, True], [False, True]))
def test_logistic_one_versus_rest_weights(solver, weighted, intercept, sparse):
    X, labels, _ = made(n=150, d=5, classes=3, seed=4)
    s = weights_for(weighted, len(labels))
    ours = seesaw.LogisticRegression(multi_class="ovr", solver=solver, fit_intercept=intercept, tol=TIGHT)
    theirs = linear.LogisticRegression(fit_intercept=intercept, tol=1e-12 if solver == "auto" else 1e-9, max_iter=100000,
                                       solver="lbfgs" if solver == "auto" else solver)
    try:
        theirs.set_params(multi_class="ovr").fit(X, labels, sample_weight=s)
    except ValueError:
        pytest.skip("this scikit-learn has no multi_class")
    ours.fit(stored(X, sparse), labels, sample_weight=s)

    def objective(w, b):
        sign = np.where(labels[:, None] == np.arange(3), 1, -1)
        bias = penalty(np.ravel(b), 0) if solver == "liblinear" else 0
        return np.sum(s[:, None] * logloss(sign * (X @ w.T + b))) + penalty(w, 0) + bias

    expect_same(ours, theirs, objective, s.sum(), coefficients=1e-3, rtol=1e-6)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-3)
