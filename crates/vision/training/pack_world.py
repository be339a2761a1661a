"""Packs the photos of dishes of the world, photos without a name, and a sample of the earlier images, for `train_both.py`. See README.md.

    python pack_world.py PICTURES NEVER_TRAIN.txt KEPT_THUMBNAILS.npy OUT

Writes OUT/chunk-N.bin and OUT/index.npz, and as folders of photos for the example `dish_accuracy` what is only for measuring:
OUT/photos/SPLIT/SOURCE/FOOD.
"""

import fnmatch
import io
import os
import subprocess
import sys
from multiprocessing import Pool

import numpy as np
from PIL import Image, ImageOps

import sources
import world
from classes import CLASSES, FOOD101, INDEX, name
from draw_not_food import draw
from pack import thumbnail, turned

Image.MAX_IMAGE_PIXELS = 200_000_000
CHUNK = 18 * 2**20
SPLITS = ("train", "validate", "chosen", "kept", "test")
TRAIN, VALIDATE, CHOSEN, KEPT, TEST = range(5)
# The most photos of a dish from one source, by split.
MOST = (170, 20, 40, 40, 1000)
# Earlier sources: the most images of each food, and of those without a name.
EARLIER = {"food101_64": (100, 0), "food101_full": (120, 0), "pizza_or_not": (200, 0), "hot_dog_or_not": (60, 700),
           "fast_food": (60, 60), "sweet_dishes": (50, 100), "fruit_vegetable_36": (50, 0), "fruit_search": (30, 40),
           "vegetables_48": (25, 150), "vegetable_15": (30, 0), "grocery": (20, 0), "fruits_360": (14, 0), "thai": (45, 0),
           "ecustfd": (15, 0), "home_cooking": (0, 200), "recipes": (60, 0), "three_dishes": (100, 0), "pizza_steak_sushi": (60, 0),
           "pizza_ice_cream": (60, 0), "plants_256": (14, 0), "ten_fruits": (20, 0), "stock_fruits": (20, 0),
           "tiny_imagenet": (40, 900), "imagenet_samples": (0, 700),
           "caltech_101": (0, 1300), "scenes": (0, 700), "cats_dogs": (0, 400), "textures": (0, 700)}
# Sources whose photos have no name of ours: repository, folders, and how many are used. The parts of the first called `validation`, and
# of the second called `test`, are left for measuring.
UNNAMED = {"food11": ("wangqian-94+food-11-classication", ("food-11/training/", "food-11/testing/"), 20000),
           "foodseg": ("opda0887+FoodSeg_train-test", ("data/FoodSeg103/img_dir/train/",), 2200)}
# The most photos of `food11` of each dish whose name was found.
MOST_FOUND = 130
# Held-out images of these are for validation and testing.
MEASURED = ("food101_full", "fruit_vegetable_36", "caltech_101", "scenes", "cats_dogs", "textures", "imagenet_samples")
# The similarity from which on two images are taken for the same one.
SAME = 0.93


