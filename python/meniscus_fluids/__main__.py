"""The command ``meniscus``: ``python -m meniscus_fluids`` is the same program."""

import signal
import sys

from ._native import run_command


def main() -> int:
    """Runs the command with the arguments of this program."""
    # Python would only note Ctrl-C, and look at the note when the command has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command(["meniscus", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
