"""The samples of the documentation, run as they are shown."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from morsel_client import Morsel

from .server import PHOTO, URL

SAMPLES = Path(__file__).parent.parent / "samples.py"
SHOWN_URL = "http://127.0.0.1:8080"
SHOWN_RECIPE = "rcp_i946uhP4tcPKhoS6MTkoE5"


class Samples(unittest.TestCase):
    def test_the_samples_of_the_documentation_run(self) -> None:
        client = self.enterContext(Morsel())
        recipe = client.recipes.create(name="Mom's Lasagna", calories=620)["id"]
        source = SAMPLES.read_text().replace(SHOWN_URL, URL).replace(SHOWN_RECIPE, recipe)
        folder = self.enterContext(tempfile.TemporaryDirectory())
        shutil.copy(PHOTO, Path(folder, "dinner.jpg"))
        run = subprocess.run([sys.executable, "-"], input=source, cwd=folder, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        for id in {saved["id"] for saved in client.recipes.list() if saved["name"] == "Mom's Lasagna"}:
            self.assertNotEqual(id, recipe, "the samples delete it")
            client.recipes.delete(id)
        lines = run.stdout.splitlines()
        self.assertEqual(lines[0], str(client.estimate("two eggs and a slice of toast")["totals"]["calories"]))
        self.assertRegex(run.stdout, r"(?m)^total \d")
        self.assertIn("400 query_too_short", run.stdout)
        self.assertIn("Oat biscuits Grunau", lines)
        self.assertEqual(lines[-1], "Mom's Lasagna 620.0")
