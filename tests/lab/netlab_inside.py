#!/usr/bin/env python3
"""Tests of what a lab holds; netlab_test.py runs this file inside a lab of three nodes."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

from lab_support import call, processes_with, wait_until  # noqa: E402

HAS_MPI = shutil.which("mpirun.openmpi") or shutil.which("mpirun")
HAS_IPERF = shutil.which("iperf3")


def in_host(host, *command, **options):
    return call("netlab", "exec", host, "--", *command, **options)


def fault(*words):
    done = call("netlab", "fault", *map(str, words))
    assert done.returncode == 0, done.stderr


def answers(source, target, count=10, size=56):
    """How many of `count` pings of `size` bytes of payload, never fragmented, are answered."""
    done = in_host(source, "ping", "-n", "-q", "-i", "0.01", "-c", str(count), "-W", "1", "-M",
                   "do", "-s", str(size), target)
    found = re.search(r"(\d+) received", done.stdout)
    return int(found[1]) if found else 0


def gbit(source, target, streams=1):
    """What iperf3 carries from source to target in a second."""
    server = subprocess.Popen(["netlab", "exec", target.split("-")[0], "--", "iperf3", "-s", "-1",
                               "--forceflush"], stdout=subprocess.PIPE, text=True)
    try:
        while "listening" not in server.stdout.readline():
            assert server.poll() is None, "iperf3 -s ended"
        done = in_host(source, "iperf3", "-c", target, "-t", "1", "-J", "-P", str(streams))
        return json.loads(done.stdout)["end"]["sum_received"]["bits_per_second"] / 1e9
    finally:
        server.kill()
        server.wait(20)
        server.stdout.close()


def info():
    return json.loads(call("netlab", "info").stdout)


class InHosts(unittest.TestCase):
    def test_names(self):
        for k in (1, 2, 3):
            for host in (f"node{k}", f"pod{k}"):
                self.assertEqual(in_host(host, "hostname").stdout, f"{host}\n")
        self.assertEqual(call("netlab", "hosts", "--mode", "multus", "--nodes", "3,1").stdout,
                         "pod3\npod1\n")
        self.assertEqual(in_host("node9", "true").returncode, 2)

    def test_status_and_arguments_pass(self):
        done = in_host("pod2", "sh", "-c", 'echo "$1"; exit 9', "sh", "a  'b' $c")
        self.assertEqual((done.returncode, done.stdout), (9, "a  'b' $c\n"))

    def test_sysfs_shows_the_hosts_own_interfaces_and_mtus(self):
        show = "cd /sys/class/net; for i in *; do echo $i $(cat $i/mtu); done"
        self.assertEqual(in_host("node2", "sh", "-c", show).stdout.split("\n"),
                         ["cni0 1450", "eth0 1500", "flannel.1 1450", "lo 65536",
                          "vethpod2 1450", ""])
        self.assertEqual(in_host("pod2", "sh", "-c", show).stdout,
                         "eth0 1450\nlo 65536\nnet1 1500\n")

    def test_hosts_have_their_own_directories_and_boot_id(self):
        seen = {h: in_host(h, "cat", "/proc/sys/kernel/random/boot_id").stdout
                for h in ("node1", "node2", "pod1", "pod2")}
        self.assertNotEqual(seen["node1"], seen["node2"])
        self.assertEqual(seen["pod1"], seen["node1"])
        in_host("node1", "sh", "-c", "touch $TMPDIR/mine /dev/shm/mine")
        for host in ("node2", "pod1"):
            self.assertEqual(in_host(host, "sh", "-c", "ls $TMPDIR /dev/shm | grep mine").stdout,
                             "")
        size = in_host("pod1", "df", "--output=size", "-B1", "/dev/shm").stdout.split()[-1]
        self.assertEqual(int(size), 64 << 20)

    def test_info(self):
        shown = info()
        self.assertEqual([n["name"] for n in shown["nodes"]], ["node1", "node2", "node3"])
        self.assertEqual([(p["name"], p["node"]) for p in shown["pods"]],
                         [(f"pod{k}", f"node{k}") for k in (1, 2, 3)])
        self.assertEqual([(i["name"], i["kind"], i["mtu"])
                          for i in shown["pods"][0]["interfaces"]],
                         [("eth0", "veth", 1450), ("net1", "macvlan", 1500)])
        self.assertEqual(shown["congestion_control"]["used"], "cubic")

    def test_every_path_carries_ipv4_and_ipv6(self):
        largest = {"node1 node2": 1500, "pod1 pod2": 1450, "pod3 pod1-net1": 1500}
        for pair, mtu in largest.items():
            source, target = pair.split()
            for name, header in ((target, 28), (f"{target}-v6", 48)):
                with self.subTest(source=source, target=name):
                    self.assertEqual(answers(source, name, 3, mtu - header), 3)
                    self.assertEqual(answers(source, name, 1, mtu - header + 1), 0)

    def test_congestion_control_is_cubic_on_both_ends(self):
        probe = ("import socket as s\nl = s.create_server(('', 5555))\nl.settimeout(20)\n"
                 "print('ready', flush=True)\nc = l.accept()[0]\n"
                 "print(c.getsockopt(s.IPPROTO_TCP, s.TCP_CONGESTION, 16))")
        client = ("import socket as s, sys\nc = s.create_connection((sys.argv[1], 5555), 20)\n"
                  "print(c.getsockopt(s.IPPROTO_TCP, s.TCP_CONGESTION, 16))")
        for source, target in (("node1", "node2"), ("pod1", "pod2"), ("pod1", "pod2-net1")):
            with subprocess.Popen(["netlab", "exec", target.split("-")[0], "--", sys.executable,
                                   "-c", probe], stdout=subprocess.PIPE, text=True) as server:
                self.assertEqual(server.stdout.readline(), "ready\n")
                done = in_host(source, sys.executable, "-c", client, target)
                self.assertIn("cubic", done.stdout, done.stderr)
                self.assertIn("cubic", server.stdout.read())


@unittest.skipUnless(HAS_MPI, "Open MPI's mpirun is not installed")
class InMpirun(unittest.TestCase):
    def test_each_mode_runs_on_its_hosts(self):
        for mode, name in (("host", "node"), ("overlay", "pod"), ("multus", "pod")):
            done = call("netlab", "mpirun", "--mode", mode, "--", "hostname")
            self.assertEqual(sorted(done.stdout.split()), [f"{name}{k}" for k in (1, 2, 3)],
                             done.stderr)

    def test_compare_passes_a_usage_error_and_shows_no_older_record(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(f"{folder}/bin")
            for name, script in (("ringwise-probe", "echo 'no such size' >&2; exit 2"),
                                 ("ringwise", "echo shown")):
                with open(f"{folder}/bin/{name}", "w", encoding="utf-8") as f:
                    f.write(f"#!/bin/sh\n{script}\n")
                os.chmod(f"{folder}/bin/{name}", 0o755)
            for mode in ("host", "overlay", "multus"):
                with open(f"{folder}/{mode}.json", "w", encoding="utf-8") as f:
                    f.write("{}")
            done = call("netlab", "compare", "--build", folder, "--output", folder, "--sizes", "x")
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn("refused its options", done.stderr)

    def test_ranks_nodes_and_exports(self):
        done = call("netlab", "mpirun", "--mode", "host", "--nodes", "3,1", "--np", "4", "-x",
                    "A=b c", "--", "sh", "-c", 'echo "$(hostname) $A"')
        self.assertEqual(sorted(done.stdout.splitlines()), ["node1 b c"] * 2 + ["node3 b c"] * 2)

    def test_status(self):
        def status(program, word):
            return call("netlab", "mpirun", "--mode", "multus", "--np", "1", "--", program, word)
        with tempfile.TemporaryDirectory() as directory:
            probe = f"{directory}/ringwise-probe"
            with open(probe, "w", encoding="utf-8") as f:
                f.write('#!/bin/sh\necho "$@"\ncase $1 in die) kill -9 $$;; esac\nexit $1\n')
            os.chmod(probe, 0o755)
            shutil.copy(probe, f"{directory}/other")
            for word, expected in (("0", 0), ("5", 5), ("1", 3), ("die", 3)):
                done = status(probe, word)
                self.assertEqual(done.returncode, expected, done.stderr)
                self.assertIn("--interface =net1 --mode multus", done.stdout)
            self.assertEqual(status(f"{directory}/other", "1").returncode, 1)
            self.assertEqual(status(f"{directory}/other", "die").returncode, 137)

    def test_a_signal_ends_it(self):
        with subprocess.Popen(["netlab", "mpirun", "--mode", "host", "--", "sh", "-c",
                               "echo up; exec sleep 600"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as process:
            self.assertEqual(process.stdout.readline(), "up\n")
            process.terminate()
            self.assertNotEqual(process.wait(40), 0)
        self.assertTrue(wait_until(lambda: not processes_with("exec sleep 600")))


class InFaults(unittest.TestCase):
    def setUp(self):
        self.addCleanup(fault, "clear")

    def assert_healthy(self):
        for pair in ("node1 node2", "pod1 pod2", "pod2 pod1-net1", "node2 node1-v6"):
            self.assertEqual(answers(*pair.split(), 5), 5, pair)
        self.assertEqual(info()["faults"], [])

    def test_blackhole_covers_every_path(self):
        for _ in range(2):  # the same fault again changes nothing
            fault("blackhole", 1, "node2")
        self.assertEqual(len(info()["faults"]), 1)
        for pair in ("node1 node2", "node2 node1-v6", "pod1 pod2", "pod1 pod2-v6",
                     "pod2 pod1-net1", "pod1 pod2-net1-v6"):
            self.assertEqual(answers(*pair.split(), 2), 0, pair)
        for pair in ("node1 node3", "pod3 pod2", "pod3 pod1-net1"):
            self.assertEqual(answers(*pair.split(), 2), 2, pair)
        fault("clear")
        self.assert_healthy()

    def test_blackhole_one_way(self):
        def arrived():
            shown = in_host("node2", "cat", "/proc/net/snmp").stdout
            names, values = [x.split() for x in shown.splitlines() if x.startswith("Icmp:")]
            return int(values[names.index("InEchos")])
        answers("node1", "node2", 1)
        fault("blackhole", 2, 1, "--one-way")
        before = arrived()
        self.assertEqual(answers("node1", "node2", 5), 0)
        self.assertEqual(arrived() - before, 5)

    def test_loss(self):
        fault("loss", 2, 30)
        for pair in ("node1 node2", "pod1 pod2", "pod3 pod2-net1"):
            # the loss hits the search for the neighbour, too: first until one answers
            self.assertTrue(any(answers(*pair.split(), 10) for _ in range(20)), pair)
            # 300 pings at 0.7 x 0.7: 147 on average, with a deviation of 9
            self.assertTrue(90 < answers(*pair.split(), 300) < 205, pair)
        self.assertEqual(answers("node1", "node3", 50), 50)
        fault("loss", 2, 100)
        self.assertEqual(answers("node1", "node2", 3), 0)
        fault("clear")
        self.assert_healthy()

    def test_mtu(self):
        fault("mtu", 2, 1400)
        for source, target, fits in (("node1", "node2", 1372), ("node2", "node1", 1372),
                                     ("pod1", "pod2", 1322), ("pod1", "pod2-net1", 1372)):
            self.assertEqual(answers(source, target, 3, fits), 3, target)
            self.assertEqual(answers(source, target, 2, fits + 1), 0, target)
        fault("clear")
        for source, target, fits in (("node2", "node1", 1472), ("pod2", "pod1", 1422),
                                     ("pod2", "pod1-net1", 1472)):
            self.assertEqual(answers(source, target, 3, fits), 3, target)
        self.assert_healthy()

    def test_mtu_of_the_path_only(self):
        fault("mtu", 2, 1400, "--path")
        self.assertEqual(in_host("node2", "cat", "/sys/class/net/eth0/mtu").stdout, "1500\n")
        self.assertEqual(answers("node2", "node1", 2, 1373), 0)
        self.assertEqual(answers("node2", "node1", 2, 1372), 2)

    def test_route_mtu(self):
        fault("route-mtu", 2, 1400)
        self.assertEqual(in_host("node2", "cat", "/sys/class/net/eth0/mtu").stdout, "1500\n")
        self.assertIn("mtu 1400", in_host("node2", "ip", "route", "get", "10.70.0.1").stdout)
        self.assertIn("mtu 1400", in_host("pod2", "ip", "route", "get", "10.72.0.1").stdout)
        self.assertIn("mtu 1350", in_host("pod2", "ip", "route", "get", "10.71.1.2").stdout)
        fault("clear")
        self.assertNotIn("mtu", in_host("node2", "ip", "route", "get", "10.70.0.1").stdout)
        self.assert_healthy()

    def test_offload(self):
        def on(host, device):
            shown = in_host(host, "ethtool", "-k", device).stdout
            return [f for f in ("tcp-segmentation-offload", "generic-segmentation-offload")
                    if f"{f}: on" in shown]
        before = [on("node2", "eth0"), on("pod2", "eth0"), on("pod2", "net1")]
        self.assertEqual([len(f) for f in before], [2, 2, 2])
        fault("offload", 2, "off")
        self.assertEqual(on("node2", "eth0") + on("pod2", "eth0"), [])
        # the kernel keeps a macvlan's TSO on: its lower device segments
        self.assertNotIn("generic-segmentation-offload", on("pod2", "net1"))
        fault("clear")
        self.assertEqual([on("node2", "eth0"), on("pod2", "eth0"), on("pod2", "net1")], before)

    def test_down(self):
        fault("down", 2)
        self.assertEqual(in_host("node2", "cat", "/sys/class/net/eth0/carrier").stdout, "0\n")
        self.assertEqual(in_host("pod2", "cat", "/sys/class/net/net1/carrier").stdout, "0\n")
        self.assertEqual(answers("node1", "node2", 2) + answers("pod1", "pod2", 2), 0)
        fault("clear")
        self.assert_healthy()

    def test_bad_arguments_are_refused(self):
        for words in ("rate 1 fast", "rate 9 1gbit", "rate 1 1 1gbit", "loss 1 101", "loss 1",
                      "mtu 1 10", "blackhole 1 x", "offload 1 maybe", "flowcap 1 1",
                      "down 1 --path", "clear 1", "rate 1 2 3 1gbit", "nothing"):
            done = call("netlab", "fault", *words.split())
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
        self.assertEqual(info()["faults"], [])


@unittest.skipUnless(HAS_IPERF, "iperf3 is not installed")
class InRates(unittest.TestCase):
    """Rates are compared with each other and coarsely: a factor of two is far from any noise."""

    def setUp(self):
        self.addCleanup(fault, "clear")

    def assert_capped(self, cap, *args):
        measured = gbit(*args)
        self.assertTrue(cap / 4 < measured < cap * 1.3, f"{args}: {measured} Gbit/s")

    def test_rate_of_a_node(self):
        fault("rate", 2, "100mbit")
        self.assert_capped(0.1, "node1", "node2")
        self.assert_capped(0.1, "pod2", "pod1")
        fault("rate", 2, "1gbit")
        fault("rate", 2, "100mbit", "--one-way")
        self.assert_capped(0.1, "node2", "node1")
        self.assertGreater(gbit("node1", "node2"), 0.2)

    def test_rate_between_two(self):
        fault("rate", 1, 2, "100mbit")
        self.assert_capped(0.1, "node1", "node2")
        self.assert_capped(0.1, "pod2", "pod1-net1")
        self.assertGreater(gbit("node1", "node3"), 0.2)
        fault("clear")
        self.assertGreater(gbit("node1", "node2"), 0.2)

    def test_flow_cap(self):
        fault("flowcap", 2, "50mbit")
        for pair in ("node2 node1", "node1 node2-v6", "pod2 pod1", "pod1 pod2-net1"):
            self.assert_capped(0.05, *pair.split())
        self.assertGreater(gbit("node2", "node1", 4), 0.1)
        refused = call("netlab", "fault", "rate", "1", "2", "10mbit")
        self.assertEqual(refused.returncode, 2)
        fault("clear")
        self.assertGreater(gbit("node2", "node1"), 0.2)


if __name__ == "__main__":
    unittest.main()
