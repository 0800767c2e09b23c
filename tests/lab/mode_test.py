#!/usr/bin/env python3
"""The network mode that `ringwise system` and a probe's record detect in netlab, whatever the label
says. Exits 0, 1, or 77 when this machine can hold no lab.

Usage: mode_test.py BUILD_DIR. The part inside a lab is this same file with --inside.
"""
import json
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

from lab_support import HERE, call, programs_folder, run_with_build  # noqa: E402

BIN = programs_folder()
GATHER = os.path.realpath(f"{HERE}/../../scripts/gather-host")
DETECTED = {"host": "host", "overlay": "overlay-tunnel", "multus": "multus-macvlan"}


def in_host(host, *command):
    done = call("netlab", "exec", host, "--", *command)
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def facts(host, *options, environment=()):
    return json.loads(in_host(host, "env", *environment, f"{BIN}/ringwise", "system", "--format",
                              "json", *options))


def classes(shown):
    return {i["name"]: i.get("mode") for i in shown["interfaces"]}


class Inside(unittest.TestCase):
    def test_a_node(self):
        shown = facts("node1")
        self.assertEqual(shown["mode"]["detected"], "host", shown["mode"])
        found = classes(shown)
        for name in ("eth0", "cni0", "flannel.1"):
            self.assertEqual(found[name], "host")
        self.assertIsNone(found["lo"])

    def test_a_pod_with_two_networks(self):
        shown = facts("pod1")
        self.assertEqual(classes(shown), {"lo": None, "eth0": "overlay-tunnel",
                                          "net1": "multus-macvlan"})
        self.assertEqual(shown["mode"]["detected"], "multus-macvlan", shown["mode"])
        for name, mode in (("eth0", "overlay-tunnel"), ("net1", "multus-macvlan")):
            self.assertEqual(facts("pod1", "--interface", name)["mode"]["detected"], mode)

    def test_text_shows_the_class_of_each_interface(self):
        lines = in_host("pod1", f"{BIN}/ringwise", "system").splitlines()
        for name, mode in (("eth0", "overlay-tunnel"), ("net1", "multus-macvlan")):
            self.assertTrue([line for line in lines if line.split()[:1] == [name]
                             and mode in line.split()], lines)

    def test_a_tunnel_whose_mtu_is_on_the_route(self):
        def restore():
            call("netlab", "exec", "pod2", "--", "ip", "route", "del", "10.99.0.0/16")
            call("netlab", "exec", "pod2", "--", "ip", "-6", "route", "del", "fd99::/64")
            in_host("pod2", "ip", "link", "set", "eth0", "mtu", "1450")
        self.addCleanup(restore)
        pod = ("--interface", "eth0")
        in_host("pod2", "ip", "link", "set", "eth0", "mtu", "1500")
        shown = facts("pod2", *pod)
        self.assertTrue(shown["are_routes_known"])
        self.assertEqual(shown["mode"]["detected"], "unknown", "nothing says Kubernetes")
        addresses = ("RINGWISE_POD_IP=10.71.2.2", "RINGWISE_HOST_IP=10.70.0.2")
        shown = facts("pod2", *pod, environment=addresses)
        self.assertEqual(shown["mode"]["detected"], "overlay-native", shown["mode"])
        for family, target, mtu in (("-4", "10.99.0.0/16", 1450), ("-6", "fd99::/64", 1440)):
            in_host("pod2", "ip", family, "route", "add", target, "dev", "eth0", "mtu", str(mtu))
            shown = facts("pod2", *pod, environment=addresses)
            self.assertEqual(shown["mode"]["detected"], "overlay-tunnel", shown["mode"])
            eth0 = [i for i in shown["interfaces"] if i["name"] == "eth0"][0]
            self.assertEqual((eth0["mtu"], eth0["route_mtu"]), (1500, mtu))

    def test_equal_addresses_are_host_network(self):
        shown = facts("pod1", environment=("RINGWISE_POD_IP=10.70.0.1",
                                           "RINGWISE_HOST_IP=10.70.0.1"))
        self.assertEqual(shown["mode"]["detected"], "host", shown["mode"])
        self.assertEqual(set(classes(shown).values()), {None, "host"})

    def test_a_gathered_host_is_seen_as_the_live_one(self):
        for host in ("node1", "pod1"):
            with tempfile.TemporaryDirectory(prefix="ringwise-mode-") as directory:
                in_host(host, GATHER, f"{directory}/saved")
                saved = json.loads(call(f"{BIN}/ringwise", "system", "--format", "json", "--root",
                                        f"{directory}/saved").stdout)
            live = facts(host)
            self.assertEqual(classes(saved), classes(live))
            self.assertEqual(saved["mode"]["detected"], live["mode"]["detected"])
            self.assertTrue(saved["are_routes_known"])

    def test_a_run_detects_its_mode_under_any_label(self):
        labels = {"host": "multus", "overlay": "hostNetwork", "multus": "overlay"}
        for mode, detected in DETECTED.items():
            for label in (mode, labels[mode]):
                with self.subTest(mode=mode, label=label), \
                        tempfile.TemporaryDirectory(prefix="ringwise-mode-") as directory:
                    output = f"{directory}/run.json"
                    done = call("netlab", "mpirun", "--mode", mode, "--", f"{BIN}/ringwise-probe",
                                "--probes", "system", "--mode", label, "--output", output)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    with open(output, encoding="utf-8") as f:
                        shown = json.load(f)["mode"]
                    self.assertEqual((shown["label"], shown["detected"]), (label, detected), shown)
                    self.assertTrue(shown["evidence"])


if __name__ == "__main__":
    sys.exit(run_with_build(__file__, 2))
