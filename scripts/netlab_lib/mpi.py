"""`netlab mpirun`: Open MPI across the lab's hosts."""
import os
import shutil
import subprocess
import sys

from . import lab, plan
from .errors import FAILED, SKIPPED, USAGE, LabError
from .process import block_signals, spawn, wait_passing_signals

GRACE_SECONDS = 20
PROBE = "ringwise-probe"
# By subnet, so that an interface may be renamed. The pods' networks of all nodes lie in one.
CONTROL_NETWORK = {"host": "10.70.0.0/24", "overlay": "10.71.0.0/16", "multus": "10.71.0.0/16"}
MEASURED = {"host": "eth0", "overlay": "eth0", "multus": "net1"}


def find_mpirun() -> str:
    for name in ("mpirun.openmpi", "mpirun"):
        path = shutil.which(name)
        if path is None:
            continue
        shown = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20,
                               check=False).stdout
        if "Open MPI" in shown or "OpenRTE" in shown:
            return path
    raise LabError(SKIPPED, "Open MPI's mpirun is not installed (Debian: openmpi-bin)")


def host_slots(hosts: list[str], np: int | None, ppn: int | None) -> tuple[str, int]:
    """Open MPI's host list with slots, and the number of ranks."""
    if ppn is None:
        ppn = 1 if np is None else -(-np // len(hosts))
    if np is None:
        np = ppn * len(hosts)
    return ",".join(f"{h}:{ppn}" for h in hosts), np


def probe_command(mode: str, command: list[str]) -> list[str]:
    """Adds to ringwise-probe what the mode says and the caller has not; told on stderr."""
    if os.path.basename(command[0]) != PROBE:
        return command

    def given(*options: str) -> bool:
        return any(a == o or a.startswith(o + "=") for a in command[1:] for o in options)

    added = []
    # In every mode: NCCL's own rule would take the bridge and the tunnel of the node, too.
    if not given("--interface", "--each-interface"):
        added += ["--interface", f"={MEASURED[mode]}"]
    if not given("--mode"):
        added += ["--mode", mode]
    if added:
        print(f"netlab: added to {PROBE}: {' '.join(added)}", file=sys.stderr)
    return command + added


def probe_status(command: list[str], status: int) -> int:
    """mpirun's own codes are never ringwise-probe's verdict: they mean 'could not measure'."""
    if os.path.basename(command[0]) == PROBE and (status == 1 or status >= 126):
        print(f"netlab: mpirun ended with {status}: the run is not complete", file=sys.stderr)
        return FAILED
    return status


def mpirun_argv(mpirun: str, hosts: list[str], options) -> list[str]:
    slots, ranks = host_slots(hosts, options.np, options.ppn)
    control = CONTROL_NETWORK[options.mode]
    shared = ",vader" if ranks > len(hosts) else ""
    first, last = plan.LAUNCHER_PORTS
    middle = (first + last + 1) // 2
    settings = {"plm_rsh_agent": lab.AGENT, "oob_tcp_if_include": control,
                "oob_tcp_dynamic_ipv4_ports": f"{first}-{middle - 1}",
                "btl_tcp_if_include": control, "btl_tcp_port_min_v4": str(middle),
                "btl_tcp_port_range_v4": str(last + 1 - middle), "pml": "ob1",
                "btl": f"tcp{shared},self", "mpi_yield_when_idle": "1"}
    argv = [mpirun, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--host",
            slots, "-np", str(ranks)]
    for name, value in settings.items():
        argv += ["--mca", name, value]
    for export in options.exports:
        argv += ["-x", export]
    return argv


def run(state: dict, options, command: list[str]) -> int:
    if not command:
        raise LabError(USAGE, "netlab mpirun needs a command after --")
    hosts = lab.hosts_of_mode(options.mode, lab.node_list(state, options.nodes))
    argv = mpirun_argv(find_mpirun(), hosts, options)
    block_signals()
    pid = spawn([*lab.enter_here(state, hosts[0]), *argv, *probe_command(options.mode, command)],
                lab.host_environment())
    return probe_status(command, wait_passing_signals(pid, GRACE_SECONDS, bound_terminal=True))
