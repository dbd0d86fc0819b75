"""The program `headscope`: where it is, and running it."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import weakref
from collections.abc import Sequence

BUNDLED = pathlib.Path(__file__).parent / "bundle" / "bin" / "headscope"


def program() -> str:
    """The path of the program: $HEADSCOPE, else the one in this package, else the one on the PATH.

    Raises FileNotFoundError that names these three places.
    """
    named = os.environ.get("HEADSCOPE")
    if named:
        found = shutil.which(named)
        if found is None:
            raise FileNotFoundError(f"$HEADSCOPE is {named}; expected the path of the program headscope")
        return found
    if BUNDLED.is_file():
        return str(BUNDLED)
    found = shutil.which("headscope")
    if found is None:
        raise FileNotFoundError(
            f"the program headscope was not found: $HEADSCOPE is not set, {BUNDLED} does not exist, "
            "and there is none on the PATH"
        )
    return found


def options(values: dict[str, object]) -> list[str]:
    """Keyword arguments as options of the command line: head=2 is --head 2, tight=True is --tight, a list is the
    option once for each item, None and False leave it out."""
    words: list[str] = []
    for name, value in values.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        for item in value if isinstance(value, (list, tuple)) else [value]:
            if item is None or item is False:
                continue
            words.append(option if item is True else f"{option}={item}")
    return words


def run(arguments: Sequence[str]) -> str:
    """Runs the program to its end and returns what it printed.

    Raises ValueError for wrong arguments or files and RuntimeError for what could not be done, with its message.
    """
    done = subprocess.run([program(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode == 0:
        return done.stdout
    raise _failure(done.returncode, done.stderr)


def _failure(status: int, errors: str) -> Exception:
    """What the program's end means: status 2 is that of wrong arguments and files."""
    message = errors.strip().removeprefix("headscope: ") or f"headscope ended with status {status}"
    return ValueError(message) if status == 2 else RuntimeError(message)


def has_display() -> bool:
    """Whether a window can be opened."""
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class Window:
    """An open window. Its files live until it closes, also after the end of this process."""

    def __init__(self, arguments: Sequence[str], folder: str | None = None) -> None:
        """`folder`: temporary files of the window, removed with it."""
        # A shell outlives this process if it has to: it waits for the window and removes its files.
        state = folder or tempfile.mkdtemp(prefix="headscope-")
        # A signal to both ends the program; the trap lets the shell go on to remove the files.
        script = 'trap : TERM INT HUP; folder=$1; shift; "$@"; status=$?; rm -rf -- "$folder"; exit $status'
        self._errors = tempfile.TemporaryFile()
        weakref.finalize(self, self._errors.close)
        environment = {**os.environ, "HEADSCOPE_READY": os.path.join(state, "ready")}
        if folder is not None:  # what shows temporary files is not the session to continue at the next start
            environment["XDG_STATE_HOME"] = state
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", script, "headscope", state, program(), *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            start_new_session=True,
        )
        self._wait_until_drawn(os.path.join(state, "ready"))

    def _wait_until_drawn(self, ready: str, longest: float = 60) -> None:
        """Until the window is there. Raises what run() does if the program ends before, whatever its status."""
        end = time.monotonic() + longest  # a window on a hidden workspace may draw much later
        while not os.path.exists(ready) and time.monotonic() < end:
            try:
                status = self._process.wait(0.02)
            except subprocess.TimeoutExpired:
                continue
            self._errors.seek(0)
            raise _failure(status, self._errors.read().decode(errors="replace"))

    @property
    def closed(self) -> bool:
        return self._process.poll() is not None

    def wait(self, timeout: float | None = None) -> int:
        """Until the window is closed: the program's exit status. Raises subprocess.TimeoutExpired after `timeout`
        seconds."""
        return self._process.wait(timeout)

    def close(self) -> None:
        """Ends the program, as its Quit does."""
        if not self.closed:
            os.killpg(self._process.pid, signal.SIGTERM)
            self.wait()

    def __repr__(self) -> str:
        return f"<headscope.Window {'closed' if self.closed else 'open'}>"
