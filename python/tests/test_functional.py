"""train, verify, compare, load, save; files exchanged with the program."""
import os
import shutil
import subprocess

import numpy as np
import pytest
from conftest import made

import seesaw

PROGRAM = os.environ.get("SEESAW_PROGRAM", "")
needs_program = pytest.mark.skipif(not os.access(PROGRAM, os.X_OK), reason="SEESAW_PROGRAM is not the program")


def program(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


def write_svm(path, X, labels):
    with open(path, "w") as file:
        for row, label in zip(X, labels):
            print(repr(float(label)), *(f"{j + 1}:{float(v)!r}" for j, v in enumerate(row) if v != 0), file=file)


def test_train_and_its_model(binary):
    X, labels = binary
    model = seesaw.train(X, labels, loss="logistic", C=1, gap=1e-8)
    assert model.converged and model.status == "converged" and model.method and model.solver == "auto"
    assert model.coef.shape == (6,) and isinstance(model.intercept, float) and list(model.classes) == [0, 1]
    assert model.dual_coef.shape == (len(labels),)
    np.testing.assert_allclose(model.decision_function(X), X @ model.coef + model.intercept, rtol=1e-12)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], 1 / (1 + np.exp(-model.decision_function(X))), rtol=1e-12)
    assert np.array_equal(model.predict(X), (model.decision_function(X) > 0).astype(float))
    assert model.objective["lambda"] == 1 / len(labels) and model.objective["intercept"] == "free"
    assert model.trace.gap[-1] == model.certificate.gap <= 1e-8 * model.certificate.primal
    assert model.trace.passes[-1] == model.passes
    found = model.verify(X, labels)
    assert found and found.holds and found.gap <= model.certificate.gap
    assert "logistic" in repr(model)
    with pytest.raises(seesaw.Error, match="differ"):
        model.verify(X + 1, labels)


def test_decision_bounds(binary):
    X, labels = binary
    loose = seesaw.train(X, labels, loss="logistic", C=1, gap=1e-3, solver="sdca")
    tight = seesaw.train(X, labels, loss="logistic", C=1, gap=1e-13)
    bounds = loose.decision_bounds(X)
    scores = tight.decision_function(X)
    assert bounds.low.shape == bounds.high.shape == bounds.settled.shape == scores.shape
    assert (bounds.low <= scores + 1e-9).all() and (scores - 1e-9 <= bounds.high).all()
    assert (bounds.low <= loose.decision_function(X)).all() and (loose.decision_function(X) <= bounds.high).all()
    assert (loose.predict(X) == tight.predict(X))[bounds.settled].all()
    assert tight.decision_bounds(X).settled.all()
    with pytest.raises(seesaw.Error, match="l1 alone"):
        seesaw.train(X, labels, loss="logistic", l1=0.01).decision_bounds(X)


@needs_program
def test_a_model_of_several_targets_predicts_all_of_them(tmp_path, binary):
    X, labels = binary
    Y = np.column_stack([X[:, 0] + 1, X @ np.arange(X.shape[1]), X[:, 1] - X[:, 2]])
    write_svm(tmp_path / "rows.svm", X, labels)
    np.savetxt(tmp_path / "targets.txt", Y, fmt="%.17g")
    done = program("train", tmp_path / "rows.svm", tmp_path / "m.model", "--targets", tmp_path / "targets.txt", "--lambda", "1e-9", "--gap-abs", "1e-10")
    assert done.returncode == 0, done.stderr
    model = seesaw.load(tmp_path / "m.model")
    assert model.predict(X).shape == Y.shape
    np.testing.assert_allclose(model.predict(X), Y, atol=1e-3)


