#!/usr/bin/python3
"""Draws 60 synthetic test results, for check.py: two languages, six reports each, in five qualities.

    make.py DIRECTORY

The same pictures are drawn each time. truth.json says what is on each. It runs with Debian's Python and the packages
python3-pil, python3-numpy, fonts-dejavu-core and fonts-liberation.
"""

import io
import json
import os
import random
import sys
import textwrap

import numpy
from PIL import Image, ImageDraw, ImageFilter, ImageFont

FONTS = [
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSerif-Regular.ttf",
]
KINDS = ("scan", "photo", "bad-photo", "screenshot", "turned")
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
CODE = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789"

# Language, how the test and its result are labelled, the words of the results, how dates and orders are labelled.
LANGUAGES = {
    "en": {
        "title": ["City Laboratory", "University Clinic - Test Report", "Harbour Diagnostics"],
        "test": ["SARS-CoV-2 PCR", "SARS-CoV-2 antigen test", "Influenza A RNA"],
        "result": ["Result", "Test result", "Result"],
        "positive": ["POSITIVE", "Detected", "positive"],
        "negative": ["NEGATIVE", "Not detected", "negative"],
        "date": ["Date of sampling", "Sample taken", "Date of sampling"],
        "order": ["Order", "Sample id", "Order"],
        "person": ["Name", "Date of birth", "Report date"],
        "footer": "This report is valid without signature. A negative result does not rule out an infection.",
    },
    "de": {
        "title": ["Labor Mitte", "Universitätsklinik - Befundbericht", "Diagnostik am Hafen"],
        "test": ["SARS-CoV-2 PCR", "SARS-CoV-2 Antigentest", "Influenza A RNA"],
        "result": ["Ergebnis", "Testergebnis", "Befund"],
        "positive": ["POSITIV", "nachgewiesen", "positiv"],
        "negative": ["NEGATIV", "nicht nachgewiesen", "negativ"],
        "date": ["Abnahme", "Entnahme", "Probenahme"],
        "order": ["Auftrag", "Auftragsnummer", "Proben-Nr"],
        "person": ["Name", "Geburtsdatum", "Berichtsdatum"],
        "footer": "Dieser Befund ist ohne Unterschrift gültig. Ein negatives Ergebnis schließt eine Infektion "
                  "nicht aus.",
    },
}


def date_text(chance, language, year, month, day):
    if language == "de":
        return f"{day:02}.{month:02}.{year}"
    return chance.choice([f"{year}-{month:02}-{day:02}", f"{day} {MONTHS[month - 1]} {year}"])


def report(chance, language, variant):
    """The rows of a report, and the truth about it."""
    words = LANGUAGES[language]
    is_positive = chance.random() < 0.5
    sampled = (chance.randint(2023, 2025), chance.randint(1, 12), chance.randint(1, 28))
    order = "".join(chance.choice(CODE) for _ in range(10))
    style = variant % 3
    rows = [
        (words["person"][0], chance.choice(["Anna Smith", "Jörg Müller", "Li Wei"])),
        (words["person"][1], date_text(chance, language, chance.randint(1950, 2005), chance.randint(1, 12), 12)),
        (words["order"][style], order),
        (words["date"][style], date_text(chance, language, *sampled)),
        ("Test", words["test"][style]),
        (words["result"][style], words["positive" if is_positive else "negative"][style]),
        (words["person"][2], date_text(chance, language, *sampled[:2], min(28, sampled[2] + 1))),
    ]
    truth = {
        "result": "positive" if is_positive else "negative",
        "date": f"{sampled[0]}-{sampled[1]:02}-{sampled[2]:02}", "order": order,
    }
    return words["title"][style], rows, words["footer"], truth


