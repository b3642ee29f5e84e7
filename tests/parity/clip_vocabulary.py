"""CLIP's vocabulary from the merges in configs/, and the reference's tokenizer made of it."""

import functools
import pathlib

from transformers import AddedToken, CLIPTokenizer

CONFIGS = pathlib.Path(__file__).parents[2] / "configs"
MERGES = CONFIGS / "tokenizer" / "merges.txt"
START, END = "<|startoftext|>", "<|endoftext|>"


def vocabulary():
    merges = [tuple(line.split(" ")) for line in MERGES.read_text("utf-8").split("\n")[1:-1]]
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    symbols = [chr(byte) for byte in printable]
    symbols += [chr(256 + n) for n in range(256 - len(printable))]
    tokens = symbols + [s + "</w>" for s in symbols] + [a + b for a, b in merges] + [START, END]
    assert len(set(tokens)) == 49408
    return {token: number for number, token in enumerate(tokens)}, merges


VOCABULARY, MERGE_LIST = vocabulary()


def reference_tokenizer(pad, normalized=(False, False, False)):
    """`normalized`: whether start, end and pad are looked for in the normalised text."""
    start, end, pad_token = (
        AddedToken(text, normalized=flag, special=True)
        for text, flag in zip((START, END, pad), normalized)
    )
    return CLIPTokenizer(vocab=VOCABULARY, merges=MERGE_LIST, bos_token=start, eos_token=end,
                         unk_token=end, pad_token=pad_token, model_max_length=77)


shared_tokenizer = functools.cache(reference_tokenizer)  # for who neither adds tokens to it nor saves it
