"""A bar that shows how far a run is."""

from __future__ import annotations

import sys
import time
from typing import Any


def is_watched() -> bool:
    """Whether somebody sees standard error as it is written: in a terminal or a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return sys.stderr.isatty() or hasattr(shell, "kernel")


class Progress:
    """Shows a bar on standard error, in a terminal or a notebook."""

    WIDTH = 30

    def __init__(self, begin: float, end: float, wanted: bool) -> None:
        self._begin, self._end = begin, end
        self._shown = wanted and is_watched()
        self._clock = time.monotonic()
        self._steps = -1

    def show(self, now: float, steps: int) -> None:
        """Shows the simulated time ``now`` in s."""
        if not self._shown:
            return
        share = min(max((now - self._begin) / max(self._end - self._begin, 1e-12), 1e-9), 1.0)
        left = (time.monotonic() - self._clock) * (1.0 - share) / share
        full = round(self.WIDTH * share)
        bar = "█" * full + " " * (self.WIDTH - full)
        sys.stderr.write(f"\r|{bar}| t = {now:.3f} of {self._end:.3f} s, step {steps}, {left:.0f} s left ")
        sys.stderr.flush()

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: Any) -> None:
        if self._shown:
            sys.stderr.write("\n")
