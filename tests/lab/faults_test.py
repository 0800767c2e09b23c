#!/usr/bin/env python3
"""Faults planted into running measurements, in netlab: the run ends in time, measures the rest,
names the place and leaves nothing behind. Exits 0, 1, or 77 when this machine can hold no lab.

Usage: faults_test.py BUILD_DIR. The part inside a lab is this same file with --inside.
"""
import os
import re
import signal
import sys
import unittest

sys.dont_write_bytecode = True

from fault_support import (BIN, IN_TIME, SUPERVISOR_IN_TIME, FaultTest, Run,  # noqa: E402
                           probe_process)
from lab_support import call, run_with_build  # noqa: E402


class Inside(FaultTest):
    def test_blackhole_in_mid_run(self):
        for one_way in (True, False):
            with self.subTest(one_way=one_way):
                call("netlab", "fault", "clear")
                run = Run("tcp-allreduce,memory-copy")
                run.wait_for(r"tcp-allreduce: .*block 1")
                self.fault("blackhole", "2", "3", *(["--one-way"] if one_way else []))
                self.assertEqual(run.end(IN_TIME), 3, run.log)
                record = run.record()
                self.check_rest(record)
                first = record["problems"][0]
                self.assertEqual({first["host"], first["peer_host"]}, {"node2", "node3"},
                                 self.problems(record))
                self.assertEqual(first["interface"], "eth0")
                self.assertIn("step", first)

    def test_pairs_beside_a_blackhole_are_measured(self):
        self.fault("blackhole", "2", "3")
        run = Run("tcp-pairs,memory-copy", timeout=15)
        self.assertEqual(run.end(60), 3, run.log)
        pairs = self.results(run.record(), "tcp-pairs")[0]["pairs"]
        failed = {frozenset((p["src"], p["dst"])) for p in pairs if p["status"] == "failed"}
        good = {frozenset((p["src"], p["dst"])) for p in pairs
                if p["status"] == "ok" and "gbit_per_s" in p}
        self.assertEqual(failed, {frozenset((1, 2))})
        self.assertEqual(good, {frozenset((0, 1)), frozenset((0, 2))})

    def test_killed_worker(self):
        run = Run("tcp-allreduce,memory-copy")
        run.wait_for(r"tcp-allreduce: .*block 1")
        os.kill(probe_process(1, True), signal.SIGKILL)
        self.assertEqual(run.end(IN_TIME), 3, run.log)
        record = run.record()
        self.check_rest(record)
        self.assertRegex(self.problems(record), r'"rank": 1.*signal 9')

    def test_stopped_worker(self):
        run = Run("tcp-allreduce,memory-copy")
        run.wait_for(r"tcp-allreduce: .*block 1")
        os.kill(probe_process(1, True), signal.SIGSTOP)
        self.assertEqual(run.end(IN_TIME), 3, run.log)
        record = run.record()
        self.check_rest(record)
        self.assertRegex(self.problems(record), r'"rank": 1.*stage time-out')

    def test_corrupted_byte(self):
        for rank in (0, 1, 2):
            with self.subTest(rank=rank):
                run = Run("tcp-allreduce,memory-copy", "--test-corrupt", f"rank:{rank}")
                self.assertEqual(run.end(60), 3, run.log)
                record = run.record()
                self.check_rest(record)
                self.assertIn("test-hook-corrupt", record["tool"]["features"])
                for variant in ("reduce", "wire"):
                    result = next(r for r in self.results(record, "tcp-allreduce")
                                  if r.get("variant") == variant)
                    self.assertEqual(result["status"], "failed")
                    self.assertTrue(any(s["wrong"] for s in result["sizes"]), result)
                first = record["problems"][0]
                self.assertEqual((first.get("rank"), first.get("peer"), first.get("sign")),
                                 ((rank + 1) % 3, rank, "wrong-data"), self.problems(record))
                shown = run.report()
                self.assertEqual(shown.returncode, 3, shown.stdout)

    def test_a_reference_that_hangs(self):
        for words in (("blackhole", "2", "3"), ("blackhole", "1", "2")):
            with self.subTest(fault=words):
                call("netlab", "fault", "clear")
                run = Run("memory-copy,mpi-allreduce")
                run.wait_for(r"\[2/2\] mpi-allreduce")
                self.fault(*words)
                self.assertEqual(run.end(SUPERVISOR_IN_TIME), 3, run.log)
                record = run.record()
                self.check_rest(record)
                self.assertEqual(record["problems"][0]["stage"], "mpi-allreduce")
                self.assertEqual(record["problems"][0]["interface"], "eth0")

    def test_killed_worker_leaves_no_shared_memory(self):
        before = set(os.listdir("/dev/shm"))
        run = Run("shm-allreduce", per_node=2)
        run.wait_for(r"shm-allreduce: .*block 1")
        os.kill(probe_process(1, True), signal.SIGKILL)
        self.assertEqual(run.end(IN_TIME), 3, run.log)
        self.assertEqual(set(os.listdir("/dev/shm")) - before, set())

    def test_stray_clients(self):
        run = Run("tcp-allreduce,memory-copy", timeout=20)
        run.wait_for(r"tcp-allreduce: .*block 1")
        listing = call("netlab", "exec", "node2", "--", "ss", "-Hltnp").stdout
        ports = re.findall(r"([0-9.]+):(\d+)\s.*ringwise-probe", listing)
        ports = [p for p in ports if p[0] not in ("0.0.0.0", "127.0.0.1")]
        self.assertTrue(ports, listing)
        hammer = ("import socket,sys,time\n"
                  "end=time.monotonic()+3\nopen_ones=[]\n"
                  "while time.monotonic()<end:\n"
                  "  for data in (b'GET / HTTP/1.0\\r\\n\\r\\n', b'', b'RW', bytes(200)):\n"
                  "    try:\n"
                  "      s=socket.create_connection((sys.argv[1],int(sys.argv[2])),1)\n"
                  "      s.sendall(data)\n"
                  "      open_ones=open_ones[-20:]+[s]\n"
                  "    except OSError: pass\n"
                  "  time.sleep(0.01)\n")
        for address, port in ports[:2]:
            call("netlab", "exec", "node1", "--", sys.executable, "-c", hammer, address, port)
        self.assertEqual(run.end(60), 0, run.log)
        record = run.record()
        self.assertTrue(record["complete"], self.problems(record))
        self.assertGreater(self.results(record, "tcp-allreduce")[0]["stray_connections"], 0)

    def test_interface_that_goes_down(self):
        # The measured network only: the control plane goes over the pods' eth0.
        run = Run("tcp-allreduce,memory-copy", mode="multus")
        run.wait_for(r"tcp-allreduce: .*block 1")
        done = call("netlab", "exec", "pod3", "--", "ip", "link", "set", "net1", "down")
        self.assertEqual(done.returncode, 0, done.stderr)
        try:
            self.assertEqual(run.end(IN_TIME), 3, run.log)
        finally:
            call("netlab", "exec", "pod3", "--", "ip", "link", "set", "net1", "up")
        record = run.record()
        self.check_rest(record)
        first = record["problems"][0]
        self.assertEqual((first["host"], first["interface"], first["sign"]),
                         ("pod3", "net1", "link-down"), self.problems(record))

    def test_killed_supervisor(self):
        run = Run("tcp-allreduce,memory-copy")
        run.wait_for(r"tcp-allreduce: .*block 1")
        os.kill(probe_process(2, False), signal.SIGKILL)
        self.assertEqual(run.end(SUPERVISOR_IN_TIME), 3, run.log)
        shown = run.report()
        self.assertEqual(shown.returncode, 3, shown.stderr)
        self.assertRegex(shown.stdout, r"rank 2")
        self.assertIn("node3", shown.stdout)

    def test_stopped_supervisor(self):
        run = Run("tcp-allreduce,memory-copy")
        run.wait_for(r"tcp-allreduce: .*block 1")
        pid = probe_process(2, False)
        os.kill(pid, signal.SIGSTOP)
        self.assertEqual(run.end(SUPERVISOR_IN_TIME), 3, run.log)
        record = run.record()
        self.assertFalse(record["complete"])
        self.assertRegex(self.problems(record), r'"rank": 2.*"host": "node3"')

    def test_stopped_supervisor_of_rank_0(self):
        run = Run("tcp-allreduce,memory-copy")
        run.wait_for(r"tcp-allreduce: .*block 1")
        os.kill(probe_process(0, False), signal.SIGSTOP)
        self.assertEqual(run.end(SUPERVISOR_IN_TIME), 3, run.log)
        shown = run.report()
        self.assertEqual(shown.returncode, 3, shown.stderr)
        self.assertRegex(shown.stdout, r"rank 0")
        self.assertNotRegex(shown.stdout, r"rank [12] [^\n]*its\s+supervisor\s+stays\s+silent")
        self.assertNotRegex(shown.stdout, r"rank [12] on node[23] was killed")
        self.assertNotRegex(shown.stdout, r"rank 0 was stopped by signal")

    def test_a_host_that_is_cut_off_from_the_launcher(self):
        # mpirun would wait for it for ever.
        for words in (("blackhole", "1", "2"), ("blackhole", "1", "2", "--one-way"),
                      ("blackhole", "2", "1", "--one-way"), ("down", "2")):
            with self.subTest(fault=words):
                call("netlab", "fault", "clear")
                run = Run("tcp-allreduce,memory-copy")
                run.wait_for(r"tcp-allreduce: .*block 1")
                self.fault(*words)
                self.assertEqual(run.end(IN_TIME), 3, run.log)
                self.assertRegex(self.problems(run.record()), r'"rank": 1.*"host": "node2"')

    def test_interrupt(self):
        run = Run("tcp-allreduce,memory-copy")
        run.wait_for(r"tcp-allreduce: .*block 1")
        run.process.send_signal(signal.SIGINT)
        self.assertNotEqual(run.end(IN_TIME), 0, run.log)
        shown = run.report()
        self.assertEqual(shown.returncode, 3, shown.stderr)


if __name__ == "__main__":
    sys.exit(run_with_build(__file__, 3))
