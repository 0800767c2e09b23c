"""Shared by the integration tests: starts ringwise's programs, with a time limit each."""
import os
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "docs/run-record.schema.json"
SECONDS = 120
# One machine, no ssh, more ranks than cores, everything on the loopback interface.
MPIRUN_OPTIONS = [
    "--oversubscribe", "--bind-to", "none", "--mca", "plm", "isolated", "--mca", "pml", "ob1",
    "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo", "--mca",
    "oob_tcp_if_include", "lo", "--mca", "mpi_yield_when_idle", "1"]


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def program_folder():
    """Takes the folder with the programs, the first argument, off the command line."""
    if len(sys.argv) < 2 or not os.path.isdir(sys.argv[1]):
        print(f"usage: {sys.argv[0]} FOLDER-WITH-PROGRAMS [-v] [TEST...]", file=sys.stderr)
        sys.exit(2)
    return pathlib.Path(sys.argv.pop(1)).resolve()


def find_mpirun():
    for name in ("mpirun.openmpi", "mpirun"):
        path = shutil.which(name)
        if path is None:
            continue
        shown = subprocess.run([path, "--version"], capture_output=True, text=True, check=False,
                               timeout=SECONDS, stdin=subprocess.DEVNULL).stdout
        if "Open MPI" in shown:
            return path
    return None


def call(*argv, **options):
    return subprocess.run([os.fspath(a) for a in argv], capture_output=True, text=True,
                          timeout=SECONDS, check=False, stdin=subprocess.DEVNULL, **options)


def mpirun_command(ranks, *argv):
    as_root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return [os.fspath(a) for a in (find_mpirun(), "-np", str(ranks), *as_root, *MPIRUN_OPTIONS,
                                   *argv)]


def mpirun(ranks, *argv, **options):
    return call(*mpirun_command(ranks, *argv), **options)


def mpirun_until(condition, ranks, *argv):
    """Starts a run, ends it with SIGTERM once `condition` holds, and waits for its end."""
    process = subprocess.Popen(mpirun_command(ranks, *argv), stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    try:
        end = time.monotonic() + SECONDS
        while not condition():
            if process.poll() is not None or time.monotonic() > end:
                raise AssertionError("the run ended before the condition held")
            time.sleep(0.02)
        process.terminate()
        process.wait(SECONDS)
    finally:
        process.kill()
        process.wait(SECONDS)
