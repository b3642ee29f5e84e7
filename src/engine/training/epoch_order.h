#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sdbench/base/numbers/even_part.h"
#include "sdbench/engine/training/batch_loader.h"

namespace sdbench {

/// Which images the batches take, one epoch after the other.
class EpochOrder {
public:
  /// `is_shuffled`: each epoch has its own order (shuffled_order.h); else they come as they lie.
  EpochOrder(std::int64_t count, bool is_shuffled, const BatchOptions& options);

  /// Goes on to the next batch; the first call to the first one.
  void advance();
  [[nodiscard]] bool is_first_of_epoch() const { return begin_ == 0; }
  /// Images of this batch in all its parts.
  [[nodiscard]] std::int64_t batch_size() const { return end_ - begin_; }
  /// Numbers of the images of our part of this batch, and where it begins in the epoch.
  [[nodiscard]] std::span<const std::int64_t> rows() const;
  [[nodiscard]] std::int64_t begin() const { return begin_ + part().first; }
  /// Those of the epoch.
  [[nodiscard]] std::span<const std::int64_t> all() const { return order_; }

private:
  [[nodiscard]] EvenPart part() const { return even_part(batch_size(), part_, parts_); }

  std::int64_t count_;
  std::int64_t batch_;
  std::uint64_t seed_;
  std::int64_t part_;
  std::int64_t parts_;
  bool is_shuffled_;
  std::uint64_t next_epoch_ = 0;
  std::int64_t begin_ = 0;
  std::int64_t end_;
  std::vector<std::int64_t> order_;
};

} // namespace sdbench
