"""Scales down the images of every source and packs them for training. See README.md.

    python pack.py PICTURES NEVER_TRAIN.txt OUT
"""

import io
import os
import pickle
import subprocess
import sys
import zlib
from multiprocessing import Pool

import numpy as np
from PIL import Image, ImageOps

import sources
from classes import INDEX
from draw_not_food import draw

Image.MAX_IMAGE_PIXELS = 200_000_000
CHUNK = 54 * 2**20
SMALL = {"food101_64": None, "tiny_imagenet": None, "fruits_360": 100, "fruits_40": 100}
# Only a share of these is packed.
SHARES = {"tiny_imagenet": 0.5, "fruits_360": 0.2, "thai": 0.3, "vegetable_15": 0.5, "drawn": 0.5, "fruits_40": 0.8,
          "hot_dog_or_not": 0.7, "fast_food": 0.7, "three_dishes": 0.7, "caltech_101": 0.8, "scenes": 0.8}
# Images of these come from the web, like some of the test images, and some were rotated, mirrored or squeezed: they are
# compared with held-out images in every orientation, and a lower similarity is enough to remove them.
COMPARED_MORE = ("fruits_40", "plants_256", "three_fruits", "vegetables_48", "six_vegetables", "ten_fruits", "stock_fruits",
                 "flickr_fruits", "grapes_pens", "larger_fruits", "padded_fruits")
# Held-out images are packed only for these sources, to monitor the training.
WATCHED = ("food101_full", "fruit_vegetable_36", "pizza_or_not", "hot_dog_or_not", "caltech_101", "textures")


def thumbnail(image):
    """Returns 256 numbers that hardly change when an image is scaled or compressed again."""
    grey = np.asarray(image.convert("L").resize((16, 16), Image.BOX), np.float32).ravel()
    grey -= grey.mean()
    return (grey / (np.linalg.norm(grey) + 1e-3)).astype(np.float16)


def shrink(source, data):
    """Returns the bytes to keep and the thumbnail, both of the square in the middle."""
    image = Image.open(io.BytesIO(data))
    if source in ("food101_64", "tiny_imagenet"):
        return data, thumbnail(image)
    side = SMALL.get(source) or 192
    image.draft("RGB", (side * 2, side * 2))
    if source in ("fruits_40", "padded_fruits"):
        image = without_bars(image)
    image = ImageOps.fit(ImageOps.exif_transpose(image).convert("RGB"), (side, side), Image.BICUBIC)
    out = io.BytesIO()
    # High quality, because the photos that the program sees were not compressed again after scaling.
    image.save(out, "WEBP", quality=84, method=2)
    return out.getvalue(), thumbnail(image)


