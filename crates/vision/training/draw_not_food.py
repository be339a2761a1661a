"""Draws images that are not food: pages, receipts, labels, bar codes, screens, walls."""

import random

from PIL import Image, ImageDraw, ImageFilter

WORDS = """total date serving calories protein fat carbohydrate invoice street number the and of per amount table
energy sodium sugar fibre vitamin please thank you open close file edit view price sum tax net order ticket""".split()


def draw(seed, side=224):
    chance = random.Random(seed)
    kind = chance.choice(["page", "receipt", "label", "bars", "screen", "wall", "noise", "shapes"])
    paper = tuple(chance.randint(200, 255) for _ in range(3))
    image = Image.new("RGB", (side, side), paper)
    pen = ImageDraw.Draw(image)
    if kind == "wall":
        first = [chance.randint(0, 255) for _ in range(3)]
        second = [max(0, min(255, v + chance.randint(-60, 60))) for v in first]
        for row in range(side):
            pen.line([(0, row), (side, row)], fill=tuple(int(a + (b - a) * row / side) for a, b in zip(first, second)))
    elif kind == "noise":
        noise = Image.effect_noise((side // chance.choice([1, 2, 4, 8]), side // 4), chance.randint(10, 90))
        image = Image.merge("RGB", [noise] * 3).resize((side, side), Image.BILINEAR)
        tint = Image.new("RGB", (side, side), tuple(chance.randint(0, 255) for _ in range(3)))
        image = Image.blend(image, tint, chance.uniform(0.1, 0.7))
    elif kind == "shapes":
        image.paste(tuple(chance.randint(0, 255) for _ in range(3)), (0, 0, side, side))
        for _ in range(chance.randint(1, 12)):
            x, y, w, h = (chance.randint(0, side) for _ in range(4))
            colour = tuple(chance.randint(0, 255) for _ in range(3))
            (pen.rectangle if chance.random() < 0.6 else pen.ellipse)([x, y, x + w // 2, y + h // 2], fill=colour)
    elif kind == "bars":
        x = chance.randint(5, 30)
        while x < side - 20:
            width = chance.choice([1, 1, 2, 2, 3, 4])
            pen.rectangle([x, 30, x + width, side - 45], fill=(10, 10, 10))
            x += width + chance.choice([1, 2, 2, 3, 4])
        pen.text((30, side - 40), " ".join(str(chance.randint(0, 9)) for _ in range(13)), fill=(0, 0, 0))
    else:
        if kind == "screen":
            image.paste(tuple(chance.randint(0, 255) for _ in range(3)), (0, 0, side, side))
            for _ in range(chance.randint(2, 8)):
                x, y = chance.randint(0, side), chance.randint(0, side)
                pen.rectangle([x, y, x + chance.randint(20, 150), y + chance.randint(10, 80)],
                              fill=tuple(chance.randint(0, 255) for _ in range(3)))
        ink = tuple(chance.randint(0, 90) for _ in range(3))
        left = chance.randint(2, 50 if kind == "receipt" else 20)
        right = side - left
        row = chance.randint(2, 16)
        step = chance.randint(9, 18)
        while row < side - 8:
            line = " ".join(chance.choice(WORDS) for _ in range(chance.randint(2, 9)))
            pen.text((left, row), line[: (right - left) // 6], fill=ink)
            if kind in ("receipt", "label"):
                pen.text((right - 32, row), f"{chance.randint(0, 99)}.{chance.randint(0, 99):02}", fill=ink)
            if kind == "label" and chance.random() < 0.7:
                pen.line([(left, row + step - 2), (right, row + step - 2)], fill=ink, width=chance.choice([1, 1, 3]))
            row += step
    image = image.rotate(chance.uniform(-25, 25), Image.BILINEAR, fillcolor=tuple(chance.randint(0, 255) for _ in range(3)))
    if chance.random() < 0.5:
        image = image.filter(ImageFilter.GaussianBlur(chance.uniform(0.2, 2.0)))
    return image
