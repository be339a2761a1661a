"""Adds more photos that are not food to the pack of `pack_world.py`. See README.md.

    python pack_not_food.py PICTURES KEPT_THUMBNAILS.npy PACK

For training: more of the sources that are there, and three others. For validation: the held-out images that are for choices, all instead
of twenty of each source, and photos of COCO. Writes chunks after the last one, and the index with them.
"""

import json
import os
import sys

import numpy as np
from PIL import Image, ImageOps

import sources
from classes import TINY_FOOD, TINY_UNSURE
from pack import thumbnail
from pack_world import CHUNK, MEASURED, TEST, TRAIN, VALIDATE, Photos, same_as, small_file

REPOSITORIES = {"flowers": "martinwestin+flower_classification", "natural_images": "Keunyoung-Jung+my_first_DL",
                "trash": "congduytran12+Trash-Classification-"}
COCO = ("Obmutescence+COCO-MINI", "zzowenzz+COCO_Tiny", "enginbozaba+tiny_coco")
# COCO's numbers of food, tableware and kitchens: photos with any of these are not used.
EDIBLE = {*range(44, 62), 67, 78, 79, 80, 81, 82}
# The most photos of a source for training. Those without a number are for validation only.
MOST = {"tiny_imagenet": 4200, "caltech_101": 2400, "scenes": 1200, "cats_dogs": 1500, "flowers": 1400, "natural_images": 900,
        "trash": 700, "hot_dog_or_not": 900, "grapes_pens": 900, "imagenet_samples": 0, "textures": 0}
# The most photos of a folder for training.
MOST_OF_FOLDER = {"tiny_imagenet": 30, "caltech_101": 60}


def split_of(source, path, held):
    """Returns what a photo is for, or None; `held` is what it is for in the pack, if it is used there."""
    parts = path.split("/")
    train = lambda fits: TRAIN if fits else None
    if source == "tiny_imagenet":
        known = parts[1] in TINY_UNSURE or parts[1] in TINY_FOOD
        return train(parts[0] == "train" and not known and sources.share(source + path) >= 0.01)
    if source == "caltech_101":
        if parts[0] != "caltech-101" or parts[1] in sources.UNSURE:
            return None
        return held if held is not None else train(parts[1] not in sources.HELD_OUT_THINGS)
    if source == "scenes":
        return TRAIN if parts[0] == "seg_train" else held
    if source == "cats_dogs":
        return TRAIN if "/train" in path and "test" not in path else held
    if source == "flowers":
        # Sunflowers are a class of `caltech_101` that is held out.
        return train(parts[1] != "sunflower")
    if source == "natural_images":
        return train(parts[0] == "natural_images" and parts[1] in ("person", "car") or parts[0] == "lego_test")
    if source == "trash":
        return train(parts[1] in ("paper", "cardboard"))
    if source == "hot_dog_or_not":
        kind = parts[-1].split("_")[1] if "_" in parts[-1] else ""
        fits = len(parts) > 1 and parts[1] == "not_hot_dog" and kind in ("people", "furniture", "pets")
        return (TRAIN if parts[0] == "train" else VALIDATE) if fits else None
    if source == "grapes_pens":
        return train(parts[0] in ("erasers", "pens", "rulers", "sharpener"))
    return held


def listed(pictures, source, photos):
    """Returns (path, blob, split) of the photos of a source that are used."""
    held, tested = {}, 0
    if source in MEASURED:
        # Every second held-out image is for validation, as in `pack_world.py`.
        for path, _, _, _, split in sources.choose(pictures, source, (set(), set(), {})):
            tested += split == sources.TEST
            held[path] = TRAIN if split == sources.TRAIN else VALIDATE if tested % 2 == 0 else TEST
    rows, counts = [], {}
    for path, blob in sorted(photos.paths().items(), key=lambda row: sources.share("more" + row[0])):
        if path.lower().rsplit(".", 1)[-1] not in ("jpg", "jpeg", "png"):
            continue
        split, folder = split_of(source, path, held.get(path)), os.path.dirname(path)
        if split == TRAIN:
            if counts.get(folder, 0) >= MOST_OF_FOLDER.get(source, np.inf) or counts.get("", 0) >= MOST[source]:
                continue
            counts[folder], counts[""] = counts.get(folder, 0) + 1, counts.get("", 0) + 1
        if split in (TRAIN, VALIDATE):
            rows.append((path, blob, split))
    return rows


