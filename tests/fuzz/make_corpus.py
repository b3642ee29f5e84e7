"""Writes the seeds of the fuzz targets into corpus/, in the form that each target reads. Run again after a change here."""

import json
import pathlib
import struct

CORPUS = pathlib.Path(__file__).parent / "corpus"


def write(target, name, content):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def safetensors(name, header, data):
    """fuzz_safetensors.cpp: two bytes of header length, the header, the data."""
    text = header if isinstance(header, bytes) else json.dumps(header, separators=(",", ":")).encode()
    write("safetensors", name, struct.pack("<H", len(text)) + text + data)


def tensor(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def text(name, content, choice=2):
    """fuzz_tokenizer.cpp: one byte chooses the reader, then its input."""
    write("tokenizer", name, bytes([choice]) + content)


two = {"a": tensor("F32", [2], 0, 8), "b": tensor("F16", [1, 3], 8, 14)}
safetensors("two_tensors", two, bytes(14))
safetensors("metadata", {"__metadata__": {"format": "pt"}, **two}, bytes(14))
safetensors("every_dtype", {d: tensor(d, [1], 8 * i, 8 * i + 8) for i, d in enumerate(("F64", "I64"))},
            bytes(16))
safetensors("scalar_and_empty", {"s": tensor("BF16", [], 0, 2), "e": tensor("U8", [0, 4], 2, 2)}, bytes(2))
safetensors("padded_header", json.dumps(two).encode() + b"   ", bytes(14))
safetensors("overlap", {"a": tensor("F32", [2], 0, 8), "b": tensor("F32", [2], 4, 12)}, bytes(12))
safetensors("gap", {"a": tensor("F32", [2], 4, 12)}, bytes(12))
safetensors("beyond_the_end", {"a": tensor("F32", [4], 0, 16)}, bytes(8))
safetensors("wrong_size", {"a": tensor("F32", [3], 0, 8)}, bytes(8))
safetensors("huge_shape", {"a": tensor("I8", [2**62, 4], 0, 0)}, b"")
safetensors("negative_shape", {"a": tensor("I8", [-1], 0, 0)}, b"")
safetensors("unknown_dtype", {"a": tensor("F7", [1], 0, 4)}, bytes(4))
safetensors("deep", b'{"a":' + b"[" * 80, b"")
safetensors("twice", b'{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},'
                     b'"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', b"x")

text("plain", b"a beautiful view of an isolated lake house in an island")
text("contractions", b"it's we'll don't I'd you're they've I'M")
text("specials", b"<|startoftext|>a<|endoftext|> !<|endoftext|", choice=3)
text("scripts", "Größe, Ж, 東京タワー, हिन्दी, עברית, 한국어, ½ ² Ⅷ".encode())
text("emoji", "👩‍👩‍👧‍👦 🇩🇪 ✌🏽".encode())
text("normalized", "e\u0301 ﬁ Å \u212b ẛ̣ İ".encode())
text("blanks", "a\u00a0b\u3000c\u2003d\t\r\n\u200be".encode())
text("broken", b"\xff\xfe a\xe2\x82 \xed\xa0\x80 \xf4\x90\x80\x80 \xc0\xaf")
text("control", bytes(range(32)) + b"\x7f\xc2\x80")
text("merges", b"#version: 0.2\ni n\nt h\nin g</w>\n", choice=0)
text("merges_broken", b"#version: 0.2\ni\nt h e\n\n x\n", choice=0)
text("tokenizer_json", b'{"model":{"type":"BPE","merges":["i n","t h"],"vocab":{"!":0}}}', choice=1)
text("tokenizer_json_pairs", b'{"model":{"type":"BPE","merges":[["i","n"]],"vocab":{}}}', choice=1)
