#!/usr/bin/env python3
"""Faults planted in the lab, and what `ringwise explain` and `ringwise compare` say of the runs.
Exits 0, 1, or 77 when this machine can hold no lab.

Usage: explain_test.py BUILD_DIR. The part inside a lab is this same file with --inside.
"""
import json
import os
import shutil
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

from lab_support import call, programs_folder, run_with_build  # noqa: E402

BIN = programs_folder()
FOLDER = tempfile.mkdtemp(prefix="ringwise-explain-")


def measure(name, mode, *options):
    """Path of the record; the run may fail, the record has to be there."""
    output = os.path.join(FOLDER, f"{name}.json")
    done = call("netlab", "mpirun", "--mode", mode, "--", f"{BIN}/ringwise-probe", "--probes",
                "tcp-allreduce,tcp-pairs", "--sizes", "8,1M,4M", "--time-budget", "12s",
                "--stage-timeout", "20s", "--on-busy-fabric", "--output", output, *options,
                seconds=120)
    if not os.path.exists(output):
        raise AssertionError(f"no record: exit {done.returncode}\n{done.stdout}\n{done.stderr}")
    return output


def findings(record):
    """What explain finds at warning and above, and its exit code."""
    done = call(f"{BIN}/ringwise", "explain", record, "--format", "json")
    found = json.loads(done.stdout)["findings"]
    return [f for f in found if f["severity"] != "info"], done.returncode


class Inside(unittest.TestCase):
    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(FOLDER)

    def setUp(self):
        call("netlab", "fault", "clear")

    def tearDown(self):
        call("netlab", "fault", "clear")

    def fault(self, *words):
        done = call("netlab", "fault", *words)
        self.assertEqual(done.returncode, 0, done.stderr)

    def only(self, record):
        found, code = findings(record)
        self.assertEqual([f["cause"] for f in found], [found[0]["cause"]] if found else ["?"],
                         json.dumps(found, indent=1))
        self.assertEqual(code, 1)
        return found[0]

    def test_offloads(self):
        self.fault("offload", "2", "off")
        finding = self.only(measure("offload", "host"))
        self.assertEqual(finding["cause"], "offload-disabled")
        self.assertIn("node2", finding["title"])

    def test_route(self):
        self.fault("route-mtu", "2", "1400")
        finding = self.only(measure("route", "host"))
        self.assertEqual(finding["cause"], "mtu-mismatch")
        self.assertIn("routes of node2 over eth0 have MTU 1400", finding["title"])

    def test_flow_cap(self):
        self.fault("flowcap", "2", "250mbit")
        finding = self.only(measure("flowcap", "host"))
        self.assertEqual(finding["cause"], "too-few-streams")
        self.assertEqual(finding["settings"][0]["name"], "NCCL_SOCKET_NTHREADS")

    def test_loss(self):
        self.fault("loss", "2", "2")
        finding = self.only(measure("loss", "host"))
        self.assertEqual(finding["cause"], "packet-loss")
        self.assertIn("node2", finding["title"])

    def test_wrong_label(self):
        finding = self.only(measure("label", "host", "--mode", "overlay"))
        self.assertEqual(finding["cause"], "mode-mislabelled")

    def test_modes_side_by_side(self):
        records = [measure(mode, mode) for mode in ("host", "overlay", "multus")]
        for record in records:
            self.assertEqual(findings(record), ([], 0))
        done = call(f"{BIN}/ringwise", "compare", *records, "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        comparison = json.loads(done.stdout)
        facts = {f["name"]: [c.get("text") for c in f["cells"]] for f in comparison["facts"]}
        self.assertEqual(facts["encapsulation"], ["none", "VXLAN, 50 bytes", "none"])
        self.assertEqual(facts["path MTU"], ["1500", "1450", "1500"])
        self.assertEqual(facts["detected"], ["host", "overlay-tunnel", "multus-macvlan"])
        table = next(t for t in comparison["tables"]
                     if t.get("variant") == "wire" and t["is_more_better"])
        largest = table["rows"][-1]["cells"]
        # 1398 of 1448 bytes are left; what the machine adds to that stays far below the tunnel.
        self.assertAlmostEqual(largest[1]["ratio"], 1398 / 1448, delta=0.015)
        self.assertEqual(largest[1]["against"], "worse")
        self.assertAlmostEqual(largest[2]["ratio"], 1, delta=0.015)
        self.assertEqual(largest[2]["against"], "within-noise")


if __name__ == "__main__":
    sys.exit(run_with_build(__file__, 3))