def without_bars(image):
    """Removes the white bars above and below that pad images to the same height."""
    rows = np.asarray(image.convert("L")).min(1) >= 248
    bar = int(min(rows.argmin(), rows[::-1].argmin())) if not rows.all() else 0
    bar = min(bar, (image.height - 56) // 2)
    return image.crop((0, bar, image.width, image.height - bar))


def squeezed(data):
    """Returns the thumbnail of the whole image, squeezed into a square."""
    image = Image.open(io.BytesIO(data))
    image.draft("RGB", (192, 192))
    return thumbnail(ImageOps.exif_transpose(image).convert("RGB"))


def turned(thumbs):
    """Returns thumbnails in all eight orientations."""
    squares = thumbs.reshape(-1, 16, 16)
    for turns in range(4):
        square = np.rot90(squares, turns, (1, 2))
        yield square.reshape(-1, 256)
        yield square[:, :, ::-1].reshape(-1, 256)


def stage(job):
    """Reads and scales down all images of one source."""
    pictures, source, never, out = job
    file = os.path.join(out, source + ".pickle")
    if os.path.exists(file):
        return source, 0
    rows, pressed = [], []
    if source == "drawn":
        for seed in range(2000):
            buffer = io.BytesIO()
            draw(seed).save(buffer, "PNG")
            data, small = shrink(source, buffer.getvalue())
            rows.append((f"drawn/{seed}", data, small, -1, 0, sources.TEST if seed % 5 == 0 else sources.TRAIN))
    else:
        chosen = sources.choose(pictures, source, never)
        reader = subprocess.Popen(["git", "--git-dir", sources.git_directory(pictures, source), "cat-file", "--batch"],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for path, blob, key, food, split in chosen:
            reader.stdin.write(blob.encode() + b"\n")
            reader.stdin.flush()
            header = reader.stdout.readline().split()
            if len(header) < 3:
                continue
            data = reader.stdout.read(int(header[2]))
            reader.stdout.read(1)
            try:
                if source == "fruit_vegetable_36" and split != sources.TRAIN:
                    pressed.append(squeezed(data))
                data, small = shrink(source, data)
            except Exception as problem:  # Broken images are skipped.
                print(source, path, problem, flush=True)
                continue
            rows.append((path, data, small, INDEX[key] if key else -1, food, split))
        reader.stdin.close()
    if pressed:
        np.save(os.path.join(out, "squeezed.npy"), np.stack(pressed))
    with open(file, "wb") as handle:
        pickle.dump(rows, handle)
    return source, len(rows)


def packed(source, row):
    """Checks whether an image is packed for training."""
    split = row[6]
    if split == sources.TRAIN:
        return sources.share("packed" + row[1]) < SHARES.get(source, 1)
    # Every second held-out image is for validation; the others are for testing and are not packed.
    return source in WATCHED and (split == sources.VALIDATE or split == sources.TEST and row[7])


def main():
    pictures, never_file, out = sys.argv[1:4]
    os.makedirs(out, exist_ok=True)
    never = (set(open(never_file).read().split()), sources.held_out_ids(pictures), sources.classes_of_ids(pictures))
    names = list(sources.REPOSITORIES) + ["drawn"]
    order = sorted(names, key=lambda n: n not in ("fruit_vegetable_36", "food101_64", "grocery", "thai"))
    with Pool(2) as pool:
        for source, count in pool.imap_unordered(stage, [(pictures, n, never, out) for n in order]):
            print(source, count, flush=True)
    rows = []
    for number, source in enumerate(names):
        with open(os.path.join(out, source + ".pickle"), "rb") as handle:
            kept = 0
            for row in pickle.load(handle):
                kept += row[5] == sources.TEST
                rows.append((number, *row, row[5] == sources.TEST and kept % 2 == 0))
    thumbs = np.stack([row[3] for row in rows]).astype(np.float32)
    split = np.array([row[6] for row in rows])
    # Images similar to a held-out one are not trained on, whatever their source. The set of fruits on white is exempt:
    # its images all look alike, and it has a split of its own.
    on_white = np.array([row[0] == names.index("fruits_360") for row in rows])
    kept = thumbs[(split != sources.TRAIN) & ~on_white].T.copy()
    drop = np.zeros(len(rows), bool)
    for start in range(0, len(rows), 2000):
        block = slice(start, start + 2000)
        drop[block] = (thumbs[block] @ kept).max(1) > 0.97
    more = np.flatnonzero([names[row[0]] in COMPARED_MORE for row in rows])
    pressed = np.load(os.path.join(out, "squeezed.npy")).astype(np.float32).T
    everything = np.concatenate([kept, pressed], 1)
    for way in turned(thumbs[more]):
        drop[more] |= (way @ everything).max(1) > 0.93
    drop &= (split == sources.TRAIN) & ~on_white
    for number, source in enumerate(names):
        mine = np.array([row[0] == number for row in rows])
        print(f"{source}: train {(mine & (split == 0) & ~drop).sum()}, test {(mine & (split == 1)).sum()}, "
              f"never {(mine & (split == 2)).sum()}, dropped as near-duplicates {(mine & drop).sum()}, "
              f"{sum(len(r[2]) for r in rows if r[0] == number) / 2**20:.1f} MiB", flush=True)
    rows = [row for row, out_of_it in zip(rows, drop) if not out_of_it and packed(names[row[0]], row)]
    # Every chunk is a sample of everything.
    rows = [rows[at] for at in np.random.default_rng(0).permutation(len(rows))]
    index = {"chunk": [], "offset": [], "length": []}
    chunk, raw, position, written = 0, zlib.compressobj(1), 0, bytearray()
    for row in rows + [None]:
        if row is None or len(written) + len(row[2]) > CHUNK:
            with open(os.path.join(out, f"pack-{chunk}.z"), "wb") as handle:
                handle.write(written + raw.flush())
            if row is None:
                break
            chunk, raw, position, written = chunk + 1, zlib.compressobj(1), 0, bytearray()
        written += raw.compress(row[2])
        for key, value in (("chunk", chunk), ("offset", position), ("length", len(row[2]))):
            index[key].append(value)
        position += len(row[2])
    np.savez(os.path.join(out, "index.npz"), source=np.array([r[0] for r in rows], np.uint8),
             label=np.array([r[4] for r in rows], np.int16), food=np.array([r[5] for r in rows], np.uint8),
             split=np.array([r[6] for r in rows], np.uint8), names=np.array(names),
             **{k: np.array(v, np.int32) for k, v in index.items()})
    with open(os.path.join(out, "paths.txt"), "w", errors="surrogateescape") as handle:
        handle.writelines(f"{names[r[0]]}\t{r[6]}\t{r[4]}\t{r[1]}\n" for r in rows)
    print(len(rows), "pictures in", chunk + 1, "chunks")


if __name__ == "__main__":
    main()