def listed_coco(photos):
    """Returns (path, blob, split) of the photos whose objects are known and that show no food, tableware or kitchen."""
    paths, fits = photos.paths(), {}
    for part in ("train2017", "val2017"):
        told = json.loads(photos.read(paths[f"annotations/instances_{part}.json"]))
        known = {one["image_id"] for one in told["annotations"]}
        known -= {one["image_id"] for one in told["annotations"] if one["category_id"] in EDIBLE}
        fits.update({one["file_name"]: one["id"] in known for one in told["images"]})
    return [(path, blob, VALIDATE) for path, blob in paths.items() if fits.get(os.path.basename(path))]


def staged(source, photos, chosen):
    """Returns a row per photo: source, split, bytes, thumbnails."""
    rows = []
    for _, blob, split in chosen:
        try:
            rows.append((source, split, *small_file(photos.read(blob), split, None, source == "tiny_imagenet")))
        except Exception:  # Broken and absent images are skipped.
            continue
    print(source, len(rows), flush=True)
    return rows


def measured(folder):
    """Returns the thumbnails of all photos for measuring."""
    thumbs = []
    for base, _, files in os.walk(folder):
        for file in files:
            image = Image.open(os.path.join(base, file))
            image.draft("RGB", (256, 256))
            image = ImageOps.exif_transpose(image).convert("RGB")
            thumbs += [thumbnail(image), thumbnail(ImageOps.fit(image, (64, 64), Image.BICUBIC))]
    return np.stack(thumbs).astype(np.float32)


def filtered(rows, kept_file, folder):
    """Removes what looks like a photo for measuring, from training also what looks like one for validation, and all but one of twins."""
    forbidden = np.load(kept_file).reshape(-1, 256).astype(np.float32)
    forbidden -= forbidden.mean(1, keepdims=True)
    forbidden /= np.linalg.norm(forbidden, axis=1, keepdims=True) + 1e-3
    forbidden = np.concatenate([forbidden, measured(folder)])
    squares, squeezed = (np.stack([row[at] for row in rows]).astype(np.float32) for at in (3, 4))
    train = np.array([row[1] == TRAIN for row in rows])
    bad = same_as(squares, forbidden) | same_as(squeezed, forbidden)
    held = np.concatenate([squares[~train], squeezed[~train]])
    bad[train] |= same_as(squares[train], held) | same_as(squeezed[train], held)
    twin = np.ones(len(rows), bool)
    twin[np.unique((squares * 500).round().astype(np.int16), axis=0, return_index=True)[1]] = False
    for source in sorted({row[0] for row in rows}):
        mine = np.array([row[0] == source for row in rows])
        good = mine & ~bad & ~twin
        print(f"{source:18}", "train", int((good & train).sum()), "validate", int((good & ~train).sum()), "copies", int((mine & bad).sum()))
    return [row for row, no in zip(rows, bad | twin) if not no]


def main():
    pictures, kept_file, pack = sys.argv[1:4]
    rows = []
    for repository in COCO:
        photos = Photos(os.path.join(pictures, repository))
        rows += staged("coco", photos, listed_coco(photos))
    for source in MOST:
        photos = Photos(os.path.join(pictures, REPOSITORIES.get(source) or sources.REPOSITORIES[source]))
        rows += staged(source, photos, listed(pictures, source, photos))
    rows = filtered(rows, kept_file, os.path.join(pack, "photos"))
    rows = [rows[at] for at in np.random.default_rng(0).permutation(len(rows))]
    before = np.load(os.path.join(pack, "index.npz"))
    names = [str(name) for name in before["names"]]
    names += sorted({row[0] for row in rows} - set(names))
    chunk, index, written = int(before["rows"][:, 0].max()) + 1, [], bytearray()
    for row in rows + [None]:
        if row is None or len(written) + len(row[2]) > CHUNK:
            with open(os.path.join(pack, f"chunk-{chunk}.bin"), "wb") as handle:
                handle.write(written)
            chunk, written = chunk + 1, bytearray()
        if row:
            index.append((chunk, len(written), len(row[2]), -1, 0, row[1]))
            written += row[2]
    source = np.array([names.index(row[0]) for row in rows], np.int16)
    np.savez(os.path.join(pack, "index.npz"), rows=np.concatenate([before["rows"], np.array(index, np.int32)]), names=np.array(names),
             source=np.concatenate([before["source"], source]), classes=before["classes"])
    print(len(rows), "more pictures")


if __name__ == "__main__":
    main()
