"""The documents' programs run."""

import os
import re
import subprocess
import sys

import pytest

from conftest import ROOT

LESSONS = sorted(str(lesson.relative_to(ROOT)) for lesson in (ROOT / "docs/lessons").glob("*.md"))
DOCUMENTS = ("README.md", "docs/python.md", "python/README.md", *LESSONS)


def programs():
    for document in DOCUMENTS:
        text = (ROOT / document).read_text(encoding="utf-8")
        for number, program in enumerate(re.findall(r"```python\n(.*?)```", text, re.S), 1):
            yield pytest.param(program, id=f"{document}-{number}")


@pytest.mark.parametrize("program", list(programs()))
def test_programs_of_documents_run(program, tmp_path):
    if "mf.dataset" in program:
        pytest.importorskip("h5py")
    if "import gymnasium" in program:
        pytest.importorskip("gymnasium")
    if "import mujoco" in program:
        pytest.importorskip("mujoco")
    # Only coarser and shorter, so that it takes seconds.
    program = program.replace("particle_radius=0.03)", "particle_radius=0.08)").replace("run_until(0.5)", "run_until(0.1)")
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=os.environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for file in re.findall(r'(?:render|save)\("(.*?)"', program):
        assert (tmp_path / file).stat().st_size > 100


def test_there_are_programs():
    assert len(list(programs())) >= 7
