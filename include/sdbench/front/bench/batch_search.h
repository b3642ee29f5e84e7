#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace sdbench {

/// Looks for the batch with the most images a minute: doubles until a batch fails or gains under 1
/// %, then halves the gap above the best one until it is an eighth of it. Knows only rates, so that
/// tests need no device.
class BatchSearch {
public:
  /// `largest`: never asks for more.
  explicit BatchSearch(std::int64_t largest) : largest_(largest) {}

  /// The batch to try next; nothing once the search is over.
  [[nodiscard]] std::optional<std::int64_t> next() const;
  /// Records a batch's result: images per minute, or nothing if it failed.
  void learn(std::int64_t batch, std::optional<double> images_per_min);
  /// Nothing if no batch has worked.
  [[nodiscard]] std::optional<std::int64_t> best() const;

private:
  [[nodiscard]] std::optional<std::int64_t> next_double() const;

  std::int64_t largest_;
  std::map<std::int64_t, std::optional<double>> rates_; ///< by batch
};

} // namespace sdbench
