"""scikit-learn's checks of estimators, and those of newer versions written again."""
import inspect

import numpy as np
import pytest
import scipy.sparse as sp
from conftest import made
from sklearn import linear_model
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

import seesaw

CLASSIFIERS = ["LogisticRegression", "LinearSVC", "RidgeClassifier"]
REGRESSORS = ["LinearSVR", "Ridge", "Lasso", "ElasticNet", "QuantileRegressor", "HuberRegressor"]
ALL = CLASSIFIERS + REGRESSORS


def estimator(name, **parameters):
    small = {"alpha": 0.01} if name in ("Lasso", "ElasticNet", "QuantileRegressor") else {}
    return getattr(seesaw, name)(**{**small, **parameters})


def data_for(name, **options):
    X, labels, y = made(**options)
    return X, labels if name in CLASSIFIERS else y


# Rows of weight 0 change the folds, and with them the choice: scikit-learn's own CV estimators fail these checks too.
newer = "expected_failed_checks" in inspect.signature(parametrize_with_checks).parameters


def expected_failures(estimator):
    checks = ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data")
    return dict.fromkeys(checks, "rows of weight 0 change the folds") if type(estimator).__name__.endswith("CV") else {}


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks([getattr(seesaw, name)() for name in ALL] +
                         [seesaw.LogisticRegressionCV(Cs=3, cv=3), seesaw.LassoCV(n_alphas=5, cv=3), seesaw.ElasticNetCV(n_alphas=5, cv=3), seesaw.RidgeCV()],
                         **({"expected_failed_checks": expected_failures} if newer else {}))
def test_check_estimator(estimator, check):
    check(estimator)


@pytest.mark.parametrize("name", ALL)
def test_weights_are_repetitions(name):
    """Weight 2 is the row twice, weight 0 is no row."""
    X, y = data_for(name, n=60, d=4)
    weights = np.random.RandomState(3).randint(0, 4, len(y))
    tight = estimator(name, tol=1e-12 if name != "QuantileRegressor" else 1e-8)
    weighted = clone(tight).fit(X, y, sample_weight=weights)
    repeated = clone(tight).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(weighted.primal_objective_, repeated.primal_objective_, rtol=2 * tight.tol + 1e-10)
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-4, atol=2e-5)
    assert weighted.dual_coef_.shape[0] == len(y)
    assert not np.any(weighted.dual_coef_[weights == 0])


