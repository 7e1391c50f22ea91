"""Tables with text, dates and empty cells, from files and data frames; rows on disk."""
import re

import numpy as np
import pytest
from conftest import made
from test_functional import needs_program, program, write_svm

import seesaw

TABLE = """income,age,city,member,joined,code
high,31,Paris,yes,2020-01-05,1
low,,Rome,no,2021-03-01,2
high,45,"Paris",yes,2019-07-30,1
low,22,Oslo,no,2022-11-11,3
high,51,Rome,yes,2018-02-28,2
low,28,Oslo,,2023-05-05,3
high,39,Paris,no,2020-06-06,1
low,,Rome,yes,2021-09-09,2
"""
OPTIONS = dict(label="income", categorical=["code"], date=["joined"])


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(TABLE)
    return path


def frame(people):
    pandas = pytest.importorskip("pandas")
    found = pandas.read_csv(people, parse_dates=["joined"])
    found["city"] = found["city"].astype("category")
    found["code"] = found["code"].astype("category")
    return found


def test_a_table_trains_and_predicts(people, tmp_path):
    data = seesaw.read(people, **OPTIONS)
    assert data.label_names == ["high", "low"] and {"age (missing)", "city=Paris", "code=3", "joined"} <= set(data.feature_names)
    assert any("age" in note for note in data.notes)
    model = seesaw.train(data, loss="logistic", C=1, scaling="columns-std")
    assert model.label_names == ["high", "low"] and seesaw.verify(data, model).holds
    assert list(model.predict(data)) == [line.split(",")[0] for line in TABLE.splitlines()[1:]]
    other = tmp_path / "other.csv"
    other.write_text("city,age,joined,code,member,unused\nParis,40,2020-01-01,1,yes,7\nMadrid,23,2022-01-01,3,no,8\n")
    assert list(model.predict(model.read(other))) == ["high", "low"]
    with pytest.raises(seesaw.Error, match="not encoded as those of the model"):
        model.predict(seesaw.read(other, label="none", categorical=["code"], date=["joined"]))
    other.write_text("city,age\nParis,40\n")
    with pytest.raises(seesaw.Error, match="joined"):
        model.read(other)


@needs_program
def test_the_same_model_as_the_program(people, tmp_path):
    for arguments, options in [([], {}), (["--drop", "city", "--impute", "mean", "--min-count", "2"], dict(drop="city", impute="mean", min_count=2)),
                               (["--keep", "city,code", "--impute", "constant:3"], dict(keep=["city", "code"], impute=3.0))]:
        more = [] if options.get("keep") else ["--date", "joined"]
        name = tmp_path / "theirs.model"
        ran = program("train", people, name, "--label", "income", "--categorical", "code", *more, *arguments, "--loss", "hinge", "--C", "1")
        assert ran.returncode == 0, ran.stderr
        chosen = {**OPTIONS, **options}
        if options.get("keep"):
            chosen.pop("date")
        ours = seesaw.train(seesaw.read(people, **chosen), loss="hinge", C=1)
        ours.save(tmp_path / "ours.model")
        assert (tmp_path / "ours.model").read_bytes() == name.read_bytes()


def test_frames_have_the_rules_of_files(people):
    table = frame(people)
    data, read = seesaw.Table(table, "income"), seesaw.read(people, **OPTIONS)
    assert data.hash == read.hash and data.feature_names == read.feature_names
    model = seesaw.train(data, loss="hinge", C=1)
    assert model == seesaw.train(read, loss="hinge", C=1)
    assert np.array_equal(model.predict(table.drop(columns="income")), model.predict(data))
    apart = seesaw.train(table.drop(columns="income"), table["income"], loss="hinge", C=1)
    assert np.array_equal(apart.coef, model.coef) and apart.label_names == ["high", "low"]
    shuffled = table.drop(columns="income").iloc[:, ::-1]
    assert np.array_equal(model.decision_function(shuffled), model.decision_function(data))
    weights = np.arange(8) % 3
    weighted = seesaw.train(seesaw.Table(table, "income", sample_weight=weights), loss="hinge", C=1)
    assert np.array_equal(weighted.coef, seesaw.train(data.with_labels(data.labels, weights), loss="hinge", C=1).coef)


