"""As much of a PDF as Chromium prints: where the pictures stand on their pages."""

import re
import zlib


def objects(pdf):
    """Number -> (dictionary, stream)."""
    found = {}
    for match in re.finditer(rb"(\d+) 0 obj\s(.*?)endobj", pdf, re.DOTALL):
        head, _, stream = match[2].partition(b"stream\n")
        stream = stream.rpartition(b"endstream")[0].rstrip(b"\r\n") if stream else b""
        found[int(match[1])] = (head, zlib.decompress(stream) if b"/FlateDecode" in head and b"/Image" not in head else stream)
    return found


def product(a, b):
    return (a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3],
            a[4] * b[0] + a[5] * b[2] + b[4], a[4] * b[1] + a[5] * b[3] + b[5])


def pictures(pdf):
    """(width of its page, left edge, right edge) of each picture, in points."""
    known = objects(pdf)
    found = []
    for head, _ in known.values():
        if not re.search(rb"/Type\s*/Page\b", head):
            continue
        width = float(re.search(rb"/MediaBox\s*\[\s*\S+\s+\S+\s+(\S+)", head)[1])
        content = known[int(re.search(rb"/Contents\s+(\d+)", head)[1])][1]
        place, kept, numbers, name = (1, 0, 0, 1, 0, 0), [], [], ""
        for word in re.findall(rb"/\w+|[-+]?(?:\d+\.?\d*|\.\d+)|[A-Za-z*]+", content):
            if re.fullmatch(rb"[-+]?(?:\d+\.?\d*|\.\d+)", word):
                numbers.append(float(word))
                continue
            if word.startswith(b"/"):
                name = word.decode()
                continue
            if word == b"q":
                kept.append(place)
            elif word == b"Q":
                place = kept.pop()
            elif word == b"cm":
                place = product(numbers[-6:], place)
            elif word == b"Do" and b"/Image" in known[int(name.lstrip("/X"))][0]:
                edges = [x * place[0] + y * place[2] + place[4] for x in (0, 1) for y in (0, 1)]
                found.append((width, min(edges), max(edges)))
            numbers = []
    return found
