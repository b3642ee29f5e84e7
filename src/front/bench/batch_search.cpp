#include "sdbench/front/bench/batch_search.h"

#include <algorithm>

namespace sdbench {

std::optional<std::int64_t> BatchSearch::next() const {
  if (rates_.empty()) {
    return 1;
  }
  if (const auto doubled = next_double()) {
    return doubled;
  }
  const std::optional<std::int64_t> low = best();
  if (!low) {
    return std::nullopt;
  }
  const auto above = rates_.upper_bound(*low);
  if (above == rates_.end()) {
    return std::nullopt; // the largest batch is the best
  }
  constexpr std::int64_t kFineness = 8;
  const std::int64_t gap = above->first - *low;
  return gap > std::max<std::int64_t>(1, *low / kFineness) ? std::optional(*low + gap / 2)
                                                           : std::nullopt;
}

/// Doubles while each doubling works and gains enough, and no batch between was tried.
std::optional<std::int64_t> BatchSearch::next_double() const {
  constexpr double kGain = 1.01;
  double before = 0;
  for (auto rate = rates_.begin(); rate != rates_.end(); ++rate) {
    if (!rate->second || *rate->second < before * kGain) {
      return std::nullopt;
    }
    before = *rate->second;
  }
  const std::int64_t last = rates_.rbegin()->first;
  return last * 2 <= largest_ ? std::optional(last * 2) : std::nullopt;
}

void BatchSearch::learn(std::int64_t batch, std::optional<double> images_per_min) {
  rates_[batch] = images_per_min;
}

std::optional<std::int64_t> BatchSearch::best() const {
  std::optional<std::int64_t> batch;
  double highest = 0;
  for (const auto& [candidate, rate] : rates_) {
    if (rate && *rate > highest) {
      batch = candidate;
      highest = *rate;
    }
  }
  return batch;
}

} // namespace sdbench
