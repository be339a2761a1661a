"""Teaches one of our networks the dishes of the world, without losing what it knows. See README.md.

    python train_world.py PACK START.npz OUT --trunk lite2 --seconds 540

The network starts from the weights of the one before, which also is its teacher: for every image, it should rank the earlier foods as
before. Validation images are printed for the weights before, after, and between.
"""

import argparse
import copy
import io
import math
import os
import time

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image

from network import Network, folded, load_weights, settle_norms
from train import Sampler, boxes, colours, crop, device, in_processes, saved_for_some, sharpen, soften, with_others_beside

EARLIER = 240
# The split of an image in the pack.
TRAIN = 0
SMALL = ("food101_64", "tiny_imagenet", "fruits_360")
PRODUCE = ("fruit_vegetable_36", "fruit_search", "vegetables_48", "vegetable_15", "grocery", "ecustfd", "fruits_360")
# How far the training frequency of a class is taken out of its logits.
ADJUST = 0.6
# How far between the weights before and after.
BETWEEN = (0.6, 0.8, 1.0)


def load(folder):
    """Returns the table of images, the names of the sources, and the images for training and for validation."""
    index = np.load(os.path.join(folder, "index.npz"))
    rows, source, names = index["rows"], index["source"], [str(n) for n in index["names"]]
    here = np.isin(rows[:, 0], [n for n in np.unique(rows[:, 0]) if os.path.exists(os.path.join(folder, f"chunk-{n}.bin"))])
    rows, source = rows[here], source[here]
    is_train = rows[:, 5] == TRAIN
    place = np.where(is_train, np.cumsum(is_train), np.cumsum(~is_train)) - 1
    pools = [torch.empty((int(count), side, side, 3), dtype=torch.uint8).share_memory_()
             for count, side in ((is_train.sum(), 192), ((~is_train).sum(), 256))]
    views, count = [pool.numpy() for pool in pools], os.cpu_count() or 1

    def work(part):
        torch.set_num_threads(1)
        for chunk in np.unique(rows[:, 0]):
            with open(os.path.join(folder, f"chunk-{chunk}.bin"), "rb") as handle:
                raw = handle.read()
            for i in np.flatnonzero(rows[:, 0] == chunk)[part::count]:
                picture = Image.open(io.BytesIO(raw[rows[i, 1] : rows[i, 1] + rows[i, 2]])).convert("RGB")
                view = views[0 if is_train[i] else 1]
                if picture.size != view.shape[1:3]:
                    picture = picture.resize(view.shape[1:3], Image.BICUBIC)
                view[place[i]] = np.asarray(picture)

    in_processes(work, count)
    table = {"label": rows[:, 3].astype(np.int64), "food": rows[:, 4].astype(np.float32), "split": rows[:, 5], "source": source,
             "place": place}
    return table, names, [pool.to(device).permute(0, 3, 1, 2) for pool in pools], int(index["classes"])


def start_of(file, classes, trunk):
    """Returns the network with the weights before; the new outputs start near zero."""
    weights = {k: v.astype(np.float32) for k, v in np.load(file).items()}
    more = classes - len(weights["foods_w"])
    random = np.random.default_rng(1)
    weights["foods_w"] = np.concatenate([weights["foods_w"], random.normal(0, 0.01, (more, weights["foods_w"].shape[1]))])
    weights["foods_b"] = np.concatenate([weights["foods_b"], np.full(more, weights["foods_b"].mean() - 1)])
    path = f"{file}.{trunk}.{classes}.npz"
    np.savez(path, **weights)
    network = Network(classes, trunk, dishes=1).to(device).to(memory_format=torch.channels_last)
    load_weights(network, path)
    return network


def group_rows(table, names, batch):
    """Returns what a batch is made of: name, sampler, count."""
    train, label, food = table["split"] == TRAIN, table["label"], table["food"] > 0
    of = lambda wanted: np.isin(table["source"], [n for n, name in enumerate(names) if name in wanted])
    small, produce = of(SMALL), of(PRODUCE)
    fresh = train & food & ((label >= EARLIER) | ((label < 0) & ~of(("home_cooking", "hot_dog_or_not", "vegetables_48"))))
    parts = [("fresh", fresh, 0.46), ("large", train & food & ~fresh & ~small & ~produce, 0.2),
             ("produce", train & food & produce & ~fresh & ~small, 0.1), ("small", train & food & small & ~fresh, 0.14),
             ("nothing", train & ~food, 0.1)]
    counts = np.bincount(label[train & (label >= 0)], minlength=1)
    groups = []
    for name, which, share in parts:
        rows = np.flatnonzero(which)
        weight = np.where(label[rows] >= 0, 1 / np.sqrt(counts[np.maximum(label[rows], 0)] + 5), 0.03)
        groups.append((name, Sampler(rows, weight), int(batch * share)))
        print(name, len(rows), groups[-1][2], flush=True)
    return groups


