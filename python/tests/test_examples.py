"""The examples run."""

import subprocess
import sys

import pytest

from conftest import ROOT

EXAMPLES = sorted((ROOT / "python/examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run(example, tmp_path):
    done = subprocess.run([sys.executable, str(example)], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert len(done.stdout.splitlines()) >= 3


def test_there_are_examples():
    assert EXAMPLES
