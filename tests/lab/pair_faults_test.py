#!/usr/bin/env python3
"""Faults planted into tcp-pairs, in netlab: the pairs of the healthy hosts are measured, and the
right place is named. Exits 0, 1, or 77 when this machine can hold no lab.

Usage: pair_faults_test.py BUILD_DIR. The part inside a lab is this same file with --inside.
"""
import os
import signal
import sys
import unittest

sys.dont_write_bytecode = True

from fault_support import BIN, FaultTest, Run, probe_process  # noqa: E402
from lab_support import call, run_with_build  # noqa: E402

STAGE_TIMEOUT = 10


class Inside(FaultTest):
    def run_pairs(self, **options):
        run = Run("tcp-pairs,memory-copy", timeout=STAGE_TIMEOUT, **options)
        run.wait_for(r"tcp-pairs: .*block 1, round 2")
        return run

    def good_pairs(self, record):
        return {(p["src"], p["dst"]) for p in self.results(record, "tcp-pairs")[0]["pairs"]
                if p["status"] == "ok" and p["direction"] == "one-way" and "gbit_per_s" in p}

    def check_worker(self, record, pattern):
        """Only rank 1's worker is at fault, and the others measured each other."""
        self.check_rest(record)
        first = record["problems"][0]
        self.assertEqual((first["rank"], first["host"], first["sign"]),
                         (1, "node2", "worker-ended"), self.problems(record))
        self.assertRegex(first["text"], pattern)
        for problem in record["problems"][1:]:
            self.assertEqual(problem.get("peer"), 1, self.problems(record))
        self.assertLessEqual({(0, 2), (2, 0)}, self.good_pairs(record))

    def test_stopped_worker(self):
        run = self.run_pairs()
        os.kill(probe_process(1, True), signal.SIGSTOP)
        self.assertEqual(run.end(STAGE_TIMEOUT + 5), 3, run.log)
        self.check_worker(run.record(), "was stopped by a signal")

    def test_killed_worker(self):
        run = self.run_pairs()
        os.kill(probe_process(1, True), signal.SIGKILL)
        self.assertEqual(run.end(STAGE_TIMEOUT + 5), 3, run.log)
        self.check_worker(run.record(), "signal 9")

    def test_interface_that_goes_down(self):
        for pod in (1, 3):
            with self.subTest(pod=pod):
                run = self.run_pairs(mode="multus")
                call("netlab", "exec", f"pod{pod}", "--", "ip", "link", "set", "net1", "down")
                try:
                    self.assertEqual(run.end(STAGE_TIMEOUT + 5), 3, run.log)
                finally:
                    call("netlab", "exec", f"pod{pod}", "--", "ip", "link", "set", "net1", "up")
                record = run.record()
                self.check_rest(record)
                first = record["problems"][0]
                self.assertEqual((first["host"], first["interface"], first["sign"]),
                                 (f"pod{pod}", "net1", "link-down"), self.problems(record))
                self.assertNotIn("worker", self.problems(record))
                healthy = {0, 1, 2} - {pod - 1}
                pairs = {(a, b) for a in healthy for b in healthy if a != b}
                self.assertLessEqual(pairs, self.good_pairs(record))
                shown = call(f"{BIN}/ringwise", "explain", run.output)
                self.assertEqual(shown.returncode, 1, shown.stdout)
                self.assertIn(f"net1 of pod{pod}", shown.stdout)

    def test_paths_that_are_slow_or_lossy(self):
        for words in (("rate", "2", "200kbit"), ("loss", "2", "40")):
            with self.subTest(fault=words):
                call("netlab", "fault", "clear")
                run = self.run_pairs()
                self.fault(*words)
                # The control plane goes over the same link, and its messages are late.
                self.assertEqual(run.end(60), 3, run.log)
                record = run.record()
                self.assertFalse(record["complete"])
                for problem in record["problems"]:
                    self.assertIn("node2", (problem["host"], problem.get("peer_host")),
                                  self.problems(record))
                    self.assertNotIn("worker", problem["text"])
                shown = call(f"{BIN}/ringwise", "explain", run.output)
                self.assertNotIn("nothing gets through", shown.stdout)


if __name__ == "__main__":
    sys.exit(run_with_build(__file__, 3))
