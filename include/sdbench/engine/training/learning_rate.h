#pragma once

#include <cstdint>

namespace sdbench {

/// SGD's learning rate in an epoch, from 0: 0.1 for a batch of 128, in proportion to the batch
/// (Goyal et al., "Accurate, large minibatch SGD", 2017), divided by 10 at a half and again at four
/// fifths of the epochs. `epochs` 0: there are none, and it stays.
[[nodiscard]] double epoch_learning_rate(std::int64_t batch, std::int64_t epoch,
                                         std::int64_t epochs);

} // namespace sdbench
