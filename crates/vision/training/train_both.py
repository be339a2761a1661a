"""Trains both networks together on photos of all sources, taught by the networks before. See README.md.

    python train_both.py PACK FIRST.npz SECOND.npz FIRST_240.npz SECOND_240.npz AIY.npz HINTS.bin OUT --seconds 900

Both networks see the same images. The mean of the networks of 240 foods teaches how these rank, since they knew these foods best; the
mean of the networks to start from teaches how dishes of the world rank and, with AIY's hints, the names of photos without one; AIY
teaches its own dishes, which both networks learn beside ours only because what tells these apart helps with photos from elsewhere.
"""

import argparse
import copy
import math
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

from network import Network, folded, load_weights, settle_norms
from train import Sampler, boxes, colours, crop, device, saved_for_some, sharpen, soften, with_others_beside
from train_world import EARLIER, PRODUCE as FEWER_PRODUCE, SMALL, TRAIN, answers, frequencies, load, report

PRODUCE = (*FEWER_PRODUCE, "plants_256", "ten_fruits", "stock_fruits", "six_vegetables")
UNNAMED = ("food11", "foodseg")
# A food that a source of dishes of the world does not show is this much less likely there: so the networks need not learn from the look
# of a source which foods it shows. First for dishes of the world, then for the 240 foods.
ABSENT, ABSENT_EARLIER = 2.5, 1.2
AIY_DISHES = 2024
# How far the training frequency of a class is taken out of its logits, and the most that counts, in multiples of what is usual.
ADJUST, MOST_OFTEN = 0.5, 2
# What a batch is made of.
SHARES = {"fresh": 0.34, "large": 0.26, "produce": 0.11, "small": 0.07, "nothing": 0.17, "unnamed": 0.05}
# How far between the weights before and after.
BETWEEN = (0.5, 1.0)
# The part of the time after which fewer images are blended or have others beside them.
LATE = 0.82


def fixed(file, classes, trunk, dishes=1):
    """Returns a network that only answers."""
    network = Network(classes, trunk, dishes=dishes).to(device).to(memory_format=torch.channels_last).eval()
    load_weights(network, file)
    return network.requires_grad_(False)


def group_rows(table, names, batch):
    """Returns what a batch is made of: name, sampler, count."""
    train, label, food = table["split"] == TRAIN, table["label"], table["food"] > 0
    of = lambda wanted: np.isin(table["source"], [n for n, name in enumerate(names) if name in wanted])
    small, produce = of(SMALL), of(PRODUCE)
    unnamed = train & food & (label < 0) & of(UNNAMED)
    fresh = train & food & (label >= EARLIER)
    rest = train & food & ~fresh & ~unnamed
    which = {"fresh": fresh, "large": rest & ~small & ~produce, "produce": rest & produce & ~small, "small": rest & small,
             "nothing": train & ~food, "unnamed": unnamed}
    shown = np.zeros((label.max() + 1, len(names)))
    known = train & (label >= 0)
    np.add.at(shown, (label[known], table["source"][known]), 1)
    groups = []
    for name, chosen in which.items():
        rows = np.flatnonzero(chosen)
        if not len(rows):
            continue
        at, source = np.maximum(label[rows], 0), table["source"][rows]
        # Rare dishes more often than others, and rare sources of a dish more often than its others.
        total, here, sources = shown.sum(1)[at], shown[at, source], (shown > 0).sum(1)[at]
        weight = np.sqrt(1 / (total + 5)) * np.sqrt(total / np.maximum(here * sources, 1))
        weight = np.where(label[rows] >= 0, weight, 0.03)
        if name == "nothing":
            # Small sources more often than large ones.
            weight = 1 / np.sqrt(np.bincount(source, minlength=len(names))[source] + 100)
        groups.append((name, Sampler(rows, weight), int(batch * SHARES[name])))
        print(name, len(rows), groups[-1][2], flush=True)
    return groups


