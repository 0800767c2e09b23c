#!/usr/bin/env python3
"""Compares ringwise's choice of the bootstrap interface with what the real libnccl prints.

Each case gets a network namespace of its own; nothing outside it is touched.
Usage: nccl_bootstrap.py NCCL_UNIQUE_ID PREDICT_BOOTSTRAP [--library PATH]
Exit codes: 0 all equal, 1 a difference, 77 libnccl or namespaces are not to be had here.
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True  # the cases lie in the source tree
import bootstrap_cases  # noqa: E402

SKIPPED = 77
DEADLINE_S = 20
LIBRARIES = ["libnccl.so.2", "/usr/local/cuda*/lib*/libnccl.so.2",
             "/usr/local/lib/python3*/*-packages/nvidia/nccl/lib/libnccl.so.2"]


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S, check=False,
                          **more)


def clean_environment():
    """Without settings of the user: neither NCCL_* variables nor a ~/.nccl.conf."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("NCCL_")}
    return dict(kept, HOME="/nonexistent", NCCL_DEBUG="INFO")


def find_library(unique_id, asked):
    """Path and version text of the first libnccl that loads."""
    candidates = [asked] if asked else [found for pattern in LIBRARIES for found in
                                        (sorted(glob.glob(pattern)) if "*" in pattern
                                         else [pattern])]
    for candidate in candidates:
        answer = run([unique_id, candidate], env=clean_environment())
        version = re.search(r"^version (\d+)$", answer.stdout, re.MULTILINE)
        if version:
            return candidate, version.group(1)
    return skip(f"no libnccl among {', '.join(candidates)}")


def namespace_prefix():
    for prefix in (["unshare", "--net"], ["unshare", "--user", "--map-root-user", "--net"]):
        try:
            if run(prefix + ["ip", "link", "set", "lo", "up"]).returncode == 0:
                return prefix
        except FileNotFoundError as missing:
            return skip(f"{missing.filename} is not installed")
    return skip("no network namespaces here: needs root or user namespaces")


def batch(case):
    """The case's interfaces as lines for `ip -batch`."""
    lines = []
    if case["loopback"]:
        lines.append("link set lo up")
    if isinstance(case["loopback"], list):
        lines += [f"address add {address} dev lo" for address in case["loopback"]]
    for number, link in enumerate(case["links"]):
        name, peer = link["name"], f"zz{number}"
        index = f" index {link['index']}" if "index" in link else ""
        if link["kind"] == "veth":
            lines.append(f"link add {name}{index} type veth peer name {peer}")
        else:
            lines += [f"link add {name} type bridge",
                      f"link add {peer} type veth peer name {peer}p",
                      f"link set {peer} addrgenmode none", f"link set {peer}p addrgenmode none",
                      f"link set {peer} master {name} up", f"link set {peer}p {link['port']}"]
        lines.append(f"link set {name} addrgenmode none")
        if link["kind"] == "veth":
            lines.append(f"link set {peer} addrgenmode none")
            if link["state"] != "no-link":
                lines.append(f"link set {peer} up")
        if link["state"] != "down":
            lines.append(f"link set {name} up")
        for address in link["addresses"]:
            nodad = " nodad" if ":" in address.split()[0] else ""
            lines.append(f"address add {address} dev {name}{nodad}")
    return "\n".join(lines) + "\n"


def is_settled():
    """Whether the kernel has told every interface whether it has a link."""
    for link in json.loads(run(["ip", "-json", "link", "show"]).stdout):
        flags = link["flags"]
        is_running = link["operstate"] in ("UP", "UNKNOWN")
        if "UP" in flags and ("LOWER_UP" in flags) != is_running:
            return False
    return True


def inside(case, unique_id, predict, library, version):
    """Runs in the case's own namespace: prints both choices as JSON."""
    made = run(["ip", "-batch", "-"], input=batch(case))
    if made.returncode != 0:
        print(json.dumps({"error": made.stderr.strip()}))
        return
    end = time.monotonic() + DEADLINE_S
    while not is_settled():
        if time.monotonic() > end:
            print(json.dumps({"error": "the links did not settle"}))
            return
        time.sleep(0.01)
    environment = dict(clean_environment(), **case["settings"])
    answer = run([unique_id, library], env=environment)
    real = re.search(r"Bootstrap ?: Using (?:\[\d+\])?(\S+)<\d+>", answer.stdout)
    guess = run([predict, version], env=environment)
    lines = guess.stdout.splitlines() or [f"failed: {guess.stderr.strip()}", ""]
    if not real and not re.search(r"^result [1-9]", answer.stdout, re.MULTILINE):
        print(json.dumps({"error": answer.stdout + answer.stderr}))
        return
    print(json.dumps({"real": real.group(1) if real else "none", "ours": lines[0],
                      "why": lines[1]}))


def compare(case, prefix, arguments):
    child = run(prefix + [sys.executable, os.path.abspath(__file__), "--inside", json.dumps(case)]
                + arguments)
    try:
        answer = json.loads(child.stdout)
    except ValueError:
        answer = {"error": child.stdout + child.stderr}
    if "error" in answer:
        return False, f"could not be tried: {answer['error']}"
    is_equal = answer["real"] == answer["ours"]
    verdict = answer["real"] if is_equal else f"NCCL {answer['real']}, ringwise {answer['ours']}"
    return is_equal, f"{verdict} ({answer['why']})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inside")
    parser.add_argument("--library")
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    if options.inside:
        inside(json.loads(options.inside), *options.programs)
        return 0
    unique_id, predict = options.programs
    if os.path.exists("/etc/nccl.conf"):
        skip("/etc/nccl.conf changes what NCCL does here")
    library, version = find_library(unique_id, options.library)
    prefix = namespace_prefix()
    print(f"{library}, version {version}")
    tried, different = 0, 0
    for group, cases in bootstrap_cases.GROUPS.items():
        for case in cases:
            is_equal, text = compare(case, prefix, [unique_id, predict, library, version])
            tried += 1
            different += not is_equal
            print(f"{'same' if is_equal else 'DIFFERENT'}: {group}: {case['name']}: {text}")
    print(f"{tried - different} of {tried} combinations are the same")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
