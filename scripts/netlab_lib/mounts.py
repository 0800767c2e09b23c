"""mount(2) for the lab's first process."""
import ctypes
import os
import stat

from .errors import REFUSED, LabError

MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 4096, 16384, 1 << 18

_libc = ctypes.CDLL(None, use_errno=True)


def mount(source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    encoded = [None if x is None else os.fsencode(x) for x in (source, target, kind, data)]
    if _libc.mount(encoded[0], encoded[1], encoded[2], ctypes.c_ulong(flags), encoded[3]) != 0:
        reason = os.strerror(ctypes.get_errno())
        raise LabError(REFUSED, f"cannot mount {kind or source} on {target}: {reason}")


def bind(source: str, target: str) -> None:
    mount(source, target, None, MS_BIND | MS_REC)


def private_tmpfs_over_run() -> None:
    """An own /run with everything of the old one still in its place (resolv.conf may point there).

    The lab's files need a directory that exists on every machine and that leaves nothing behind.
    """
    old = os.open("/run", os.O_PATH | os.O_DIRECTORY)
    try:
        entries = sorted(os.listdir("/run"))
        mount("tmpfs", "/run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755")
        for name in entries:
            _bring_back(f"/proc/self/fd/{old}/{name}", f"/run/{name}")
    finally:
        os.close(old)


def _bring_back(source: str, target: str) -> None:
    try:
        mode = os.lstat(source).st_mode
        if stat.S_ISLNK(mode):
            os.symlink(os.readlink(source), target)
            return
        if stat.S_ISDIR(mode):
            os.mkdir(target)
        else:
            os.close(os.open(target, os.O_CREAT | os.O_WRONLY))
        bind(source, target)
    except (OSError, LabError):
        pass  # went away meanwhile, or is not ours to see: the lab does without
