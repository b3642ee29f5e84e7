#pragma once

#include <cstdint>

namespace sdbench {

/// SGD's learning rate in `epoch`, counted from 0. It is 0.1 for a batch of 128 and proportional to
/// the batch (Goyal et al., "Accurate, large minibatch SGD", 2017). It is divided by 10 after half
/// of the epochs and again after four fifths. With `epochs` 0 it is constant.
[[nodiscard]] double epoch_learning_rate(std::int64_t batch, std::int64_t epoch,
                                         std::int64_t epochs);

} // namespace sdbench
