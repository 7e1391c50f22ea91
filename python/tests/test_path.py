"""Paths: what is proved, against accurate fits; files exchanged with the program."""
import numpy as np
import pytest
from conftest import made
from test_functional import needs_program, program, write_svm

import seesaw


@pytest.fixture(scope="module")
def hinge_path():
    X, labels, _ = made()
    return X, labels, seesaw.path(X, labels, loss="hinge", C=(0.01, 100), accuracy=1e-2)


def test_every_C_is_within_the_accuracy(hinge_path):
    X, labels, models = hinge_path
    assert models.complete and models.uncovered == [] and models.parameter == "C" and models.status == "converged"
    assert len(models) == len(models.values) == len(models.covers) == len(models.certificates) == len(models.combined)
    assert models.coefs.shape == (len(models), 6) and models.intercepts.shape == (len(models),)
    sign = np.where(labels > 0, 1, -1)
    for C in (0.01, 0.017, 0.3, 4.2, 77, 100):
        chosen = models.at(C)
        optimum = seesaw.train(X, labels, loss="hinge", C=C, gap=1e-9).certificate
        w, b = chosen.model.coef, chosen.model.intercept
        value = np.maximum(0, 1 - sign * (X @ w + b)).mean() + w @ w / (2 * C * len(labels))
        assert value <= chosen.primal * (1 + 1e-12)
        assert optimum.dual <= value <= optimum.primal * (1 + 1e-2) and chosen.dual <= optimum.primal
    with pytest.raises(ValueError, match="no model of this path covers C = 1e\\+06"):
        models.at(1e6)


def test_intervals_meet_and_certificates_hold(hinge_path):
    X, labels, models = hinge_path
    covers = models.covers[np.argsort(models.covers[:, 0])]
    assert covers[0, 0] <= 0.01 * (1 + 1e-12) and covers[-1, 1] >= 100 * (1 - 1e-12)
    assert (covers[1:, 0] <= covers[:-1, 1]).all()
    data = seesaw.Data(X, labels)
    found = models.verify(data)
    assert found and models.verify(X, labels).holds
    assert all(seesaw.verify(data, model).holds for model in models)
    with pytest.raises(ValueError, match="not trained on"):
        models.verify(X, 1 - labels)


def test_grids_and_kept_coefficients():
    X, labels, y = made()
    lasso = seesaw.path(X, y, loss="squared", penalty="l1", points=9)
    assert len(lasso) == 9 and lasso.parameter == "l1" and not lasso.coefs[0].any() and lasso.coefs[-1].all()
    assert all(c.relative_gap <= 1e-6 for c in lasso.certificates)
    net = seesaw.path(X, y, loss="squared", lambda_=(1e-3, 1), mix=0.5, points=4)
    assert np.allclose([m.objective["l1"] for m in net], [m.objective["lambda"] for m in net])
    kept = seesaw.path(X, y, loss="squared", lambda_=(1e-3, 1), l1=0.05, points=4)
    assert {m.objective["l1"] for m in kept} == {0.05}
    three = seesaw.path(*made(classes=3)[:2], loss="softmax", lambda_=(0.01, 1), accuracy=0.05)
    assert three.coefs.shape == (len(three), 3, 6) and three.complete


def test_stops_and_refuses():
    X, labels, _ = made()
    calls = []
    stopped = seesaw.path(X, labels, loss="hinge", C=(0.01, 100), callback=lambda progress: calls.append(1) or len(calls) < 4)
    assert stopped.status == "interrupted" and not stopped.complete and stopped.uncovered
    with pytest.raises(ValueError, match="C == 1 must be a range"):
        seesaw.path(X, labels, C=1)
    with pytest.raises(seesaw.InvalidOption, match="SMALLER:LARGER"):
        seesaw.path(X, labels, C=(1, 0.1))
    with pytest.raises(ValueError, match="one range"):
        seesaw.path(X, labels, C=(0.1, 1), l1=(0.1, 1))
    with pytest.raises(IndexError):
        stopped[100]
    with pytest.raises(TypeError):
        seesaw.path(X, labels, C=(0.1, 1), warm_stat=1)


def test_threads_change_nothing():
    X, labels, _ = made(n=3000)
    one, two = (seesaw.path(X, labels, loss="logistic", C=(0.1, 10), n_jobs=jobs) for jobs in (1, 2))
    assert np.array_equal(one.coefs, two.coefs) and np.array_equal(one.covers, two.covers)


@needs_program
def test_files_are_those_of_the_program(hinge_path, tmp_path):
    X, labels, models = hinge_path
    write_svm(tmp_path / "train.svm", X, labels)
    models.save(tmp_path / "ours.path")
    assert program("verify", tmp_path / "train.svm", tmp_path / "ours.path").returncode == 0
    ran = program("path", tmp_path / "train.svm", tmp_path / "theirs.path", "--loss", "hinge", "--C", "0.01:100", "--accuracy", "1e-2")
    assert ran.returncode == 0
    theirs = seesaw.ModelPath.load(tmp_path / "theirs.path")
    assert np.array_equal(theirs.coefs, models.coefs) and np.array_equal(theirs.covers, models.covers)
    assert theirs.verify(seesaw.read(tmp_path / "train.svm")).holds
