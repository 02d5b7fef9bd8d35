"""Exceptions of the package."""

from __future__ import annotations

from typing import NamedTuple, Optional, Sequence, Tuple

_REPORT = "https://github.com/meniscus-sph/meniscus/issues"


class Error(Exception):
    """Base of all exceptions of this package."""


class Problem(NamedTuple):
    """A problem of a scene."""

    message: str
    key: Optional[str]
    line: Optional[int]


class SceneError(Error, ValueError):
    """A scene that cannot be simulated.

    ``key`` is the path of the key, ``line`` that of the scene's file (``None`` for keys that the program set), ``cause``
    what was found and is expected: of the first problem. ``problems`` has all of them.
    """

    def __init__(self, problems: Sequence[Tuple[str, Optional[str], Optional[int]]]) -> None:
        self.problems = [Problem(*problem) for problem in problems]
        first = self.problems[0]
        self.key, self.line, self.cause = first.key, first.line, first.message
        super().__init__("\n".join(problem.message for problem in self.problems))

    def __reduce__(self) -> Tuple[object, ...]:
        # Between processes.
        return SceneError, ([tuple(problem) for problem in self.problems],)


class SimulationError(Error, RuntimeError):
    """A simulation or device that failed.

    ``step`` and ``time`` in s are those of the failure, or ``None`` if the device failed; ``cause`` says what happened.
    """

    def __init__(
        self, message: str, step: Optional[int], time: Optional[float], cause: str
    ) -> None:
        self.step, self.time, self.cause = step, time, cause
        super().__init__(message)

    def __reduce__(self) -> Tuple[object, ...]:
        return SimulationError, (str(self), self.step, self.time, self.cause)


class AdapterError(Error, RuntimeError):
    """No suitable GPU adapter; the message says what to install."""


class InternalError(Error, RuntimeError):
    """An error in meniscus itself."""

    def __init__(self, message: str) -> None:
        super().__init__(
            f"{message}\nThis is an error in meniscus, not in your program. Please report it with the scene and the "
            f"output of `meniscus info`: {_REPORT}"
        )
