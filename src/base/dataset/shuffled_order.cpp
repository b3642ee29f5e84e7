#include "sdbench/base/dataset/shuffled_order.h"

#include <numeric>
#include <utility>

#include "random_words.h"

namespace sdbench {

std::vector<std::int64_t> shuffled_order(std::int64_t count, std::uint64_t seed,
                                         std::uint64_t epoch) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  RandomWords random(seed, epoch);
  for (std::size_t left = order.size(); left > 1; --left) {
    std::swap(order[left - 1], order[random.below(static_cast<std::uint32_t>(left))]);
  }
  return order;
}

} // namespace sdbench