def absences(table, names, classes):
    """Returns by source how much less likely each class is there."""
    less = np.zeros((len(names), classes), np.float32)
    for number in range(len(names)):
        shown = np.unique(table["label"][(table["source"] == number) & (table["split"] == TRAIN)])
        if (shown >= EARLIER).any():
            less[number, :EARLIER] = -ABSENT_EARLIER
            less[number, EARLIER:] = -ABSENT
            less[number, shown[shown >= 0]] = 0
    return torch.from_numpy(less).to(device)


def batch_of(groups, pictures, place):
    """Draws a batch and distorts its images; returns the rows, the images, and which of them look large."""
    seen, rows, large = [], [], []
    for name, sampler, count in groups:
        row = sampler.draw(count)
        part, theta = pictures[place[row]].float() / 255, boxes(count, 0.25)
        few = count if name == "small" else max(1, int(count * (0.25 if name == "fresh" else 0.2)))
        soft = crop(part[:few] if name == "small" else soften(part[:few]), theta[:few])
        rest = crop(part[few:], theta[few:]) if few < count else part[:0]
        seen += [soft, saved_for_some(rest)] if len(rest) else [soft]
        rows.append(row)
        large.append(torch.arange(count, device=device) >= few)
    seen = colours(torch.cat(seen))
    # Some in stranger light, some gray.
    some = torch.rand(len(seen), 1, 1, 1, device=device)
    seen = torch.where(some < 0.25, colours(seen), torch.where(some > 0.98, seen.mean(1, keepdim=True).expand_as(seen), seen))
    return torch.cat(rows), sharpen(seen) * 2 - 1, torch.cat(large)


class Teachers:
    """The networks before, whose answers are to be learned."""

    def __init__(self, options, classes, hints):
        self.earlier = [fixed(options.first_240, EARLIER, "mobilenet"), fixed(options.second_240, EARLIER, "lite2")]
        self.before = [fixed(options.first, classes, "mobilenet"), fixed(options.second, classes, "lite2")]
        self.aiy = fixed(options.aiy, 1, "mobilenet", AIY_DISHES)
        self.hints = hints
        if options.compile:
            self.earlier = [torch.compile(one, dynamic=False) for one in self.earlier]
            self.aiy = torch.compile(self.aiy, dynamic=False)

    def answer(self, seen, fresh, unnamed):
        """Returns the shares of the earlier foods, food or not, AIY's dishes, and all foods of the last and of the first images."""
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            said = [one(seen) for one in self.earlier]
            earlier, food = ((said[0][at].float() + said[1][at].float()) / 2 for at in (1, 3))
            dishes = self.aiy(seen)[2].float()
            ends = torch.cat([seen[:fresh], seen[-unnamed:]]).contiguous(memory_format=torch.channels_last)
            told = sum(one(ends)[1].float() for one in self.before) / 2
        hints = F.softmax(dishes[-unnamed:], 1) @ self.hints
        named = F.softmax((told[fresh:] + 0.5 * (hints + 0.003).log()) * 1.3, 1)
        return F.softmax(earlier * 1.15, 1), food, dishes, named, F.softmax(told[:fresh], 1)


def losses(outputs, taught, batch, often, less, counts):
    """Returns the losses: classes, food or not, earlier foods as before, photos without a name, AIY's dishes, dishes of the world as
    before, and all foods alike for what is no food."""
    fresh_count, unnamed = counts
    _, told, dishes, is_food = (out.float() for out in outputs)
    earlier, teacher_food, aiy, named, before = taught
    adjusted = told + often * batch["large"][:, None] + less
    target, second, share = batch["target"], batch["second"], batch["share"]
    known = ((target >= 0) & (second >= 0)).float()
    per = share * F.cross_entropy(adjusted, target.clamp(min=0), label_smoothing=0.05, reduction="none")
    per = per + (1 - share) * F.cross_entropy(adjusted, second.clamp(min=0), label_smoothing=0.05, reduction="none")
    fresh = ((target >= EARLIER) | (second >= EARLIER)).float()
    among, whole = F.log_softmax(told[:, :EARLIER], 1), F.log_softmax(told, 1)
    # Of images that certainly show an earlier food, nothing should be given to others.
    certain = (known * (1 - fresh))[:, None]
    same = F.kl_div(certain * whole[:, :EARLIER] + (1 - certain) * among, earlier, reduction="none").sum(1)
    same = same * (1 - 0.8 * fresh) * batch["food"]
    edible = F.binary_cross_entropy_with_logits(is_food, batch["food"] * 0.98 + 0.01)
    edible = edible + 0.05 * (F.smooth_l1_loss(is_food, teacher_food, reduction="none") * (1 - fresh)).mean()
    guessed = F.kl_div(whole[-unnamed:], named, reduction="none").sum(1).mean()
    alike = 4 * F.kl_div(F.log_softmax(dishes / 2, 1), F.softmax(aiy / 2, 1), reduction="none").sum(1)
    as_before = F.kl_div(whole[:fresh_count], before, reduction="none").sum(1).mean()
    flat = -(whole.mean(1) * (1 - batch["food"])).mean()
    return ((per * known).sum() / known.sum(), edible, same.mean(), guessed, (alike * batch["food"]).mean(), as_before, flat)


