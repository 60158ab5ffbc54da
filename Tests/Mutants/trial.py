"""Runs the tests of a part with one change in force, and tells whether they noticed it."""
import os
import resource
import selectors
import signal
import subprocess
import tempfile
import time

# No change may take all of the machine's memory, or fill its disk.
MEMORY_BYTES = 12 << 30
FILE_BYTES = 2 << 30


class Stage:
    """Some tests of a program. `limit_s` is far more than they need: only a hang reaches it."""

    def __init__(self, name, command):
        self.name, self.command, self.limit_s = name, command, 1800

    def run(self, number):
        """None where all is well, else what was noticed."""
        with tempfile.TemporaryDirectory(prefix="mutant") as folder:
            return self.run_in(folder, number)

    def run_in(self, folder, number):
        # A crash is enough: nobody reads its backtrace.
        environment = os.environ | {
            "BARLINE_MUTANT": str(number), "TMPDIR": folder, "HOME": folder, "NO_COLOR": "1",
            "SWIFT_BACKTRACE": "enable=no"}
        process = subprocess.Popen(
            self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
            start_new_session=True, preexec_fn=limit_resources)
        try:
            return self.watch(process)
        finally:
            # What it has started goes with it.
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.stdout.close()
            process.wait()

    def watch(self, process):
        """Reads along, and stops at the first failure."""
        end, rest = time.monotonic() + self.limit_s, b""
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while True:
                if not selector.select(max(0, end - time.monotonic())):
                    return "hangs"
                read = os.read(process.stdout.fileno(), 1 << 16)
                if not read:
                    break
                *lines, rest = (rest + read).split(b"\n")
                for line in lines:
                    text = line.decode(errors="replace")
                    if " recorded an issue" in text:
                        return text.split(" recorded an issue")[0].removeprefix("✘ ").removeprefix("Test ").strip()
        try:
            status = process.wait(max(0, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            return "hangs"
        if status < 0:
            return f"crashes: {signal.Signals(-status).name}"
        return None if status == 0 else f"exit status {status}"


def limit_resources():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def measure(stages):
    """Runs each stage without a change; from then on each has five times as long as it took, and a minute."""
    for stage in stages:
        began = time.monotonic()
        noticed = stage.run(0)
        if noticed:
            raise SystemExit(f"{stage.name} fails without a change: {noticed}")
        took = time.monotonic() - began
        stage.limit_s = 60 + 5 * took
        yield stage, took


def judge(stages, number):
    """The first stage that notices a change, and what it notices; (None, None) where none does."""
    for stage in stages:
        noticed = stage.run(number)
        if noticed:
            return stage.name, noticed
    return None, None
