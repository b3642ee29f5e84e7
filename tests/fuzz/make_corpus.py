"""Writes the seeds of the fuzz targets into corpus/, in the form that each target reads. Run again after a change here."""

import json
import pathlib
import struct

CORPUS = pathlib.Path(__file__).parent / "corpus"
DATA = pathlib.Path(__file__).parents[1] / "data"


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


def record_csv(name, content):
    """fuzz_record_csv.cpp: the file."""
    write("record_csv", name, content.encode() if isinstance(content, str) else content)


def record_json(name, content, lines=False):
    """fuzz_record_json.cpp: one byte chooses the form, then the file."""
    write("record_json", name, (b"\1" if lines else b"\0") + (content.encode() if isinstance(content, str) else content))


def pickled_batch(name, content):
    """fuzz_pickled_batch.cpp: the file."""
    write("pickled_batch", name, content)


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

# Results: few columns, so that a mutation meets something; a whole file of each version has all names.
header = "schema_version,run_id,status,width,height,steps,batch,images,guidance,seed,repeat,unet_it_s,label"
row = '4,"a1","ok",512,512,50,1,1,7.5,0,3,2.25,"a ""b"", c\nd \\\\ \\x1b"'
later = "schema_version,run_id,some_later_field,status,steps,steps"
record_csv("rows", f"{header}\n{row}\n{row.replace('a1', 'a2')}\n")
record_csv("crlf", f"\ufeff{header}\r\n{row}\r\n\r\n{row}")
record_csv("header_twice", f"{header}\n{row}\n{later}\n4,b,x,crash,5,6\n{header}\n{row}\n")
record_csv("numbers", "".join(f"{header}\n{row.replace('7.5', number)}\n" for number in
                              ("inf", "nan", "1e999", "-0", "1e-320", "0x1p3", "", "many")))
record_csv("counts", "".join(f"{header}\n{row.replace(',50,', f',{count},')}\n" for count in
                             ("1.5", "-1", "9223372036854775807", "9223372036854775808", "", " 5")))
record_csv("too_few_and_many", f"{header}\n4,a\n{row},1,2\n{row}\n")
record_csv("quotes", f'{header}\n4,"open\n{row}\n4,"a"b\n4,a"b"\n"""\n{row}')
record_csv("zero", f"{header}\n4,a\0b\n{row}\n".encode() + bytes(64))
record_csv("latin1", f"{header}\n{row}\n".replace("a ", "Gr\xf6\xdfe ").encode("latin-1"))
record_csv("no_header", f"{row}\n{row}\n")
record_csv("future", f"{header}\n99{row[1:]}\n3{row[1:]}\n")
for version in ("v4",):
    record_csv(version, (DATA / f"record-{version}.csv").read_bytes())
    record_json(version, json.dumps(json.loads((DATA / f"record-{version}.json").read_text())[:1]))
record = {"schema_version": 4, "run_id": "a1", "status": "ok", "steps": 50, "guidance": 7.5, "seed": 2**64 - 1, "unet_it_s": None,
          "label": "\\x1b \u00e9", "first_image": {"text_s": 1, "unet_s": None, "vae_s": 1, "e2e_s": 3, "step_s": [1, None]},
          "samples": [{"text_s": 1, "unet_s": 2, "vae_s": 1, "e2e_s": 4, "step_s": [], "start_s": 5}],
          "partial_run": {"stage": "measure", "step_s": [0.5]}}
line = json.dumps(record)
record_json("document", json.dumps([record, record], indent=2))
record_json("documents", f"[{line}]\n[{line}]\n[]")
record_json("lines", f"{line}\n{line}\r\n\n{line}", lines=True)
record_json("cut_line", f"{line[:200]}\n{line}\n{line[:30]}\n{line}", lines=True)
record_json("cut_document", f"[\n  {line[:300]}\n  {line}\n]")
record_json("wrong_types", "\n".join(json.dumps({**record, **change}) for change in (
    {"steps": 1.5}, {"steps": True}, {"steps": 2**64 - 1}, {"seed": -1}, {"label": 3}, {"samples": 3}, {"samples": [{}]},
    {"first_image": []}, {"partial_run": {"stage": 1}}, {"status": "fine"}, {"run_id": None}, {"schema_version": 99})), lines=True)
record_json("parts", "\n".join(json.dumps({**record, "samples": [{**part, "e2e_s": 4, "step_s": []}]}) for part in (
    {}, {"forward_s": 1, "backward_s": None}, {"forward_s": "x"}, {"_s": 1}, {"Forward_s": []}, {"forward_s": True})), lines=True)
record_json("numbers", "\n".join(line.replace("7.5", number) for number in ("1e999", "NaN", "-0.0", "1e-320", "Infinity")), lines=True)
record_json("contradicting", json.dumps([{**record, "e2e_s": 9}]))
record_json("lacking_counts", json.dumps([{**record, "e2e_s": 4, "step_s_mean": 1}]))
record_json("deep", '{"a":' + "[" * 100 + "]" * 100 + "}\n" + line)
record_json("no_objects", '[3, "x{", null, {}, [[]], {"a": "\\"}"}]')

# A batch of one image as Python 2 wrote it, and in protocols 4 and 5, which have other instructions for the same.
array_state = b"K\x01M\x01\0M\0\x0c\x86%sK\0K\1\x87R(K\3%sNNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb\x89%stb"
pickled_batch("python2", b"\x80\2}q\1(U\6labelsq\2]q\3(K\7eU\4datacnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85U\1b\x87R("
              + array_state % (b"cnumpy\ndtype\nU\2u1", b"U\1|", b"T\0\x0c\0\0" + bytes(3072)) + b"u.")
pickled_batch("protocol4", b"\x80\4\x95" + struct.pack("<Q", 3200) + b"}\x94(\x8c\6labels\x94]\x94K\7a\x8c\4data"
              b"\x8c\x16numpy._core.multiarray\x8c\x0c_reconstruct\x93\x8c\5numpy\x8c\7ndarray\x93K\0\x85C\1b\x87R("
              + array_state % (b"\x8c\5numpy\x8c\5dtype\x93\x8c\2u1", b"\x8c\1|", b"B\0\x0c\0\0" + bytes(3072)) + b"u.")
pickled_batch("protocol5", b"\x80\5}(C\6labels]K\7aC\4data\x8c\x13numpy._core.numeric\x8c\x0b_frombuffer\x93(\x96" + struct.pack("<Q", 3072)
              + bytes(3072) + b"\x8c\5numpy\x8c\5dtype\x93\x8c\2u1K\0K\1\x87RK\1M\0\x0c\x86\x8c\1CtRu.")
pickled_batch("system", b"\x80\2cos\nsystem\nU\4true\x85R.")
pickled_batch("itself", b"\x80\2]q\1h\1a.")
