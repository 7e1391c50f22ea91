"""Threads, signals, callbacks, processes, pickles."""
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from conftest import made
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import seesaw


def endless(n=3000, **more):
    """A training that does not end by itself."""
    X, labels, _ = made(n=n, d=60)
    return seesaw.Data(X, labels), dict(loss="logistic", lambda_=1e-12, gap=1e-300, gap_abs=1e-300, max_passes=1e12,
                                        solver="bpd", **{"time_limit": 60, **more})


def latency_of_ctrl_c(call, after):
    """CPU seconds of this process from the signal, sent when call() has used `after` of them, to KeyboardInterrupt; None if
    call() ended before. With one thread this is the time on an idle machine, whatever else runs on this one."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in jobs of a shell's background
    begin, sent, ended = time.process_time(), [], threading.Event()

    def send():
        while time.process_time() - begin < after:
            if ended.wait(0.002):
                return
        sent.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=send)
    latency = None
    try:
        sender.start()
        try:
            call()
        except KeyboardInterrupt:
            latency = time.process_time() - sent[0]
        ended.set()
        sender.join()
        for _ in range(1000):  # a signal that came after the end
            pass
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGINT, before)
    return latency


@pytest.mark.parametrize("rows", [300, 3000])  # few rows: the main thread trains; many: it waits for another one
def test_ctrl_c_within_half_a_second(rows):
    data, options = endless(rows, n_jobs=1)
    latency = latency_of_ctrl_c(lambda: seesaw.train(data, **{**options, "time_limit": 600}), after=0.3)
    assert latency is not None and latency < 0.5
    seesaw.train(data, loss="hinge", max_passes=2)  # the next one is not affected


def calls_in_phases(tmp_path):
    """Calls whose time goes to one phase each."""
    rng = np.random.RandomState(0)
    wide = rng.randn(4000, 1500)
    target = wide[:, 0] + rng.randn(len(wide))
    yield "Gram matrix and factorization", lambda: seesaw.Ridge(n_jobs=1).fit(wide, target)
    long = rng.randn(300000, 100).astype(np.float32)
    labels = long[:, 0] + rng.randn(len(long)) > 0
    one = seesaw.Data(long, labels)
    yield "conversion, hash, certificate", lambda: seesaw.train(seesaw.Data(long, labels), loss="squared-hinge", C=1e-3, n_jobs=1)
    yield "certificate without a penalty", lambda: seesaw.train(one, loss="logistic", penalty="none", n_jobs=1)
    model = seesaw.train(one, loss="squared-hinge", C=1e-3)
    yield "verification", lambda: seesaw.verify(one, model)
    text = tmp_path / "rows.csv"
    line = ",".join(f"{value:.17g}" for value in long[0])
    text.write_text(f"label,{','.join(f'f{j}' for j in range(100))}\n" + (f"1,{line}\n-1,{line}\n" * 20000))
    yield "reading", lambda: seesaw.read(text)


def test_ctrl_c_in_every_phase(tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    for phase, call in calls_in_phases(tmp_path):
        begin = time.process_time()
        call()
        seconds = time.process_time() - begin
        latencies = [latency_of_ctrl_c(call, after=seconds * part) for part in (0.02, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9)]
        found = [latency for latency in latencies if latency is not None]
        assert len(found) >= 2, (phase, latencies)  # the others came after the end
        assert max(found) < 0.5, (phase, latencies)


@pytest.mark.parametrize("rows", [300, 3000])
def test_callbacks_are_called_as_often_as_requested(rows):
    seen = []
    data, options = endless(rows, callback=lambda progress: seen.append(progress), progress_interval=10, check_every=1e11, time_limit=0.4)
    assert seesaw.train(data, **options).status == "time-limit"
    assert all(progress.is_check for progress in seen)  # between checks only every 10 s


def test_signal_handlers_of_python_run_while_training():
    seen = []
    before = signal.signal(signal.SIGUSR1, lambda *_: seen.append(time.monotonic()))
    try:
        threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGUSR1)).start()
        data, options = endless(callback=lambda progress: not seen)
        assert seesaw.train(data, **options).status == "interrupted"
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_other_threads_run_while_training():
    data, options = endless()
    counted = [0]
    done = threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        seesaw.train(data, **{**options, "time_limit": 0.5})
    finally:
        done.set()
        thread.join()
    assert counted[0] > 20  # with the GIL held it would be 0 or 1


def test_callback_stops_and_sees_progress():
    data, options = endless()
    seen = []

    def callback(progress):
        seen.append((progress.passes, progress.gap, progress.is_check, progress.seconds))
        return len(seen) < 5

    model = seesaw.train(data, callback=callback, **options)
    assert model.status == "interrupted" and len(seen) == 5
    assert seesaw.verify(data, model).holds
    assert all(a[3] <= b[3] for a, b in zip(seen, seen[1:]))

    def stop(progress):
        raise StopIteration

    assert seesaw.train(data, callback=stop, **options).status == "interrupted"
    none = seesaw.train(data, loss="hinge", C=1, callback=lambda progress: None)
    assert none.converged


def test_exceptions_of_callbacks_travel():
    data, options = endless()

    class Special(Exception):
        pass

    def fail(progress):
        raise Special("here")

    with pytest.raises(Special, match="here"):
        seesaw.train(data, callback=fail, **options)
    failures = []

    def in_thread():
        try:
            seesaw.train(data, callback=fail, **options)
        except Special as error:
            failures.append(error)

    thread = threading.Thread(target=in_thread)
    thread.start()
    thread.join()
    assert len(failures) == 1


def test_estimators_stop_too():
    X, labels, _ = made(n=2000, d=50)
    fitted = seesaw.LinearSVC(C=1e6, tol=1e-15, solver="seesaw:sdca", callback=lambda progress: progress.passes < 3).fit(X, labels)
    assert fitted.status_ == "interrupted"
    limited = seesaw.LinearSVC(C=1e6, tol=1e-15, solver="seesaw:sdca", time_limit=0.05)
    with pytest.warns(UserWarning, match="time_limit"):
        assert limited.fit(X, labels).status_ == "time-limit"


def test_verbose_prints_progress(capsys):
    X, labels, _ = made()
    seesaw.train(X, labels, C=1, verbose=True)
    assert "converged by" in capsys.readouterr().out
    seesaw.LogisticRegression(verbose=1).fit(X, labels)
    assert "gap" in capsys.readouterr().out
    seesaw.LogisticRegression().fit(X, labels)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", ["LogisticRegression", "LinearSVC", "Ridge", "Lasso"])
def test_the_same_bits_for_any_number_of_threads(name, monkeypatch):
    X, labels, y = made(n=3000, d=20, classes=3)
    target = labels if name in ("LogisticRegression", "LinearSVC") else y
    alpha = {"alpha": 0.01} if name == "Lasso" else {}
    kind = getattr(seesaw, name)
    reference = kind(n_jobs=1, **alpha).fit(X, target)
    for jobs in (2, 3, -1, None):
        assert np.array_equal(kind(n_jobs=jobs, **alpha).fit(X, target).coef_, reference.coef_)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert np.array_equal(kind(**alpha).fit(X, target).coef_, reference.coef_)
    monkeypatch.delenv("OMP_NUM_THREADS")
    found = []
    threads = [threading.Thread(target=lambda: found.append(kind(**alpha).fit(X, target).coef_)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(np.array_equal(one, reference.coef_) for one in found)
