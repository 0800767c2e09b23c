"""`netlab compare`: the whole comparison of the lab's network modes with one command."""
import os
import subprocess
import sys

from . import lab, outer, plan
from .errors import FAILED, SKIPPED, USAGE, LabError

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
BUILD = os.path.join(REPOSITORY, "build")
PROBES = "tcp-allreduce,tcp-pairs"


def program(build: str, name: str) -> str:
    path = os.path.join(os.path.abspath(build), "bin", name)
    if not os.access(path, os.X_OK):
        raise LabError(SKIPPED, f"{path} is not built: cmake --preset default && cmake --build build")
    return path


def run(options, arguments: list[str]) -> int:
    """Inside a lab in that one, faults and all; else in a lab of its own."""
    for name in ("ringwise-probe", "ringwise"):
        program(options.build, name)
    os.makedirs(options.output, exist_ok=True)
    if not lab.is_inside():
        return outer.run(options.nodes, options.rate,
                         [sys.executable, os.path.realpath(sys.argv[0]), "compare", *arguments])
    records = [measure(options, mode) for mode in options.modes]
    shown = subprocess.run([program(options.build, "ringwise"), "compare", *records, "--format",
                            options.format], check=False)
    print(f"netlab: the records are in {os.path.abspath(options.output)}", file=sys.stderr)
    return shown.returncode


def measure(options, mode: str) -> str:
    """The record of one mode. A run that failed still has one; without any the lab has failed."""
    record = os.path.join(os.path.abspath(options.output), f"{mode}.json")
    command = [sys.executable, os.path.realpath(sys.argv[0]), "mpirun", "--mode", mode, "--",
               program(options.build, "ringwise-probe"), "--probes", PROBES, "--sizes",
               options.sizes, "--time-budget", options.time_budget, "--output", record]
    print(f"netlab: {mode}: about {options.time_budget}", file=sys.stderr, flush=True)
    # What an earlier call left there must not pass for this one's.
    if os.path.exists(record):
        os.remove(record)
    done = subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
    if done.returncode == USAGE:
        raise LabError(USAGE, f"{mode}: the measurement refused its options: see the message above")
    if not os.path.exists(record):
        raise LabError(FAILED, f"{mode}: the measurement ended with {done.returncode} and left no"
                               " record")
    return record


def add_options(parser, positive) -> None:
    parser.add_argument("--nodes", type=positive, default=3, metavar="N", help="hosts (default 3)")
    parser.add_argument("--rate", default="1gbit", metavar="RATE",
                        help="what each node's link carries, or none (default 1gbit)")
    parser.add_argument("--modes", type=lambda text: text.split(","), default=list(plan.MODES),
                        metavar="LIST", help=f"which (default {','.join(plan.MODES)})")
    parser.add_argument("--sizes", default="8,64K,1M,4M", metavar="LIST",
                        help="payloads (default 8,64K,1M,4M)")
    parser.add_argument("--time-budget", default="20s", metavar="TIME",
                        help="measuring time of a mode (default 20s)")
    parser.add_argument("--format", default="text", choices=("text", "json", "md", "csv"),
                        help="of the comparison (default text)")
    parser.add_argument("--output", default="netlab-compare", metavar="DIR",
                        help="folder for the records (default netlab-compare)")
    parser.add_argument("--build", default=BUILD, metavar="DIR", help="build folder (default build)")


def check(options) -> None:
    for mode in options.modes:
        if mode not in plan.MODES:
            raise LabError(USAGE, f"--modes: '{mode}' is none of {', '.join(plan.MODES)}")
    if len(set(options.modes)) < 2:
        raise LabError(USAGE, "--modes: a comparison needs two")
