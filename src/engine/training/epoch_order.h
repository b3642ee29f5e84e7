#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sdbench {

/// Which images the batches take, one epoch after the other.
class EpochOrder {
public:
  /// `is_shuffled`: each epoch has its own order (shuffled_order.h); else they come as they lie.
  EpochOrder(std::int64_t count, std::int64_t batch, std::uint64_t seed, bool is_shuffled);

  /// Goes on to the next batch; the first call to the first one.
  void advance();
  [[nodiscard]] bool is_first_of_epoch() const { return begin_ == 0; }
  /// Numbers of the images of this batch, and where it begins in the epoch.
  [[nodiscard]] std::span<const std::int64_t> rows() const;
  [[nodiscard]] std::int64_t begin() const { return begin_; }
  /// Those of the epoch.
  [[nodiscard]] std::span<const std::int64_t> all() const { return order_; }

private:
  std::int64_t count_;
  std::int64_t batch_;
  std::uint64_t seed_;
  bool is_shuffled_;
  std::uint64_t next_epoch_ = 0;
  std::int64_t begin_ = 0;
  std::int64_t end_;
  std::vector<std::int64_t> order_;
};

} // namespace sdbench