def drawn(title, rows, footer, font, dark):
    """A page of A5 at 200 dots per inch, or what a telephone in the dark mode shows."""
    paper, ink = ((18, 18, 18), (230, 230, 230)) if dark else ((255, 255, 255), (10, 10, 10))
    size = (1080, 1600) if dark else (1160, 1650)
    picture = Image.new("RGB", size, paper)
    draw = ImageDraw.Draw(picture)
    big, normal, small = (ImageFont.truetype(font, points) for points in (48, 34, 22))
    draw.text((80, 100), title, font=big, fill=ink)
    draw.line((80, 180, size[0] - 80, 180), fill=ink, width=2)
    for number, (label, value) in enumerate(rows):
        draw.text((80, 260 + number * 90), label + ":", font=normal, fill=ink)
        draw.text((480, 260 + number * 90), value, font=normal, fill=ink)
    for number, line in enumerate(textwrap.wrap(footer, 75)):
        draw.text((80, size[1] - 180 + number * 32), line, font=small, fill=ink)
    return picture


def noisy(picture, random_numbers, strength):
    pixels = numpy.asarray(picture).astype(numpy.float32)
    pixels += random_numbers.normal(0, strength, pixels.shape)
    return Image.fromarray(pixels.clip(0, 255).astype(numpy.uint8))


def lit(picture, chance):
    """Light from one side."""
    across = numpy.linspace(chance.uniform(0.6, 0.8), 1.0, picture.width)[None, :, None]
    return Image.fromarray((numpy.asarray(picture) * across).clip(0, 255).astype(numpy.uint8))


def perspective(picture, chance, degrees, most):
    """The page on a grey table, turned a little and seen from one side."""
    width, height = picture.size
    table = Image.new("RGB", (width + 200, height + 200), (150, 140, 130))
    table.paste(picture, (100, 100))
    table = table.rotate(degrees, resample=Image.BICUBIC, fillcolor=(150, 140, 130))
    width, height = table.size
    corners = []
    for x, y in ((0, 0), (0, height), (width, height), (width, 0)):
        corners += [x + chance.uniform(-most, most), y + chance.uniform(-most, most)]
    return table.transform(table.size, Image.QUAD, corners, resample=Image.BICUBIC, fillcolor=(150, 140, 130))


def compressed(picture, quality):
    stream = io.BytesIO()
    picture.save(stream, "JPEG", quality=quality)
    return stream.getvalue()


def picture_of(kind, page, chance, random_numbers):
    """The bytes of a file, and the end of its name."""
    if kind in ("photo", "bad-photo"):
        degrees = chance.uniform(-2, 2) if kind == "photo" else chance.choice([-8, 8])
        page = lit(perspective(page, chance, degrees, 25 if kind == "photo" else 0), chance)
        if kind == "bad-photo":
            page = page.resize((page.width // 2, page.height // 2), Image.BILINEAR)
            page = page.filter(ImageFilter.GaussianBlur(0.8))
        return compressed(noisy(page, random_numbers, 8), chance.randint(40, 60)), "jpg"
    if kind == "turned":
        page = page.rotate(90, expand=True)
    if kind != "screenshot":
        page = noisy(page.convert("L"), random_numbers, 3)
    stream = io.BytesIO()
    page.save(stream, "PNG")
    return stream.getvalue(), "png"


def main():
    directory = sys.argv[1]
    os.makedirs(directory, exist_ok=True)
    truths = {}
    for number, (language, variant, kind) in enumerate(
            (language, variant, kind) for language in LANGUAGES for variant in range(6) for kind in KINDS):
        chance = random.Random(20261129 + number)
        random_numbers = numpy.random.default_rng(20261129 + number)
        title, rows, footer, truth = report(chance, language, variant)
        font = FONTS[variant % len(FONTS)]
        page = drawn(title, rows, footer, font, kind == "screenshot")
        contents, end = picture_of(kind, page, chance, random_numbers)
        name = f"{language}-{variant}-{kind}.{end}"
        with open(os.path.join(directory, name), "wb") as file:
            file.write(contents)
        truths[name] = {"kind": kind, **truth}
    with open(os.path.join(directory, "truth.json"), "w", encoding="utf-8") as file:
        json.dump(truths, file, indent=1)


if __name__ == "__main__":
    main()
