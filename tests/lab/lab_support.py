"""Shared by the netlab tests: bounded commands, and what is running on this machine."""
import os
import subprocess
import time

HERE = os.path.dirname(os.path.realpath(__file__))
NETLAB = os.path.realpath(f"{HERE}/../../scripts/netlab")
SECONDS = 60


def call(*argv, seconds=SECONDS, **options):
    return subprocess.run(argv, capture_output=True, text=True, timeout=seconds, check=False,
                          stdin=subprocess.DEVNULL, **options)


def run_lab(*command, nodes=2, options=(), **kw):
    return call(NETLAB, "run", "--nodes", str(nodes), *options, "--", *command, **kw)


def network_namespaces():
    found = set()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            found.add(os.readlink(f"/proc/{pid}/ns/net"))
        except OSError:
            pass  # ended meanwhile
    return found


def processes_with(word):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                if word.encode() in f.read():
                    found.append(int(pid))
        except OSError:
            pass
    return [p for p in found if p != os.getpid()]


def wait_until(condition, seconds=15):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
