#!/usr/bin/env python3
"""Packet sizes and offloads that tcp-pairs and the system facts say, against a lab whose sizes are
known. Exits 0, 1, or 77 when this machine can hold no lab.

Usage: path_test.py BUILD_DIR. The part inside a lab is this same file with --inside.
"""
import json
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True

from lab_support import call, programs_folder, run_with_build  # noqa: E402

BIN = programs_folder()
NODES = (1, 2, 3)
# A stalled pair costs its stall limit, and a rank that fails with two is left alone.
IN_TIME = 90


def measure(mode, probes="tcp-pairs", expected=0):
    """The record of a run, and its seconds."""
    with tempfile.TemporaryDirectory(prefix="ringwise-path-") as folder:
        output = f"{folder}/run.json"
        begin = time.monotonic()
        done = call("netlab", "mpirun", "--mode", mode, "--", f"{BIN}/ringwise-probe", "--probes",
                    probes, "--time-budget", "6s", "--stage-timeout", "40s", "--on-busy-fabric",
                    "--output", output, seconds=IN_TIME)
        seconds = time.monotonic() - begin
        if done.returncode != expected:
            raise AssertionError(f"exit {done.returncode}:\n{done.stdout}\n{done.stderr}")
        shown = call(f"{BIN}/ringwise", "report", output)
        print(f"[{mode}: {seconds:.1f} s] ", end="", file=sys.stderr, flush=True)
        with open(output, encoding="utf-8") as f:
            return json.load(f), shown.stdout


def pairs_of(record, direction="one-way"):
    """(src, dst) to row."""
    result = next(r for r in record["results"] if r["probe"] == "tcp-pairs")
    return {(p["src"], p["dst"]): p for p in result["pairs"] if p["direction"] == direction}


def sizes(row):
    path = row["path"]
    return path.get("device_mtu"), path.get("route_mtu"), path.get("forward_mtu")


class Inside(unittest.TestCase):
    def setUp(self):
        call("netlab", "fault", "clear")

    def tearDown(self):
        call("netlab", "fault", "clear")

    def run_tool(self, *words):
        done = call("netlab", *words)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_healthy_paths(self):
        for mode, mtu in (("host", 1500), ("overlay", 1450), ("multus", 1500)):
            with self.subTest(mode=mode):
                record, shown = measure(mode)
                rows = pairs_of(record)
                self.assertEqual(len(rows), 6)
                for row in rows.values():
                    self.assertEqual(sizes(row), (mtu, mtu, mtu), row)
                    self.assertEqual(row["congestion_control"], "cubic")
                    self.assertGreater(row["payload_bytes"], 0)
                    self.assertGreater(row["cpu_s_per_gbyte_src"], 0)
                    self.assertGreater(row["cpu_s_per_gbyte_dst"], 0)
                for row in pairs_of(record, "both").values():
                    self.assertGreater(row["payload_bytes"], 0)
                    self.assertNotIn("path", row)
                self.assertNotIn("packet sizes", shown)

    def test_a_route_with_a_smaller_mtu(self):
        self.run_tool("fault", "route-mtu", "2", "1400")
        record, shown = measure("host")
        for (src, _), row in pairs_of(record).items():
            device, route, forward = sizes(row)
            self.assertEqual((device, route), (1500, 1400 if src == 1 else 1500), row)
            # What lies above the route's MTU is tried once only.
            self.assertIn(forward, (1400, 1500) if src == 1 else (1500,), row)
        self.assertIn("packet sizes", shown)

    def check_black_hole(self, record, rows):
        for (src, dst), row in rows.items():
            if 1 not in (src, dst):
                self.assertEqual(sizes(row), (1500, 1500, 1500), row)
                self.assertEqual(row["status"], "ok", row)
                continue
            if row["status"] == "skipped":
                continue  # its rank had failed with others
            self.assertEqual(sizes(row), (1500, 1500, 1400), row)
            self.assertEqual(row["status"], "failed", row)
            self.assertIn("packets above 1400 bytes do not arrive (the kernel sends up to 1500): "
                          "mtu", row["reason"])
        self.assertEqual(record["problems"][0].get("sign"), "mtu", record["problems"])

    def test_packets_that_are_lost_for_their_size(self):
        self.run_tool("fault", "mtu", "2", "1400", "--path")
        record, shown = measure("multus", expected=3)
        rows = pairs_of(record)
        self.assertEqual(len(rows), 6)
        self.assertTrue(any(r["status"] == "failed" for r in rows.values()))
        self.check_black_hole(record, rows)
        self.assertIn("packet sizes", shown)
        self.assertIn("1400", shown)

    def test_offloads(self):
        self.run_tool("fault", "offload", "2", "off")
        record, _ = measure("host", probes="system")
        for host in record["hosts"]:
            offloads = next(i for i in host["interfaces"] if i["name"] == "eth0")["offloads"]
            is_on = host["host"] != "node2"
            self.assertEqual((offloads["tso"], offloads["gso"]), (is_on, is_on), host["host"])
            if not is_on:
                self.assertFalse(offloads["gro"])
            eth0 = next(i for i in host["interfaces"] if i["name"] == "eth0")
            self.assertGreater(eth0["rx_queues"], 0)
            self.assertGreater(eth0["tx_queues"], 0)
            self.assertGreater(host["tcp"]["tcp_rmem_max_bytes"], 0)
            self.assertEqual(host["tcp"]["mtu_probing"], 0)


if __name__ == "__main__":
    sys.exit(run_with_build(__file__, len(NODES)))