WEIGHTS = (1.0, 1.2, 1.2, 0.25, 0.12, 0.4, 0.1)


def drawn(groups, pictures, table, place, late):
    """Returns a batch: images, rows, labels, and what is known about them."""
    row, seen, large = batch_of(groups, pictures, place)
    target, food, source = table["label"][row], table["food"][row], table["source"][row]
    if np.random.rand() < (0.2 if late else 0.35):
        seen = with_others_beside(seen, seen)
    batch = {"target": target, "second": target, "share": torch.ones(len(row), device=device), "food": food,
             "large": large.float(), "source": source, "other": source}
    if np.random.rand() < (0.1 if late else 0.4):
        amount, order = float(np.random.beta(0.4, 0.4)), torch.randperm(len(row), device=device)
        # Only images that both look large, or both small, are blended, and only foods.
        fits = (large == large[order]) & (food > 0) & (food[order] > 0)
        share = torch.where(fits, amount, 1.0)
        seen = share[:, None, None, None] * seen + (1 - share)[:, None, None, None] * seen[order]
        batch.update(share=share, second=torch.where(fits, target[order], target), other=torch.where(fits, source[order], source))
    return seen.contiguous(memory_format=torch.channels_last), batch


class Student:
    """A network in training, and the average of its weights."""

    def __init__(self, file, classes, trunk, first_images, options):
        self.network = Network(classes, trunk, dishes=AIY_DISHES).to(device).to(memory_format=torch.channels_last)
        load_weights(self.network, file)
        with torch.no_grad():
            settle_norms(self.network, first_images)
        self.average = copy.deepcopy(self.network).eval()
        self.before = folded(self.network)
        heads = set(self.network.dishes.parameters())
        self.optimizer = torch.optim.AdamW([
            {"params": [p for p in self.network.parameters() if p.ndim > 1 and p not in heads], "weight_decay": 0.03, "scale": 1.0},
            {"params": [p for p in self.network.parameters() if p.ndim <= 1 and p not in heads], "weight_decay": 0.0, "scale": 1.0},
            {"params": list(heads), "weight_decay": 0.01, "scale": 3.0}], lr=options.rate, betas=(0.9, 0.99), fused=device == "cuda")
        self.network.train()
        self.step_network = torch.compile(self.network, dynamic=False) if options.compile else self.network

    def step(self, seen, taught, batch, tables, counts, rate, keep):
        for group in self.optimizer.param_groups:
            group["lr"] = group["scale"] * rate
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            outputs = self.step_network(seen)
        parts = losses(outputs, taught, batch, *tables, counts)
        self.optimizer.zero_grad(set_to_none=True)
        sum(weight * part for weight, part in zip(WEIGHTS, parts)).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self.optimizer.step()
        with torch.no_grad():
            torch._foreach_lerp_(list(self.average.parameters()), list(self.network.parameters()), 1 - keep)
            floats = [(mine, theirs) for mine, theirs in zip(self.average.buffers(), self.network.buffers()) if mine.is_floating_point()]
            torch._foreach_lerp_([mine for mine, _ in floats], [theirs for _, theirs in floats], 1 - keep)
        return torch.stack([part.detach() for part in parts])


