"""As much of a PDF as Chromium prints: where texts stand on its pages."""

import dataclasses
import math
import re
import zlib


def objects(pdf):
    """Number -> (dictionary, stream)."""
    found = {}
    for match in re.finditer(rb"(\d+) 0 obj\s(.*?)endobj", pdf, re.DOTALL):
        head, _, stream = match[2].partition(b"stream\n")
        stream = stream.rpartition(b"endstream")[0] if stream else b""
        is_packed = b"/FlateDecode" in head and not re.search(rb"/Subtype\s*/Image", head)
        # A packed stream may end in a byte that looks like the line break behind it: the unpacker knows where it ends.
        found[int(match[1])] = (head, zlib.decompressobj().decompress(stream) if is_packed else stream.rstrip(b"\r\n"))
    return found


def product(a, b):
    return (a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3],
            a[4] * b[0] + a[5] * b[2] + b[4], a[4] * b[1] + a[5] * b[3] + b[5])


NUMBER = rb"[-+]?(?:\d+\.?\d*|\.\d+)"
SAME_PLACE = (1, 0, 0, 1, 0, 0)


def numbers_of(key, head):
    found = re.search(key + rb"\s*\[([^\]]*)\]", head)
    return [float(number) for number in re.findall(NUMBER, found[1])] if found else []


@dataclasses.dataclass
class Sheet:
    """A page, in points: (left, bottom, size of the letters) of its texts, those of charts too."""

    width: float
    height: float
    texts: list = dataclasses.field(default_factory=list)

    def ends_in_heading(self, size):
        """Whether the page's last text is in letters of this size."""
        return bool(self.texts) and abs(min(self.texts, key=lambda text: text[1])[2] - size) < 0.1


def draw(known, content, place, sheet):
    """Follows a page's drawing, and that of the forms in it, with the place where it is drawn."""
    text, size, kept, numbers, name = SAME_PLACE, 0, [], [], ""
    for word in re.findall(rb"<[0-9A-Fa-f]*>|/\w+|" + NUMBER + rb"|[A-Za-z*]+", content):
        if re.fullmatch(NUMBER, word):
            numbers.append(float(word))
            continue
        if word.startswith((b"/", b"<")):
            name = word.decode() if word.startswith(b"/") else name
            continue
        if word == b"q":
            kept.append(place)
        elif word == b"Q":
            place = kept.pop()
        elif word == b"cm":
            place = product(numbers[-6:], place)
        elif word == b"BT":
            text = SAME_PLACE
        elif word == b"Tf":
            size = numbers[-1]
        elif word == b"Tm":
            text = numbers[-6:]
        elif word in (b"Tj", b"TJ"):
            at = product(text, place)
            sheet.texts.append((at[4], at[5], size * math.hypot(at[2], at[3])))
        elif word == b"Do":
            head, drawing = known[int(name.lstrip("/X"))]
            if re.search(rb"/Subtype\s*/Form", head):
                draw(known, drawing, product(numbers_of(rb"/Matrix", head) or SAME_PLACE, place), sheet)
        numbers = []


def sheets(pdf):
    """The pages that Chromium printed."""
    known = objects(pdf)
    found = []
    for head, _ in known.values():
        if re.search(rb"/Type\s*/Page\b", head):
            found.append(Sheet(*numbers_of(rb"/MediaBox", head)[2:]))
            draw(known, known[int(re.search(rb"/Contents\s+(\d+)", head)[1])][1], SAME_PLACE, found[-1])
    return found
