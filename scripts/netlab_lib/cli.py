"""The command line: options, help, and one clear line for every error."""
import argparse
import json
import os
import re
import sys

from . import compare, faults, info, inner, lab, mpi, outer, plan, rates
from .errors import FAILED, USAGE, LabError

EXIT_CODES = """exit codes:
  run, exec, mpirun return CMD's status (128 + number for a signal). netlab's own:
  0 done   2 usage   3 could not be done (a tool failed or a wait ran out)
  4 refused by this machine (no namespaces)   77 a tool or kernel feature is missing
"""

EXAMPLES = """examples:
  netlab run -- netlab info
  netlab run --nodes 2 --rate none -- sh -c 'netlab exec node2 -- iperf3 -s -1 -D;
    netlab exec node1 -- iperf3 -c node2 -t 2'
  netlab run -- netlab mpirun --mode overlay -- hostname
  netlab run -- sh -c 'netlab fault loss 2 2; netlab mpirun --mode host -- ringwise-probe'

"""

MPIRUN_NOTES = """Starts on the first host: the nodes for host, the pods for overlay and multus.
MPI stays on eth0. The interface to be measured is eth0 for host and overlay, net1 for multus.
A command named ringwise-probe gets '--interface =net1' (multus) and '--mode MODE' unless it has
them (told on stderr), and mpirun's own codes (1, 126 and above) become 3; the status of every
other command passes unchanged.

example:
  netlab mpirun --mode multus --np 3 -x NCCL_DEBUG=INFO -- ringwise-probe --output run.json

"""

COMPARE_NOTES = """Builds a lab, or uses the one that it is called in, faults and all.

examples:
  netlab compare
  netlab run -- sh -c 'netlab fault route-mtu 2 1400; netlab compare --output /tmp/out'

"""

FAULT_NOTES = """NODE is 1 or node1; RATE is a number with kbit, mbit or gbit. Takes effect at once;
the same fault again changes nothing or replaces its value.
  rate NODE [NODE] RATE [--one-way]  that node's traffic, or between the two, at most RATE each
                                     way; --one-way: only what the first node sends
  loss NODE PERCENT                  random loss of that node's packets, both ways
  blackhole NODE NODE [--one-way]    no packet passes between the two and their pods, on any
                                     path; --one-way: none from the first to the second
  mtu NODE BYTES [--path]            the node's eth0 has this MTU and larger packets from and to
                                     it are lost silently; --path: lost, eth0's MTU unchanged
  route-mtu NODE BYTES               MTU on the node's and its pod's routes, devices unchanged
  offload NODE off|on                TSO, GSO and GRO of the node's and its pod's interfaces
  flowcap NODE RATE                  each TCP connection of the node and its pod, each way
  down NODE                          the node's cable is pulled: eth0 loses its carrier
  clear                              everything as it was built

example:
  netlab fault rate node1 node2 300mbit --one-way

"""


def positive(text: str) -> int:
    if not re.fullmatch(r"[1-9]\d{0,5}", text):
        raise argparse.ArgumentTypeError(f"'{text}' is no number above 0")
    return int(text)


