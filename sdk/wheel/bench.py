"""Measures how many meals a second the module estimates, on one thread and on more.

    scripts/wheel && target/wheel/venv/bin/pip install target/wheels/morsel-*.whl && target/wheel/venv/bin/python sdk/wheel/bench.py

The texts are the English phrases that the engine is tested with; --meals measures your own instead, one {"text": …} a line.
"""

import argparse
import json
import os
import pathlib
import statistics
import time

import morsel

GOLD = pathlib.Path(__file__).resolve().parents[2] / "crates" / "meal" / "gold"


def rates(work, texts, passes):
    """Returns texts per second of the clock and of processor time: the medians of some passes."""
    clock, processor = [], []
    for _ in range(passes):
        started = time.perf_counter(), time.process_time()
        work()
        clock.append(time.perf_counter() - started[0])
        processor.append(time.process_time() - started[1])
    return len(texts) / statistics.median(clock), len(texts) / statistics.median(processor)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--meals", type=pathlib.Path, help="measure the texts of this file")
    parser.add_argument("--texts", type=int, default=20_000, help="how many texts a pass has; they repeat")
    parser.add_argument("--passes", type=int, default=5)
    options = parser.parse_args()
    files = [options.meals] if options.meals else sorted(GOLD.glob("*.jsonl"))
    lines = [line for file in files for line in file.read_text().splitlines()]
    distinct = [json.loads(line)["text"] for line in lines]
    texts = (distinct * (options.texts // len(distinct) + 1))[: options.texts]

    start = time.perf_counter()
    morsel.estimate("an egg")
    print(f"first estimate, with the engine: {time.perf_counter() - start:.2f} s")
    print(f"{len(texts):,} texts, {len(distinct):,} of them distinct, {statistics.mean(map(len, texts)):.0f} characters on average")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    counts = [threads for threads in (1, 2, 4, 8, 16, 32, 64) if threads < cores] + [cores]
    works = {
        "estimate, one by one": lambda: [morsel.estimate(text) for text in texts],
        **{f"estimate_many, threads={n}": lambda n=n: morsel.estimate_many(texts, threads=n) for n in counts},
        **{f"estimate_columns, threads={n}": lambda n=n: morsel.estimate_columns(texts, threads=n) for n in counts},
    }
    print(f"{'':30} {'meals/s':>10} {'meals per second of processor time':>38}")
    for name, work in works.items():
        clock, processor = rates(work, texts, options.passes)
        print(f"{name:30} {clock:10,.0f} {processor:38,.0f}")


if __name__ == "__main__":
    main()
