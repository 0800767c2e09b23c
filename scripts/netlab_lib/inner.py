"""The lab's first process: builds hosts, switch, overlay and pods, runs CMD, ends the lab.

It is process 1 of the lab's PID namespace: when it ends, however that happens, the kernel kills
everything in the lab, and with the last process go the namespaces, interfaces and mounts.
"""
import os
import select
import signal
import stat
import subprocess
import sys
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

from . import faults, lab, mounts, plan
from .errors import FAILED, REFUSED, SKIPPED, LabError
from .process import block_signals, run_tool, spawn, wait_passing_signals

GRACE_SECONDS = 15
HOLDER_SECONDS = 20
CLEAN_ENVIRONMENT = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TERM",
                     "LD_LIBRARY_PATH")

# Arguments: NAME SHM_SIZE BOOT_ID_FILE [SYSCTL_PATH VALUE]... Runs in the new host's namespaces.
HOST_SETUP = """#!/bin/sh
set -e
hostname "$1"
mount -t tmpfs -o "mode=1777,size=$2" tmpfs /dev/shm
mount -t tmpfs -o mode=1777 tmpfs /run/netlab/tmp
[ ! -d /sys/fs/cgroup ] || mount --rbind /sys/fs/cgroup /run/netlab/cgroup
mount -t sysfs sysfs /sys
[ ! -d /sys/fs/cgroup ] || mount --rbind /run/netlab/cgroup /sys/fs/cgroup
umount -l /run/netlab/cgroup 2>/dev/null || :
mount --bind "$3" /proc/sys/kernel/random/boot_id 2>/dev/null ||
  echo "netlab: $1 keeps this machine's boot_id: it cannot be covered here" >&2
shift 3
while [ $# -gt 0 ]; do
  echo "$2" > "/proc/sys/$1"
  shift 2
done
echo ready
exec sleep infinity
"""

# What ssh is to a launcher: [OPTION]... HOST COMMAND..., with an environment of its own.
AGENT = """#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in
    -[bcDEeFIiJLlmOopQRSWw]) shift 2 ;;
    -*) shift ;;
    *) break ;;
  esac
done
host=${1#*@}
shift
case "$host" in */*|"") host=none ;; esac
if [ ! -f "/run/netlab/pids/$host" ]; then
  echo "netlab: no host named '$host'" >&2
  exit 255
fi
read -r pid < "/run/netlab/pids/$host"
exec env -i @ENVIRONMENT@ TMPDIR=/run/netlab/tmp \\
  nsenter --target "$pid" --net --mount --uts --ipc -- /bin/sh -c "$*"
"""


class Commander:
    """Hears the process outside: a byte is a signal for CMD, end of file is the lab's end."""

    def __init__(self, life: int):
        self.command_runs = False
        threading.Thread(target=self._listen, args=(life,), daemon=True).start()

    def _listen(self, life: int) -> None:
        while True:
            data = os.read(life, 1)
            if not data:
                os._exit(128 + signal.SIGKILL)
            if not self.command_runs:
                os._exit(128 + data[0])
            os.kill(os.getpid(), data[0])  # wait_passing_signals passes it on to CMD


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def write_file(path: str, text: str, mode: int = 0o644) -> None:
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    os.chmod(path, mode)


def prepare_files(nodes: int) -> None:
    mounts.private_tmpfs_over_run()
    os.mkdir(lab.ROOT)
    for name in ("bin", "pids", "tmp", "cgroup", "boot_id"):
        os.mkdir(f"{lab.ROOT}/{name}")
    os.chmod(lab.TMPDIR, stat.S_ISVTX | 0o777)
    write_file(f"{lab.ROOT}/hosts", plan.etc_hosts(nodes))
    if os.path.exists("/etc/hosts"):
        mounts.bind(f"{lab.ROOT}/hosts", "/etc/hosts")
    for k in range(1, nodes + 1):  # a pod shares its node's kernel, hence its boot_id
        write_file(f"{lab.ROOT}/boot_id/{k}", f"{uuid.uuid4()}\n", 0o444)
    write_file(f"{lab.ROOT}/bin/host-setup", HOST_SETUP, 0o755)
    kept = " ".join(f"{v}={quoted(os.environ[v])}" for v in CLEAN_ENVIRONMENT if v in os.environ)
    write_file(lab.AGENT, AGENT.replace("@ENVIRONMENT@", kept), 0o755)
    script = os.path.realpath(sys.argv[0])
    write_file(f"{lab.ROOT}/bin/netlab",
               f'#!/bin/sh\nexec {quoted(sys.executable)} {quoted(script)} "$@"\n', 0o755)


