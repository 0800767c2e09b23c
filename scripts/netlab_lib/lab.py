"""The running lab as its commands see it: the state file, its lock, and the way into a host."""
import fcntl
import json
import os
from contextlib import contextmanager

from . import plan
from .errors import USAGE, LabError

ROOT = "/run/netlab"
STATE = f"{ROOT}/lab.json"
TMPDIR = f"{ROOT}/tmp"
AGENT = f"{ROOT}/bin/agent"


def save(state: dict) -> None:
    with open(STATE + ".new", "w", encoding="utf-8") as f:
        json.dump(state, f)
    os.replace(STATE + ".new", STATE)


def is_inside() -> bool:
    return os.path.exists(STATE)


def load() -> dict:
    try:
        with open(STATE, encoding="utf-8") as f:
            return json.load(f)
    except FileNotFoundError:
        raise LabError(USAGE, "not inside a lab: start one with 'netlab run -- CMD'") from None


@contextmanager
def locked():
    """Commands that change the lab take turns."""
    load()
    with open(f"{ROOT}/lock", "w", encoding="utf-8") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        yield


def enter(state: dict, host: str) -> list[str]:
    """The argv prefix that runs a command inside `host`, in the root directory."""
    pid = state["pids"].get(host)
    if pid is None:
        raise LabError(USAGE, f"no host named '{host}': this lab has node1..node{state['nodes']}"
                              f" and pod1..pod{state['nodes']}")
    return ["nsenter", "--target", str(pid), "--net", "--mount", "--uts", "--ipc", "--"]


def enter_here(state: dict, host: str) -> list[str]:
    """As enter(), but in the current directory."""
    in_directory = 'cd "$0" 2>/dev/null || cd /; exec "$@"'
    return enter(state, host) + ["/bin/sh", "-c", in_directory, os.getcwd()]


def host_environment() -> dict[str, str]:
    return dict(os.environ, TMPDIR=TMPDIR)


def node_list(state: dict, text: str | None) -> list[int]:
    """'1,2' or 'node1,node2' to [1, 2]; all of them for None."""
    if text is None:
        return list(range(1, state["nodes"] + 1))
    return [node_number(state, part) for part in text.split(",")]


def node_number(state: dict, text: str) -> int:
    digits = text.removeprefix("node")
    if not digits.isascii() or not digits.isdigit() or not 1 <= int(digits) <= state["nodes"]:
        raise LabError(USAGE, f"no node named '{text}': this lab has node1..node{state['nodes']}")
    return int(digits)


def hosts_of_mode(mode: str, nodes: list[int]) -> list[str]:
    name = plan.node_name if mode == "host" else plan.pod_name
    return [name(k) for k in nodes]
