#!/usr/bin/env python3
"""Tests of scripts/netlab. Runs alone: exits 0, 1, or 77 when this machine can hold no lab.

No packet leaves the labs' own namespaces. Every command has a time limit, and every lab ends with
its test.
"""
import os
import signal
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

from lab_support import (HERE, NETLAB, call, network_namespaces,  # noqa: E402
                         processes_with, run_lab, wait_until)


class Outside(unittest.TestCase):
    def test_status_passes(self):
        self.assertEqual(run_lab("sh", "-c", "exit 7").returncode, 7)
        self.assertEqual(run_lab("sh", "-c", "kill -9 $$").returncode, 137)
        missing = run_lab("no-such-command-here")
        self.assertEqual(missing.returncode, 127)
        self.assertIn("no-such-command-here", missing.stderr)

    def test_usage_errors_are_one_clear_line(self):
        for argv in (["run", "--nodes", "2"], ["run", "--rate", "fast", "--", "true"],
                     ["run", "--nodes", "65", "--", "true"], ["info"], ["agent"],
                     ["exec", "node1", "--", "true"], ["fault", "down", "1"]):
            done = call(NETLAB, *argv)
            self.assertEqual(done.returncode, 2, argv)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_a_lab_inside_a_lab_is_refused(self):
        done = run_lab("netlab", "run", "--", "true")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("a lab inside a lab is not possible", done.stderr)
        self.assertNotIn("Errno", done.stderr)

    def test_help_everywhere(self):
        for argv in ([], ["run"], ["exec"], ["mpirun"], ["hosts"], ["agent"], ["info"],
                     ["fault"]):
            done = call(NETLAB, *argv, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("exit codes:", done.stdout)

    def test_current_directory_is_visible_and_writable(self):
        with tempfile.TemporaryDirectory() as directory:
            done = run_lab("sh", "-c", "netlab exec node1 -- sh -c 'hostname > a'; "
                           "netlab exec pod2 -- sh -c 'cat a > b'", cwd=directory)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(f"{directory}/b", encoding="utf-8") as f:
                self.assertEqual(f.read(), "node1\n")

    def test_machine_is_left_as_it_was(self):
        before = os.uname().nodename, call("ip", "-br", "link").stdout, network_namespaces()
        self.assertEqual(run_lab("true").returncode, 0)
        after = os.uname().nodename, call("ip", "-br", "link").stdout, network_namespaces()
        self.assertEqual(after[:2], before[:2])
        self.assertLessEqual(after[2], before[2])

    def start(self, *command, nodes=2):
        process = subprocess.Popen([NETLAB, "run", "--nodes", str(nodes), "--", *command],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

        def end():
            process.kill()
            process.wait(20)
            process.stdin.close()
            process.stdout.close()
        self.addCleanup(end)
        return process

    def test_two_labs_side_by_side(self):
        script = ("netlab exec node1 -- ping -c 1 -W 5 node2 > /dev/null && echo up; read word;"
                  " netlab fault blackhole 1 2; netlab info | grep -c blackhole; read word")
        labs = [self.start("sh", "-c", script) for _ in range(2)]
        self.assertEqual([p.stdout.readline() for p in labs], ["up\n", "up\n"])
        labs[0].stdin.write("go\n")
        labs[0].stdin.flush()
        self.assertEqual(labs[0].stdout.readline(), "1\n")
        labs[0].kill()  # the other one is not touched
        labs[1].stdin.write("go\ngo\n")
        labs[1].stdin.flush()
        self.assertEqual(labs[1].stdout.readline(), "1\n")
        self.assertEqual(labs[1].wait(20), 0)

    def check_nothing_left(self, number):
        before = network_namespaces()
        word = f"{os.getpid()}.{number}"
        process = self.start("sh", "-c", f"netlab exec pod1 -- sleep 9{word} & echo up;"
                             f" sleep 8{word}")
        self.assertEqual(process.stdout.readline(), "up\n")
        self.assertTrue(wait_until(lambda: processes_with(f"9{word}")))
        self.assertGreater(len(network_namespaces()), len(before))
        process.send_signal(number)
        process.wait(30)
        self.assertTrue(wait_until(lambda: not processes_with(word)))
        self.assertTrue(wait_until(lambda: network_namespaces() <= before))
        return process.returncode

    def test_nothing_is_left_after_kill(self):
        self.assertEqual(self.check_nothing_left(signal.SIGKILL), -signal.SIGKILL)

    def test_nothing_is_left_after_a_signal(self):
        self.assertEqual(self.check_nothing_left(signal.SIGTERM), 128 + signal.SIGTERM)

    def test_a_signal_reaches_the_command(self):
        process = self.start("sh", "-c", "trap 'exit 9' TERM; echo up; while :; do sleep 0.05;"
                             " done")
        self.assertEqual(process.stdout.readline(), "up\n")
        process.terminate()
        self.assertEqual(process.wait(20), 9)

    def test_a_missing_tool_is_named(self):
        if os.geteuid() != 0:
            self.skipTest("hiding a tool needs root")
        hidden = ('for d in /usr/sbin /usr/bin /sbin /bin; do [ ! -e $d/nft ] ||'
                  ' mount --bind /dev/null $d/nft; done; exec "$@"')
        done = call("unshare", "--mount", "sh", "-c", hidden, "sh", NETLAB, "run", "--", "true")
        self.assertEqual(done.returncode, 77, done.stderr)
        self.assertIn("not installed: nft (Debian: nftables)", done.stderr)

    def test_refused_namespaces_are_named(self):
        limit = "echo 0 > /proc/sys/user/max_net_namespaces && exec \"$@\""
        done = call("unshare", "--user", "--map-root-user", "sh", "-c", limit, "sh", NETLAB,
                    "run", "--", "true")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("no namespaces", done.stderr)

    def test_plain_user(self):
        prefix = []
        if os.geteuid() == 0:
            prefix = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "env",
                      "HOME=/", f"PATH={os.environ['PATH']}"]
            if call(*prefix, NETLAB, "--help").returncode != 0:
                self.skipTest("the checkout is not readable by another user")
        if call(*prefix, "unshare", "--user", "--map-root-user", "--net", "true").returncode:
            self.skipTest("this machine gives a plain user no user namespaces")
        done = call(*prefix, NETLAB, "run", "--nodes", "2", "--", "sh", "-ec",
                    "netlab exec node1 -- ping -c 1 -W 5 node2-v6; netlab exec pod1 -- ping -c 1"
                    " -W 5 pod2; netlab fault loss 1 100; netlab fault clear; netlab fault"
                    " flowcap 1 50mbit; netlab exec pod1 -- ping -c 1 -W 5 pod2-net1", cwd="/")
        self.assertEqual(done.returncode, 0, done.stderr)


class Inside(unittest.TestCase):
    def test_everything_that_runs_in_a_lab(self):
        done = run_lab(sys.executable, f"{HERE}/netlab_inside.py", "-v", nodes=3, seconds=240)
        sys.stderr.write(done.stderr)
        self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    possible = run_lab("true", nodes=1)
    if possible.returncode in (4, 77):
        print(f"skipped: {possible.stderr.strip()}", file=sys.stderr)
        sys.exit(77)
    unittest.main()
