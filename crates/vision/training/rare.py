"""Measures how rarely AIY takes our foods for each of its other dishes: `dish-rare.bin`.

    python rare.py ../models FOLDER...

Each folder holds photos of our foods that networks may be trained on, one folder per food. Folders count the same, however many
photos they have: the first was 8,080 images of 64 pixels (`food101_64`), the second 2,841 large photos (`pizza_or_not`,
`food101_full`, `thai`, `fruit_vegetable_36`, `fruit_search`, `grocery`, `vegetables_48`, and from Jacopoo0/ML_food_classifier and
joaopmarques66/FoodDataset).
"""

import os
import sys

import numpy as np
from PIL import Image

from fit_others import Labels, pixels, session, softmax


def main():
    models, *folders = sys.argv[1:]
    labels, aiy = Labels(models), session(models, "dish-aiy.onnx")
    means = []
    for folder in folders:
        files = [os.path.join(place, file) for place, _, found in os.walk(folder) for file in found]
        said = [softmax(aiy.run(None, pixels(Image.open(file).convert("RGB"), 192))[0][0]) for file in files]
        means.append(np.mean(said, 0) @ labels.fold)
    rare = dict(zip(labels.others, np.round(-20 * np.log(np.mean(means, 0) + 2e-4))))
    np.array([rare.get(name, 0) for name in labels.dishes]).astype(np.uint8).tofile(os.path.join(models, "dish-rare.bin"))


if __name__ == "__main__":
    main()
