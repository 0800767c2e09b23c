"""Rates as tc writes them, and the queueing disciplines that enforce them. Pure."""
import re

from .errors import USAGE, LabError

_UNITS = {"bit": 1, "kbit": 10**3, "mbit": 10**6, "gbit": 10**9}
_LOWEST, _HIGHEST = 10**5, 100 * 10**9

# 1 MiB of burst reads the exact rate at 1 Gbit/s (8.4 ms of it); at lower rates the same time
# keeps short transfers honest, but a segmented 64 KiB packet must always fit.
_BURST_SECONDS = 0.0084
_BURST_LOW, _BURST_HIGH = 128 * 1024, 1024 * 1024
_LATENCY_SECONDS = 0.02

FLOW_CLASSES = 256
FIRST_FLOW_CLASS = 0x100
_TOTAL_CLASS, _DEFAULT_CLASS, _FIRST_PEER_CLASS = 1, 2, 0x10


def parse(text: str) -> int:
    """'500mbit' to bits per second."""
    match = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)([kmg]?bit)", text.lower())
    bits = int(float(match[1]) * _UNITS[match[2]]) if match else 0
    if not _LOWEST <= bits <= _HIGHEST:
        raise LabError(USAGE, f"bad rate '{text}': a number with kbit, mbit or gbit,"
                              " from 100kbit to 100gbit, such as 500mbit")
    return bits


def burst(bits: int) -> int:
    return max(_BURST_LOW, min(_BURST_HIGH, int(bits / 8 * _BURST_SECONDS)))


def peer_class(k: int) -> int:
    return _FIRST_PEER_CLASS + k


def tbf(device: str, bits: int) -> str:
    return (f"qdisc add dev {device} root tbf rate {bits}bit burst {burst(bits)}b"
            f" latency {_LATENCY_SECONDS * 1000:.0f}ms\n")


def _htb_class(device: str, minor: int, low: int, high: int) -> list[str]:
    limit = burst(high) + int(high / 8 * _LATENCY_SECONDS)
    return [f"class add dev {device} parent 1:{_TOTAL_CLASS:x} classid 1:{minor:x} htb"
            f" rate {low}bit ceil {high}bit burst {burst(high)}b cburst {burst(high)}b"
            " quantum 60000",
            f"qdisc add dev {device} parent 1:{minor:x} bfifo limit {limit}b"]


def htb(device: str, total: int | None, peers: dict[int, int], flow: int | None) -> str:
    """A tree of one total, with a class for each slowed peer and for each group of flows.

    Classes borrow from the total up to their own ceiling: a class that owned its rate would be
    served beyond the total.
    """
    top = total or _HIGHEST
    lines = [f"qdisc add dev {device} root handle 1: htb default {_DEFAULT_CLASS:x}",
             f"class add dev {device} parent 1: classid 1:{_TOTAL_CLASS:x} htb rate {top}bit"
             f" ceil {top}bit burst {_BURST_HIGH}b cburst {_BURST_HIGH}b quantum 60000",
             *_htb_class(device, _DEFAULT_CLASS, top // 2, top)]
    classes = {peer_class(k): bits for k, bits in peers.items()}
    if flow is not None:
        classes |= {FIRST_FLOW_CLASS + i: flow for i in range(FLOW_CLASSES)}
    for minor, bits in classes.items():
        share = max(8000, top // 2 // len(classes))
        lines += _htb_class(device, minor, min(bits, share), min(bits, top))
    return "\n".join(lines) + "\n"


def shape(device: str, total: int | None, peers: dict[int, int], flow: int | None) -> str:
    """The `tc -batch` text for a device without a root discipline; empty when unlimited."""
    if peers or flow is not None:
        return htb(device, total, peers, flow)
    return "" if total is None else tbf(device, total)
