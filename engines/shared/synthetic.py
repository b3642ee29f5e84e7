"""Synthetic images, with the same bits as for sdbench's own engines: include/sdbench/engine/nn/synthetic.h in numpy."""
import numpy
import torch

NAME = b"network/images"
FACTOR = numpy.float32(1 / 37837.2)  # of network_scale() in src/engine/nn/synthetic_scale.cpp, for standard deviation 1
LANES, HALF_WORDS = 32, 8  # blocks in a chunk, and 16-bit integers in a block
CHUNK = LANES * HALF_WORDS
CHUNKS_AT_ONCE = 1 << 13  # 64-bit words take eight times the memory of the result


def fnv1a(text):
    value = 0xCBF29CE484222325
    for byte in text:
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return value


def philox(key, stream, counters):
    """Philox4x32-10: four words for each counter (Salmon et al., SC 2011)."""
    low = numpy.uint64(0xFFFFFFFF)
    words = [counters & low, counters >> numpy.uint64(32), numpy.full_like(counters, stream & 0xFFFFFFFF), numpy.full_like(counters, stream >> 32)]
    keys = [key & 0xFFFFFFFF, key >> 32]
    for _ in range(10):
        first, second = words[0] * numpy.uint64(0xD2511F53), words[2] * numpy.uint64(0xCD9E8D57)
        words = [(second >> numpy.uint64(32)) ^ words[1] ^ numpy.uint64(keys[0]), second & low,
                 (first >> numpy.uint64(32)) ^ words[3] ^ numpy.uint64(keys[1]), first & low]
        keys = [(keys[0] + 0x9E3779B9) & 0xFFFFFFFF, (keys[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return words


def _chunks(seed, first, count):
    """Values of `count` chunks from `first` on: fp32 [count, CHUNK]."""
    words = numpy.stack(philox(fnv1a(NAME), seed, numpy.arange(LANES * first, LANES * (first + count), dtype=numpy.uint64)))  # [4, blocks]
    halves = numpy.stack([words & numpy.uint64(0xFFFF), words >> numpy.uint64(16)], 1).reshape(HALF_WORDS, count, LANES).transpose(1, 0, 2)
    return ((2 * halves.astype(numpy.int64) - 65535).astype(numpy.float32) * FACTOR).reshape(count, CHUNK)


def synthetic_images(config, count, seed=0):
    """fp32 [count, channels, size, size] for an architecture document's "network". Other dtypes are these values, rounded."""
    shape = (count, config["input_channels"], config["image_size"], config["image_size"])
    size = int(numpy.prod(shape))
    chunks = -(-size // CHUNK)
    values = numpy.empty((chunks, CHUNK), numpy.float32)
    for first in range(0, chunks, CHUNKS_AT_ONCE):
        some = values[first:first + CHUNKS_AT_ONCE]
        some[:] = _chunks(seed, first, len(some))
    return torch.from_numpy(values.reshape(-1)[:size].reshape(shape))
