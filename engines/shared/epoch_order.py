"""The order in which batches take the images, epoch after epoch: src/engine/training/epoch_order.cpp and src/base/dataset/shuffled_order.cpp in
Python."""
import numpy

from shared.synthetic import LANES, philox

WORDS = 4 * LANES  # of Philox's blocks, which are computed side by side


def even_part(count, number, parts):
    """(first, count) of part `number` when `count` things are divided as evenly as possible: the first parts may have one more."""
    each, rest = divmod(count, parts)
    return number * each + min(number, rest), each + (number < rest)


def _random_words(key, stream, count):
    """At least this many words of a Philox stream, in the order of src/base/dataset/random_words.cpp."""
    groups = -(-count // WORDS)
    words = numpy.stack(philox(key, stream, numpy.arange(groups * LANES, dtype=numpy.uint64)))  # [4, blocks]
    return words.reshape(4, groups, LANES).transpose(1, 0, 2).reshape(-1)


def random_below(bounds, key, stream):
    """For each bound, a whole number from 0 to bound - 1. Rejects words that would make some numbers likelier (Lemire, ACM TOMACS 29, 2019)."""
    low, bits = numpy.uint64(0xFFFFFFFF), numpy.uint64(32)
    surplus = (numpy.uint64(1 << 32) - bounds) % bounds
    words = _random_words(key, stream, len(bounds) + len(bounds) // 64 + WORDS)  # one in thousands is rejected
    while True:
        products = words[:len(bounds)] * bounds
        refused = numpy.flatnonzero((products & low) < surplus)
        if not len(refused):
            return products >> bits
        words = numpy.delete(words, refused[0])


def shuffled_order(count, seed, epoch):
    """Fisher and Yates' shuffle of the numbers from 0 to count - 1."""
    order = list(range(count))
    others = random_below(numpy.arange(count, 1, -1, dtype=numpy.uint64), seed, epoch).tolist()
    for last, other in zip(range(count - 1, 0, -1), others):
        order[last], order[other] = order[other], order[last]
    return numpy.array(order, numpy.int64)


class EpochOrder:
    """`is_shuffled`: each epoch has its own order; if false, all keep the data set's. `part`: our part of each batch, (number, parts)."""

    def __init__(self, count, batch, seed, is_shuffled, part=(0, 1)):
        self.count, self.batch, self.seed, self.is_shuffled, self.part = count, batch, seed, is_shuffled, part
        self.all = numpy.arange(count)
        self.next_epoch = 0
        self.first, self.end = 0, count  # of the current batch in the epoch

    def advance(self):
        """Moves to the next batch; the first call moves to the first one."""
        self.first = self.end
        if self.first == self.count:
            self.first = 0
            if self.is_shuffled:
                self.all = shuffled_order(self.count, self.seed, self.next_epoch)
                self.next_epoch += 1
        self.end = min(self.first + self.batch, self.count)

    @property
    def is_first_of_epoch(self):
        return self.first == 0

    @property
    def whole(self):
        """Images of the whole batch, all parts together."""
        return self.end - self.first

    def own(self):
        """The slice of the epoch with our part of the batch."""
        first, count = even_part(self.whole, *self.part)
        return slice(self.first + first, self.first + first + count)
