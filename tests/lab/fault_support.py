"""Shared by the tests that plant faults into running measurements in netlab."""
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from lab_support import call, processes_with, programs_folder, wait_until

BIN = programs_folder()
STAGE_TIMEOUT = 6
# The run ends by then: after a fault of a worker or of the network, and when a supervisor stays
# silent.
IN_TIME = STAGE_TIMEOUT + 5
SUPERVISOR_IN_TIME = STAGE_TIMEOUT + 10
SIZES = "8,64K,1M"


class Run:
    """A measurement that runs in the background in a folder of its own."""

    def __init__(self, probes, *options, mode="host", timeout=STAGE_TIMEOUT, per_node=1,
                 directory=None):
        self.directory = directory or tempfile.mkdtemp(prefix="ringwise-fault-")
        self.output = f"{self.directory}/run.json"
        self.log = ""
        command = ["netlab", "mpirun", "--mode", mode, "--ppn", str(per_node)]
        command += ["--", f"{BIN}/ringwise-probe", "--probes", probes, "--sizes", SIZES,
                    "--stage-timeout", f"{timeout}s", "--time-budget", "60s", "-v",
                    "--output", self.output, *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        text=True, errors="replace", stdin=subprocess.DEVNULL)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.log += line

    def wait_for(self, pattern):
        found = wait_until(lambda: re.search(pattern, self.log) or self.process.poll() is not None,
                           30)
        if not found or not re.search(pattern, self.log):
            raise AssertionError(f"no {pattern!r} in:\n{self.log}")

    def end(self, seconds):
        """Exit code; the time from now counts, and is printed."""
        begin = time.monotonic()
        try:
            code = self.process.wait(seconds)
            print(f"ended after {time.monotonic() - begin:.1f} s, {seconds} s allowed ",
                  end="", file=sys.stderr, flush=True)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"still running after {seconds} s:\n{self.log}") from None
        self.reader.join(5)
        self.process.stdout.close()
        return code

    def record(self):
        with open(self.output, encoding="utf-8") as f:
            return json.load(f)

    def report(self):
        return call(f"{BIN}/ringwise", "report", self.output)


def environment_of(pid):
    with open(f"/proc/{pid}/environ", "rb") as f:
        return dict(entry.split(b"=", 1) for entry in f.read().split(b"\0") if b"=" in entry)


def probe_process(rank, is_worker):
    """The supervisor or worker of a rank: its process id in this lab."""
    for pid in processes_with("ringwise-probe"):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                arguments = f.read().split(b"\0")
            mine = environment_of(pid).get(b"OMPI_COMM_WORLD_RANK") == str(rank).encode()
        except OSError:
            continue
        if not arguments[0].endswith(b"ringwise-probe"):
            continue
        if mine and (b"--worker-fd" in arguments) == is_worker:
            return pid
    return None


class FaultTest(unittest.TestCase):
    """A fault is planted into a run; nothing of it is left afterwards."""

    def setUp(self):
        call("netlab", "fault", "clear")

    def tearDown(self):
        call("netlab", "fault", "clear")
        self.assertTrue(wait_until(lambda: not processes_with("ringwise-probe"), 20),
                        "a process of the run is left")

    def fault(self, *words):
        done = call("netlab", "fault", *words)
        self.assertEqual(done.returncode, 0, done.stderr)

    def results(self, record, probe):
        return [r for r in record["results"] if r["probe"] == probe]

    def check_rest(self, record):
        self.assertTrue(any(r["probe"] == "memory-copy" and r["status"] == "ok"
                            for r in record["results"]), record["results"])
        self.assertFalse(record["complete"])

    def problems(self, record):
        return "\n".join(json.dumps(p) for p in record["problems"])
