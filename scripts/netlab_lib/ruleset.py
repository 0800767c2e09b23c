"""The nft texts behind the faults. Pure.

The bridge hook sees a packet with both of its switch ports, whatever it carries; the ingress
hooks at the two ends of a node's link see each single packet, before macvlan takes it away.
"""
from . import plan, rates

TABLE = "netlab"
_HOUR = "1h"


def _fresh(family: str, body: str) -> str:
    """A table in place of the former one, in one transaction; without a body, none."""
    text = f"table {family} {TABLE}\ndelete table {family} {TABLE}\n"
    return text + (f"table {family} {TABLE} {{\n{body}}}\n" if body else "")


def _limits(loss: float, largest: int | None) -> str:
    lines = ""
    if loss > 0:  # nft takes no comparison that always holds
        chance = "" if loss >= 100 else f"numgen random mod 100000 < {round(loss * 1000)} "
        lines += f"    {chance}counter drop\n"
    if largest is not None:
        lines += f"    meta length > {largest} counter drop\n"
    return lines


def _ingress(device: str, body: str) -> str:
    return (f"  chain in_{device} {{\n    type filter hook ingress device \"{device}\""
            f" priority 0; policy accept;\n{body}  }}\n") if body else ""


# A flow is what a NIC's hash sees: a TCP connection, or one inner flow of the overlay (VXLAN
# spreads inner flows over its source ports). Each new one takes the next class in turn. The mark
# stands for the flow in the map: nft 1.0.6 aborts on an IPv6 key together with a value.
_ADDRESSES4, _ADDRESSES6 = "ip saddr . ip daddr", "ip6 saddr . ip6 daddr"
_FLOWS = (("meta protocol ip meta l4proto tcp", _ADDRESSES4),
          ("meta protocol ip6 meta l4proto tcp", _ADDRESSES6),
          (f"meta protocol ip udp dport {plan.VXLAN_PORT}", _ADDRESSES4))


def _flow_map() -> str:
    return ("  map flows_seen {\n    typeof meta mark : meta priority\n    size 65536\n"
            f"    flags dynamic,timeout\n    timeout {_HOUR}\n  }}\n")


def _flow_chain() -> str:
    first = (1 << 16) + rates.FIRST_FLOW_CLASS
    lines = "    meta mark set 0\n"
    for match, addresses in _FLOWS:
        lines += (f"    {match} meta mark set jhash {addresses} . th sport . th dport"
                  " mod 0x7fffffff seed 1 offset 1\n")
    lines += ("    meta mark 0 accept\n    meta priority set meta mark map @flows_seen\n"
              "    meta priority != 0 accept\n    add @flows_seen { meta mark :"
              f" numgen inc mod {rates.FLOW_CLASSES} offset {first} }}\n"
              "    meta priority set meta mark map @flows_seen\n")
    return f"  chain flows {{\n{lines}  }}\n"


def switch(dropped: list[tuple[int, int]], slowed: list[tuple[int, int]], capped: list[int],
           limits: dict[int, tuple[float, int | None]]) -> str:
    """Pairs are (from, to); limits are loss and largest packet by node."""
    lines = ""
    for a, b in sorted(dropped):
        lines += f'    iifname "{plan.port(a)}" oifname "{plan.port(b)}" counter drop\n'
    if slowed or capped:
        lines += "    meta priority set 0\n"
    for a, b in sorted(slowed):
        lines += (f'    iifname "{plan.port(a)}" oifname "{plan.port(b)}" counter'
                  f" meta priority set 1:{rates.peer_class(a):x}\n")
    for k in sorted(capped):
        lines += f'    oifname "{plan.port(k)}" jump flows\n'
    body = _flow_map() + _flow_chain() if capped else ""
    if lines:
        body += ("  chain forward {\n    type filter hook forward priority 0; policy accept;\n"
                 f"{lines}  }}\n")
    links = "".join(_ingress(plan.port(k), _limits(*limit)) for k, limit in limits.items())
    return _fresh("bridge", body) + _fresh("netdev", links)


def launcher(largest: int | None) -> str:
    """mpirun's own connections get segments that pass where larger packets are lost."""
    if largest is None:
        return _fresh("inet", "")
    segment = largest - plan.VXLAN_BYTES - plan.TCP_BYTES
    first, last = plan.LAUNCHER_PORTS
    lines = "".join(f"    tcp flags & syn == syn tcp {side} {first}-{last}"
                    f" tcp option maxseg size set {segment}\n" for side in ("sport", "dport"))
    return _fresh("inet", "  chain launcher {\n    type filter hook output priority mangle;"
                          f" policy accept;\n{lines}  }}\n")


def node(limit: tuple[float, int | None], capped: bool) -> str:
    """The node's end of its link: what comes in, and under a flow cap the class of what goes."""
    body = ""
    if capped:
        body += _flow_map() + _flow_chain()
        body += ('  chain out_eth0 {\n    type filter hook egress device "eth0" priority 0;'
                 " policy accept;\n    meta priority set 0\n    jump flows\n  }\n")
    return _fresh("netdev", body + _ingress("eth0", _limits(*limit)))
