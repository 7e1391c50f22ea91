"""The progress line of verbose=True."""
from __future__ import annotations

import sys
import time
from typing import Any, Callable, Optional

from . import _core

Callback = Callable[["_core.Progress"], Optional[bool]]


def _rewrites(stream: Any) -> bool:
    """Whether a carriage return goes back to the beginning of the line: terminals and notebooks."""
    return bool(getattr(stream, "isatty", lambda: False)()) or type(stream).__module__.startswith("ipykernel")


class ProgressLine:
    """One line that is rewritten; elsewhere (a log file) at most one line per second."""

    def __init__(self, then: Optional[Callback] = None) -> None:
        self.then = then
        self.rewrites = _rewrites(sys.stdout)
        self.written = 0.0
        self.width = 0

    def __call__(self, progress: _core.Progress) -> Optional[bool]:
        now = time.monotonic()
        if now - self.written >= (0.1 if self.rewrites else 1.0):
            self.written = now
            self.write(f"{progress.seconds:.1f} s, {progress.passes:g} passes, gap {progress.gap:.2e}, P {progress.primal:.6g}")
        return None if self.then is None else self.then(progress)

    def write(self, text: str) -> None:
        if self.rewrites:
            sys.stdout.write("\r" + text.ljust(self.width))
            self.width = len(text)
        else:
            sys.stdout.write(text + "\n")
        sys.stdout.flush()

    def finish(self, text: str) -> None:
        self.write(text)
        if self.rewrites:
            sys.stdout.write("\n")
            sys.stdout.flush()