def build_parser() -> argparse.ArgumentParser:
    layout = {"formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False}
    parser = argparse.ArgumentParser(
        prog="netlab", **layout, epilog=EXAMPLES + EXIT_CODES,
        description="Several hosts with pods, a switch and a pod network on one machine, for as"
                    " long as a command runs; needs no hardware and, with user namespaces, no"
                    " root.")
    commands = parser.add_subparsers(dest="what", metavar="COMMAND", required=True)

    def add(name: str, purpose: str, notes: str = "") -> argparse.ArgumentParser:
        return commands.add_parser(name, help=purpose, description=purpose, **layout,
                                   epilog=notes + EXIT_CODES)

    p = add("run", "build a lab, run CMD in it, take it down, return CMD's status", EXAMPLES)
    p.usage = "netlab run [--nodes N] [--rate RATE|none] -- CMD..."
    p.add_argument("--nodes", type=positive, default=3, metavar="N",
                   help=f"hosts node1..nodeN, each with a pod, 1 to {plan.MAX_NODES} (default 3)")
    p.add_argument("--rate", default="1gbit", metavar="RATE",
                   help="what each node's link carries, or none for no limit (default 1gbit)")

    p = add("exec", "run CMD on one host of the lab, return its status",
            "example:\n  netlab exec pod1 -- ip address\n\n")
    p.usage = "netlab exec HOST -- CMD..."
    p.add_argument("host", metavar="HOST", help="node1..nodeN or pod1..podN")

    p = add("mpirun", "run CMD by Open MPI on the hosts of a mode", MPIRUN_NOTES)
    p.usage = ("netlab mpirun --mode MODE [--np N] [--ppn N] [--nodes LIST] [-x VAR[=VALUE]]..."
               " -- CMD...")
    p.add_argument("--mode", required=True, choices=plan.MODES, help="which hosts and network")
    p.add_argument("--np", type=positive, metavar="N", help="ranks (default: ppn on each host)")
    p.add_argument("--ppn", type=positive, metavar="N", help="ranks a host (default 1)")
    p.add_argument("--nodes", metavar="LIST", help="such as 1,2 (default: all)")
    p.add_argument("-x", dest="exports", action="append", default=[], metavar="VAR[=VALUE]",
                   help="pass this environment variable to every rank; may repeat")

    compare.add_options(add("compare", "measure every mode and show what each costs",
                            COMPARE_NOTES), positive)

    p = add("hosts", "print the hosts of a mode, one a line, for another launcher")
    p.add_argument("--mode", required=True, choices=plan.MODES)
    p.add_argument("--nodes", metavar="LIST", help="such as 1,2 (default: all)")

    add("agent", "print the path of the lab's stand-in for ssh",
        "example (MPICH):\n  netlab exec node1 -- mpirun.mpich -launcher ssh -launcher-exec"
        " $(netlab agent) \\\n    -hosts node1,node2 -iface eth0 hostname\n\n")
    add("info", "print hosts, interfaces, rate and faults in force as JSON")

    p = add("fault", "plant a fault, or clear them all", FAULT_NOTES)
    p.usage = "netlab fault KIND [ARGUMENT...] [--one-way | --path]"
    p.add_argument("kind", choices=[*FAULTS, "clear"], metavar="KIND", help="see below")
    p.add_argument("arguments", nargs="*", metavar="ARGUMENT")
    p.add_argument("--one-way", action="store_true", help="rate, blackhole: one direction only")
    p.add_argument("--path", action="store_true", help="mtu: leave the device's MTU as it is")
    return parser


def _number(text: str, low: float, high: float, what: str) -> float:
    if not re.fullmatch(r"\d{1,6}(\.\d{1,3})?", text) or not low <= float(text) <= high:
        raise LabError(USAGE, f"bad {what} '{text}': a number from {low:g} to {high:g}")
    return float(text)


def _rate(text: str) -> str:
    rates.parse(text)
    return text.lower()


def _peer(state: dict, fault: dict, text: str) -> int:
    peer = lab.node_number(state, text)
    if peer == fault["node"]:
        raise LabError(USAGE, f"node{peer} twice: this fault is between two nodes")
    return peer


def _fault_rate(state: dict, fault: dict, rest: list[str], options) -> None:
    fault["one_way"] = options.one_way
    if len(rest) == 2:
        fault["peer"] = _peer(state, fault, rest[0])
    fault["rate"] = _rate(rest[-1])


def _fault_loss(_state: dict, fault: dict, rest: list[str], _options) -> None:
    fault["percent"] = _number(rest[0].removesuffix("%"), 0, 100, "percentage")


def _fault_blackhole(state: dict, fault: dict, rest: list[str], options) -> None:
    fault |= {"peer": _peer(state, fault, rest[0]), "one_way": options.one_way}


def _fault_mtu(_state: dict, fault: dict, rest: list[str], options) -> None:
    # below 1280 the kernel takes IPv6 off the device
    fault |= {"bytes": int(_number(rest[0], 1280, 9000, "MTU")), "path_only": options.path}


def _fault_route_mtu(_state: dict, fault: dict, rest: list[str], _options) -> None:
    fault["bytes"] = int(_number(rest[0], 1280 + plan.VXLAN_BYTES, plan.MTU, "route MTU"))


def _fault_offload(_state: dict, fault: dict, rest: list[str], _options) -> None:
    if rest[0] not in ("off", "on"):
        raise LabError(USAGE, f"bad value '{rest[0]}': offload NODE off|on")
    fault["value"] = rest[0]


def _fault_flowcap(_state: dict, fault: dict, rest: list[str], _options) -> None:
    fault["rate"] = _rate(rest[0])


def _fault_down(_state: dict, _fault: dict, _rest: list[str], _options) -> None:
    pass


# kind: how many arguments after NODE, the option it takes, and what reads them
FAULTS = {"rate": ((1, 2), "one_way", _fault_rate), "loss": ((1,), None, _fault_loss),
          "blackhole": ((1,), "one_way", _fault_blackhole), "mtu": ((1,), "path", _fault_mtu),
          "route-mtu": ((1,), None, _fault_route_mtu), "offload": ((1,), None, _fault_offload),
          "flowcap": ((1,), None, _fault_flowcap), "down": ((0,), None, _fault_down)}


def read_fault(state: dict, options) -> dict | None:
    """The fault that the arguments describe; None for clear."""
    kind, given = options.kind, options.arguments
    counts, option, read = FAULTS.get(kind, ((-1,), None, None))
    if len(given) - 1 not in counts:
        raise LabError(USAGE, f"fault {kind}: wrong number of arguments, see netlab fault --help")
    for name in ("one_way", "path"):
        if getattr(options, name) and name != option:
            raise LabError(USAGE, f"fault {kind} takes no --{name.replace('_', '-')}")
    if kind == "clear":
        return None
    fault = {"kind": kind, "node": lab.node_number(state, given[0])}
    read(state, fault, given[1:], options)
    return fault


def run_fault(options) -> int:
    with lab.locked():
        state = lab.load()
        fault = read_fault(state, options)
        try:
            if fault is None:
                faults.clear(state)
            elif fault == {"kind": "offload", "node": fault["node"], "value": "on"}:
                faults.withdraw(state, "offload", fault["node"])
            else:
                faults.plant(state, fault)
        finally:
            lab.save(state)
    return 0


def run_exec(host: str, command: list[str]) -> int:
    if not command:
        raise LabError(USAGE, "netlab exec needs a command after --")
    argv = lab.enter_here(lab.load(), host) + command
    os.execvpe(argv[0], argv, lab.host_environment())


def run_run(options, command: list[str]) -> int:
    if not command:
        raise LabError(USAGE, "netlab run needs a command after --")
    if options.nodes > plan.MAX_NODES:
        raise LabError(USAGE, f"at most {plan.MAX_NODES} nodes")
    if lab.is_inside():
        raise LabError(USAGE, "a lab inside a lab is not possible: use this one, or leave it"
                              " first")
    if options.rate != "none":
        options.rate = _rate(options.rate)
    return outer.run(options.nodes, options.rate, command)


def dispatch(options, arguments: list[str], command: list[str]) -> int:
    if options.what == "run":
        return run_run(options, command)
    if options.what == "exec":
        return run_exec(options.host, command)
    if options.what == "mpirun":
        return mpi.run(lab.load(), options, command)
    if options.what == "fault":
        return run_fault(options)
    if options.what == "compare":
        compare.check(options)
        if options.rate != "none":
            options.rate = _rate(options.rate)
        return compare.run(options, arguments)
    state = lab.load()
    if options.what == "info":
        print(json.dumps(info.describe(state), indent=2))
    elif options.what == "agent":
        print(lab.AGENT)
    else:
        print("\n".join(lab.hosts_of_mode(options.mode, lab.node_list(state, options.nodes))))
    return 0


def main(argv: list[str]) -> int:
    end = argv.index("--") if "--" in argv else len(argv)
    own, command = argv[:end], argv[end + 1:]
    try:
        if own[:1] == ["--inside"]:
            return inner.run(int(own[1]), int(own[2]), own[3], command)
        return dispatch(build_parser().parse_args(own), own[1:], command)
    except LabError as e:
        print(f"netlab: {e}", file=sys.stderr)
        return e.code
    except OSError as e:
        print(f"netlab: {e}", file=sys.stderr)
        return FAILED