def test_several_classes():
    X, labels, _ = made(classes=3)
    joint = seesaw.train(X, labels, loss="softmax", C=1)
    assert joint.coef.shape == (3, 6) and joint.intercept.shape == (3,)
    assert joint.decision_function(X).shape == joint.predict_proba(X).shape == (len(X), 3)
    np.testing.assert_allclose(joint.decision_function(X), X @ joint.coef.T + joint.intercept, rtol=1e-10, atol=1e-12)
    rest = seesaw.train(X, labels, loss="hinge", C=1)
    assert [one.label for one in rest.class_certificates] == [0, 1, 2]
    np.testing.assert_allclose(sum(one.gap for one in rest.class_certificates), rest.certificate.gap, rtol=1e-9)
    assert len(rest.verify(X, labels).classes) == 3
    with pytest.raises(seesaw.Error):
        rest.predict_proba(X)


def test_options_reach_the_training(binary):
    X, labels = binary
    model = seesaw.train(X, labels, loss="huber", loss_parameter=0.7, lambda_=0.01, l1=0.001, intercept="penalized", intercept_scaling=10,
                         scaling="columns-std", solver="sdca", seed=5, max_passes=1e5)
    assert model.objective == {"loss": "huber", "loss_parameter": 0.7, "lambda": 0.01, "l1": 0.001, "intercept": "penalized",
                               "intercept_scaling": 10, "scaling": "columns-std", "class_weight": {}}
    assert model.solver == "sdca"
    balanced = seesaw.train(X, labels, C=1, class_weight="balanced")
    assert set(balanced.objective["class_weight"]) == {0, 1}
    assert seesaw.train(X, labels, C=1, class_weight={0: 2}).objective["class_weight"][0] == 2
    bounded = seesaw.train(X, labels, lambda_=0.01, lower=[0] * 6, upper=[0.5] * 6)
    assert bounded.coef.min() >= 0 and bounded.coef.max() <= 0.5
    assert seesaw.train(X, labels, lambda_=0.01, nonnegative=True).coef.min() >= 0
    free = seesaw.train(X, labels, lambda_=100, penalty_factors=[0, 1, 1, 1, 1, 1])
    assert abs(free.coef[0]) > 10 * np.abs(free.coef[1:]).max()


def test_warm_start(binary):
    X, labels = binary
    data = seesaw.Data(X, labels)
    first = seesaw.train(data, loss="hinge", C=1, gap=1e-3)
    second = seesaw.train(data, loss="hinge", C=1, gap=1e-9, warm_start=first)
    assert second.certificate.gap <= 1e-9 * second.certificate.primal
    again = seesaw.train(data, loss="hinge", C=1, gap=1e-8, warm_start=second)
    assert again.passes <= 2


def test_data_with_other_labels(binary):
    X, labels = binary
    data = seesaw.Data(X, labels, feature_names=list("abcdef"))
    other = data.with_labels(1 - labels, np.arange(len(labels)))
    assert other.n_rows == len(labels) - 1 and other.feature_names == list("abcdef")
    assert data.shape == X.shape and data.n_entries == np.count_nonzero(X) and data.weights is None
    assert data.hash != other.hash and "rows" in repr(data)


def test_compare_and_report(binary):
    X, labels = binary
    found = seesaw.compare(X, labels, loss="hinge", C=1, solvers=["auto", "sdca", "newton"], gap=1e-6)
    assert set(found.models) == {"auto", "sdca"} and "newton" in found.refused
    assert len(found.rows()) == 2 and "sdca" in repr(found)
    for page in (found._repr_html_(), seesaw.train(X, labels, C=1)._repr_html_()):
        assert page.startswith("<iframe srcdoc=") and "&quot;type&quot;:&quot;header&quot;" in page
    assert seesaw.train(X, labels, C=1, keep_lines=False)._repr_html_() is None


def test_lists_of_methods_and_losses():
    assert {"auto", "sdca", "newton"} <= {method["name"] for method in seesaw.solvers()}
    losses = seesaw.losses()
    assert {"hinge", "softmax", "quantile"} <= {loss["name"] for loss in losses}
    assert {loss["name"] for loss in losses if loss["of_groups"]} == {"group-norm", "group-max-hinge"}


