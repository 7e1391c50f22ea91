"""Calibrated models of the program, loaded here, against scikit-learn's calibration of the same scores."""
import json
import os
import subprocess

import numpy as np
import pytest
from conftest import made
from sklearn import calibration, isotonic
from sklearn.datasets import dump_svmlight_file

import seesaw

PROGRAM = os.environ.get("SEESAW_PROGRAM", "")
needs_program = pytest.mark.skipif(not os.access(PROGRAM, os.X_OK), reason="SEESAW_PROGRAM is not the program")


def rows(n, classes):
    """Multiples of 1/64, which text keeps exactly."""
    X, labels, _ = made(n=n, d=6, classes=classes)
    return np.round(64 * X) / 64, labels


def tuned(folder, X, labels, method, loss="squared-hinge"):
    """The calibrated model of `seesaw tune`, and the scores of each row by a model that was not trained on it."""
    folds = np.arange(len(labels)) % 4
    dump_svmlight_file(X, labels, str(folder / "train.svm"), zero_based=False)
    np.savetxt(folder / "folds.txt", folds, fmt="%d")
    command = [PROGRAM, "tune", "train.svm", "train.model", "--loss", loss, "--C", "0.5", "--gap", "1e-10",
               "--fold-file", "folds.txt", "--calibrate", method, "--quiet"]
    subprocess.run(command, cwd=folder, check=True)
    scores = []
    for fold in range(4):
        model = seesaw.train(X[folds != fold], labels[folds != fold], loss=loss, C=0.5, gap=1e-10)
        scores.append(model.decision_function(X))
    return folder / "train.model", np.array(scores)[folds, np.arange(len(labels))]


def log_loss(a, b, scores, positive):
    """Platt's objective."""
    high, low = (positive.sum() + 1) / (positive.sum() + 2), 1 / ((~positive).sum() + 2)
    target, h = np.where(positive, high, low), a * scores + b
    return np.sum(np.logaddexp(0, h) - (1 - target) * h)


@needs_program
def test_the_sigmoid_is_theirs_or_better(tmp_path):
    X, labels = rows(200, 2)
    path, scores = tuned(tmp_path, X, labels, "sigmoid")
    positive = labels == np.max(labels)
    a, b = calibration._sigmoid_calibration(scores, positive.astype(float))
    ours = json.loads(path.read_text())["calibration"]["outputs"][0]
    best = log_loss(ours["a"], ours["b"], scores, positive)
    assert best <= log_loss(a, b, scores, positive) + 1e-9
    np.testing.assert_allclose([ours["a"], ours["b"]], [a, b], rtol=1e-2, atol=1e-3)
    model = seesaw.load(path)
    z = model.decision_function(X)
    p = 1 / (1 + np.exp(ours["a"] * z + ours["b"]))
    np.testing.assert_allclose(model.predict_proba(X), np.column_stack([1 - p, p]), rtol=1e-12, atol=1e-15)
    assert model.verify(X, labels).holds


@needs_program
@pytest.mark.parametrize("classes", [2, 3])
def test_the_isotonic_function_is_theirs(tmp_path, classes):
    X, labels = rows(240, classes)
    path, scores = tuned(tmp_path, X, labels, "isotonic")
    model = seesaw.load(path)
    z, names = model.decision_function(X), np.unique(labels)
    if classes == 2:
        scores, z, names = scores[:, None], z[:, None], names[1:]
    columns = []
    for k, label in enumerate(names):
        theirs = isotonic.IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(scores[:, k], labels == label)
        columns.append(theirs.predict(z[:, k]))
    expected = np.column_stack([1 - columns[0], columns[0]] if classes == 2 else columns)
    sums = expected.sum(axis=1, keepdims=True)
    expected = np.where(sums > 0, expected / np.where(sums > 0, sums, 1), 1 / classes)
    # Scores are those of fits to 1e-10: a score beside a step may be on its other side.
    different = np.abs(model.predict_proba(X) - expected).max(axis=1) > 1e-3
    assert different.mean() < 0.02


def test_a_model_without_calibration_has_no_probabilities():
    X, labels, _ = made(n=60, d=3, classes=2)
    with pytest.raises(seesaw.Error, match="calibrated models"):
        seesaw.train(X, labels, loss="hinge").predict_proba(X)
