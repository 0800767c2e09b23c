"""Planted faults: from the list of faults in force to commands, and running what differs.

Everything acts on the link between a node's eth0 and its switch port, which every path of that
node crosses: its own traffic, the overlay's VXLAN and its pod's macvlan, IPv4 and IPv6 alike.
"""
from . import lab, plan, rates, ruleset
from .errors import USAGE, LabError
from .process import run_tool

OUTER = "switch"
ONE_PER_NODE = ("loss", "mtu", "route-mtu", "offload", "flowcap", "down")
OFFLOADS = {"tso": "tcp-segmentation-offload", "gso": "generic-segmentation-offload",
            "gro": "generic-receive-offload"}


def of(state: dict, kind: str, node: int) -> dict | None:
    return next((f for f in state["faults"] if f["kind"] == kind and f["node"] == node), None)


def node_rates(state: dict) -> dict[str, dict[int, int | None]]:
    """Bits per second that each node sends and receives; None is unlimited."""
    own = None if state["rate"] == "none" else rates.parse(state["rate"])
    nodes = range(1, state["nodes"] + 1)
    result: dict[str, dict[int, int | None]] = {"sent": dict.fromkeys(nodes, own),
                                                "received": dict.fromkeys(nodes)}
    for f in state["faults"]:
        if f["kind"] == "rate" and "peer" not in f:
            result["sent"][f["node"]] = rates.parse(f["rate"])
            if not f["one_way"]:
                result["received"][f["node"]] = rates.parse(f["rate"])
    return result


def directed(state: dict, kind: str) -> dict[tuple[int, int], dict]:
    """(from, to) of the faults between two nodes; the later one holds where two overlap."""
    result = {}
    for f in state["faults"]:
        if f["kind"] == kind and "peer" in f:
            result[f["node"], f["peer"]] = f
            if not f["one_way"]:
                result[f["peer"], f["node"]] = f
    return result


def step(argv: list[str], text: str = "", may_fail: bool = False) -> dict:
    return {"argv": argv, "text": text, "may_fail": may_fail}


def shaping_steps(device: str, lines: str) -> list[dict]:
    steps = [step(["tc", "qdisc", "delete", "dev", device, "root"], may_fail=True)]
    return steps + ([step(["tc", "-batch", "-"], lines)] if lines else [])


def link_limits(state: dict, k: int) -> tuple[float, int | None]:
    """Loss in per cent and the largest packet that node k's link carries (None: any)."""
    loss, mtu = of(state, "loss", k), of(state, "mtu", k)
    return (loss["percent"] if loss else 0.0), (min(mtu["bytes"], plan.MTU) if mtu else None)


def launcher_steps(state: dict) -> list[dict]:
    """What keeps mpirun's own connections alive under `mtu`, in every host."""
    mtus = [f["bytes"] for f in state["faults"] if f["kind"] == "mtu" and f["bytes"] < plan.MTU]
    return [step(["nft", "-f", "-"], ruleset.launcher(min(mtus, default=None)))]


def _segments(state: dict, k: int) -> int:
    # a rule sees an unsegmented 64 KiB packet as one: faulty links carry single packets
    return 65535 if link_limits(state, k) == (0.0, None) else 1


def switch_steps(state: dict) -> dict[str, list[dict]]:
    """What the switch does, by a key per independent setting."""
    nodes = range(1, state["nodes"] + 1)
    received, slowed = node_rates(state)["received"], directed(state, "rate")
    flowcap = {k: f for k in nodes if (f := of(state, "flowcap", k))}
    rules = ruleset.switch(list(directed(state, "blackhole")), list(slowed), list(flowcap),
                           {k: link_limits(state, k) for k in nodes})
    steps = {"rules": [step(["nft", "-f", "-"], rules)]}
    for k in nodes:
        peers = {a: rates.parse(f["rate"]) for (a, b), f in slowed.items() if b == k}
        flow = rates.parse(flowcap[k]["rate"]) if k in flowcap else None
        steps[f"shape {k}"] = shaping_steps(plan.port(k), rates.shape(
            plan.port(k), received[k], peers, flow))
        steps[f"link {k}"] = [step(["ip", "link", "set", "dev", plan.port(k),
                                    "down" if of(state, "down", k) else "up",
                                    "gso_max_segs", str(_segments(state, k))])]
    return steps


def _metrics(bytes_: int | None) -> str:
    return f" congctl {plan.CONGESTION_CONTROL}" + (f" mtu {bytes_}" if bytes_ else "")


def route_batch(i: plan.Interface, bytes_: int | None) -> str:
    metrics = _metrics(bytes_)
    return (f"route replace {plan.subnet4(i)} dev {i.name} proto kernel scope link"
            f" src {i.address4}{metrics}\n"
            f"route replace {plan.subnet6(i)} dev {i.name} proto kernel metric 256{metrics}\n")


def default_route_batch(k: int, bytes_: int | None) -> str:
    metrics = _metrics(bytes_)
    gateway = plan.node_cni0(k)
    return (f"route replace default via {gateway.address4} dev eth0{metrics}\n"
            f"route replace default via {gateway.address6} dev eth0 metric 1024{metrics}\n")


def offload_steps(state: dict, host: str, k: int) -> list[dict]:
    before = state.get("offload_before", {}).get(host)
    if before is None:  # never touched
        return []
    off = of(state, "offload", k) is not None
    return [step(["ethtool", "-K", device, *[word for feature, value in features.items()
                                             for word in (feature, "off" if off else value)]],
                 may_fail=True)
            for device, features in before.items()]