def start_holder(host: str, congestion: str) -> subprocess.Popen:
    is_node = host.startswith("node")
    k = host.lstrip("nodepd")
    sysctls = plan.NODE_SYSCTLS if is_node else plan.HOST_SYSCTLS
    # a container runtime gives a pod 64 MiB of /dev/shm, a machine half of its memory
    argv = ["unshare", "--net", "--mount", "--uts", "--ipc", f"{lab.ROOT}/bin/host-setup", host,
            "50%" if is_node else "64m", f"{lab.ROOT}/boot_id/{k}"]
    for path, value in {**sysctls, plan.CONGESTION_SYSCTL: congestion}.items():
        argv += [path, value]
    return subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)


def start_hosts(nodes: int, congestion: str) -> dict[str, int]:
    holders = {host: start_holder(host, congestion) for host in plan.host_names(nodes)}
    deadline = time.monotonic() + HOLDER_SECONDS
    for host, holder in holders.items():
        ready, _, _ = select.select([holder.stdout], [], [],
                                    max(0.0, deadline - time.monotonic()))
        if not ready:
            raise LabError(FAILED, f"{host} was not set up within {HOLDER_SECONDS} s")
        if os.read(holder.stdout.fileno(), 16) != b"ready\n":
            raise LabError(REFUSED, f"{host} could not be set up: see the message above")
        write_file(f"{lab.ROOT}/pids/{host}", f"{holder.pid}\n")
    return {host: holder.pid for host, holder in holders.items()}


def write_sysctl(path: str, value: str) -> None:
    try:
        with open(f"/proc/sys/{path}", "w", encoding="utf-8") as f:
            f.write(value)
    except OSError as e:
        raise LabError(SKIPPED, f"this kernel does not take {path}={value}:"
                                f" {e.strerror}") from None


def set_outer_sysctls() -> str:
    """Returns the default congestion control that this kernel lets a namespace have."""
    with open("/proc/sys/net/ipv4/tcp_available_congestion_control", encoding="utf-8") as f:
        if plan.CONGESTION_CONTROL not in f.read().split():
            raise LabError(SKIPPED, f"this kernel has no TCP {plan.CONGESTION_CONTROL}")
    for path, value in plan.OUTER_SYSCTLS.items():
        write_sysctl(path, value)
    for path, value in plan.OPTIONAL_OUTER_SYSCTLS.items():
        if os.path.exists(f"/proc/sys/{path}"):
            write_sysctl(path, value)
    try:
        write_sysctl(plan.CONGESTION_SYSCTL, plan.CONGESTION_CONTROL)
        return plan.CONGESTION_CONTROL
    except LabError:
        write_sysctl(plan.CONGESTION_SYSCTL, plan.CONGESTION_FALLBACK)
        return plan.CONGESTION_FALLBACK


def build_network(state: dict) -> None:
    pids, nodes = state["pids"], state["nodes"]
    run_tool(["ip", "-batch", "-"], plan.switch_batch(pids, nodes))

    def build_host(k: int) -> None:
        node, pod = (lab.enter(state, name(k)) for name in (plan.node_name, plan.pod_name))
        run_tool([*node, "ip", "-batch", "-"], plan.node_batch(k, pids, nodes))
        if nodes > 1:
            run_tool([*node, "bridge", "-batch", "-"], plan.node_fdb_batch(k, nodes))
        run_tool([*pod, "ip", "-batch", "-"], plan.pod_batch(k))

    with ThreadPoolExecutor(max_workers=4) as workers:
        list(workers.map(build_host, range(1, nodes + 1)))


def build(nodes: int, rate: str) -> dict:
    if os.getpid() != 1:
        raise LabError(FAILED, "--inside is netlab's own: use 'netlab run'")
    prepare_files(nodes)
    congestion = set_outer_sysctls()
    run_tool(["hostname", "netlab"])
    state = {"nodes": nodes, "rate": rate, "pids": start_hosts(nodes, congestion),
             "faults": [], "applied": {}, "sysctl_congestion": congestion}
    build_network(state)
    faults.apply(state)
    lab.save(state)
    return state


def run(life: int, nodes: int, rate: str, command: list[str]) -> int:
    block_signals()
    os.set_inheritable(life, False)
    commander = Commander(life)
    build(nodes, rate)
    # In this process too: that is where the command's name is looked up.
    os.environ["PATH"] = f"{lab.ROOT}/bin:{os.environ['PATH']}"
    env = dict(os.environ)
    try:
        pid = spawn(command, env)
    except FileNotFoundError:
        raise LabError(127, f"{command[0]}: no such command") from None
    except OSError as e:
        raise LabError(126, f"{command[0]}: {e.strerror}") from None
    commander.command_runs = True
    return wait_passing_signals(pid, GRACE_SECONDS)
