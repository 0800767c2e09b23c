#!/usr/bin/env python3
"""Tests of scripts/check-layers: the tree passes, and planted violations do not."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/check-layers"


def check(*arguments):
    return subprocess.run([sys.executable, SCRIPT, *map(os.fspath, arguments)], text=True,
                          capture_output=True, timeout=60, check=False, stdin=subprocess.DEVNULL)


class CheckLayers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "docs").mkdir()
        shutil.copy(ROOT / "docs/architecture.md", self.root / "docs")
        self.write("core/base/error.h", "#include <string>\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def assert_refused(self, *expected):
        done = check("--root", self.root)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for text in expected:
            self.assertIn(text, done.stdout)

    def test_this_tree_passes(self):
        done = check()
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_what_the_table_allows_passes(self):
        self.write("core/system/x.cc", '#include <sys/socket.h>\n#include <netlink/cache.h>\n'
                   '#include "base/error.h"\n#include "system/x.h"\n')
        done = check("--root", self.root)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_an_include_upwards_is_named_with_its_place(self):
        self.write("core/stats/x.cc", '\n#include "model/record.h"\n')
        self.assert_refused('core/stats/x.cc:2: module stats may not use model: "model/record.h"')

    def test_the_reading_side_may_not_measure(self):
        self.write("core/app/commands/x.cc", '#include "comm/control_plane.h"\n')
        self.assert_refused("module app/commands may not use comm")

    def test_a_third_party_header_outside_its_module(self):
        self.write("core/probe/x.cc", "#include <mpi.h>\n")
        self.write("core/base/x.cc", "#include <boost/any.hpp>\n")
        self.assert_refused("core/probe/x.cc:1: module probe may not include <mpi.h>: it belongs "
                            "to comm", "<boost/any.hpp>: it is in no row of the table")

    def test_a_third_party_header_in_a_published_header(self):
        self.write("core/system/CMakeLists.txt", "ringwise_module(system HEADERS x.h)\n")
        self.write("core/system/x.h", "#include <hwloc.h>\n")
        self.write("core/system/private.h", "#include <hwloc.h>\n")
        done = check("--root", self.root)
        self.assertEqual(done.stdout, "core/system/x.h:1: <hwloc.h> in a header that system "
                         "publishes\n")

    def test_an_include_without_its_module(self):
        self.write("core/base/x.cc", '#include "error.h"\n')
        self.assert_refused('"error.h" names no module')

    def test_a_folder_without_a_row(self):
        self.write("core/extra/x.cc", "#include <string>\n")
        self.assert_refused("core/extra/x.cc: no row of the table")

    def test_no_table_is_an_error(self):
        self.write("docs/architecture.md", "# Nothing\n")
        done = check("--root", self.root)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no table of modules", done.stderr)


if __name__ == "__main__":
    if len(sys.argv) > 1 and os.path.isdir(sys.argv[1]):
        del sys.argv[1]  # ctest hands over the folder of the programs, not needed here
    unittest.main()
