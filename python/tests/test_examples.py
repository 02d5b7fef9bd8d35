"""The examples run."""

import os
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


def test_the_notebook_runs_and_shows_its_films(tmp_path, monkeypatch):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    # The kernel of this environment, whichever others the machine has.
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "1")
    book = nbformat.read(ROOT / "python/examples/first.ipynb", as_version=4)
    nbclient.NotebookClient(book, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in book.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error" or output.get("name") == "stderr"]
    films = [output for output in outputs if "video" in output.get("data", {}).get("text/html", "") or "image/gif" in str(output)]
    assert len(films) == 2
    assert any("did you mean `cfl`" in output.get("text", "") for output in outputs)
    if keep := os.environ.get("MENISCUS_NOTEBOOK"):
        nbformat.write(book, keep)