def frequencies(table, groups, classes, adjust=ADJUST, most=np.inf):
    """Returns the logarithm of how often each class is shown large, at most so many times what is usual, less what is usual."""
    often = np.zeros(classes)
    for name, sampler, count in groups:
        if name in ("fresh", "large", "produce"):
            rows = sampler.rows.cpu().numpy()
            known = table["label"][rows] >= 0
            np.add.at(often, table["label"][rows][known], (sampler.weight / sampler.weight.sum() * count)[known])
    usual = np.median(often[often > 0])
    often = np.log(np.clip(often, 0.15 * usual, most * usual) / usual)
    return torch.from_numpy(often * adjust).float().to(device)


def batch_of(groups, pictures, place):
    """Draws a batch and distorts its images; returns the rows, the images, and which of them look large."""
    seen, rows, large = [], [], []
    for name, sampler, count in groups:
        row = sampler.draw(count)
        part, theta = pictures[place[row]].float() / 255, boxes(count, 0.3)
        few = count if name == "small" else count // 5
        soft = crop(part[:few] if name == "small" else soften(part[:few]), theta[:few])
        rest = crop(part[few:], theta[few:]) if few < count else part[:0]
        seen += [soft, saved_for_some(rest)] if len(rest) else [soft]
        rows.append(row)
        large.append(torch.arange(count, device=device) >= few)
    return torch.cat(rows), sharpen(colours(torch.cat(seen))) * 2 - 1, torch.cat(large)


def losses(told, is_food, taught, teacher_food, target, second, share, food, large, often):
    """Returns the losses: classes, food or not, and the difference from the teacher."""
    adjusted = told + often * large[:, None]
    known = ((target >= 0) & (second >= 0)).float()
    per = share * F.cross_entropy(adjusted, target.clamp(min=0), label_smoothing=0.06, reduction="none")
    per = per + (1 - share) * F.cross_entropy(adjusted, second.clamp(min=0), label_smoothing=0.06, reduction="none")
    fresh = ((target >= EARLIER) | (second >= EARLIER)).float()
    same = F.kl_div(F.log_softmax(told[:, :EARLIER], 1), F.softmax(taught, 1), reduction="none").sum(1)
    edible = F.binary_cross_entropy_with_logits(is_food, food * 0.98 + 0.01)
    edible = edible + 0.02 * (F.smooth_l1_loss(is_food, teacher_food, reduction="none") * (1 - fresh)).mean()
    return (per * known).sum() / known.sum(), edible, (same * (1 - 0.75 * fresh)).mean()


