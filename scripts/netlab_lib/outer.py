"""`netlab run` as seen from the machine: checks, the lab's first process, signals, its end."""
import os
import shutil
import signal
import subprocess
import sys

from .errors import REFUSED, SKIPPED, LabError
from .process import block_signals, spawn, wait_passing_signals

GRACE_SECONDS = 20
TOOLS = {"unshare": "util-linux", "nsenter": "util-linux", "mount": "mount", "ip": "iproute2",
         "bridge": "iproute2", "tc": "iproute2", "nft": "nftables", "ethtool": "ethtool",
         "hostname": "hostname", "sleep": "coreutils"}
ADMIN_PATH = "/usr/sbin:/sbin"  # where Debian keeps ip, tc and nft; a plain user's PATH lacks it


def check_tools() -> None:
    os.environ["PATH"] = os.environ.get("PATH", "/usr/bin:/bin") + ":" + ADMIN_PATH
    missing = sorted(t for t in TOOLS if shutil.which(t) is None)
    if missing:
        packages = " ".join(sorted({TOOLS[t] for t in missing}))
        raise LabError(SKIPPED, f"not installed: {', '.join(missing)} (Debian: {packages})")


def _unshare_works(flags: list[str]) -> str:
    """Empty when these namespaces can be had, else the kernel's reason."""
    done = subprocess.run(["unshare", *flags, "true"], capture_output=True, text=True,
                          timeout=20, check=False)
    return "" if done.returncode == 0 else (done.stderr.strip() or "no message")


def namespace_flags() -> list[str]:
    flags = ["--fork", "--kill-child", "--pid", "--mount-proc", "--net", "--mount", "--uts",
             "--ipc"]
    as_user = ["--user", "--map-root-user", *flags]
    reasons = []
    for attempt in ([flags, as_user] if os.geteuid() == 0 else [as_user]):
        reason = _unshare_works(attempt)
        if not reason:
            return attempt
        reasons.append(reason.replace("\n", "; "))
    who = "root" if os.geteuid() == 0 else "a plain user"
    raise LabError(REFUSED, f"this machine lets {who} make no namespaces ({reasons[-1]});"
                            " run netlab as root, or allow unprivileged user namespaces")


def run(nodes: int, rate: str, command: list[str]) -> int:
    check_tools()
    flags = namespace_flags()
    block_signals()
    life, hold = os.pipe()  # the lab ends when `hold` closes, so it cannot outlive this process
    os.set_inheritable(life, True)
    script = os.path.realpath(sys.argv[0])
    pid = spawn(["unshare", *flags, sys.executable, script, "--inside", str(life), str(nodes),
                 rate, "--", *command], dict(os.environ))
    os.close(life)

    def tell_lab(_pid: int, number: int) -> None:
        try:
            os.write(hold, bytes([number]))
        except BrokenPipeError:
            pass

    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    return wait_passing_signals(pid, GRACE_SECONDS, send=tell_lab)
