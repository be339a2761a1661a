"""Compares the module with the program, and tries everything that the program does not have: columns, threads, errors.

scripts/wheel --test builds both and runs this. MORSEL is the path of the program.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import threading
import unittest

import morsel

GOLD = pathlib.Path(__file__).resolve().parents[3] / "crates" / "meal" / "gold"
PROGRAM = os.environ["MORSEL"]
EXTRAS = ["source", "grams", "range", "tier", "alternatives", "nutrients", "recipe", "unresolved", "language"]


def gold_texts(most_of_a_file):
    """Returns texts in every language, from the phrases that the engine is tested with."""
    files = sorted(GOLD.glob("*.jsonl")) + sorted((GOLD / "languages").glob("*-read.jsonl"))
    lines = [line for file in files for line in file.read_text().splitlines()[:most_of_a_file]]
    return [json.loads(line)["text"] for line in lines]


def program(*arguments, texts=None):
    """Returns what the program prints, with no imported foods."""
    with tempfile.TemporaryDirectory() as folder:
        lines = None if texts is None else "".join(json.dumps(text) + "\n" for text in texts)
        command = [PROGRAM, *arguments, "--data-dir", folder]
        return subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout


class SameAsTheProgram(unittest.TestCase):
    def test_versions(self):
        version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(version.split()[1], morsel.__version__)
        self.assertTrue(morsel.engine_version.startswith(morsel.__version__ + "+"))

    def test_estimates(self):
        texts = gold_texts(30) + ["", "asdf qwerty", "2 eggs\nand \N{HAMBURGER}"]
        self.assertGreater(len(texts), 500)
        for include in ("", ",".join(EXTRAS)):
            expected = program("estimate", "--jsonl", "--include", include, texts=texts).splitlines()
            answers = morsel.estimate_many(texts, include=include)
            self.assertEqual([json.loads(line) for line in expected], answers)
            # Equal as text as well: the same fields in the same order, and the same digits.
            written = [json.dumps(answer, ensure_ascii=False, separators=(",", ":")) for answer in answers]
            self.assertEqual(expected, written)

    def test_a_language(self):
        texts = ["Pan con tomate", "100 g Quark", "ein Ei"]
        expected = program("estimate", "--jsonl", "--include", "language", "--language", "de-AT", texts=texts)
        answers = morsel.estimate_many(texts, language="de-AT", include=["language"])
        self.assertEqual([json.loads(line) for line in expected.splitlines()], answers)
        self.assertEqual({answer["language"] for answer in answers}, {"de"})

    def test_search(self):
        for query in ["greek yogurt", "choclate mil", "huevos", "Quark"]:
            expected = json.loads(program("foods", query, "--json", "--limit", "7"))
            self.assertEqual(expected["foods"], morsel.search(query, limit=7))
        branded = json.loads(program("foods", "oat milk", "--json", "--source", "branded"))
        self.assertEqual(branded["foods"], morsel.search("oat milk", source="branded"))


class Columns(unittest.TestCase):
    def test_one_and_many_and_columns_agree(self):
        texts = gold_texts(4)
        many = morsel.estimate_many(texts, include=["unresolved"])
        self.assertEqual([morsel.estimate(text, include=["unresolved"]) for text in texts], many)
        columns = morsel.estimate_columns(texts)
        self.assertEqual(list(columns), ["calories", "protein", "carbs", "fat", "items", "unresolved"])
        for name in ("calories", "protein", "carbs", "fat"):
            self.assertEqual([answer["totals"][name] for answer in many], columns[name])
        self.assertEqual([len(answer["items"]) for answer in many], columns["items"])
        self.assertEqual([answer["unresolved"] for answer in many], columns["unresolved"])

    def test_the_number_of_threads_changes_nothing(self):
        texts = gold_texts(20)
        first = morsel.estimate_many(texts, threads=1)
        for threads in (2, 3, 64):
            self.assertEqual(first, morsel.estimate_many(texts, threads=threads))
        self.assertEqual(morsel.estimate_columns(texts, threads=1), morsel.estimate_columns(texts))

    def test_missing_texts_keep_their_place(self):
        texts = ["an egg", None, float("nan"), "a banana"]
        many = morsel.estimate_many(texts)
        self.assertEqual([answer is None for answer in many], [False, True, True, False])
        columns = morsel.estimate_columns(texts)
        for column in columns.values():
            self.assertEqual([value is None for value in column], [False, True, True, False])

    def test_anything_that_can_be_iterated_over_is_a_column(self):
        texts = ["an egg", "a banana"]
        expected = morsel.estimate_many(texts)
        for column in (tuple(texts), iter(texts), dict.fromkeys(texts), (text for text in texts)):
            self.assertEqual(expected, morsel.estimate_many(column))
        self.assertEqual(morsel.estimate_many([]), [])
        self.assertEqual(morsel.estimate_columns([])["calories"], [])

    def test_an_array_may_have_scalars_of_its_own(self):
        class Array:
            def to_pylist(self):
                return ["an egg", None]

        self.assertEqual(morsel.estimate_many(Array()), morsel.estimate_many(["an egg", None]))

    def test_python_threads_share_the_engine(self):
        texts = gold_texts(3)
        expected = morsel.estimate_many(texts)
        results = [None] * 8

        def work(number):
            results[number] = [morsel.estimate(text) for text in texts]

        threads = [threading.Thread(target=work, args=(number,)) for number in range(len(results))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [expected] * len(results))


class Foods(unittest.TestCase):
    def test_a_food_by_its_id(self):
        found = morsel.search("greek yogurt")[0]
        food = morsel.food(found["id"])
        self.assertEqual({name: food[name] for name in found}, found)
        self.assertGreater(len(food["portions"]), 0)
        self.assertIn("protein", food["nutrients_per_100g"])
        self.assertIsNone(morsel.food("no such food"))

    def test_an_unknown_barcode(self):
        self.assertIsNone(morsel.barcode("99999999"))
        self.assertIsNone(morsel.barcode("00000099999999"))


class Errors(unittest.TestCase):
    def assert_refused(self, kind, message, call, *arguments, **options):
        with self.assertRaises(kind) as raised:
            call(*arguments, **options)
        self.assertEqual(str(raised.exception), message)

    def test_the_limit_on_characters(self):
        longest = "an egg, " * 1000
        self.assertEqual(len(longest), morsel.MAX_CHARS)
        self.assertGreater(len(morsel.estimate(longest)["items"]), 0)
        morsel.estimate("\N{HOT BEVERAGE}" * morsel.MAX_CHARS)
        message = "has 8001 characters; the limit is 8000."
        self.assert_refused(ValueError, f"“text” {message}", morsel.estimate, longest + "x")
        self.assert_refused(ValueError, f"“texts[1]” {message}", morsel.estimate_many, ["egg", longest + "x"])

    def test_values(self):
        extras = ", ".join(EXTRAS)
        unknown = f"“include” has an unknown name “gramms”; choose from {extras}."
        self.assert_refused(ValueError, unknown, morsel.estimate, "an egg", include=["gramms"])
        with self.assertRaisesRegex(ValueError, "“language” must be “en” or one of: ar, "):
            morsel.estimate("an egg", language="tlh")
        self.assert_refused(ValueError, "“threads” must be at least 1.", morsel.estimate_many, [], threads=0)
        self.assert_refused(ValueError, "“limit” must be at least 1.", morsel.search, "egg", limit=-1)
        self.assert_refused(ValueError, "“text” must have 2 to 200 characters.", morsel.search, " e ")
        self.assert_refused(ValueError, "“gtin” must be 6 to 14 digits.", morsel.barcode, "12a45678")
        with self.assertRaisesRegex(ValueError, "“source” must be one of usda, branded"):
            morsel.search("egg", source="moon")

    def test_types(self):
        one = "“texts” must be a list or a column; for one text use morsel.estimate."
        self.assert_refused(TypeError, one, morsel.estimate_many, "an egg")
        wrong = "“texts[1]” must be a string or None, not int."
        self.assert_refused(TypeError, wrong, morsel.estimate_many, ["an egg", 7])
        self.assertRaises(TypeError, morsel.estimate, None)

    def test_half_a_character_is_replaced(self):
        self.assertEqual(morsel.estimate("an egg \ud83c"), morsel.estimate("an egg \N{REPLACEMENT CHARACTER}"))


if __name__ == "__main__":
    unittest.main()