def test_save_and_load(binary, tmp_path):
    X, labels = binary
    model = seesaw.train(seesaw.Data(X, labels, feature_names=list("abcdef")), C=1)
    seesaw.save(model, tmp_path / "a.model")
    loaded = seesaw.load(tmp_path / "a.model")
    assert loaded == model and loaded.feature_names == list("abcdef") and loaded.verify(X, labels).holds
    assert loaded.method == "" and len(loaded.trace) == 0 and loaded._repr_html_() is None
    model.save_liblinear(tmp_path / "a.txt")
    np.testing.assert_allclose(seesaw.load(tmp_path / "a.txt").coef, model.coef, rtol=1e-12)
    with pytest.raises(seesaw.Error):
        seesaw.load(tmp_path / "a.txt").certificate
    with pytest.raises(ValueError, match="nowhere"):
        seesaw.load(tmp_path / "nowhere")
    (tmp_path / "broken").write_text("hello")
    with pytest.raises(ValueError):
        seesaw.load(tmp_path / "broken")


def test_read(tmp_path):
    X, labels, _ = made()
    write_svm(tmp_path / "a.svm", X, labels)
    data = seesaw.read(tmp_path / "a.svm")
    assert data.hash == seesaw.Data(X, labels).hash and np.array_equal(data.labels, labels)
    (tmp_path / "a.csv").write_text("price,rooms,area\n100,2,50\n150,3,70\n")
    houses = seesaw.read(tmp_path / "a.csv", label_column="price")
    assert houses.feature_names == ["rooms", "area"] and list(houses.labels) == [100, 150]
    (tmp_path / "bad.svm").write_text("1 1:2\n1 1:x\n")
    with pytest.raises(seesaw.ParseError) as caught:
        seesaw.read(tmp_path / "bad.svm")
    assert caught.value.line == 2 and caught.value.file.endswith("bad.svm")
    with pytest.raises(ValueError):
        seesaw.read(tmp_path / "a.svm", format="nothing")


@needs_program
def test_models_of_the_program(tmp_path):
    """The same bits as the command line, and files in both directions."""
    X, labels, _ = made(n=200)
    write_svm(tmp_path / "a.svm", X, labels)
    for arguments, options in [(["--loss", "hinge", "--C", "1"], dict(loss="hinge", C=1)),
                               (["--loss", "logistic", "--lambda", "0.01", "--gap", "1e-8"], dict(loss="logistic", lambda_=0.01, gap=1e-8)),
                               (["--loss", "squared", "--l1", "0.05", "--intercept", "none"], dict(loss="squared", l1=0.05, intercept="none"))]:
        done = program("train", tmp_path / "a.svm", tmp_path / "a.model", *arguments, "--quiet")
        assert done.returncode == 0, done.stderr
        theirs = seesaw.load(tmp_path / "a.model")
        ours = seesaw.train(seesaw.read(tmp_path / "a.svm"), **options)
        assert np.array_equal(theirs.coef, ours.coef) and theirs.intercept == ours.intercept
        assert theirs.certificate == ours.certificate
        assert theirs.verify(X, labels).holds  # the arrays are the same data as the file
        ours.save(tmp_path / "ours.model")
        assert program("verify", tmp_path / "a.svm", tmp_path / "ours.model").returncode == 0
        assert program("predict", tmp_path / "a.svm", tmp_path / "ours.model", tmp_path / "predicted").returncode == 0
        predicted = np.loadtxt(tmp_path / "predicted")
        np.testing.assert_allclose(predicted.reshape(len(X), -1)[:, 0], ours.predict(X), rtol=1e-12)


@needs_program
def test_models_of_estimators_for_the_program(tmp_path):
    X, labels, _ = made(n=200)
    write_svm(tmp_path / "a.svm", X, labels)
    fitted = seesaw.LogisticRegression(C=0.5).fit(X, labels)
    fitted.certificate_.models[0].save(tmp_path / "a.model")
    assert program("verify", tmp_path / "a.svm", tmp_path / "a.model").returncode == 0


