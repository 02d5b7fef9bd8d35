"""Runs of which no two may be equal."""

from __future__ import annotations

import hashlib
from typing import Any, Dict, Iterable


class Distinct:
    """Runs so far, of which no two may be equal: one would be in train and in test."""

    def __init__(self) -> None:
        self._known: Dict[bytes, int] = {}

    def add(self, index: int, parts: Iterable[Any]) -> None:
        digest = hashlib.sha256()
        for part in parts:
            digest.update(part)
        other = self._known.setdefault(digest.digest(), index)
        if other != index:
            raise ValueError(
                f"the runs {other} and {index} are equal: vary what changes them, or give fluids jitter, which seeds change"
            )
