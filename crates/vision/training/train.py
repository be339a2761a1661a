"""Trains a network on packed images. See README.md.

    python train.py PACK AIY.npz OUT [--seconds 480] [--start WEIGHTS.npz] [--trunk lite2] [--teacher WEIGHTS.npz]
"""

import argparse
import copy
import io
import math
import multiprocessing
import os
import time
import zlib

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image

from classes import CLASSES, FOOD101, INDEX
from network import TRUNKS, Network, folded, load_weights, settle_norms

SIDE = 192
device = "cuda" if torch.cuda.is_available() else "cpu"


def in_processes(work, count):
    """Calls `work` with each number below `count`, in as many processes, and waits for them."""
    fork = multiprocessing.get_context("fork")
    workers = [fork.Process(target=work, args=(part,)) for part in range(count)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def load(folder, limit):
    """Returns the index of the images, the names of the sources, and the images in pools by size: 64, 100 and 192, and
    small twins of the large ones, compressed as the small images are."""
    index = dict(np.load(os.path.join(folder, "index.npz")))
    names = [str(n) for n in index.pop("names")]
    # Each chunk is a sample of everything, so training can begin before all of them have arrived.
    chunk_numbers = [n for n in np.unique(index["chunk"]) if os.path.exists(os.path.join(folder, f"pack-{n}.z"))]
    here = np.isin(index["chunk"], chunk_numbers)
    index = {k: v[here] for k, v in index.items()}
    if limit:
        pick = np.sort(np.random.default_rng(0).permutation(len(index["label"]))[:limit])
        index = {k: v[pick] for k, v in index.items()}
    small = [names.index("food101_64"), names.index("tiny_imagenet")]
    middle = [names.index("fruits_360"), names.index("fruits_40")]
    sizes = np.where(np.isin(index["source"], small), 0, np.where(np.isin(index["source"], middle), 1, 2))
    place = np.zeros(len(sizes), np.int64)
    for size in range(3):
        which = np.flatnonzero(sizes == size)
        place[which] = np.arange(len(which))
    counts = [int((sizes == size).sum()) for size in range(3)] + [int((sizes == 2).sum())]
    pools = [torch.empty((n, side, side, 3), dtype=torch.uint8).share_memory_() for n, side in zip(counts, SIZE_OF)]
    views = [pool.numpy() for pool in pools]

    def work(part):
        torch.set_num_threads(1)
        for chunk in chunk_numbers[part::WORKERS]:
            with open(os.path.join(folder, f"pack-{chunk}.z"), "rb") as handle:
                raw = zlib.decompress(handle.read())
            for i in np.flatnonzero(index["chunk"] == chunk):
                start, size = index["offset"][i], sizes[i]
                picture = Image.open(io.BytesIO(raw[start : start + index["length"][i]])).convert("RGB")
                if picture.size != (SIZE_OF[size],) * 2:
                    picture = picture.resize((SIZE_OF[size],) * 2, Image.BICUBIC)
                views[size][place[i]] = np.asarray(picture)
                if size == 2:
                    buffer = io.BytesIO()
                    picture.resize((64, 64), Image.BILINEAR).save(buffer, "JPEG", quality=SMALL_QUALITY)
                    views[3][place[i]] = np.asarray(Image.open(buffer).convert("RGB"))

    in_processes(work, WORKERS)
    index.update(size=sizes, place=place)
    return index, names, [pool.to(device).permute(0, 3, 1, 2) for pool in pools]


SIZE_OF = [64, 100, 192, 64]
# The compression of the small images.
SMALL_QUALITY = 75
WORKERS = os.cpu_count() or 1


def boxes(count, least):
    """Returns random crops as affine maps: a share of the area from `least` to 1, sometimes flipped, slightly rotated."""
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
    """Scales images down to a random small size."""
    side = int(math.exp(torch.empty(()).uniform_(math.log(36), math.log(120))))
    mode = "bicubic" if torch.rand(()) < 0.5 else "bilinear"
    small = F.interpolate(pictures, (side, side), mode=mode, antialias=True).clamp(0, 1)
    return (small * 255).round() / 255


def saved_as_jpeg(pictures):
    """Adds JPEG artifacts of a random quality, without chroma subsampling."""
    n, quality = len(pictures), torch.empty(len(pictures), 1, 1, 1, 1, 1, device=device).uniform_(45, 96)
    scale = torch.where(quality < 50, 50 / quality, 2 - quality / 50)
    steps = (QUANTA.to(device) * scale).clamp(min=1) / 255
    around = (pictures.transpose(1, 3) @ TO_YCC.to(device)).transpose(1, 3)
    blocks = around.reshape(n, 3, SIDE // 8, 8, SIDE // 8, 8).permute(0, 1, 2, 4, 3, 5)
    waves = COSINES.to(device)
    kept = ((waves @ blocks @ waves.T) / steps).round() * steps
    blocks = (waves.T @ kept @ waves).permute(0, 1, 2, 4, 3, 5).reshape(n, 3, SIDE, SIDE)
    return (blocks.transpose(1, 3) @ torch.linalg.inv(TO_YCC).to(device)).transpose(1, 3).clamp(0, 1)


def _cosines():
    k, x = torch.arange(8.0)[:, None], torch.arange(8.0)[None]
    waves = torch.cos(math.pi * (2 * x + 1) * k / 16) * 0.5
    waves[0] = math.sqrt(1 / 8)
    return waves


COSINES = _cosines()
TO_YCC = torch.tensor([[0.299, -0.1687, 0.5], [0.587, -0.3313, -0.4187], [0.114, 0.5, -0.0813]])
# The approximate quantization of JPEG at quality 50: coarser for higher frequencies and for colors.
_WAVE = torch.arange(8.0)[:, None] + torch.arange(8.0)[None]
QUANTA = torch.stack([12 + 6.2 * _WAVE, (18 + 14 * _WAVE).clamp(max=99), (18 + 14 * _WAVE).clamp(max=99)])[None, :, None, None]


def sharpen(pictures):
    """Sharpens by a random amount, as cameras and scaling programs do."""
    amount = (torch.rand(len(pictures), 1, 1, 1, device=device) * 2 - 0.8).clamp(min=0) * 1.3
    blurred = F.avg_pool2d(F.pad(pictures, (2, 2, 2, 2), mode="reflect"), 5, 1)
    noise = torch.randn_like(pictures) * (torch.rand(len(pictures), 1, 1, 1, device=device) ** 3 * 0.04)
    return (pictures + amount * (pictures - blurred) + noise).clamp(0, 1)


def with_others_beside(pictures, others):
    """Adds other images to half of the images: a piece of another over one side or corner, or the image on another as on a
    table. The label stays that of the main food."""
    count = len(pictures) // 2
    donors = others[torch.randperm(len(others), device=device)[:count]]
    if torch.rand(()) < 0.35:  # A plain table.
        table = torch.rand(count, 3, 1, 1, device=device) * 1.6 - 0.8
        donors = (table + torch.randn_like(donors) * 0.04).clamp(-1, 1)
    chosen = torch.randperm(len(pictures), device=device)[:count]
    mine = pictures[chosen]
    if torch.rand(()) < 0.4:
        side = int(SIDE * float(torch.empty(()).uniform_(0.55, 0.92)))
        top, left = (int(torch.randint(0, SIDE - side + 1, ())) for _ in range(2))
        seen = donors.clone()
        seen[:, :, top : top + side, left : left + side] = F.interpolate(mine, (side, side), mode="bilinear", antialias=True)
    else:
        deep = int(SIDE * float(torch.empty(()).uniform_(0.12, 0.36)))
        long = SIDE if torch.rand(()) < 0.5 else int(SIDE * float(torch.empty(()).uniform_(0.3, 0.6)))
        covered = torch.zeros(SIDE, SIDE, device=device)
        covered[:deep, :long] = 1
        seen = torch.where(torch.rot90(covered, int(torch.randint(0, 4, ()))) > 0, donors, mine)
    pictures = pictures.clone()
    pictures[chosen] = seen.to(pictures.dtype)
    return pictures


class Sampler:
    """Draws rows with replacement, by weight."""

    def __init__(self, rows, weight):
        self.rows = torch.from_numpy(rows).to(device)
        self.weight = np.asarray(weight, np.float64)
        self.total = torch.from_numpy(self.weight.cumsum()).to(device)

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


def evaluate(network, index, names, pools):
    """Returns the accuracy on validation images, source by source."""
    network.eval()
    lines = []
    for number, name in enumerate(names):
        rows = np.flatnonzero((index["source"] == number) & (index["split"] != 0))
        if not len(rows):
            continue
        pictures = pools[index["size"][rows[0]]][torch.from_numpy(index["place"][rows]).to(device)]
        _, foods, _, food = answers(network, pictures)
        label = torch.from_numpy(index["label"][rows].astype(np.int64)).to(device)
        is_food = torch.from_numpy(index["food"][rows]).to(device) == 1
        line = f"{name:20} n {len(rows):5} food>1 {(food[is_food] > 1).float().mean():.4f} not {(food[~is_food] > 1).float().mean():.4f}"
        known = label >= 0
        if known.any():
            hit = foods[known].topk(5, 1).indices == label[known, None]
            line += f" | {hit[:, 0].float().mean():.4f}/{hit.any(1).float().mean():.4f} ({int(known.sum())})"
        lines.append(line)
    return "\n".join(lines)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("pack")
    options.add_argument("aiy")
    options.add_argument("out")
    options.add_argument("--seconds", type=float, default=480)
    options.add_argument("--start", help="weights of an earlier run to go on from")
    options.add_argument("--limit", type=int, default=0)
    options.add_argument("--rate", type=float, default=1.0e-3)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--compile", action="store_true")
    options.add_argument("--trunk", choices=list(TRUNKS), default="mobilenet")
    options.add_argument("--teacher", help="weights of a MobileNet whose answers are to be given for dishes")
    options.add_argument("--keep", type=float, default=0.998, help="how slowly the average follows")
    options = options.parse_args()
    torch.manual_seed(options.seed)
    np.random.seed(options.seed)
    torch.set_float32_matmul_precision("high")
    torch.backends.cudnn.benchmark = True
    began = time.time()
    index, names, pools = load(options.pack, options.limit)
    print(f"decoded {len(index['label'])} in {time.time() - began:.1f} s", flush=True)

    label = index["label"].astype(np.int64)
    train = index["split"] == 0
    source = np.array(names)[index["source"]]
    labels = torch.from_numpy(label).to(device)
    isfood = torch.from_numpy(index["food"].astype(np.float32)).to(device)
    place = torch.from_numpy(index["place"]).to(device)

    weak = [INDEX[key] for key in WEAK]

    def sampler(which):
        rows = np.flatnonzero(which & train)
        keys = np.where(label[rows] >= 0, label[rows], 1000 + index["source"][rows].astype(np.int64))
        _, back, count = np.unique(keys, return_inverse=True, return_counts=True)
        return Sampler(rows, count[back] ** -0.5 * np.where(np.isin(label[rows], weak), 1.6, 1))

    food = index["food"] == 1
    produce = np.isin(source, PRODUCE) & food
    # Name, rows to draw from, pool, number per batch.
    groups = [
        ("small", sampler(source == "food101_64"), 0, 320),
        ("dishes", sampler((index["size"] == 2) & food & ~produce), 2, 176),
        ("produce", sampler((index["size"] == 2) & produce), 2, 272),
        ("fruit", sampler(source == "fruits_40"), 1, 80),
        ("tiny", sampler((source == "tiny_imagenet") & food), 0, 24),
        ("white", sampler(source == "fruits_360"), 1, 16),
        ("nothing", sampler((index["size"] == 2) & ~food), 2, 128),
        ("nothing tiny", sampler((source == "tiny_imagenet") & ~food), 0, 24),
    ]
    print([(g[0], len(g[1].rows), g[3]) for g in groups], flush=True)
    small, dish, fruit = (g[3] for g in groups[:3])
    # Rows of a step: small images | twins of the dishes | dishes | produce | fruit | tiny | white | nothing | nothing tiny.
    twins, dishes_at = slice(small, small + dish), slice(small + dish, small + 2 * dish)
    larges = slice(small + dish, small + 2 * dish + fruit)

    # How often each food is shown large. Some are shown so rarely that the network would learn not to predict them; this is
    # corrected by logit adjustment during training.
    often = np.zeros(len(CLASSES))
    for _, draws, _, count in groups[1:3]:
        rows = draws.rows.cpu().numpy()
        known = label[rows] >= 0
        np.add.at(often, label[rows][known], draws.weight[known] / draws.weight.sum() * count)
    usual = np.median(often[: len(FOOD101)])
    print("shown large: median", usual, "least", often[: len(FOOD101)].min(), "most", often.max(), flush=True)
    often[: len(FOOD101)] = np.maximum(often[: len(FOOD101)], 0.3 * usual)
    often = torch.from_numpy(np.log(np.maximum(often, 0.1 * usual)) - np.log(usual)).float().to(device)
    often *= 0.5

    def fixed(file):
        made = Network(len(CLASSES)).to(device).to(memory_format=torch.channels_last).eval()
        load_weights(made, file)
        return made.requires_grad_(False)

    is_mobilenet = options.trunk == "mobilenet"
    network = Network(len(CLASSES), options.trunk).to(device).to(memory_format=torch.channels_last)
    aiy = fixed(options.aiy) if is_mobilenet else None
    teacher = fixed(options.teacher) if options.teacher else None
    load_weights(network, options.start or options.aiy)

    def batch():
        seen, rows = [], []
        for name, draws, pool, count in groups:
            row = draws.draw(count)
            pictures = pools[pool][place[row]].float() / 255
            theta = boxes(count, 0.3)
            if name == "dishes":
                twin = pools[3][place[row]].float() / 255
                few = count // 8
                part = torch.cat([crop(soften(pictures[:few]), theta[:few]), saved_for_some(crop(pictures[few:], theta[few:]))])
                seen += [crop(twin, theta), part]
                rows += [row, row]
                continue
            if name in ("nothing", "produce"):
                few = count // 8
                part = crop(soften(pictures[:few]), theta[:few])
                part = torch.cat([part, saved_for_some(crop(pictures[few:], theta[few:]))])
            elif name in ("white", "fruit"):
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
    step_network = torch.compile(network) if options.compile else network
    start, step, counted, said = time.time(), 0, 0, 0.0
    sums = torch.zeros(6, device=device)
    while True:
        done = (time.time() - start) / options.seconds
        if done >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = max(1e-6, options.rate * min(1, (step + 1) / 150) * 0.5 * (1 + math.cos(math.pi * done)))
        row, seen = batch()
        target = labels[row]
        if np.random.rand() < 0.4:
            nothing = seen[-groups[-1][3] - groups[-2][3] : -groups[-1][3]]
            seen[larges] = with_others_beside(seen[larges], torch.cat([seen[larges], nothing]))
        first, second, blend = target, target, torch.ones(len(row), device=device)
        kind = np.random.rand()
        if kind < 0.35:  # Images are blended in pairs of a kind.
            share = float(np.random.beta(0.3, 0.3))
            second = target.clone()
            for part in (slice(0, small), larges):
                order = torch.randperm(part.stop - part.start, device=device)
                seen[part] = share * seen[part] + (1 - share) * seen[part][order]
                second[part] = target[part][order]
                blend[part] = share
        elif kind < 0.65:  # A piece of a large image is pasted into small ones, so that sharpness does not reveal the class.
            side = np.random.uniform(0.35, 0.75)
            length = int(SIDE * side)
            top, left = np.random.randint(0, SIDE - length + 1, 2)
            piece = seen[dishes_at][:, :, top : top + length, left : left + length]
            seen[:dish, :, top : top + length, left : left + length] = piece
            second = target.clone()
            second[:dish] = target[dishes_at]
            blend[:dish] = 1 - (length / SIDE) ** 2
        seen = seen.contiguous(memory_format=torch.channels_last)
        with torch.autocast(device, torch.bfloat16):
            with torch.no_grad():
                said_by_aiy = aiy(seen[dishes_at.start - dish // 2 : larges.stop])[2].float() if aiy else None
                taught = teacher(seen[: dishes_at.stop])[1].float() if teacher else None
                twin_answer = average(seen[twins])[1].float() if kind >= 0.35 else None
            _, foods, dishes, is_food = step_network(seen)
        foods, dishes, is_food = foods.float(), dishes.float(), is_food.float()

        known = ((first >= 0) & (second >= 0)).float()
        told = foods.clone()
        told[larges] = foods[larges] + often
        per = blend * F.cross_entropy(told, first.clamp(min=0), label_smoothing=0.08, reduction="none")
        per = per + (1 - blend) * F.cross_entropy(told, second.clamp(min=0), label_smoothing=0.08, reduction="none")
        apart = torch.ones_like(known)
        apart[larges] = 0
        loss_foods = (per * known * apart).sum() / (known * apart).sum()
        loss_large = (per * known * (1 - apart)).sum() / (known * (1 - apart)).sum()
        # The output for a large image should be that for its small twin.
        loss_alike = torch.zeros((), device=device)
        if twin_answer is not None:
            log = F.log_softmax(foods[dishes_at], 1)
            loss_alike = F.kl_div(log, F.softmax(twin_answer, 1), reduction="none").sum(1).mean()
        loss_food = F.binary_cross_entropy_with_logits(is_food, isfood[row] * 0.98 + 0.01)
        # AIY's dishes: the outputs of AIY for the same image.
        mine = dishes[dishes_at.start - dish // 2 : larges.stop]
        loss_dishes = torch.zeros((), device=device)
        if aiy:
            loss_dishes = 4 * F.kl_div(F.log_softmax(mine / 2, 1), F.softmax(said_by_aiy / 2, 1), reduction="batchmean")
        loss_taught = torch.zeros((), device=device)
        if teacher:
            log = F.log_softmax(foods[: dishes_at.stop], 1)
            loss_taught = F.kl_div(log, F.softmax(taught, 1), reduction="batchmean")
        loss = loss_foods + 0.8 * loss_large + 0.6 * loss_alike + 0.8 * loss_food + 0.3 * loss_dishes + 0.5 * loss_taught
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        step += 1
        keep = min(options.keep, (1 + step) / (20 + step))
        with torch.no_grad():
            torch._foreach_lerp_(list(average.parameters()), list(network.parameters()), 1 - keep)
            for mine, theirs in zip(average.buffers(), network.buffers()):
                if mine.is_floating_point():
                    mine.lerp_(theirs, 1 - keep)
        sums += torch.stack([l.detach() for l in (loss, loss_foods, loss_large, loss_alike, loss_food, loss_dishes)])
        if time.time() - said > 20:
            said = time.time()
            print(f"{done:.2f} step {step}, {step * len(row) / (time.time() - start):.0f} pictures/s,",
                  "losses", [round(v, 4) for v in (sums / max(1, step - counted)).tolist()], flush=True)
            sums.zero_()
            counted = step
    print("steps", step)
    os.makedirs(options.out, exist_ok=True)
    np.savez(os.path.join(options.out, "dish.npz"), **{k: v.astype(np.float16) for k, v in folded(average).items()})
    print(evaluate(average, index, names, pools), flush=True)


PRODUCE = ("fruit_vegetable_36", "vegetable_15", "grocery", "ecustfd", "fruit_search", "plants_256", "three_fruits",
           "vegetables_48", "six_vegetables", "ten_fruits", "stock_fruits", "flickr_fruits", "larger_fruits", "padded_fruits",
           "grapes_pens")
# Foods with a low accuracy on validation images: they are shown more often.
WEAK = ("apple", "orange", "mango", "sweet_potato", "kiwi", "ginger", "watermelon", "radish", "eggplant", "jalapeno",
        "chili_pepper", "carrot")


def saved_for_some(pictures):
    """Adds JPEG artifacts to a third of the images."""
    some = len(pictures) // 3
    return torch.cat([saved_as_jpeg(pictures[:some]), pictures[some:]])


if __name__ == "__main__":
    main()
