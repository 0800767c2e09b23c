#!/usr/bin/env python3
"""Runs ringwise-probe under mpirun over loopback: the record, the readers, and bad input.

usage: run_record_test.py FOLDER-WITH-PROGRAMS [-v] [TEST...]
Exits 0, 1, or 77 when this machine lacks mpirun or python3-jsonschema, or MPI was not built in.
"""
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

import programs  # noqa: E402

FOLDER = programs.program_folder()
PROBE = FOLDER / "ringwise-probe"
RINGWISE = FOLDER / "ringwise"
RANKS = 3
SMALL = ["--interface", "=lo", "--sizes", "8,4K", "--blocks", "2", "--time-budget", "2s"]
STAGES = ["system", "tcp-allreduce", "tcp-pairs", "shm-allreduce", "memory-copy", "mpi-allreduce"]


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Record(unittest.TestCase):
    """One run that all tests look at."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.path = cls.folder / "run.json"
        cls.done = programs.mpirun(RANKS, PROBE, *SMALL, "--output", cls.path)
        if cls.done.returncode != 0:
            raise AssertionError(f"exit {cls.done.returncode}\n{cls.done.stderr}")
        cls.record = json.loads(cls.path.read_text(encoding="utf-8"))

    def test_record_is_valid_and_complete(self):
        validator = programs.ROOT / "tests/support/validate_record.py"
        done = programs.call(sys.executable, validator, programs.SCHEMA, self.path)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIs(self.record["complete"], True)
        self.assertEqual(self.record["launch"]["ranks"], RANKS)
        self.assertEqual(self.record["launch"]["nodes"], 1)
        self.assertEqual(self.record["launch"]["launcher"], "openmpi")

    def test_every_stage_has_a_result_with_a_status(self):
        found = {result["probe"]: result for result in self.record["results"]}
        for stage in STAGES:
            self.assertIn(stage, found)
            self.assertIn(found[stage]["status"], ("ok", "skipped"), found[stage].get("reason"))
            if found[stage]["status"] == "skipped":
                self.assertTrue(found[stage]["reason"])

    def test_all_data_was_right(self):
        sizes = [size for result in self.record["results"] for size in result.get("sizes", [])]
        verified = [size for size in sizes if size.get("verified")]
        self.assertTrue(verified)
        self.assertEqual([size["wrong"] for size in verified], [0] * len(verified))

    def test_rank_zero_alone_speaks_and_on_standard_error(self):
        self.assertEqual(self.done.stdout, "")
        self.assertEqual(self.done.stderr.count("wrote "), 1, self.done.stderr)

    def test_report_reads_it_in_every_format(self):
        for kind in ("text", "json", "md", "csv"):
            done = programs.call(RINGWISE, "report", self.path, "--format", kind)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("tcp-pairs", done.stdout, kind)

    def test_recommend_leaves_other_files_alone(self):
        own = self.folder / "own"
        own.mkdir()
        (own / "pod.yaml").write_text("mine\n", encoding="utf-8")
        done = programs.call(RINGWISE, "recommend", self.path, "-o", own)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("not written by ringwise recommend", done.stderr)
        self.assertEqual([path.name for path in own.iterdir()], ["pod.yaml"])

    def test_system_knows_its_interfaces(self):
        done = programs.call(RINGWISE, "system", "--interface", "nosuch0")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("nosuch0", done.stderr)

    def test_recommend_writes_its_files(self):
        out = self.folder / "out"
        done = programs.call(RINGWISE, "recommend", self.path, "-o", out)
        # So few blocks say little: 5, inconclusive, is as right as 0.
        self.assertIn(done.returncode, (0, 5), done.stderr)
        names = {path.name for path in out.iterdir()}
        self.assertTrue({"nccl.env", "nccl.conf", "pod.yaml", "advice.json"} <= names, names)
        validator = programs.ROOT / "tests/support/validate_record.py"
        valid = programs.call(sys.executable, validator, programs.SCHEMA, out / "advice.json")
        self.assertEqual(valid.returncode, 0, valid.stdout)


class Journals(Folder):
    def test_journals_alone_can_be_read(self):
        run = self.folder / "run.json"
        journals = [self.folder / f"run.json.rank{rank}.journal" for rank in range(2)]

        def is_measuring():
            return all(path.exists() and '"memory-copy"' in path.read_text(encoding="utf-8")
                       and "block 1" in path.read_text(encoding="utf-8") for path in journals)

        programs.mpirun_until(is_measuring, 2, PROBE, "--interface", "=lo", "--time-budget", "60s",
                              "--probes", "system,memory-copy", "--output", run)
        self.assertFalse(run.exists())
        for paths in ([run], journals):
            done = programs.call(RINGWISE, "report", *paths)
            self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
            self.assertIn("memory-copy", done.stdout)


class BadInput(Folder):
    """One clear line, the right code, and nothing measured."""

    def assert_refused(self, done, code, *words):
        lines = [line for line in done.stderr.splitlines() if line.startswith("ringwise-probe:")]
        self.assertEqual(len(lines), 1, done.stderr)
        for word in words:
            self.assertIn(word, lines[0])
        self.assertEqual(done.returncode, code, done.stderr)
        for word in ("terminate called", "Segmentation", "Traceback", "what():", "[1/"):
            self.assertNotIn(word, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(list(self.folder.glob("*.json")), [])

    def refuse(self, code, words, *options, ranks=2):
        base = ["--output", self.folder / "run.json"] if "--output" not in options else []
        self.assert_refused(programs.mpirun(ranks, PROBE, *base, *options), code, *words)

    def test_an_interface_that_is_not_there(self):
        self.refuse(2, ["nosuch0", "lo"], "--interface", "=nosuch0")

    def test_an_interface_of_the_wrong_network(self):
        self.refuse(2, ["203.0.113.0/24"], "--interface", "203.0.113.0/24")

    def test_an_unwritable_output(self):
        self.refuse(2, ["/nosuch/run.json"], "--interface", "=lo", "--output", "/nosuch/run.json")

    def test_an_output_that_would_be_lost(self):
        note = self.folder / "note.txt"
        note.write_text("important\n", encoding="utf-8")
        self.refuse(2, ["note.txt", "no run record"], "--interface", "=lo", "--output", note)
        self.assertEqual(note.read_text(encoding="utf-8"), "important\n")
        folder = self.folder / "empty"
        folder.mkdir()
        self.refuse(2, ["is a folder"], "--interface", "=lo", "--output", folder)
        self.refuse(2, ["is a folder"], "--interface", "=lo", "--output", f"{folder}/")
        self.assertTrue(folder.is_dir())
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        self.refuse(2, ["no regular file"], "--interface", "=lo", "--output", pipe)
        self.assertTrue(pipe.is_fifo())

    def test_settings_that_cannot_be_tried(self):
        for text, word in (("NCCL_SOCKET_NTHREADS=99", "up to 16"), ("NCCL_X", "NAME=VALUE"),
                           ("NCCL_SOCKET_NTHREADS=16\nNCCL_NSOCKS_PERTHREAD=64", "allows 64"),
                           ("NCCL_X=1\nNCCL_X=2", "set above")):
            path = self.folder / "x.env"
            path.write_text(text, encoding="utf-8")
            self.refuse(2, ["--settings", word], "--interface", "=lo", "--settings",
                        f"default,{path}")

    def test_a_world_smaller_than_asked(self):
        self.refuse(3, ["4 ranks", "2"], "--interface", "=lo", "--expect-ranks", "4")

    def test_one_host_where_several_were_asked(self):
        self.refuse(3, ["2 nodes", "1"], "--interface", "=lo", "--expect-nodes", "2")

    def test_a_probe_that_is_not_there(self):
        done = programs.call(PROBE, "--probes", "tcp-pears", cwd=self.folder)
        self.assert_refused(done, 2, "tcp-pears", "tcp-pairs")

    def test_a_size_that_is_none(self):
        done = programs.call(PROBE, "--sizes", "8,many", cwd=self.folder)
        self.assert_refused(done, 2, "many")

    def test_an_option_that_is_not_there(self):
        done = programs.call(PROBE, "--interfaces", "=lo", cwd=self.folder)
        self.assert_refused(done, 2, "--interfaces", "--interface")

    def test_readers_refuse_what_is_no_record(self):
        broken = self.folder / "broken"
        broken.write_text('{"schema_version": "1.0",\n "results": 7}', encoding="utf-8")
        for command in ("report", "recommend"):
            for path in (broken, self.folder / "missing"):
                done = programs.call(RINGWISE, command, path, cwd=self.folder)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(path.name, done.stderr)
                self.assertEqual(done.stdout, "")


def check_machine():
    if programs.find_mpirun() is None:
        programs.skip("Open MPI's mpirun is not installed (Debian: openmpi-bin)")
    try:
        import jsonschema  # noqa: F401, PLC0415
    except ImportError:
        programs.skip("python3-jsonschema is not installed")
    shown = programs.call(PROBE, "--version")
    if shown.returncode != 0:
        programs.skip(f"{PROBE} does not start: {shown.stderr.strip()}")
    if re.search(r"^\s*MPI\s+no\b", shown.stdout, re.MULTILINE):
        programs.skip("ringwise-probe was built without MPI")


if __name__ == "__main__":
    check_machine()
    os.environ["NO_COLOR"] = "1"
    unittest.main()