def train(network, teacher, groups, pictures, table, options, often):
    """Trains until the time is up; returns the average of the weights."""
    labels, food = (torch.from_numpy(table[name]).to(device) for name in ("label", "food"))
    place = torch.from_numpy(table["place"]).to(device)
    with torch.no_grad():
        settle_norms(network, batch_of(groups, pictures, place)[1].to(memory_format=torch.channels_last))
    average = copy.deepcopy(network).eval()
    head = set(network.foods.parameters())
    optimizer = torch.optim.AdamW([
        {"params": [p for p in network.parameters() if p.ndim > 1 and p not in head], "weight_decay": 0.03, "scale": 1.0},
        {"params": [p for p in network.parameters() if p.ndim <= 1 and p not in head], "weight_decay": 0.0, "scale": 1.0},
        {"params": list(head), "weight_decay": 0.01, "scale": 2.0},
    ], lr=options.rate, betas=(0.9, 0.99))
    network.train()
    step_network = torch.compile(network) if options.compile else network
    start, step, said, sums = time.time(), 0, 0.0, torch.zeros(3, device=device)
    while (done := (time.time() - start) / options.seconds) < 1:
        for group in optimizer.param_groups:
            group["lr"] = group["scale"] * max(1e-6, options.rate * min(1, (step + 1) / 150) * 0.5 * (1 + math.cos(math.pi * done)))
        with torch.no_grad():
            row, seen, large = batch_of(groups, pictures, place)
            target = labels[row]
            if np.random.rand() < 0.35:
                seen = with_others_beside(seen, seen)
            second, share = target, torch.ones(len(row), device=device)
            if np.random.rand() < 0.35:
                amount, order = float(np.random.beta(0.3, 0.3)), torch.randperm(len(row), device=device)
                # Only images that both look large, or both small, are blended, and only foods.
                fits = (large == large[order]) & (food[row] > 0) & (food[row][order] > 0)
                share = torch.where(fits, amount, 1.0)
                seen = share[:, None, None, None] * seen + (1 - share)[:, None, None, None] * seen[order]
                second = torch.where(fits, target[order], target)
            seen = seen.contiguous(memory_format=torch.channels_last)
            with torch.autocast(device, torch.bfloat16):
                _, taught, _, teacher_food = teacher(seen)
        with torch.autocast(device, torch.bfloat16):
            _, told, _, is_food = step_network(seen)
        parts = losses(told.float(), is_food.float(), taught.float()[:, :EARLIER], teacher_food.float(), target, second, share,
                       food[row], large.float(), often)
        loss = parts[0] + 0.8 * parts[1] + 0.6 * parts[2]
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        step += 1
        keep = min(0.999, (1 + step) / (20 + step))
        with torch.no_grad():
            torch._foreach_lerp_(list(average.parameters()), list(network.parameters()), 1 - keep)
            for mine, theirs in zip(average.buffers(), network.buffers()):
                if mine.is_floating_point():
                    mine.lerp_(theirs, 1 - keep)
            sums = 0.98 * sums + 0.02 * torch.stack([part.detach() for part in parts])
        if time.time() - said > 20:
            said = time.time()
            print(f"{done:.2f} step {step}, {step * len(row) / (time.time() - start):.0f} pictures/s",
                  [round(v, 3) for v in sums.tolist()], flush=True)
    return average


@torch.no_grad()
def answers(network, pictures):
    """Returns the logits of the foods, then food or not."""
    outs = []
    for start in range(0, len(pictures), 256):
        x = (pictures[start : start + 256].float() / 127.5 - 1).to(memory_format=torch.channels_last)
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            _, foods, _, food = network(x)
        outs.append(torch.cat([foods.float(), food.float()[:, None]], 1))
    return torch.cat(outs).cpu().numpy()


def report(said, table, names):
    """Prints the share of right first guesses by source; of images that are no food, the mean log odds of food."""
    held = table["split"] != TRAIN
    label, source, split = table["label"][held], table["source"][held], table["split"][held]
    parts = []
    for kind in (1, 2):
        for number, name in enumerate(names):
            which = (source == number) & (split == kind)
            if which.any():
                right = (said[which, :-1].argmax(1) == label[which]).mean()
                parts.append(f"{name}{'*' * (kind - 1)} {100 * right:.1f}" if (label[which] >= 0).any()
                             else f"{name} food {said[which, -1].mean():.1f}")
    print("; ".join(parts), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pack")
    parser.add_argument("start")
    parser.add_argument("out")
    parser.add_argument("--teacher")
    parser.add_argument("--trunk", default="mobilenet")
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--rate", type=float, default=6e-4)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--compile", action="store_true")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    np.random.seed(options.seed)
    os.makedirs(options.out, exist_ok=True)
    table, names, (pictures, held), classes = load(options.pack)
    teacher = start_of(options.teacher or options.start, classes, options.trunk).eval().requires_grad_(False)
    network = start_of(options.start, classes, options.trunk)
    before = folded(network)
    report(answers(teacher, held), table, names)
    groups = group_rows(table, names, options.batch)
    average = train(network, teacher, groups, pictures, table, options, frequencies(table, groups, classes))
    after = folded(average)
    np.savez(os.path.join(options.out, f"{options.trunk}.npz"),
             **{k: v.astype(np.float16) for k, v in after.items() if not k.startswith("dishes")})
    for share in BETWEEN:
        mixed = {k: share * after[k] + (1 - share) * before[k] for k in after}
        for name in ("foods_w", "foods_b"):
            mixed[name][EARLIER:] = after[name][EARLIER:]
        path = os.path.join("/tmp", f"{options.trunk}-{share}.npz")
        np.savez(path, **mixed)
        tried = Network(classes, options.trunk, dishes=1).to(device).to(memory_format=torch.channels_last).eval()
        load_weights(tried, path)
        said = answers(tried, held)
        print("after", share)
        report(said, table, names)
        np.save(os.path.join(options.out, f"{options.trunk}-{share}.npy"), said.astype(np.float16))


if __name__ == "__main__":
    main()
