"""Shared by the lab tests: bounded commands, what is running on this machine, and their frame."""
import os
import subprocess
import sys
import time
import unittest

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


def run_with_build(script, nodes):
    """The whole of a test `script BUILD_DIR [--inside] [TEST...]` of ringwise: itself in a new lab,
    inside it the tests of the calling module. 77 when this machine can hold no lab."""
    arguments = [a for a in sys.argv[1:] if a != "--inside"]
    build = os.path.realpath(arguments[0])
    if "--inside" in sys.argv:
        unittest.main(argv=[sys.argv[0], *arguments[1:]], verbosity=2)
    done = call(NETLAB, "run", "--nodes", str(nodes), "--", "true")
    if done.returncode in (4, 77):
        print(f"skipped: {done.stderr.strip()}")
        return 77
    if not os.path.exists(f"{build}/bin/ringwise-probe"):
        print(f"skipped: {build} has no ringwise-probe")
        return 77
    command = [sys.executable, os.path.realpath(script), build, "--inside", *arguments[1:]]
    return subprocess.run([NETLAB, "run", "--nodes", str(nodes), "--", *command], check=False,
                          timeout=600).returncode


def programs_folder():
    """Where the build that the command line names has its programs."""
    return f"{os.path.realpath(sys.argv[1])}/bin"
