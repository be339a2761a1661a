"""Trains the network on packed pictures. See README.md.

    python train.py PACK AIY.npz OUT [--seconds 480] [--hold-sharp] [--start WEIGHTS.npz]
"""

import argparse
import copy
import io
import math
import multiprocessing
import os
import time

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image

from classes import CLASSES, FOOD101
from network import Network, folded, load_aiy, load_heads, settle_norms

SIDE = 192
# Full-size pictures of these dishes are not trained on with --hold-sharp, so that testing on them tells how well
# dishes are known in full-size photos that were only ever seen small.
HELD_SHARP = ["baby_back_ribs", "beef_carpaccio", "beet_salad", "bibimbap", "breakfast_burrito"]
device = "cuda" if torch.cuda.is_available() else "cpu"


def load(folder, limit):
    """The index of the pictures, the names of the sources, and the pictures in pools by size: 64, 100 and 192, and
    small twins of the large ones, saved as the small pictures were saved."""
    index = dict(np.load(os.path.join(folder, "index.npz")))
    names = [str(n) for n in index.pop("names")]
    if limit:
        pick = np.random.default_rng(0).permutation(len(index["label"]))[:limit]
        index = {k: v[pick] for k, v in index.items()}
    chunks = {c: np.memmap(os.path.join(folder, f"pack-{c}.bin"), np.uint8, "r") for c in np.unique(index["chunk"])}
    small = [names.index("food101_64"), names.index("tiny_imagenet")]
    sizes = np.where(np.isin(index["source"], small), 0, np.where(index["source"] == names.index("fruits_360"), 1, 2))
    place = np.zeros(len(sizes), np.int64)
    for size in range(3):
        which = np.flatnonzero(sizes == size)
        place[which] = np.arange(len(which))
    counts = [int((sizes == size).sum()) for size in range(3)] + [int((sizes == 2).sum())]
    pools = [torch.empty((n, side, side, 3), dtype=torch.uint8).share_memory_() for n, side in zip(counts, SIZE_OF)]
    views = [pool.numpy() for pool in pools]

    def work(part):
        for i in range(part, len(sizes), WORKERS):
            start, size = index["offset"][i], sizes[i]
            data = chunks[index["chunk"][i]][start : start + index["length"][i]].tobytes()
            picture = Image.open(io.BytesIO(data)).convert("RGB")
            if picture.size != (SIZE_OF[size],) * 2:
                picture = picture.resize((SIZE_OF[size],) * 2, Image.BICUBIC)
            views[size][place[i]] = np.asarray(picture)
            if size == 2:
                buffer = io.BytesIO()
                picture.resize((64, 64), Image.BILINEAR).save(buffer, "JPEG", quality=SMALL_QUALITY)
                views[3][place[i]] = np.asarray(Image.open(buffer).convert("RGB"))

    fork = multiprocessing.get_context("fork")
    workers = [fork.Process(target=work, args=(part,)) for part in range(WORKERS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    index.update(size=sizes, place=place)
    return index, names, [pool.to(device).permute(0, 3, 1, 2) for pool in pools]


SIZE_OF = [64, 100, 192, 64]
# What the small pictures were saved with.
SMALL_QUALITY = 75
WORKERS = os.cpu_count() or 1


def boxes(count, least):
    """Random crops as affine maps: a share of the area from `least` to 1, sometimes flipped, slightly turned."""
    area = torch.empty(count, device=device).uniform_(least, 1)
    ratio = torch.empty(count, device=device).uniform_(-0.25, 0.25).exp()
    w, h = (area * ratio).sqrt().clamp(max=1), (area / ratio).sqrt().clamp(max=1)
    x = (torch.rand(count, device=device) * 2 - 1) * (1 - w)
    y = (torch.rand(count, device=device) * 2 - 1) * (1 - h)
    flip = torch.where(torch.rand(count, device=device) < 0.5, -1.0, 1.0)
    turn = torch.randn(count, device=device) * 0.12
    cos, sin = turn.cos(), turn.sin()
    return torch.stack([torch.stack([w * cos * flip, -w * sin, x], 1), torch.stack([h * sin * flip, h * cos, y], 1)], 1)


def crop(pictures, theta):
    grid = F.affine_grid(theta, (len(pictures), 3, SIDE, SIDE), align_corners=False)
    mode = "bicubic" if torch.rand(()) < 0.5 else "bilinear"
    return F.grid_sample(pictures, grid, mode=mode, padding_mode="reflection", align_corners=False).clamp(0, 1)


def colours(pictures):
    n = len(pictures)
    def amount(spread):
        return 1 + (torch.rand(n, 1, 1, 1, device=device) * 2 - 1) * spread
    pictures = pictures * amount(0.3)
    mean = pictures.mean((1, 2, 3), keepdim=True)
    pictures = (pictures - mean) * amount(0.3) + mean
    grey = pictures.mean(1, keepdim=True)
    pictures = (pictures - grey) * amount(0.35) + grey
    warmth = 1 + (torch.rand(n, 3, 1, 1, device=device) * 2 - 1) * 0.12
    return (pictures * warmth).clamp(0, 1)


def soften(pictures):
    """Shrinks the pictures to a random small size: what a small picture of the same thing holds."""
    side = int(math.exp(torch.empty(()).uniform_(math.log(36), math.log(120))))
    mode = "bicubic" if torch.rand(()) < 0.5 else "bilinear"
    small = F.interpolate(pictures, (side, side), mode=mode, antialias=True).clamp(0, 1)
    return (small * 255).round() / 255


def sharpen(pictures):
    """Raises edges by a random amount, as cameras and scaling programs do."""
    amount = (torch.rand(len(pictures), 1, 1, 1, device=device) * 2 - 0.8).clamp(min=0) * 1.3
    blurred = F.avg_pool2d(F.pad(pictures, (2, 2, 2, 2), mode="reflect"), 5, 1)
    noise = torch.randn_like(pictures) * (torch.rand(len(pictures), 1, 1, 1, device=device) ** 3 * 0.04)
    return (pictures + amount * (pictures - blurred) + noise).clamp(0, 1)


class Sampler:
    """Draws rows with replacement, by weight."""

    def __init__(self, rows, weight):
        self.rows = torch.from_numpy(rows).to(device)
        self.weight = torch.from_numpy(np.asarray(weight, np.float64)).to(device)
        self.total = self.weight.cumsum(0)

    def draw(self, count):
        at = torch.rand(count, device=device, dtype=torch.float64) * self.total[-1]
        return self.rows[torch.searchsorted(self.total, at).clamp(max=len(self.rows) - 1)]


@torch.no_grad()
def answers(network, pictures, batch=512):
    outs = []
    for start in range(0, len(pictures), batch):
        x = pictures[start : start + batch].float() / 255
        x = F.interpolate(x, (SIDE, SIDE), mode="bilinear", antialias=True) * 2 - 1
        x = x.to(memory_format=torch.channels_last)
        with torch.autocast(device, torch.bfloat16):
            outs.append([o.float() for o in network(x)])
    return [torch.cat(o) for o in zip(*outs)]


def evaluate(network, teacher, index, names, pools):
    network.eval()
    ten = len(FOOD101)
    lines = []
    for number, name in enumerate(names):
        rows = np.flatnonzero((index["source"] == number) & (index["split"] == 1))
        if not len(rows):
            continue
        pool = pools[index["size"][rows[0]]]
        pictures = pool[torch.from_numpy(index["place"][rows]).to(device)]
        f, foods, dishes, food = answers(network, pictures)
        label = torch.from_numpy(index["label"][rows].astype(np.int64)).to(device)
        is_food = torch.from_numpy(index["food"][rows]).to(device) == 1
        line = f"{name:20} n {len(rows):5} food>.5 {(food[is_food] > 0).float().mean():.4f} not {(food[~is_food] > 0).float().mean():.4f}"
        known = label >= 0
        if known.any():
            def top(out, keep):
                rank = out[keep].topk(5, 1).indices
                hit = rank == label[keep, None]
                return f"{hit[:, 0].float().mean():.4f}/{hit.any(1).float().mean():.4f} ({int(keep.sum())})"
            line += f" | all {top(foods, known)}"
            if name.startswith("food101"):
                line += f" 101-way {top(foods[:, :ten], known)}"
            if name == "food101_full":
                held = torch.tensor([CLASSES[l] in HELD_SHARP for l in label.tolist()], device=device)
                line += f" held-sharp {top(foods, held)} others {top(foods, ~held)}"
        _, _, same, _ = answers(teacher, pictures)
        line += f" | aiy same top1 {(same.argmax(1) == dishes.argmax(1)).float().mean():.3f}"
        lines.append(line)
    return "\n".join(lines)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("pack")
    options.add_argument("aiy")
    options.add_argument("out")
    options.add_argument("--seconds", type=float, default=480)
    options.add_argument("--hold-sharp", action="store_true")
    options.add_argument("--start", help="weights of an earlier run to go on from")
    options.add_argument("--batch", type=int, default=1024)
    options.add_argument("--limit", type=int, default=0)
    options.add_argument("--rate", type=float, default=1.0e-3)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    torch.manual_seed(options.seed)
    np.random.seed(options.seed)
    torch.set_float32_matmul_precision("high")
    began = time.time()
    index, names, pools = load(options.pack, options.limit)
    print(f"decoded {len(index['label'])} in {time.time() - began:.1f} s", flush=True)

    label = index["label"].astype(np.int64)
    train = index["split"] == 0
    source = np.array(names)[index["source"]]
    if options.hold_sharp:
        held = np.isin(label, [CLASSES.index(k) for k in HELD_SHARP])
        train &= ~((source == "food101_full") & held)
    labels = torch.from_numpy(label).to(device)
    isfood = torch.from_numpy(index["food"].astype(np.float32)).to(device)
    place = torch.from_numpy(index["place"]).to(device)
    sources = torch.from_numpy(index["source"]).to(device)

    def sampler(which):
        rows = np.flatnonzero(which & train)
        keys = label[rows] + 1000 * index["source"][rows].astype(np.int64)
        _, back, count = np.unique(keys, return_inverse=True, return_counts=True)
        return Sampler(rows, count[back] ** -0.6)

    food = index["food"] == 1
    # Name, what it draws from, which pool that is, its share of a batch.
    groups = [
        ("small", sampler(source == "food101_64"), 0, 0.53),
        ("large", sampler((index["size"] == 2) & food), 2, 0.2),
        ("tiny", sampler((source == "tiny_imagenet") & food), 0, 0.04),
        ("white", sampler(source == "fruits_360"), 1, 0.05),
        ("nothing", sampler((index["size"] == 2) & ~food), 2, 0.13),
        ("nothing tiny", sampler((source == "tiny_imagenet") & ~food), 0, 0.03),
    ]
    shares = [max(4, int(options.batch * g[3]) // 4 * 4) for g in groups]
    print([(g[0], len(g[1].rows), n) for g, n in zip(groups, shares)], flush=True)
    small, large = shares[0], shares[1]
    # Rows of a step: small pictures | twins of the large ones | large | tiny | white | nothing | nothing tiny.
    twins, larges = slice(small, small + large), slice(small + large, small + 2 * large)

    network = Network(len(CLASSES)).to(device).to(memory_format=torch.channels_last)
    load_aiy(network, options.aiy)
    teacher = copy.deepcopy(network).eval()
    for parameter in teacher.parameters():
        parameter.requires_grad_(False)
    if options.start:
        load_aiy(network, options.start)
        load_heads(network, options.start)

    def batch():
        seen, rows = [], []
        for (name, draws, pool, _), count in zip(groups, shares):
            row = draws.draw(count)
            pictures = pools[pool][place[row]].float() / 255
            theta = boxes(count, 0.3)
            if name == "large":
                twin = pools[3][place[row]].float() / 255
                seen += [crop(twin, theta), crop(pictures, theta)]
                rows += [row, row]
                continue
            if name == "nothing":
                quarter = count // 4
                part = crop(soften(pictures[:quarter]), theta[:quarter])
                part = torch.cat([part, crop(pictures[quarter:], theta[quarter:])])
            elif name == "white":
                part = crop(pictures if torch.rand(()) < 0.5 else soften(pictures), theta)
            else:
                part = crop(pictures, theta)
            seen.append(part)
            rows.append(row)
        return torch.cat(rows), sharpen(colours(torch.cat(seen))) * 2 - 1

    with torch.no_grad():
        settle_norms(network, batch()[1].to(memory_format=torch.channels_last))
    average = copy.deepcopy(network).eval()
    optimizer = torch.optim.AdamW([
        {"params": [p for p in network.parameters() if p.ndim > 1], "weight_decay": 0.03},
        {"params": [p for p in network.parameters() if p.ndim <= 1], "weight_decay": 0.0},
    ], lr=options.rate, betas=(0.9, 0.99), fused=device == "cuda")
    network.train()
    start, step, counted, said = time.time(), 0, 0, 0.0
    sums = torch.zeros(5, device=device)
    while True:
        done = (time.time() - start) / options.seconds
        if done >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = max(1e-6, options.rate * min(1, (step + 1) / 150) * 0.5 * (1 + math.cos(math.pi * done)))
        row, seen = batch()
        target = labels[row]
        first, second, blend = target, target, torch.ones(len(row), device=device)
        kind = np.random.rand()
        if kind < 0.3:  # Small pictures are blended in pairs.
            share = float(np.random.beta(0.3, 0.3))
            order = torch.randperm(small, device=device)
            seen[:small] = share * seen[:small] + (1 - share) * seen[:small][order]
            second = torch.cat([target[:small][order], target[small:]])
            blend[:small] = share
        elif kind < 0.65:  # A piece of a large picture is pasted into small ones, so that sharpness tells no class.
            side = np.random.uniform(0.35, 0.75)
            length = int(SIDE * side)
            top, left = np.random.randint(0, SIDE - length + 1, 2)
            piece = seen[larges][:, :, top : top + length, left : left + length]
            seen[:large, :, top : top + length, left : left + length] = piece
            second = target.clone()
            second[:large] = target[larges]
            blend[:large] = 1 - (length / SIDE) ** 2
        seen = seen.contiguous(memory_format=torch.channels_last)
        with torch.autocast(device, torch.bfloat16):
            with torch.no_grad():
                said_by_aiy = teacher(seen)[2].float()
                twin_answer = average(seen[twins])[1].float()
            _, foods, dishes, is_food = network(seen)
        foods, dishes, is_food = foods.float(), dishes.float(), is_food.float()

        # Told apart by label: everything but what is shown large, since few classes are.
        known = ((first >= 0) & (second >= 0)).float()
        known[larges] = 0
        # These are among the small pictures already.
        known[twins] *= (sources[row[twins]] != names.index("food101_full")).float()
        per = blend * F.cross_entropy(foods, first.clamp(min=0), label_smoothing=0.08, reduction="none")
        per = per + (1 - blend) * F.cross_entropy(foods, second.clamp(min=0), label_smoothing=0.08, reduction="none")
        loss_foods = (per * known).sum() / known.sum()
        # The large picture is to be taken for what its small twin is taken for.
        alike = F.kl_div(F.log_softmax(foods[larges], 1), F.softmax(twin_answer, 1), reduction="none").sum(1)
        loss_alike = alike.mean()
        loss_food = F.binary_cross_entropy_with_logits(is_food, isfood[row] * 0.98 + 0.01)
        # AIY's dishes: what AIY says of the same picture; of a twin, what it says of the large one.
        said_by_aiy[twins] = said_by_aiy[larges]
        weight = isfood[row] * 0.9 + 0.1
        weight[:small] *= 0.5
        kl = F.kl_div(F.log_softmax(dishes / 2, 1), F.softmax(said_by_aiy / 2, 1), reduction="none").sum(1) * 4
        loss_dishes = (kl * weight).sum() / weight.sum()
        loss = loss_foods + loss_alike + 0.7 * loss_food + 0.4 * loss_dishes
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        step += 1
        keep = min(0.9993, (1 + step) / (20 + step))
        with torch.no_grad():
            torch._foreach_lerp_(list(average.parameters()), list(network.parameters()), 1 - keep)
            for mine, theirs in zip(average.buffers(), network.buffers()):
                if mine.is_floating_point():
                    mine.lerp_(theirs, 1 - keep)
        sums += torch.stack([l.detach() for l in (loss, loss_foods, loss_alike, loss_food, loss_dishes)])
        if time.time() - said > 20:
            said = time.time()
            print(f"{done:.2f} step {step}, {step * len(row) / (time.time() - start):.0f} pictures/s,",
                  "losses", [round(v, 4) for v in (sums / max(1, step - counted)).tolist()], flush=True)
            sums.zero_()
            counted = step
    print("steps", step)
    os.makedirs(options.out, exist_ok=True)
    np.savez(os.path.join(options.out, "dish.npz"), **{k: v.astype(np.float16) for k, v in folded(average).items()})
    print(evaluate(average, teacher, index, names, pools), flush=True)


if __name__ == "__main__":
    main()
