"""Runs the examples of the README. Those of libraries that are not installed are skipped."""

import ast
import importlib.util
import pathlib
import re
import runpy
import tempfile
import unittest

README = pathlib.Path(__file__).resolve().parents[1] / "README.md"


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
                self.run_file(example)

    def run_file(self, source):
        # A file, since Spark and Ray look for the source of functions.
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "example.py"
            path.write_text(source)
            names = runpy.run_path(str(path), run_name="__main__")
        # What an expression is, in a comment behind it.
        for expression, value in re.findall(r"^(\w.*?) +# (.+)$", source, re.MULTILINE):
            self.assertEqual(eval(expression, names), ast.literal_eval(value), expression)


if __name__ == "__main__":
    unittest.main()