@needs_program
@pytest.mark.parametrize("name, options", [("LogisticRegression", {}), ("LinearSVC", {}), ("LinearSVC", {"multi_class": "crammer_singer"}),
                                           ("LogisticRegressionCV", {"Cs": 3, "cv": 3})])
@pytest.mark.parametrize("classes", [[-1, 1], [3, 7, 40]])
def test_models_of_estimators_have_the_labels_of_the_file(tmp_path, name, options, classes):
    X, labels, _ = made(n=200, classes=len(classes))
    y = np.array(classes)[labels]
    write_svm(tmp_path / "a.svm", X, y)
    fitted = getattr(seesaw, name)(**options).fit(X, y)
    model = fitted.certificate_.models[0]
    assert list(model.classes) == classes and fitted.certificate_.verify(X, y).holds
    model.save(tmp_path / "a.model")
    done = program("verify", tmp_path / "a.svm", tmp_path / "a.model")
    assert done.returncode == 0, done.stderr
    assert program("predict", tmp_path / "a.svm", tmp_path / "a.model", tmp_path / "predicted").returncode == 0
    assert np.array_equal(np.loadtxt(tmp_path / "predicted"), fitted.predict(X))


def test_labels_that_are_not_exact_numbers_are_indices():
    X, labels, _ = made()
    for names in (np.array(["no", "yes"]), np.array([2**60, 2**60 + 1])):
        fitted = seesaw.LogisticRegression().fit(X, names[labels])
        assert list(fitted.certificate_.models[0].classes) == [0, 1] and list(fitted.classes_) == list(names)


@needs_program
def test_traces_are_those_of_the_program(tmp_path, binary):
    X, labels = binary
    model = seesaw.train(X, labels, C=1)
    (tmp_path / "a.jsonl").write_text(model.lines)
    done = program("report", tmp_path / "a.jsonl", tmp_path / "a.html")
    if done.returncode != 0:
        done = program("report", tmp_path / "a.jsonl", "--report", tmp_path / "a.html")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.html").read_text() == model.report()


def test_losses_of_groups_are_trained_and_verified():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(60, 3))
    names = np.array([f"case {i % 12}" for i in range(60)])
    y = X @ [2.0, -1.0, 0.0] + 5 + 0.1 * rng.normal(size=60)
    y[names == "case 3"] += 100                                      # a group of outliers
    weights = np.ones(60)
    weights[names == "case 7"] = 0                                   # not part of the data
    model = seesaw.train(X, y, loss="group-norm", blocks=names, sample_weight=weights, lambda_=1e-3, gap=1e-6)
    assert model.status == "converged" and abs(model.intercept - 5) < 0.2 and np.abs(model.coef - [2, -1, 0]).max() < 0.2
    assert model.verify(X, y, weights, blocks=names).holds
    with pytest.raises(seesaw.Error, match="groups differ"):
        model.verify(X, y, weights, blocks=np.arange(60) % 5)
    with pytest.raises(seesaw.Error, match="give `blocks`"):
        model.verify(X, y, weights)
    with pytest.raises(seesaw.Error, match="give `blocks`"):
        seesaw.train(X, y, loss="group-norm")
    with pytest.raises(seesaw.Error, match="need a loss of groups"):
        seesaw.train(X, y, loss="squared", blocks=names)
    with pytest.raises(ValueError, match="1d array"):
        seesaw.train(X, y, loss="group-norm", blocks=[names])
    compared = seesaw.compare(X, np.sign(y - 5), loss="group-max-hinge", blocks=names, gap=1e-3, solvers=("auto", "sdca", "saga"))
    assert sorted(compared.models) == ["auto", "sdca"] and "saga does not solve" in compared.refused["saga"]
