"""Runs the examples of the README. Those of libraries that are not installed are skipped."""

import doctest
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

README = pathlib.Path(__file__).resolve().parents[1] / "README.md"
REPOSITORY_README = README.parents[2] / "README.md"


class Examples(unittest.TestCase):
    def test_every_example_runs(self):
        examples = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
        self.assertGreater(len(examples), 8)
        for example in examples:
            libraries = re.findall(r"^(?:import|from) (\w+)", example, re.MULTILINE)
            missing = [library for library in libraries if importlib.util.find_spec(library) is None]
            with self.subTest(libraries=libraries):
                if missing:
                    self.skipTest(f"{missing[0]} is not installed")
                self.run_example(example)

    def test_the_session_in_the_readme_of_the_repository(self):
        sessions = re.findall(r"```pycon\n(.*?)```", REPOSITORY_README.read_text(), re.DOTALL)
        self.assertEqual(len(sessions), 1)
        test = doctest.DocTestParser().get_doctest(sessions[0], {}, "README.md", str(REPOSITORY_README), 0)
        self.assertEqual(doctest.DocTestRunner().run(test).failed, 0)

    def run_example(self, example):
        # A comment behind an expression says what it is.
        values = re.findall(r"^(\w.*?) +# (.+)$", example, re.MULTILINE)
        checks = [f"assert {expression} == {value}, {expression}" for expression, value in values]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "example.py"
            path.write_text("\n".join([example, *checks]))
            # The processes that Spark starts have the same modules.
            environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
            command = [sys.executable, str(path)]
            run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
        self.assertEqual(run.returncode, 0, run.stderr)


if __name__ == "__main__":
    unittest.main()
