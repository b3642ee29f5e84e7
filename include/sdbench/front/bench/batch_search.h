#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace sdbench {

/// Searches for the batch size with the most images per minute. First doubles the batch until it
/// fails or its rate rises by less than 1 %. Then halves the gap between the best batch and the
/// next larger one tried, until that gap is at most an eighth of the best batch. The caller passes
/// in the measured rates; this class runs nothing, so tests need no device.
class BatchSearch {
public:
  /// `largest`: the largest batch that next() may return.
  explicit BatchSearch(std::int64_t largest) : largest_(largest) {}

  /// The batch to try next; nullopt once the search is over.
  [[nodiscard]] std::optional<std::int64_t> next() const;
  /// Records a batch's result: images per minute, or nullopt if the batch failed.
  void learn(std::int64_t batch, std::optional<double> images_per_min);
  /// The batch with the highest rate so far; nullopt if no batch has succeeded.
  [[nodiscard]] std::optional<std::int64_t> best() const;

private:
  [[nodiscard]] std::optional<std::int64_t> next_double() const;

  std::int64_t largest_;
  std::map<std::int64_t, std::optional<double>>
      rates_; ///< images per minute by batch size; nullopt: failed
};

} // namespace sdbench
