"""Data frames: names and order of columns, cells, and verification."""
import numpy as np
import pytest
from conftest import made
from test_functional import needs_program, program

import seesaw

pandas = pytest.importorskip("pandas")
HEADERLESS = "5.1,3.5,red,0\n4.9,3.0,blue,1\n6.2,2.9,red,1\n5.9,3.1,green,0\n5.0,3.4,blue,0\n6.7,3.3,green,1\n"


def colours(n=40, seed=0):
    rng = np.random.RandomState(seed)
    frame = pandas.DataFrame({"a": rng.randn(n), "city": rng.choice(["x", "y", "z"], n)})
    return frame, np.where(frame["a"] + (frame["city"] == "x") + 0.3 * rng.randn(n) > 0.3, 1.0, 0.0)


def test_numeric_names_are_no_row(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(HEADERLESS)
    frame = pandas.read_csv(path, header=None)
    data = seesaw.Table(frame, 3)
    assert data.n_rows == 6 and list(data.labels) == list(frame[3])
    assert data.feature_names == ["0", "1", "2=blue", "2=green", "2=red"]
    model = seesaw.train(data, loss="logistic", C=1)
    assert np.array_equal(model.predict(frame[[0, 1, 2]]), model.predict(data))
    assert np.array_equal(model.predict(frame[[2, 1, 0]]), model.predict(data))  # by name
    rng = np.random.RandomState(0)
    numbers = pandas.DataFrame(rng.randn(20, 5))
    assert seesaw.Table(numbers, 4).n_rows == 20 and np.array_equal(seesaw.Table(numbers, 4).labels, numbers[4])
    dated = pandas.DataFrame({"2020-01-01": [1.5, 2, 3], "row": list("xyx"), "7": [0, 1, 1]})
    assert seesaw.Table(dated, "7").feature_names == ["2020-01-01", "row=x", "row=y"]


@needs_program
def test_models_of_files_without_a_header_predict_frames(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(HEADERLESS)
    assert program("train", path, tmp_path / "m", "--label", "4", "--loss", "logistic", "--C", "1").returncode == 0
    model = seesaw.load(tmp_path / "m")
    frame = pandas.read_csv(path, header=None)
    assert np.array_equal(model.decision_function(frame), model.decision_function(model.read(path)))


def test_the_order_of_columns_is_checked(tmp_path):
    X, labels, _ = made()
    frame = pandas.DataFrame(X, columns=list("abcdef"))
    backwards = frame[list("fedcba")]
    model = seesaw.train(frame, labels, loss="logistic", C=1)
    expected = model.decision_function(X)
    assert np.array_equal(model.decision_function(frame), expected)
    for wrong in (backwards, seesaw.Data(backwards), frame.rename(columns={"c": "g"})):
        for use in (model.predict, model.decision_function, model.predict_proba, model.decision_bounds):
            with pytest.raises(seesaw.Error, match="feature [13] is '[fg]', that of the model '[ac]'"):
                use(wrong)
    frame.assign(y=labels).to_csv(tmp_path / "g.csv", index=False)
    backwards.assign(y=labels).to_csv(tmp_path / "h.csv", index=False)
    assert np.array_equal(model.decision_function(model.read(tmp_path / "g.csv", label="y")), expected)
    with pytest.raises(seesaw.Error, match="order of training"):
        model.read(tmp_path / "h.csv", label="y")
    other = seesaw.read(tmp_path / "h.csv", label="y")
    with pytest.raises(seesaw.Error, match="order of training"):
        model.predict(other)
    assert np.array_equal(model.decision_function(pandas.DataFrame(X)), expected)  # without names


def test_levels_are_the_same_as_integers_and_floats():
    rng = np.random.RandomState(0)
    codes = rng.choice([1, 2, 30], 60)
    frame = pandas.DataFrame({"code": pandas.Categorical(codes), "a": rng.randn(60)})
    y = (codes == 2) + 0.1 * frame["a"]
    model = seesaw.train(frame, y, loss="squared", lambda_=1e-3)
    assert "code=2" in model.feature_names
    expected = model.predict(frame)
    for other in (frame.astype({"code": float}), frame.astype({"code": int}), frame.astype({"code": float}).astype({"code": "category"}),
                  frame.astype({"code": int}).astype({"code": object})):
        assert np.array_equal(model.predict(other), expected)
    missing = frame.astype({"code": float})
    missing.loc[0, "code"] = np.nan
    assert np.array_equal(model.predict(missing)[1:], expected[1:])


def test_nullable_numbers():
    frame, y = colours()
    nullable = frame.astype({"a": "Float64"})
    plain = frame.copy()
    nullable.loc[3, "a"], plain.loc[3, "a"] = pandas.NA, np.nan
    assert seesaw.train(nullable, y, loss="logistic") == seesaw.train(plain, y, loss="logistic")
    with pytest.raises(ValueError, match="infinity"):
        seesaw.Table(nullable.assign(b=pandas.array([np.inf] * len(y), dtype="Float64"), y=y), "y")


def test_one_column_is_a_table_too():
    frame, y = colours()
    model = seesaw.train(frame[["city"]], y, loss="logistic", C=1)
    assert model.predict(frame[["city"]]).shape == (len(frame),)
    assert np.array_equal(model.predict(frame), model.predict(frame[["city"]]))


def test_separators_in_cells_and_names():
    frame, y = colours()
    odd = frame.assign(**{"city": frame["city"].map({"x": "p;q", "y": "r;s", "z": "t|u"})}).rename(columns={"a": "a;b"})
    model, reference = seesaw.train(odd, y, loss="logistic", C=1), seesaw.train(frame, y, loss="logistic", C=1)
    assert np.array_equal(model.coef, reference.coef) and "city=p;q" in model.feature_names
    assert np.array_equal(model.predict(odd), reference.predict(frame))


def test_levels_that_read_as_missing_are_not_merged_with_missing_values():
    frame, y = colours()
    level = frame.assign(city=frame["city"].replace("z", "NA").astype("category"))
    model = seesaw.train(level, y, loss="logistic", C=1)  # a feature of its own
    assert "city (missing)" in model.feature_names
    reference = seesaw.train(frame, y, loss="logistic", C=1)
    np.testing.assert_allclose(model.certificate.primal, reference.certificate.primal, rtol=1e-3)
    level.loc[0, "city"] = np.nan
    with pytest.raises(ValueError, match="'city' has missing values and the level 'NA'"):
        seesaw.train(level, y, loss="logistic", C=1)
    named = np.where(y > 0, "NA", "other")
    with pytest.raises(seesaw.Error):
        seesaw.train(frame, named, loss="logistic")


@pytest.mark.parametrize("text", [False, True])
def test_a_frame_verifies_its_model(text):
    frame, y = colours()
    labels = np.where(y > 0, "high", "low") if text else y
    weights = np.arange(len(y)) % 3
    for given in ((), (weights,)):
        model = seesaw.train(frame, labels, loss="logistic", C=1, **({"sample_weight": weights} if given else {}))
        assert model.verify(frame, labels, *given).holds
        assert model.verify(frame, pandas.Series(labels), *given).holds
        with pytest.raises(ValueError):
            model.verify(frame, labels[::-1], *given)
    if text:
        with pytest.raises(ValueError, match="the label 'other' is none of the model's: 'high', 'low'"):
            model.verify(frame, np.where(y > 0, "high", "other"), weights)
    path = seesaw.path(frame, labels, loss="logistic", C=(0.1, 10), points=3)
    assert path.verify(frame, labels).holds


def test_verification_without_labels_is_a_value_error():
    X, labels, _ = made()
    model, path = seesaw.train(X, labels, loss="logistic", C=1), seesaw.path(X, labels, loss="logistic", C=(0.1, 1), points=2)
    for verify in (model.verify, path.verify):
        with pytest.raises(ValueError, match="needs the labels"):
            verify(X)
        with pytest.raises(ValueError, match="part of seesaw.Data"):
            verify(seesaw.Data(X, labels), labels)


def test_other_labels_keep_the_encoding(tmp_path):
    frame, y = colours()
    table = seesaw.Table(frame.assign(label=np.where(y > 0, "high", "low")), "label")
    weights = np.arange(len(y)) % 3
    weighted = seesaw.train(table.with_labels(table.labels, weights), loss="logistic", C=1)
    assert weighted.label_names == ["high", "low"]  # the same labels
    assert set(weighted.predict(frame)) <= {"high", "low"}
    other = seesaw.train(table.with_labels(frame["a"]), loss="squared", lambda_=1e-6, gap=1e-10)
    assert other.label_names == [] and other.feature_names == table.feature_names
    np.testing.assert_allclose(other.predict(frame), frame["a"], atol=1e-3)
    frame.assign(label="high").to_csv(tmp_path / "a.csv", index=False)
    np.testing.assert_allclose(other.predict(other.read(tmp_path / "a.csv")), frame["a"], atol=1e-3)
    assert other.verify(frame, frame["a"]).holds
    other.save(tmp_path / "other.model")
    assert seesaw.load(tmp_path / "other.model") == other
