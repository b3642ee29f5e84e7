"""The tokenizer gives the same ids as transformers' CLIPTokenizer, on any text of Unicode 9.

SDBENCH_TOKENIZER_PROBE names the program that runs ours (tokenizer_probe.cpp). Code points are
those of Unicode 9, since the reference's composition tables are that old.
"""

import functools
import itertools
import json
import os
import pathlib
import random
import subprocess

import pytest
from clip_vocabulary import CONFIGS, END, MERGES, START, VOCABULARY, reference_tokenizer, shared_tokenizer
from test_model_config import write_folder
from transformers import CLIPTokenizer

HERE = pathlib.Path(__file__).parent

# pad token, then whether start, end and pad are looked for in the normalised text
SETTINGS = [
    (END, (False, False, False)),  # transformers 5's own default
    (END, (True, False, False)),  # SD1.5's and SDXL's folders
    (END, (True, True, True)),  # SDXL-Turbo's
    ("!", (True, True, False)),  # SDXL's second encoder, SD2.1
    ("!", (False, False, False)),
    ("!", (False, True, True)),
]


def ask_probe(texts, **request):
    request["texts_hex"] = [text.hex() for text in texts]
    done = subprocess.run([os.environ["SDBENCH_TOKENIZER_PROBE"]], input=json.dumps(request) + "\n",
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def settings(pad, normalized, folder=""):
    flags = zip(("bos_normalized", "eos_normalized", "pad_normalized"), normalized)
    return {"pad_token_id": VOCABULARY[pad], "folder": str(folder), **dict(flags)}


def assert_same(reference, texts, **request):
    """`texts`: bytes. The reference sees them as Python decodes them."""
    decoded = [text.decode("utf-8", errors="replace") for text in texts]
    plain = reference(decoded, add_special_tokens=False)["input_ids"]
    padded = reference(decoded, padding="max_length", truncation=True)["input_ids"]
    ours = ask_probe(texts, **request)
    wrong = [(text, a, b) for text, a, b in zip(decoded, ours["ids"], plain) if a != b]
    assert not wrong, f"{len(wrong)} of {len(texts)}; first: {ascii(wrong[0][0])}: {wrong[0][1:]}"
    assert len(ours["ids"]) == len(texts)
    assert ours["padded"] == padded


def unicode9_ranges():
    lines = (HERE / "unicode9_ranges.txt").read_text().splitlines()
    pairs = (line.split("-") for line in lines if not line.startswith("#"))
    return [(int(pair[0], 16), int(pair[-1], 16)) for pair in pairs]


@functools.cache
def unicode9():
    return [chr(c) for low, high in unicode9_ranges() for c in range(low, high + 1)]


def test_the_table_of_code_points_is_whole():
    # Graphic and format characters, controls, private use, noncharacters (these have an age too).
    assert len(unicode9()) == 128_172 + 65 + 137_468 + 66


def test_every_kind_of_code_point_is_treated_alike():
    # In long stretches (ideographs, Hangul, private use) every 31st: they share all properties.
    points = [c for low, high in unicode9_ranges() for c in range(low, high + 1)
              if high - low < 3000 or c % 31 == 0 or c in (low, high)]
    assert len(points) > 20_000
    texts = ["{0} a{0}b '{0}s e{0}\u0301{0}1".format(chr(c)).encode() for c in points]
    chosen = (END, (False, False, False))
    assert_same(shared_tokenizer(*chosen), texts, **settings(*chosen))


SCRIPTS = [
    (0x20, 0x7E), (0x20, 0x7E), (0xA0, 0x17F), (0x1E00, 0x1EFF), (0x300, 0x36F), (0x370, 0x3FF),
    (0x400, 0x52F), (0x530, 0x58F), (0x590, 0x5FF), (0x600, 0x6FF), (0x900, 0x97F), (0xE00, 0xE7F),
    (0x1100, 0x11FF), (0xAC00, 0xD7A3), (0x3040, 0x30FF), (0x4E00, 0x9FD5), (0xF900, 0xFAFF),
    (0x13A0, 0x13F5), (0x10A0, 0x10FF), (0xFB00, 0xFB4F), (0xFF00, 0xFFEF), (0x2000, 0x206F),
    (0x2100, 0x218F), (0x2460, 0x24FF), (0x1F300, 0x1F64F), (0x1F900, 0x1F9FF), (0x1D400, 0x1D7FF),
    (0x1D160, 0x1D1C0), (0x20000, 0x2A6D6), (0x0, 0x1F), (0x7F, 0xA0), (0xE000, 0xE0FF),
]
PIECES = [
    START, END, END.upper(), "<|StartOfText|>", "<|", "|>", "endoftext", "<|endoftext", "!", "!!",
    "'s", "'S", "'ll", "'re", "'ve", "'", "''", " ", "\n", "\u3000", "\u200d", "\ufe0f", "\ufffd",
    "(girl:1.3)", "photo of a cat", "3.14", "\u0130", "\u017f", "\u212a", "ΑΣ", "e\u0301\u0323",
    "q\u0307\u0323", "\u1100\u1161\u11a8", "👩\u200d👩\u200d👧", "🇫🇷", "</w>", "Ġ",
]
BROKEN = [b"\x80", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90", b"\xff", b"\xe2\x82"]


def random_text(rng, assigned):
    """Some words, each from one script, with pieces that are likely to go wrong strewn in."""
    words = []
    for _ in range(rng.randint(1, 12)):
        if rng.random() < 0.35:
            words.append(rng.choice(PIECES))
            continue
        low, high = rng.choice(SCRIPTS)
        drawn = (chr(rng.randint(low, high)) for _ in range(rng.randint(1, 9)))
        words.append("".join(c for c in drawn if c in assigned))
    if rng.random() < 0.1:
        words += rng.choices(sorted(PIECES), k=80)  # long enough to be cut
    return rng.choice(["", " ", " ", "  "]).join(words)


def broken(rng, data):
    """Cuts, swaps and strange bytes: what is left need not be UTF-8."""
    data = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        place = rng.randint(0, len(data))
        action = rng.randint(0, 2)
        if action == 0:
            data[place:place] = rng.choice(BROKEN)
        elif action == 1:
            del data[place : place + 1]
        elif place < len(data):
            data[place] = rng.randrange(256)
    return bytes(data)


def is_unicode9(data, assigned):
    return all(c in assigned for c in data.decode("utf-8", errors="replace"))


@pytest.mark.parametrize("setting", range(len(SETTINGS)))
def test_2000_random_strings(setting):
    rng = random.Random(setting)
    assigned = set(unicode9())
    whole = [random_text(rng, assigned).encode() for _ in range(1500)]
    candidates = (broken(rng, random_text(rng, assigned).encode()) for _ in itertools.count())
    damaged = itertools.islice((d for d in candidates if is_unicode9(d, assigned)), 500)
    texts = whole + list(damaged)
    assert len(texts) == 2000
    chosen = SETTINGS[setting]
    assert_same(shared_tokenizer(*chosen), texts, **settings(*chosen))


SAMPLES = ["a photo of a cat", "!", "A!! <|endoftext|>b", "<|ENDOFTEXT|>!!<|StartOfText|>",
           "cat " * 99]


@pytest.mark.parametrize("chosen", SETTINGS)
def test_a_saved_tokenizer_folder_is_read(tmp_path, chosen):
    reference = reference_tokenizer(*chosen)
    reference.save_pretrained(tmp_path)
    assert (tmp_path / "tokenizer.json").exists()
    texts = [sample.encode() for sample in SAMPLES]
    assert_same(reference, texts, **settings(*chosen, folder=tmp_path))


def shipped_tokenizers():
    for file in sorted((CONFIGS / "models").glob("*.json")):
        for name in ("tokenizer", "tokenizer_2"):
            if name in json.loads(file.read_text()):
                yield file.stem, name


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """loaded(config): the reference with a tokenizer_config.json, of which many models have the same."""
    @functools.cache
    def load(config):
        folder = tmp_path_factory.mktemp("tokenizer")
        (folder / "tokenizer_config.json").write_text(config)
        (folder / "vocab.json").write_text(json.dumps(VOCABULARY))
        (folder / "merges.txt").write_bytes(MERGES.read_bytes())
        return CLIPTokenizer.from_pretrained(folder)

    return load


@pytest.mark.parametrize("model, name", list(shipped_tokenizers()))
def test_shipped_architectures_find_special_tokens_alike(loaded, model, name):
    """The reference loads the same config from a folder of the usual form."""
    config = json.loads((CONFIGS / "models" / f"{model}.json").read_text())[name]
    texts = [sample.encode() for sample in SAMPLES]
    assert_same(loaded(json.dumps(config)), texts, model=model, tokenizer=name)


TOKENS = ["<cat-toy>", "My*Style", "<cat-toy>s"]
WITH_TOKENS = ["a <cat-toy> on a mat", "a<Cat-Toy>,b", "my*style<cat-toy><cat-toy>", "<cat-toy>s in MY*STYLES",
               "mystyle", "<cat-toy"]


def token(content, **flags):
    return {"content": content, "lstrip": False, "normalized": True, "rstrip": False, "single_word": False,
            "special": False, **flags}


def as_added_tokens_json(folder):
    """As transformers of before 2023 wrote them."""
    (folder / "added_tokens.json").write_text(json.dumps({text: 49408 + i for i, text in enumerate(TOKENS)}))
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 77}))


