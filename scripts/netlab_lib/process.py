"""Running tools with a bound, and waiting for a command while signals are passed on to it."""
import os
import signal
import subprocess
import time

from .errors import FAILED, SKIPPED, LabError

TOOL_SECONDS = 20
PASSED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
WAITED_FOR = {*PASSED_ON, signal.SIGCHLD}
FROM_TERMINAL = 0x80  # si_code SI_KERNEL: the terminal sent it to the whole foreground group


def run_tool(argv: list[str], text: str = "", may_fail: bool = False) -> str:
    """Runs a tool to its end and returns its output; LabError names the tool and its message."""
    try:
        done = subprocess.run(argv, input=text, capture_output=True, text=True,
                              timeout=TOOL_SECONDS, check=False)
    except FileNotFoundError:
        raise LabError(SKIPPED, f"{argv[0]} is not installed") from None
    except subprocess.TimeoutExpired:
        raise LabError(FAILED, f"'{' '.join(argv)}' did not end in {TOOL_SECONDS} s") from None
    if done.returncode != 0 and not may_fail:
        first = (done.stderr.strip() or done.stdout.strip() or "no message").replace("\n", "; ")
        raise LabError(FAILED, f"'{' '.join(argv)}' failed ({done.returncode}): {first}")
    return done.stdout


def block_signals() -> None:
    """From here on the signals wait until wait_passing_signals takes them."""
    signal.pthread_sigmask(signal.SIG_BLOCK, WAITED_FOR)


def spawn(argv: list[str], env: dict[str, str]) -> int:
    """Starts argv with no signal blocked; call block_signals first, so that none is missed."""
    return os.posix_spawnp(argv[0], argv, env, setsigmask=[], setsigdef=[signal.SIGPIPE])


def shell_status(wait_status: int) -> int:
    code = os.waitstatus_to_exitcode(wait_status)
    return code if code >= 0 else 128 - code


def wait_passing_signals(pid: int, grace: float, send=None, bound_terminal: bool = False) -> int:
    """Waits for child `pid` and returns its status as a shell gives it.

    A signal that another process sent here is passed on by send(pid, number), once, and then
    the child has `grace` seconds before SIGKILL. A terminal's signal has reached the child
    already: it is not doubled, and bounds the wait only with `bound_terminal`.
    Reaps every other child too, for the lab's first process inherits orphans.
    """
    send = send or os.kill
    deadline = None
    while True:
        while True:
            try:
                ended, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return FAILED
            if ended == pid:
                return shell_status(status)
            if ended == 0:
                break
        left = 3600.0 if deadline is None else max(0.0, deadline - time.monotonic())
        if deadline is not None and left == 0.0:
            os.kill(pid, signal.SIGKILL)
            deadline = time.monotonic() + grace
            continue
        info = signal.sigtimedwait(WAITED_FOR, left)
        if info is None or info.si_signo == signal.SIGCHLD:
            continue
        from_terminal = info.si_code == FROM_TERMINAL
        if not from_terminal:
            send(pid, info.si_signo)
        if deadline is None and (bound_terminal or not from_terminal):
            deadline = time.monotonic() + grace