def train(students, teachers, groups, pictures, table, tables, options):
    """Trains until the time is up."""
    often, less = tables
    # The first and the last group of a batch: dishes of the world, photos without a name.
    place, counts = table["place"], (groups[0][2], groups[-1][2])
    start, step, said = time.time(), 0, 0.0
    sums = torch.zeros(len(students), len(WEIGHTS), device=device)
    while (done := (time.time() - start) / options.seconds) < 1:
        rate = max(1e-6, options.rate * min(1, (step + 1) / 200) * 0.5 * (1 + math.cos(math.pi * done)))
        with torch.no_grad():
            seen, batch = drawn(groups, pictures, table, place, done > LATE)
            taught = teachers.answer(seen, *counts)
            here = (less[batch["source"]] + less[batch["other"]]) / 2
        step += 1
        keep = min(0.9985, (1 + step) / (20 + step))
        parts = [student.step(seen, taught, batch, (often, here), counts, rate, keep) for student in students]
        sums = 0.98 * sums + 0.02 * torch.stack(parts)
        if time.time() - said > 20:
            said = time.time()
            print(f"{done:.2f} step {step}, {step * len(seen) / (time.time() - start):.0f} pictures/s",
                  [[round(v, 3) for v in one] for one in sums.tolist()], flush=True)
    print("steps", step, flush=True)


def written(students, names, host, held, classes, out):
    """Writes the weights after, and what they and those between say about the validation images."""
    trunks = ("mobilenet", "lite2")
    for student, trunk in zip(students, trunks):
        after = folded(student.average)
        np.savez(os.path.join(out, f"{trunk}.npz"), **{k: v.astype(np.float16) for k, v in after.items() if not k.startswith("dishes")})
    for student, trunk in zip(students, trunks):
        after, told = folded(student.average), {}
        for share in BETWEEN:
            mixed = {k: share * after[k] + (1 - share) * student.before[k] for k in after}
            path = os.path.join("/tmp", f"{trunk}-{share}.npz")
            np.savez(path, **mixed)
            told[str(share)] = answers(fixed(path, classes, trunk, AIY_DISHES), held).astype(np.float16)
            print("after", trunk, share)
            report(told[str(share)].astype(np.float32), host, names)
        np.savez(os.path.join(out, f"{trunk}-said.npz"), **told)


def main():
    parser = argparse.ArgumentParser()
    for name in ("pack", "first", "second", "first_240", "second_240", "aiy", "hints", "out"):
        parser.add_argument(name)
    parser.add_argument("--seconds", type=float, default=900)
    parser.add_argument("--rate", type=float, default=6e-4)
    parser.add_argument("--batch", type=int, default=640)
    parser.add_argument("--seed", type=int, default=61)
    parser.add_argument("--compile", action="store_true")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    np.random.seed(options.seed)
    torch.set_float32_matmul_precision("high")
    torch.backends.cudnn.benchmark = True
    # The networks share their code: each counts as one more version of it.
    torch._dynamo.config.cache_size_limit = 64
    os.makedirs(options.out, exist_ok=True)
    host, names, (pictures, held), classes = load(options.pack)
    print("loaded", len(pictures), len(held), flush=True)
    hints = torch.from_numpy(np.fromfile(options.hints, np.uint8).reshape(AIY_DISHES, -1)).float().to(device) / 255
    teachers = Teachers(options, classes, hints)
    groups = group_rows(host, names, options.batch)
    table = {name: torch.from_numpy(np.ascontiguousarray(host[name])).to(device) for name in ("label", "food", "place")}
    table["source"] = torch.from_numpy(host["source"].astype(np.int64)).to(device)
    tables = frequencies(host, groups, classes, ADJUST, MOST_OFTEN), absences(host, names, classes)
    with torch.no_grad():
        first_images = batch_of(groups, pictures, table["place"])[1].to(memory_format=torch.channels_last)
    students = [Student(file, classes, trunk, first_images, options)
                for file, trunk in ((options.first, "mobilenet"), (options.second, "lite2"))]
    train(students, teachers, groups, pictures, table, tables, options)
    written(students, names, host, held, classes, options.out)


if __name__ == "__main__":
    main()
