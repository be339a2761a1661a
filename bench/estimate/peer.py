"""Times ingredient-parser-nlp: reads a JSON array of phrases and writes the nanoseconds that each takes."""

import json
import sys
import time
from importlib.metadata import version

from ingredient_parser import parse_ingredient

PASSES = 5

phrases = json.load(sys.stdin)
for phrase in phrases:
    parse_ingredient(phrase)
times = [[] for _ in phrases]
for _ in range(PASSES):
    for taken, phrase in zip(times, phrases):
        start = time.perf_counter_ns()
        parse_ingredient(phrase)
        taken.append(time.perf_counter_ns() - start)
medians = [sorted(taken)[len(taken) // 2] for taken in times]
json.dump({"version": version("ingredient-parser-nlp"), "nanoseconds": medians}, sys.stdout)