def node_steps(state: dict, k: int) -> dict[str, list[dict]]:
    flow, mtu = of(state, "flowcap", k), of(state, "mtu", k)
    lowered = of(state, "route-mtu", k)
    device_mtu = mtu["bytes"] if mtu and not mtu["path_only"] else plan.MTU
    sent = node_rates(state)["sent"][k]
    lines = rates.shape("eth0", sent, {}, rates.parse(flow["rate"]) if flow else None)
    return {
        "rules": [step(["nft", "-f", "-"], ruleset.node(link_limits(state, k), bool(flow)))],
        "shape": shaping_steps("eth0", lines),
        "link": [step(["ip", "link", "set", "dev", "eth0", "mtu", str(device_mtu),
                       "gso_max_segs", str(_segments(state, k))])],
        "routes": [step(["ip", "-batch", "-"], route_batch(
            plan.node_eth0(k), lowered["bytes"] if lowered else None)
            + route_batch(plan.node_cni0(k), None))],
        "offload": offload_steps(state, plan.node_name(k), k),
        "launcher": launcher_steps(state),
    }


def pod_steps(state: dict, k: int) -> dict[str, list[dict]]:
    mtu, lowered = of(state, "mtu", k), of(state, "route-mtu", k)
    # a macvlan follows its lower device down but not up again
    net1_mtu = min(plan.MTU, mtu["bytes"]) if mtu and not mtu["path_only"] else plan.MTU
    bytes_ = lowered["bytes"] if lowered else None
    return {
        "link": [step(["ip", "link", "set", "dev", "net1", "mtu", str(net1_mtu)])],
        "routes": [step(["ip", "-batch", "-"],
                        route_batch(plan.pod_net1(k), bytes_) + route_batch(plan.pod_eth0(k), None)
                        + default_route_batch(k, bytes_ - plan.VXLAN_BYTES if bytes_ else None))],
        "offload": offload_steps(state, plan.pod_name(k), k),
        "launcher": launcher_steps(state),
    }


def wanted(state: dict) -> dict[str, dict[str, list[dict]]]:
    """Every setting that faults can change, by host, as the faults in force want it.

    Nodes come before their pods: a macvlan cannot have more MTU than the device below it.
    """
    result = {OUTER: switch_steps(state)}
    for k in range(1, state["nodes"] + 1):
        result[plan.node_name(k)] = node_steps(state, k)
        result[plan.pod_name(k)] = pod_steps(state, k)
    return result


def apply(state: dict) -> None:
    """Runs the steps of the settings that differ from what was applied last."""
    applied = state["applied"]
    for host, settings in wanted(state).items():
        prefix = [] if host == OUTER else lab.enter(state, host)
        for key, steps in settings.items():
            if applied.get(host, {}).get(key) == steps:
                continue
            applied.get(host, {}).pop(key, None)  # half done if a step fails: clear redoes it
            for s in steps:
                run_tool(prefix + s["argv"], s["text"], s["may_fail"])
            applied.setdefault(host, {})[key] = steps


def forget_learned(state: dict) -> None:
    """Drops what hosts learned under faults: path MTUs, and neighbours that did not answer."""
    flush = "ip -4 route flush cache; ip -6 route flush cache; ip neigh flush all"
    for host in state["pids"]:
        run_tool([*lab.enter(state, host), "/bin/sh", "-c", flush], may_fail=True)


def remember_offloads(state: dict, k: int) -> None:
    """Records what `offload` is about to change, once, so that clear can restore it."""
    before = state.setdefault("offload_before", {})
    for host, devices in ((plan.node_name(k), ["eth0"]), (plan.pod_name(k), ["eth0", "net1"])):
        if host in before:
            continue
        before[host] = {}
        for device in devices:
            shown = run_tool([*lab.enter(state, host), "ethtool", "-k", device])
            values = dict(line.strip().split(": ", 1) for line in shown.splitlines()[1:]
                          if ": " in line)
            before[host][device] = {short: values[long] for short, long in OFFLOADS.items()
                                    if values.get(long) in ("on", "off")}


def check_together(state: dict) -> None:
    for (a, b) in directed(state, "rate"):
        if of(state, "flowcap", b):
            raise LabError(USAGE, f"a flow cap on node{b} and a rate between node{a} and node{b}"
                                  " cannot be in force together: clear one first")


def plant(state: dict, fault: dict) -> None:
    """Adds the fault, in place of an earlier one that it repeats, and applies it."""
    def replaced(f: dict) -> bool:
        if f["kind"] != fault["kind"] or f["node"] != fault["node"]:
            return False
        if f["kind"] in ONE_PER_NODE:
            return True
        return f.get("peer") == fault.get("peer") and (f["one_way"] == fault["one_way"]
                                                       or not fault["one_way"])

    in_force = [f for f in state["faults"] if not replaced(f)] + [fault]
    check_together(dict(state, faults=in_force))
    state["faults"] = in_force
    if fault["kind"] == "offload":
        remember_offloads(state, fault["node"])
    apply(state)


def withdraw(state: dict, kind: str, node: int) -> None:
    state["faults"] = [f for f in state["faults"] if (f["kind"], f["node"]) != (kind, node)]
    apply(state)


def clear(state: dict) -> None:
    had_faults = bool(state["faults"])
    state["faults"] = []
    apply(state)
    if had_faults:
        forget_learned(state)
