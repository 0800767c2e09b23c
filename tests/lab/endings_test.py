#!/usr/bin/env python3
"""How runs end that cannot go on, in netlab: refused before measuring with one line, or with
everything that was measured still there and the cause named first. Exits 0, 1, or 77 when this
machine can hold no lab.

Usage: endings_test.py BUILD_DIR. The part inside a lab is this same file with --inside.
"""
import json
import os
import signal
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

from fault_support import (BIN, IN_TIME, SUPERVISOR_IN_TIME, FaultTest, Run,  # noqa: E402
                           probe_process)
from lab_support import call, run_with_build  # noqa: E402


class Inside(FaultTest):
    def inside(self, host, *command):
        done = call("netlab", "exec", host, "--", *command)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def from_journals(self, run):
        self.assertFalse(os.path.exists(run.output))
        shown = call(f"{BIN}/ringwise", "report", "--format", "json", run.output)
        self.assertEqual(shown.returncode, 3, shown.stderr)
        return json.loads(shown.stdout)

    def test_a_killed_supervisor_stands_before_what_its_neighbours_saw(self):
        run = Run("tcp-allreduce,memory-copy")
        run.wait_for(r"tcp-allreduce: .*block 1")
        os.kill(probe_process(2, False), signal.SIGKILL)
        self.assertEqual(run.end(SUPERVISOR_IN_TIME), 3, run.log)
        record = self.from_journals(run)
        self.assertEqual(record["problems"][0].get("rank"), 2, self.problems(record))
        self.assertIn("was killed", record["problems"][0]["text"])

    def test_a_run_that_is_stopped_from_outside_accuses_no_worker(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                run = Run("tcp-allreduce,memory-copy")
                run.wait_for(r"tcp-allreduce: .*block 1")
                run.process.send_signal(number)
                self.assertNotEqual(run.end(IN_TIME), 0, run.log)
                record = self.from_journals(run)
                self.assertIn("the cause lies outside the run", record["problems"][0]["text"],
                              self.problems(record))
                self.assertNotIn("worker ended", self.problems(record))
                self.assertNotIn("worker ended", run.log)

    def test_a_full_disk_at_the_end_loses_nothing(self):
        folder = tempfile.mkdtemp(prefix="ringwise-full-")
        # Rank 0's journal fits, and its record does not.
        self.inside("node1", "mount", "-t", "tmpfs", "-o", "size=16k", "none", folder)
        try:
            run = Run("memory-copy", directory=folder)
            self.assertEqual(run.end(60), 3, run.log)
            left = self.inside("node1", "ls", folder).split()
        finally:
            self.inside("node1", "umount", folder)
        self.assertIn("No space left on device", run.log)
        self.assertIn("run.json.rank0.journal", left)
        for rank in (1, 2):
            self.assertTrue(os.path.exists(f"{run.output}.rank{rank}.journal"),
                            os.listdir(folder))

    def test_a_host_without_the_family_of_the_others_is_refused(self):
        self.inside("pod2", "ip", "addr", "del", "10.72.0.2/24", "dev", "net1")
        try:
            run = Run("tcp-allreduce,tcp-pairs", mode="multus")
            self.assertEqual(run.end(30), 2, run.log)
        finally:
            self.inside("pod2", "ip", "addr", "add", "10.72.0.2/24", "dev", "net1")
        self.assertIn("net1 of pod2 has no IPv4 address, the others have one", run.log)
        self.assertFalse(os.path.exists(run.output))

    def test_hosts_of_one_name_are_told_apart(self):
        self.inside("node2", "hostname", "node3")
        try:
            run = Run("tcp-pairs,shm-allreduce")
            self.assertEqual(run.end(60), 0, run.log)
        finally:
            self.inside("node2", "hostname", "node2")
        record = run.record()
        self.assertEqual(record["launch"]["nodes"], 3)
        self.assertEqual(len({h["host"] for h in record["hosts"]}), 3)
        pairs = self.results(record, "tcp-pairs")[0]
        self.assertEqual(pairs["nodes"], 3)
        self.assertEqual(len(pairs["pairs"]), 12)
        self.assertEqual(self.results(record, "shm-allreduce")[0]["status"], "skipped")

    def test_facts_of_hosts_alone_are_no_pass(self):
        run = Run("system")
        self.assertEqual(run.end(60), 0, run.log)
        shown = call(f"{BIN}/ringwise", "explain", run.output)
        self.assertEqual(shown.returncode, 5, shown.stdout)
        self.assertIn("nothing was measured", shown.stdout)
        run = Run("memory-copy")
        self.assertEqual(run.end(60), 0, run.log)
        shown = call(f"{BIN}/ringwise", "explain", run.output)
        self.assertEqual(shown.returncode, 0, shown.stdout)
        self.assertIn("no traffic between hosts was measured", " ".join(shown.stdout.split()))


if __name__ == "__main__":
    sys.exit(run_with_build(__file__, 3))
