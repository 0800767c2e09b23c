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
NODES = (1, 2, 3)
FOLDER = tempfile.mkdtemp(prefix="ringwise-explain-")


def record_of(name, *launcher, options=()):
    """Path of the record; the run may fail, the record has to be there."""
    output = os.path.join(FOLDER, f"{name}.json")
    done = call(*launcher, f"{BIN}/ringwise-probe", "--probes", "tcp-allreduce,tcp-pairs",
                "--sizes", "8,1M,4M", "--time-budget", "12s", "--stage-timeout", "20s",
                "--on-busy-fabric", "--output", output, *options, seconds=120)
    if not os.path.exists(output):
        raise AssertionError(f"no record: exit {done.returncode}\n{done.stdout}\n{done.stderr}")
    return output


def measure(name, mode, *options):
    return record_of(name, "netlab", "mpirun", "--mode", mode, "--", options=options)


def measure_without_label(name, *options):
    """In pods. netlab labels what is called ringwise-probe, and env is not."""
    return record_of(name, "netlab", "mpirun", "--mode", "overlay", "--", "env", options=options)


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

    def ip(self, host, *words):
        done = call("netlab", "exec", host, "--", "ip", *words)
        self.assertEqual(done.returncode, 0, done.stderr)

    def ip_until_end(self, host, words, undo):
        self.ip(host, *words.split())
        self.addCleanup(call, "netlab", "exec", host, "--", "ip", *undo.split())

    def set_mtu(self, host, device, mtu, former):
        link = f"link set {device} mtu"
        self.ip_until_end(host, f"{link} {mtu}", f"{link} {former}")

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
        setting = finding["settings"][0]
        self.assertEqual((setting["name"], setting["value"]), ("NCCL_SOCKET_NTHREADS", None))
        self.assertIn("--threads 0,1,2,4 --sockets 1,2,4", setting["measure"])

    def test_flow_cap_over_the_overlay(self):
        """The cap's queue overflows there: segments are sent again, and no packet is lost."""
        self.fault("flowcap", "2", "250mbit")
        found, code = findings(measure("flowcap-overlay", "overlay", "--mode", "overlay"))
        self.assertEqual([f["cause"] for f in found], ["too-few-streams"], json.dumps(found))
        self.assertEqual(code, 1)

    def test_loss(self):
        self.fault("loss", "2", "2")
        finding = self.only(measure("loss", "host"))
        self.assertEqual(finding["cause"], "packet-loss")
        self.assertIn("node2", finding["title"])

    def check_hole(self, finding, title, device, mtu):
        self.assertEqual(finding["cause"], "mtu-mismatch")
        self.assertEqual(finding["title"], title)
        setting = finding["settings"][0]
        self.assertEqual((setting["name"], setting["value"]), (f"mtu of {device}", mtu))
        self.assertIn(f"packets up to {mtu} bytes arrive", finding["evidence"][0]["text"])

    def test_mtu_1450_inside_a_path_of_1400(self):
        for k in NODES:
            self.set_mtu(f"pod{k}", "net1", 1450, 1500)
        self.fault("mtu", "2", "1400", "--path")
        self.check_hole(self.only(measure("hole", "multus")),
                        "packets above 1400 bytes are lost on net1 of pod2", "net1", "1400")

    def test_an_mtu_hole_between_nodes(self):
        self.fault("mtu", "2", "1400", "--path")
        self.check_hole(self.only(measure("hole-host", "host")),
                        "packets above 1400 bytes are lost on eth0 of node2", "eth0", "1400")

    def test_an_mtu_hole_below_the_overlay(self):
        self.fault("mtu", "3", "1400")
        self.check_hole(self.only(measure("hole-overlay", "overlay")),
                        "packets above 1350 bytes are lost on eth0 of pod3", "eth0", "1350")

    def check_other_path(self, finding, chosen, carrier):
        self.assertEqual(finding["cause"], "wrong-interface")
        self.assertEqual(finding["title"],
                         f"the bytes did not go over {chosen}, but over {carrier}")
        self.assertIn(f"{chosen} counted", finding["evidence"][0]["text"])
        self.assertEqual(finding["settings"][0]["name"], "NCCL_SOCKET_IFNAME")
        self.assertEqual(finding["settings"][0]["value"], f"={carrier}")

    def test_two_interfaces_of_one_network(self):
        for k in NODES:
            self.ip_until_end(f"node{k}", "link add eth1 link eth0 type macvlan mode bridge",
                              "link del eth1")
            self.ip(f"node{k}", "address", "add", f"10.70.0.10{k}/24", "dev", "eth1")
            self.ip(f"node{k}", "link", "set", "eth1", "up")
        record = measure("same-network", "host", "--interface", "=eth1")
        self.check_other_path(self.only(record), "eth1", "eth0")

    def test_a_route_to_the_peers_over_another_interface(self):
        for k in NODES:
            for peer in NODES:
                to = f"10.72.0.{peer}/32"
                if peer == k:
                    self.ip_until_end(f"node{k}", f"route add {to} via 10.71.{k}.2 dev cni0",
                                      f"route del {to}")
                    continue
                self.ip_until_end(f"node{k}",
                                  f"route add {to} via 10.71.{peer}.0 dev flannel.1 onlink",
                                  f"route del {to}")
                self.ip_until_end(f"pod{k}", f"route add {to} via 10.71.{k}.1 dev eth0",
                                  f"route del {to}")
        self.check_other_path(self.only(measure("route-away", "multus")), "net1", "eth0")

    def test_a_secondary_network_that_is_not_used(self):
        finding = self.only(measure_without_label("unused", "--interface", "=eth0"))
        self.assertEqual((finding["cause"], finding["severity"]),
                         ("secondary-network-unused", "warning"))
        self.assertIn("pod1, pod2, pod3", finding["title"])
        setting = finding["settings"][0]
        self.assertEqual((setting["name"], setting["value"]), ("NCCL_SOCKET_IFNAME", "=net1"))

    def test_a_secondary_network_that_is_down_is_no_way_out(self):
        for k in NODES:
            self.ip_until_end(f"pod{k}", "link set net1 down", "link set net1 up")
        record = measure_without_label("net1-down", "--interface", "=eth0")
        self.assertEqual(findings(record), ([], 0))

    def test_interfaces_used_together_leave_none_unused(self):
        record = measure_without_label("together", "--interface", "=eth0,net1")
        self.assertNotIn("secondary-network-unused", [f["cause"] for f in findings(record)[0]])

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