class Photos:
    """Reads the files of a repository."""

    def __init__(self, directory):
        inner = os.path.join(directory, "repo", ".git")
        self.directory = inner if os.path.isdir(inner) else os.path.join(directory, "repo")
        self.reader = None

    def paths(self):
        listing = subprocess.run(["git", "--git-dir", self.directory, "ls-tree", "-r", "-z", "HEAD"], capture_output=True,
                                 check=True).stdout.decode("utf-8", "surrogateescape")
        return {path: meta.split()[2] for meta, path in (line.split("\t", 1) for line in listing.split("\0") if "\t" in line)}

    def read(self, blob):
        if self.reader is None:
            self.reader = subprocess.Popen(["git", "--git-dir", self.directory, "cat-file", "--batch"],
                                           stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.reader.stdin.write(blob.encode() + b"\n")
        self.reader.stdin.flush()
        header = self.reader.stdout.readline().split()
        if len(header) < 3:
            return b""
        data = self.reader.stdout.read(int(header[2]))
        self.reader.stdout.read(1)
        return data


def labelled(source, photos, prefix, folders):
    """Returns (path, blob, key or None, box or None) of every photo in the folders of a source."""
    paths = photos.paths()
    is_picture = {p: p.lower().rsplit(".", 1)[-1] in ("jpg", "jpeg", "png", "webp", "jfif") for p in paths}
    if isinstance(folders, list):
        yield from boxed(photos, paths, prefix, folders)
        return
    if source == "yoruba":
        lines = b"".join(photos.read(paths[f"data/{file}.csv"]) for file in ("new_train", "new_test")).decode().split("\n")
        dish_of = {line.strip().split(",")[3]: line.split(",")[2] for line in lines if line.count(",") >= 3}
        for path in paths:
            if is_picture[path] and os.path.dirname(path) == prefix and dish_of.get(os.path.basename(path)) in folders:
                yield path, paths[path], folders[dish_of[os.path.basename(path)]], None
        return
    for path in sorted(paths):
        above, folder = os.path.split(os.path.dirname(path))
        folder = folder[:2] if source == "chinese" else folder
        if is_picture[path] and folder in folders and (fnmatch.fnmatch(above, prefix) or above.endswith("/" + prefix)):
            yield path, paths[path], folders[folder], None


def boxed(photos, paths, part, dishes):
    """Returns the photos whose dish is in a file with boxes, each original once."""
    seen = set()
    for path in sorted(paths):
        original = os.path.basename(path).split(".rf.")[0]
        if f"/{part}/images/" not in path or original in seen:
            continue
        label = path.replace("/images/", "/labels/").rsplit(".", 1)[0] + ".txt"
        lines = [line.split() for line in photos.read(paths[label]).decode().split("\n")] if label in paths else []
        lines = [line for line in lines if len(line) >= 5]
        if not lines or len({line[0] for line in lines}) != 1 or int(lines[0][0]) >= len(dishes):
            continue
        seen.add(original)
        yield path, paths[path], dishes[int(lines[0][0])], tuple(float(v) for v in lines[0][1:5])


def split_of(trained, path):
    if trained is None:
        return KEPT
    return VALIDATE if sources.share(os.path.basename(path).split(".rf.")[0]) < 0.125 else TRAIN


def small_file(data, split, box, is_small):
    """Returns the bytes to keep and two thumbnails: of the square in the middle, and of the whole squeezed into a square."""
    image = Image.open(io.BytesIO(data))
    side = 192 if split == TRAIN else 256
    image.draft("RGB", (side * 2, side * 2))
    image = ImageOps.exif_transpose(image).convert("RGB")
    squeezed = thumbnail(image)
    if box:
        x, y, w, h = box
        half = max(w * image.width, h * image.height) * 0.58
        middle = (x * image.width, y * image.height)
        image = image.crop((max(0, int(middle[0] - half)), max(0, int(middle[1] - half)),
                            min(image.width, int(middle[0] + half)), min(image.height, int(middle[1] + half))))
    square = ImageOps.fit(image, (side, side), Image.BICUBIC)
    if is_small:
        return data, thumbnail(square), squeezed
    out = io.BytesIO()
    square.save(out, "WEBP", quality=70 if split == TRAIN else 86, method=4)
    return out.getvalue(), thumbnail(square), squeezed


def stage(job):
    """Returns a row per image of one source: source, path, class, food or not, split, bytes, thumbnails, and the file itself
    where it is for measuring."""
    kind, source, pictures, never = job
    rows, counts = [], {}
    for path, read, key, food, split, box in LISTED[kind](kind, source, pictures, never):
        most = MOST[split]
        if kind == "unnamed":
            most = UNNAMED[source][2]
        elif kind == "earlier" and split == TRAIN:
            most = EARLIER[source][key is None]
        if counts.get((key, split), 0) >= most:
            continue
        try:
            data = read()
            kept, square, squeezed = small_file(data, split, box, source in ("food101_64", "tiny_imagenet", "fruits_360"))
        except Exception:  # Broken and absent images are skipped.
            continue
        counts[key, split] = counts.get((key, split), 0) + 1
        rows.append((source, path, key, food, split, kept, square, squeezed, data if split >= CHOSEN else b""))
    print(kind, source, len(rows), flush=True)
    return rows


def listed_world(kind, source, pictures, _never):
    table = {"trained": world.TRAINED, "chosen": world.CHOSEN, "kept": world.KEPT}[kind]
    repository, prefix, folders = table[source]
    photos = Photos(os.path.join(pictures, repository))
    found = sorted(labelled(source, photos, prefix, folders), key=lambda row: sources.share(row[0]))
    for path, blob, key, box in found:
        split = split_of(True, path) if kind == "trained" else CHOSEN if kind == "chosen" else KEPT
        if key is None and split != TRAIN:
            continue
        yield path, lambda blob=blob: photos.read(blob), key, 1, split, box


def listed_earlier(_kind, source, pictures, never):
    photos = Photos(os.path.join(pictures, sources.REPOSITORIES[source]))
    chosen, held = sources.choose(pictures, source, never), 0
    order = {row[0]: sources.share("world" + row[0]) for row in chosen}
    splits = {}
    for path, _, _, _, split in chosen:
        held += split == sources.TEST
        if split == sources.TRAIN:
            splits[path] = TRAIN
        elif split == sources.VALIDATE and source == "pizza_or_not" or split == sources.TEST and source in MEASURED:
            splits[path] = VALIDATE if split == sources.VALIDATE or held % 2 == 0 else TEST
    for path, blob, key, food, _ in sorted(chosen, key=lambda row: order[row[0]]):
        if path in splits:
            yield path, lambda blob=blob: photos.read(blob), key, food, splits[path], None


def listed_unnamed(_kind, source, pictures, _never):
    repository, folders, _ = UNNAMED[source]
    photos = Photos(os.path.join(pictures, repository))
    paths = photos.paths()
    for path in sorted((path for path in paths if path.startswith(folders)), key=sources.share):
        yield path, lambda blob=paths[path]: photos.read(blob), None, 1, TRAIN, None


LISTED = {"trained": listed_world, "chosen": listed_world, "kept": listed_world, "earlier": listed_earlier,
          "unnamed": listed_unnamed}


def named_by_twins(rows, pictures, never):
    """Nine of ten photos of `food11` are those of Food-101: names them after the small image that looks the same, and leaves
    out those that are held out."""
    photos = Photos(os.path.join(pictures, sources.REPOSITORIES["food101_64"]))
    twins = [(path.split("/")[-2], path.split("/")[-1].split(".")[0], thumbnail(Image.open(io.BytesIO(photos.read(blob)))))
             for path, blob in photos.paths().items() if path.count("/") and path.split("/")[-2] in FOOD101]
    thumbs, held_out = np.stack([twin[2] for twin in twins]).astype(np.float32).T.copy(), never[0] | never[1]
    named, counts = [], {}
    for row in rows:
        if row[0] == "food11":
            alike = np.maximum(row[6].astype(np.float32) @ thumbs, row[7].astype(np.float32) @ thumbs)
            dish, number, _ = twins[int(alike.argmax())]
            if number in held_out and alike.max() >= SAME:
                continue
            if alike.max() >= 0.98:
                counts[dish] = counts.get(dish, 0) + 1
                if counts[dish] > MOST_FOUND:
                    continue
                row = ("food11_named", row[1], dish, *row[3:])
        named.append(row)
    return named


def drawn():
    rows = []
    for seed in range(0, 1000):
        buffer = io.BytesIO()
        split = (TEST if seed % 10 else VALIDATE) if seed % 5 == 0 else TRAIN
        if seed % 2 and split == TRAIN:
            continue
        draw(seed).save(buffer, "PNG")
        kept, square, squeezed = small_file(buffer.getvalue(), split, None, False)
        rows.append(("drawn", f"{seed}.png", None, 0, split, kept, square, squeezed, buffer.getvalue()))
    return rows


def same_as(thumbs, held):
    """Checks which images look like one of others, in any orientation."""
    found, held = np.zeros(len(thumbs), bool), held.T.copy()
    for at in range(0, len(thumbs), 2000):
        for way in turned(thumbs[at : at + 2000]):
            found[at : at + 2000] |= (np.ascontiguousarray(way) @ held).max(1) >= SAME
    return found


def filtered(rows, kept_file):
    """Removes everything that looks like a picture kept for the last judgement, and from training what is held out."""
    forbidden = np.load(kept_file).reshape(-1, 256).astype(np.float32)
    forbidden -= forbidden.mean(1, keepdims=True)
    forbidden /= np.linalg.norm(forbidden, axis=1, keepdims=True) + 1e-3
    squares, squeezed = (np.stack([row[at] for row in rows]).astype(np.float32) for at in (6, 7))
    split = np.array([row[4] for row in rows])
    own = np.array([row[0] in ("drawn", "fruits_360", "ecustfd") for row in rows])
    judged = (same_as(squares, forbidden) | same_as(squeezed, forbidden)) & ~own
    held = (split != TRAIN) & ~own
    held_thumbs = np.concatenate([squares[held], squeezed[held]])
    train = np.flatnonzero((split == TRAIN) & ~own & ~judged)
    copies = np.zeros(len(rows), bool)
    copies[train] = same_as(squares[train], held_thumbs) | same_as(squeezed[train], held_thumbs)
    for source in sorted({row[0] for row in rows}):
        mine = np.array([row[0] == source for row in rows])
        counts = [int((mine & (split == number) & ~judged & ~copies).sum()) for number in range(5)]
        print(f"{source:18}", dict(zip(SPLITS, counts)), "judged", int((mine & judged).sum()), "copies", int((mine & copies).sum()))
    return [row for row, bad in zip(rows, judged | copies) if not bad]


def main():
    pictures, never_file, kept_file, out = sys.argv[1:5]
    os.makedirs(out, exist_ok=True)
    never = (set(open(never_file).read().split()), sources.held_out_ids(pictures), sources.classes_of_ids(pictures))
    jobs = [("trained", source) for source in world.TRAINED] + [("kept", source) for source in world.KEPT]
    jobs += [("chosen", source) for source in world.CHOSEN] + [("earlier", source) for source in EARLIER]
    jobs += [("unnamed", source) for source in UNNAMED]
    with Pool(2) as pool:
        staged = pool.imap_unordered(stage, [(*job, pictures, never) for job in jobs])
        rows = [row for part in staged for row in part]
    rows = named_by_twins(filtered(rows + drawn(), kept_file), pictures, never)
    rows = [rows[at] for at in np.random.default_rng(0).permutation(len(rows))]
    for number, row in enumerate(rows):
        if row[4] >= CHOSEN:
            food = "not food" if not row[3] else " or ".join(name(part) for part in row[2].split(" or "))
            folder = os.path.join(out, "photos", SPLITS[row[4]], row[0] if row[3] else "not_food", food.replace(" ", "_"))
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, f"{number}.jpg"), "wb") as handle:
                handle.write(row[8])
    rows = [row for row in rows if row[4] <= CHOSEN]
    chunk, index, written = 0, [], bytearray()
    for row in rows + [None]:
        if row is None or len(written) + len(row[5]) > CHUNK:
            with open(os.path.join(out, f"chunk-{chunk}.bin"), "wb") as handle:
                handle.write(written)
            chunk, written = chunk + 1, bytearray()
        if row:
            key = row[2].split(" or ")[0] if row[2] else None
            index.append((chunk, len(written), len(row[5]), INDEX[key] if key else -1, row[3], row[4]))
            written += row[5]
    names = sorted({row[0] for row in rows})
    np.savez(os.path.join(out, "index.npz"), rows=np.array(index, np.int32), names=np.array(names),
             source=np.array([names.index(row[0]) for row in rows], np.int16), classes=len(CLASSES))
    print(len(rows), "pictures in", chunk, "chunks")


if __name__ == "__main__":
    main()