@pytest.mark.parametrize("name", ALL)
def test_the_same_bits_for_every_storage(name):
    X, y = data_for(name)
    X[np.abs(X) < 0.2] = 0
    reference = estimator(name).fit(X, y)
    read_only = X.copy()
    read_only.flags.writeable = False
    for same in [np.asfortranarray(X), X.tolist(), read_only, np.repeat(X, 2, axis=1)[:, ::2], X[::-1][::-1], X.astype(">f8")]:
        assert np.array_equal(estimator(name).fit(same, y).coef_, reference.coef_)
    sparse = estimator(name).fit(sp.csr_matrix(X), y)
    wide = sp.csr_matrix(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    twice = sp.coo_matrix((np.repeat(sp.coo_matrix(X).data / 2, 2), (np.repeat(sp.coo_matrix(X).row, 2), np.repeat(sp.coo_matrix(X).col, 2))), X.shape)
    unsorted = sp.csr_matrix(X)
    for i in range(X.shape[0]):
        row = slice(unsorted.indptr[i], unsorted.indptr[i + 1])
        unsorted.indices[row], unsorted.data[row] = unsorted.indices[row][::-1].copy(), unsorted.data[row][::-1].copy()
    unsorted.has_sorted_indices = False
    plain = sp.csr_matrix(X)
    repeated = sp.csr_matrix((np.repeat(plain.data / 2, 2), np.repeat(plain.indices, 2), 2 * plain.indptr), X.shape)
    storages = [sp.csc_matrix(X), sp.coo_matrix(X), sp.lil_matrix(X), wide, twice, unsorted, repeated]
    if hasattr(sp, "csr_array"):
        storages += [sp.csr_array(X), sp.csc_array(X)]
    for same in storages:
        assert np.array_equal(estimator(name).fit(same, y).coef_, sparse.coef_), type(same)
    assert repeated.nnz == 2 * plain.nnz  # the caller's matrix does not change
    np.testing.assert_allclose(sparse.primal_objective_, reference.primal_objective_, rtol=3e-6)


@pytest.mark.parametrize("name", ALL)
def test_float32_rows(name):
    X, y = data_for(name, dtype=np.float32)
    single, double = estimator(name).fit(X, y), estimator(name).fit(X.astype(np.float64), y)
    assert np.array_equal(single.coef_, double.coef_)  # arithmetic is always double
    sparse = estimator(name).fit(sp.csr_matrix(X), y)
    np.testing.assert_allclose(sparse.primal_objective_, double.primal_objective_, rtol=3e-6)


@pytest.mark.parametrize("name", ALL)
def test_certificate_and_its_verification(name):
    X, y = data_for(name)
    weights = np.random.RandomState(1).randint(0, 3, len(y))
    fitted = estimator(name).fit(X, y, sample_weight=weights)
    assert fitted.status_ == "converged" and fitted.solver_
    assert 0 <= fitted.dual_gap_ <= 1e-6 * fitted.primal_objective_
    assert fitted.primal_objective_ - fitted.dual_objective_ <= fitted.dual_gap_ * (1 + 1e-12)
    found = fitted.certificate_.verify(X, y, weights)
    assert found.holds and not found.problems
    assert found.gap <= fitted.dual_gap_ * (1 + 1e-6)
    with pytest.raises(seesaw.Error):
        fitted.certificate_.verify(X + 1, y, weights)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_three_classes_are_certified(name):
    X, labels, _ = made(classes=3)
    fitted = estimator(name, class_weight={0: 1, 1: 3, 2: 0.5}).fit(X, labels)
    assert fitted.certificate_.verify(X, labels).holds
    assert fitted.coef_.shape == (3, X.shape[1])
    assert fitted.dual_coef_.shape[0] == len(labels)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_labels_of_any_kind(name):
    X, labels, _ = made(classes=3)
    reference = estimator(name).fit(X, labels)
    for names in (np.array(["c", "a", "b"]), np.array(["c", "a", "b"], dtype=object), np.array([7, -5, 0]), np.array([2.0, -1.0, 0.0])):
        fitted = estimator(name).fit(X, names[labels])
        assert list(fitted.classes_) == sorted(names)
        agree = (fitted.predict(X) == names[reference.predict(X)]).mean()
        assert agree > 0.98


@pytest.mark.parametrize("name", ALL)
def test_not_converged_is_a_warning_with_the_gap(name):
    X, y = data_for(name, n=400, d=40, seed=2)
    with pytest.warns(ConvergenceWarning, match=r"at most [0-9.e+-]+ above its minimum.*max_iter"):
        fitted = estimator(name, max_iter=1, tol=1e-14, solver="seesaw:sdca" if name not in ("Lasso", "QuantileRegressor") else "seesaw:ada-bpd").fit(X, y)
    assert fitted.status_ == "pass-limit"
    assert fitted.certificate_.verify(X, y).holds  # it holds all the same


@pytest.mark.parametrize("name", ALL)
def test_warm_start_needs_no_more_work(name):
    X, y = data_for(name)
    fitted = estimator(name)
    if "warm_start" not in fitted.get_params():
        pytest.skip("has no warm_start")
    fitted.set_params(warm_start=True).fit(X, y)
    gap = fitted.dual_gap_
    fitted.fit(X, y)
    assert fitted.dual_gap_ <= max(gap, fitted.tol * fitted.primal_objective_)
    assert fitted.n_iter_ is not None and np.max(fitted.n_iter_) <= 2
    fitted.fit(X[:, :3], y)  # other features: a start from nothing
    assert fitted.coef_.shape[-1] == 3


def test_names_of_features():
    pandas = pytest.importorskip("pandas")
    X, y = data_for("Ridge")
    frame = pandas.DataFrame(X, columns=[f"f{j}" for j in range(X.shape[1])])
    fitted = seesaw.Ridge().fit(frame, y)
    assert list(fitted.feature_names_in_) == list(frame.columns)
    assert fitted.certificate_.models[0].feature_names == list(frame.columns)
    assert np.array_equal(fitted.coef_, seesaw.Ridge().fit(X, y).coef_)
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(frame[frame.columns[::-1]])
    mixed = frame.assign(f0=frame["f0"].round().astype(int))
    seesaw.Ridge().fit(mixed, y)
    assert seesaw.train(frame, y, loss="squared").feature_names == list(frame.columns)


def test_several_targets():
    X, _, y = made()
    Y = np.column_stack([y, -2 * y, y**2])
    for estimator_of in (lambda: seesaw.Ridge(tol=1e-10), lambda: seesaw.Lasso(alpha=0.1, tol=1e-10)):
        both = estimator_of().fit(X, Y)
        assert both.coef_.shape == (3, X.shape[1]) and both.predict(X).shape == Y.shape
        for k in range(3):
            one = estimator_of().fit(X, Y[:, k])
            assert np.array_equal(one.coef_, both.coef_[k]) and one.intercept_ == both.intercept_[k]
        assert both.certificate_.verify(X, Y).holds
    each = seesaw.Ridge(alpha=[0.1, 1, 10]).fit(X, Y)
    assert np.array_equal(each.coef_[2], seesaw.Ridge(alpha=10).fit(X, Y[:, 2]).coef_)
    with pytest.raises(ValueError, match="do not correspond"):
        seesaw.Ridge(alpha=[1, 2]).fit(X, Y)


@pytest.mark.parametrize("name", ["Ridge", "RidgeClassifier", "Lasso", "ElasticNet"])
def test_positive(name):
    X, y = data_for(name)
    free, fitted = estimator(name, alpha=0.01).fit(X, y), estimator(name, alpha=0.01, positive=True).fit(X, y)
    assert free.coef_.min() < 0 <= fitted.coef_.min()
    assert fitted.certificate_.verify(X, y).holds
    assert fitted.primal_objective_ >= free.dual_objective_


def test_bad_parameters_are_value_errors():
    X, y = data_for("LogisticRegression")
    for name, parameters in [("LogisticRegression", {"C": -1}), ("LogisticRegression", {"C": "1"}), ("LogisticRegression", {"penalty": "l3"}),
                             ("LogisticRegression", {"penalty": "elasticnet"}), ("LogisticRegression", {"l1_ratio": 2}),
                             ("LogisticRegression", {"solver": "seesaw:nothing"}), ("LogisticRegression", {"tol": -1}),
                             ("LogisticRegression", {"max_iter": -1}), ("LogisticRegression", {"n_jobs": 0}),
                             ("LogisticRegression", {"multi_class": "x"}), ("LinearSVC", {"loss": "x"}), ("LinearSVC", {"penalty": "x"}),
                             ("LinearSVC", {"C": 0}), ("LinearSVC", {"intercept_scaling": 0}), ("LinearSVR", {"epsilon": -1}),
                             ("Ridge", {"alpha": -1}), ("Lasso", {"alpha": -1}), ("ElasticNet", {"l1_ratio": 1.5}),
                             ("QuantileRegressor", {"quantile": 1}), ("HuberRegressor", {"epsilon": 0.5}), ("HuberRegressor", {"sigma": 0})]:
        made_of = getattr(seesaw, name)(**parameters)  # nothing is raised here
        with pytest.raises(ValueError):
            made_of.fit(X, y)


def test_what_has_no_certificate_is_refused_with_a_remedy():
    X, labels, y = made(n=200, d=4, classes=3)
    with pytest.raises(ValueError, match="alpha=1e-6"):
        seesaw.QuantileRegressor(alpha=0).fit(X, y)
    fitted = seesaw.QuantileRegressor(alpha=1e-6).fit(X, y)
    theirs = linear_model.QuantileRegressor(alpha=0, solver="highs").fit(X, y)
    assert np.abs(y - fitted.predict(X)).mean() <= np.abs(y - theirs.predict(X)).mean() * (1 + 1e-4)
    for penalty, given in (("l1", {"penalty": "l1"}), (None, {"penalty": None}), ("l1", {"l1_ratio": 1})):
        with pytest.raises(ValueError, match="l1_ratio < 1.*multi_class='ovr'"):
            seesaw.LogisticRegression(**given).fit(X, labels)
        assert seesaw.LogisticRegression(penalty=penalty, multi_class="ovr").fit(X, labels).status_ == "converged"
    assert seesaw.LogisticRegression(l1_ratio=0.99, C=0.1).fit(X, labels).status_ == "converged"


@pytest.mark.parametrize("name", ALL)
def test_numbers_that_are_not_finite_are_refused(name):
    X, y = data_for(name)
    for bad, words in ((np.nan, "Input X contains NaN"), (np.inf, "Input X contains infinity"), (-np.inf, "Input X contains infinity")):
        for order in ("C", "F"):
            wrong = np.array(X, order=order)
            wrong[3, 1] = bad
            with pytest.raises(ValueError, match=words):
                estimator(name).fit(wrong, y)


def test_zero_weights_are_refused_in_words():
    X, y = data_for("Ridge")
    for name in ALL:
        with pytest.raises(ValueError, match="weight.*zero|zero.*weight"):
            estimator(name).fit(X, data_for(name)[1], sample_weight=np.zeros(len(y)))
        with pytest.raises(ValueError, match="[Nn]egative"):
            estimator(name).fit(X, data_for(name)[1], sample_weight=-np.ones(len(y)))


def test_sparse_coefficients():
    X, y = data_for("LogisticRegression")
    fitted = seesaw.LogisticRegression().fit(X, y)
    expected = fitted.decision_function(X)
    assert sp.issparse(fitted.sparsify().coef_)
    np.testing.assert_allclose(fitted.decision_function(X), expected, rtol=1e-12)
    np.testing.assert_allclose(fitted.decision_function(sp.csr_matrix(X)), expected, rtol=1e-12)
    assert isinstance(fitted.densify().coef_, np.ndarray)
    assert sp.issparse(seesaw.Lasso(alpha=0.1).fit(X, y).sparse_coef_)


def test_multilabel_ridge_classifier():
    X, labels, _ = made(classes=3)
    Y = np.eye(3, dtype=int)[labels]
    Y[:, 0] |= X[:, 0] > 1
    fitted = seesaw.RidgeClassifier().fit(X, Y)
    assert fitted.predict(X).shape == Y.shape
    assert (fitted.predict(X) == Y).mean() > 0.7
