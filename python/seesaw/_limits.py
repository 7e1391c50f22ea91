"""What ends a fit of several problems: its time limit, its callback, and Ctrl-C."""
from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable, Optional, TypeVar

import numpy as np

from ._checks import checked
from ._threads import on_main_thread

Result = TypeVar("Result")
_package = str(Path(__file__).parent / "_")


class Abandoned(Exception):
    """The result of this thread is not needed any more."""


class Limits:
    """Of all problems of one fit together. Called as their callback: one call of the user's at a time; once it has returned
    False, every other training ends at its first check, with a valid certificate."""

    def __init__(self, time_limit: Any = None, callback: Optional[Callable[..., Any]] = None) -> None:
        self._end = None if time_limit is None else time.monotonic() + checked("time_limit", time_limit, strict=True)
        self._callback = callback
        self._lock = threading.Lock()
        self.stopped = False
        self.abandoned = False

    def seconds(self) -> Optional[float]:
        """What is left; never quite 0, with which a training ends at its first check."""
        return None if self._end is None else max(self._end - time.monotonic(), 1e-9)

    @property
    def observer(self) -> Optional[Callable[..., bool]]:
        """The callback for a training of the main thread; None: not needed."""
        return None if self._callback is None and not self.stopped else self

    def abandon(self) -> None:
        self.stopped = self.abandoned = True

    def __call__(self, progress: Any) -> bool:
        if self.stopped or self._callback is None:
            return not self.stopped
        with self._lock:
            try:
                answer = None if self.stopped else self._callback(progress)
            except StopIteration:
                answer = False
            if isinstance(answer, (bool, np.bool_)) and not answer:
                self.stopped = True
        return not self.stopped


def interruptible(body: Callable[[], Result]) -> Result:
    """body() of the main thread in another one, so that Ctrl-C does not wait for it: a long call of LAPACK. It ends by itself
    then, without effect."""
    if not on_main_thread():
        return body()
    found = []
    failed = []
    done = threading.Event()

    def work() -> None:
        try:
            found.append(body())
        except BaseException as error:  # raised below
            failed.append(error)
        done.set()

    threading.Thread(target=work, daemon=True).start()
    done.wait()
    if failed:
        raise failed[0]
    return found[0]


def stack_level() -> int:
    """Of a warning that points to the caller of this package, whatever called what inside of it."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_package):
        frame, level = frame.f_back, level + 1
    return level
