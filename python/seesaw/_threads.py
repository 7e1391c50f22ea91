"""The number of threads that a call may use."""
from __future__ import annotations

import os
import threading
from typing import Any, Callable, Optional, TypeVar

from . import _core

Result = TypeVar("Result")

_after_fork = False


def _forked() -> None:
    global _after_fork
    _after_fork = True


# A child of fork() has none of the worker threads that the library of the parent counts on: it works with one.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def threads_of(n_jobs: Optional[int]) -> int:
    """`n_jobs` as a number of threads, 0 for all that the library has: None means all cores, at most OMP_NUM_THREADS;
    -1 all cores, -2 all but one.

    joblib sets OMP_NUM_THREADS in its processes, so that several of them do not use all cores each.
    """
    if _after_fork:
        return 1
    if n_jobs is None:
        limit = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
        return min(int(limit), cores()) if limit.isdigit() and int(limit) > 0 else 0
    count = int(n_jobs)
    if count == 0 or count != n_jobs:
        raise ValueError(f"n_jobs == {n_jobs!r} has no meaning; give a number of threads, -1 for all cores, or None.")
    return count if count > 0 else max(1, cores() + 1 + count)


def limited(threads: int, body: Callable[[], Result]) -> Result:
    """body() with at most this many threads; 0: all."""
    return body() if threads == 0 else _core.with_threads(threads, body)


def on_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
