#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sdbench/base/numbers/even_part.h"
#include "sdbench/engine/training/batch_loader.h"

namespace sdbench {

/// The order in which batches take the images, epoch after epoch.
class EpochOrder {
public:
  /// `is_shuffled`: each epoch has its own order (shuffled_order.h). If false, all epochs have the
  /// data set's order.
  EpochOrder(std::int64_t count, bool is_shuffled, const BatchOptions& options);

  /// Moves to the next batch. The first call moves to the first batch.
  void advance();
  [[nodiscard]] bool is_first_of_epoch() const { return begin_ == 0; }
  /// Number of images in the whole batch, all parts together.
  [[nodiscard]] std::int64_t batch_size() const { return end_ - begin_; }
  /// Numbers of the images of our part of this batch.
  [[nodiscard]] std::span<const std::int64_t> rows() const;
  [[nodiscard]] std::int64_t begin() const { return begin_ + part().first; }
  /// Numbers of all images, in this epoch's order.
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