def as_decoder(folder):
    """As transformers 4 writes them for a tokenizer in Python."""
    special = dict(special=True, normalized=False)
    listed = {"49406": token(START, **special), "49407": token(END, **special),
              **{str(49408 + i): token(text) for i, text in enumerate(TOKENS)}}
    (folder / "tokenizer_config.json").write_text(json.dumps({"added_tokens_decoder": listed, "model_max_length": 77}))


def as_tokenizer_json(folder):
    """As transformers 5 writes them."""
    reference = reference_tokenizer(END)
    reference.add_tokens(TOKENS)
    reference.save_pretrained(folder)


@pytest.mark.parametrize("form", [as_added_tokens_json, as_decoder, as_tokenizer_json])
def test_tokens_of_textual_inversion_are_read_in_each_form(tmp_path, form):
    document = json.loads((CONFIGS / "models" / "tiny-sd15.json").read_text())
    document["text_encoder"]["vocab_size"] = 49408 + len(TOKENS)
    del document["tokenizer"]
    write_folder(tmp_path, document)
    folder = tmp_path / "tokenizer"
    folder.mkdir()
    if form is not as_tokenizer_json:
        (folder / "vocab.json").write_text(json.dumps(VOCABULARY))
        (folder / "merges.txt").write_bytes(MERGES.read_bytes())
    form(folder)
    reference = CLIPTokenizer.from_pretrained(folder)
    assert len(reference) == 49408 + len(TOKENS)
    assert_same(reference, [text.encode() for text in WITH_TOKENS], model=str(tmp_path), tokenizer="tokenizer")
