#!/usr/bin/env python3
"""What `recommend` advises from measurements in netlab: settings tried for gain and for harm, and
interface names that differ between nodes. Exits 0, 1, or 77 when this machine can hold no lab.

Usage: advice_test.py BUILD_DIR. The part inside a lab is this same file with --inside.
"""
import json
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

from lab_support import call, programs_folder, run_with_build  # noqa: E402

BIN = programs_folder()


class Inside(unittest.TestCase):
    def setUp(self):
        call("netlab", "fault", "clear")
        folder = tempfile.TemporaryDirectory(prefix="ringwise-advice-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, *lines):
        path = self.folder / name
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return path

    def probe(self, output, *options):
        done = call("netlab", "mpirun", "--mode", "host", "--", f"{BIN}/ringwise-probe",
                    "--probes", "system,tcp-allreduce", *map(str, options), "--output",
                    str(self.folder / output), seconds=120)
        self.assertEqual(done.returncode, 0, done.stderr)

    def recommend(self, *runs):
        done = call(f"{BIN}/ringwise", "recommend", *(str(self.folder / run) for run in runs),
                    "-o", str(self.folder / "out"))
        # 5, inconclusive: on a busy machine some interval is too wide, and it is right to say so.
        self.assertIn(done.returncode, (0, 5), done.stdout + done.stderr)
        with open(self.folder / "out" / "advice.json", encoding="utf-8") as file:
            return {one["name"]: one for one in json.load(file)["advice"]}

    def out(self, name):
        return (self.folder / "out" / name).read_text(encoding="utf-8")

    def test_a_trial_confirms_help_and_drops_harm(self):
        # One stream gets no more than this: helper threads help, one channel alone harms.
        for node in "12":
            done = call("netlab", "fault", "flowcap", node, "200mbit")
            self.assertEqual(done.returncode, 0, done.stderr)
        help_file = self.write("help.env", "NCCL_SOCKET_NTHREADS=4")
        harm_file = self.write("harm.env", "NCCL_MAX_NCHANNELS=1")
        mixed = self.write("mixed.env", "NCCL_SOCKET_NTHREADS=4", "NCCL_SOCKET_SNDBUF=4096")
        self.probe("trial.json", "--sizes", "1M,4M", "--time-budget", "25s", "--settings",
                   f"default,{help_file},{harm_file},{mixed}")
        advice = self.recommend("trial.json")
        helpful = advice["NCCL_SOCKET_NTHREADS"]
        self.assertEqual((helpful["state"], helpful["value"]), ("confirmed", "4"), helpful)
        self.assertGreater(helpful["factor_low"], 1)
        harmful = advice["NCCL_MAX_NCHANNELS"]
        self.assertEqual(harmful["state"], "dropped", harmful)
        self.assertLess(harmful["factor_high"], 1)
        self.assertEqual(advice["NCCL_SOCKET_SNDBUF"]["state"], "dropped", advice)
        self.assertIn("NCCL_SOCKET_NTHREADS=4", self.out("nccl.env"))
        for name in ("NCCL_MAX_NCHANNELS=", "NCCL_SOCKET_SNDBUF="):
            self.assertFalse([line for line in self.out("nccl.env").splitlines()
                              if line.startswith(name)], self.out("nccl.env"))

    def rename(self, host, old, new):
        for words in (("set", old, "down"), ("set", old, "name", new), ("set", new, "up")):
            done = call("netlab", "exec", host, "--", "ip", "link", *words)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_interface_names_that_differ(self):
        self.rename("node2", "eth0", "ens9")
        self.addCleanup(self.rename, "node2", "ens9", "eth0")
        self.probe("run.json", "--sizes", "1M", "--time-budget", "5s", "--interface", "10.70.0.0/24")
        self.check_names("=eth0,ens9")

    def test_a_name_that_is_another_network_elsewhere(self):
        # A list would make node1 use its own ens9, which leads nowhere.
        self.rename("node2", "eth0", "ens9")
        self.addCleanup(self.rename, "node2", "ens9", "eth0")
        for words in (("link", "add", "ens9", "type", "bridge"), ("link", "set", "ens9", "up"),
                      ("address", "add", "10.99.0.1/24", "dev", "ens9")):
            done = call("netlab", "exec", "node1", "--", "ip", *words)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.addCleanup(call, "netlab", "exec", "node1", "--", "ip", "link", "del", "ens9")
        self.probe("run.json", "--sizes", "1M", "--time-budget", "5s", "--interface", "10.70.0.0/24")
        self.check_names(None)

    def check_names(self, everywhere):
        """The setting for each node selects on it what was measured, by NCCL's own rule."""
        advice = self.recommend("run.json")["NCCL_SOCKET_IFNAME"]
        by_host = {"node1": "eth0", "node2": "ens9"}
        for host, name in by_host.items():
            value = (advice.get("per_host") or {}).get(host, advice.get("value"))
            if everywhere is not None:
                self.assertEqual(value, everywhere, advice)
            shown = call("netlab", "exec", host, "--", "env", f"NCCL_SOCKET_IFNAME={value}",
                         f"{BIN}/ringwise", "system", "--format", "json")
            self.assertEqual(shown.returncode, 0, shown.stderr)
            interfaces = [i["name"] for i in json.loads(shown.stdout)["interfaces"]]
            self.assertIn(name, interfaces)
            chosen = [i for i in interfaces if i in value.lstrip("=").split(",")]
            self.assertEqual(chosen, [name], advice)


if __name__ == "__main__":
    sys.exit(run_with_build(__file__, 2))
