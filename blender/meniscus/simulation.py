"""The command `meniscus` in the background."""

import shutil
import subprocess
import tempfile

import bpy

from .export import SURFACE, Problem

_current = None


class Job:
    """A simulation that runs."""

    def __init__(self, arguments, folder, frames):
        self.frames, self.log = frames, folder / "log.jsonl"
        self.log.unlink(missing_ok=True)
        self.is_cancelled = False
        self.said = tempfile.TemporaryFile("w+", encoding="utf-8")
        self.process = subprocess.Popen(
            arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.said
        )

    def is_running(self):
        return self.process.poll() is None

    def progress(self):
        """Share of the frames that are done: the log has a line for each."""
        try:
            with open(self.log, "rb") as file:
                return min(max(file.read().count(b"\n") - 1, 0) / self.frames, 1.0)
        except OSError:
            return 0.0

    def cancel(self):
        """Ends it after its present frame, with what it has written."""
        self.is_cancelled = True
        self.process.terminate()

    def wait(self):
        self.process.wait()

    def lines(self):
        """What it has said."""
        self.said.seek(0)
        return [line.strip() for line in self.said.read().splitlines() if line.strip()]

    def warnings(self):
        """What it has warned of."""
        return [line.removeprefix("warning: ") for line in self.lines() if line.startswith("warning: ")]

    def failure(self):
        """What it complained about, if it failed."""
        if self.process.returncode == 0:
            return None
        lines = self.lines()
        errors = [line for line in lines if line.startswith("error")]
        return (errors or lines or [f"meniscus ended with status {self.process.returncode}"])[-1]


def current():
    return _current


def forget(job):
    global _current
    if _current is job:
        _current = None


def start(context, scene):
    """Starts the simulation of a scene file."""
    global _current
    if _current is not None and _current.is_running():
        raise Problem("a simulation is running already")
    settings = context.scene.meniscus
    name = settings.command if "/" not in settings.command and "\\" not in settings.command else None
    command = shutil.which(name) if name else shutil.which(bpy.path.abspath(settings.command))
    if command is None:
        raise Problem(f"there is no program {settings.command}: cargo install --path crates/cli makes it")
    arguments = [command, "run", scene.name, "--usd", SURFACE, "--log", "log.jsonl", "--quiet", "--no-boundaries"]
    arguments += ["--checkpoint", "checkpoint", "--surface-anisotropic", "--surface-smoothing", str(settings.smoothing)]
    frames = context.scene.frame_end - context.scene.frame_start
    _current = Job(arguments, scene.parent, frames)
    return _current