def test_numbers_of_frames_keep_their_bits():
    pandas = pytest.importorskip("pandas")
    X, _, y = made()
    table = pandas.DataFrame(X, columns=list("abcdef"))
    table["city"] = np.where(X[:, 0] > 0, "x", "y")
    data = seesaw.Table(table.assign(target=y), "target")
    assert np.array_equal(data.labels, y)
    model = seesaw.train(table, y, loss="squared", lambda_=0.1)
    indicator = (X[:, 0] > 0).astype(float)
    plain = seesaw.train(np.column_stack([X, indicator, 1 - indicator]), y, loss="squared", lambda_=0.1)
    np.testing.assert_allclose(model.certificate.primal, plain.certificate.primal, rtol=2e-4)
    with pytest.raises(ValueError, match="infinity"):
        seesaw.Table(table.assign(a=np.inf), "target")


def test_log_targets_and_problems(tmp_path):
    path = tmp_path / "prices.csv"
    path.write_text("price,rooms,city\n100,2,a\n200,3,b\n400,4,a\n150,2,b\n")
    data = seesaw.read(path, label="price", log_target=True)
    np.testing.assert_allclose(data.labels, np.log([100, 200, 400, 150]), rtol=1e-15)
    model = seesaw.train(data, loss="squared", lambda_=1e-6, gap=1e-10)
    np.testing.assert_allclose(model.predict(data), np.exp(model.decision_function(data)), rtol=1e-14)
    with pytest.raises(seesaw.Error, match="`log_target` needs a regression loss"):
        seesaw.train(data, loss="hinge")
    path.write_text("when,x\n2020-01-01,1\n2020-02-01,2\n")
    with pytest.raises(seesaw.Error, match="dates.*`date` when"):
        seesaw.read(path, label="x")
    for bad in (dict(hash=3), dict(separator="x"), dict(impute="most"), dict(label="a", label_column="b"), dict(memory="2X")):
        with pytest.raises(ValueError):
            seesaw.read(path, **bad)


def test_rows_on_disk_give_the_same_bits(tmp_path):
    rng = np.random.RandomState(0)
    X = rng.randn(100000, 40)
    labels = (X[:, 0] + rng.randn(100000) > 0).astype(float)
    data = seesaw.Data(X, labels)
    data.save(tmp_path / "rows.ssw")
    write_svm(tmp_path / "rows.svm", X[:10], labels[:10])
    with pytest.raises(seesaw.Error, match="for caches"):
        seesaw.read(tmp_path / "rows.svm", memory="1G")
    mapped = seesaw.read(tmp_path / "rows.ssw")
    assert not mapped.on_disk and not seesaw.read(tmp_path / "rows.ssw", memory="1G").on_disk
    with pytest.raises(seesaw.InvalidOption, match="need at least") as caught:
        seesaw.read(tmp_path / "rows.ssw", memory="1K")
    least = int(re.search(r"at least (\d+) bytes", str(caught.value)).group(1))
    if least >= X.nbytes:
        pytest.skip("so many cores need all of these rows at once")
    on_disk = seesaw.read(tmp_path / "rows.ssw", memory=least)
    assert on_disk.on_disk and on_disk.hash == data.hash
    for options in (dict(loss="logistic", C=1, solver="newton"), dict(loss="hinge", C=0.1, max_passes=3)):
        model = seesaw.train(on_disk, **options)
        assert model.to_bytes() == seesaw.train(mapped, **options).to_bytes()
        assert seesaw.verify(on_disk, model).holds
        assert np.array_equal(model.decision_function(on_disk), model.decision_function(mapped))
