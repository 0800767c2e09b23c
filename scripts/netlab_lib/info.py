"""`netlab info`: what the lab consists of, as JSON."""
from . import plan

SCHEMA_VERSION = 1


def _read(pid: int, path: str) -> str | None:
    try:
        with open(f"/proc/{pid}/root/{path}", encoding="utf-8") as f:
            return f.read().strip()
    except OSError:
        return None


def _interface(pid: int, i: plan.Interface) -> dict:
    mtu = _read(pid, f"sys/class/net/{i.name}/mtu")
    return {"name": i.name, "kind": i.kind, "address4": f"{i.address4}/{i.prefix4}",
            "address6": f"{i.address6}/{i.prefix6}", "mtu": int(mtu) if mtu else None,
            "state": _read(pid, f"sys/class/net/{i.name}/operstate")}


def _host(state: dict, name: str) -> dict:
    pid = state["pids"][name]
    return {"name": name, "pid": pid,
            "boot_id": _read(pid, "proc/sys/kernel/random/boot_id"),
            "interfaces": [_interface(pid, i) for i in plan.interfaces(name)]}


def describe(state: dict) -> dict:
    numbers = range(1, state["nodes"] + 1)
    return {"schema_version": SCHEMA_VERSION, "rate": state["rate"],
            "congestion_control": {"used": plan.CONGESTION_CONTROL, "set_by": "route",
                                   "sysctl": state["sysctl_congestion"]},
            "encapsulation": {"kind": "vxlan", "port": plan.VXLAN_PORT,
                              "bytes": plan.VXLAN_BYTES},
            "nodes": [_host(state, plan.node_name(k)) for k in numbers],
            "pods": [dict(_host(state, plan.pod_name(k)), node=plan.node_name(k))
                     for k in numbers],
            "faults": state["faults"]}
