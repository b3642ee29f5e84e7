#include "epoch_order.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "sdbench/base/dataset/shuffled_order.h"

namespace sdbench {

EpochOrder::EpochOrder(std::int64_t count, bool is_shuffled, const BatchOptions& options)
    : count_(count), batch_(options.batch), seed_(options.seed), part_(options.part),
      parts_(options.parts), is_shuffled_(is_shuffled), end_(count),
      order_(static_cast<std::size_t>(count)) {
  std::iota(order_.begin(), order_.end(), 0);
}

void EpochOrder::advance() {
  begin_ = end_;
  if (begin_ == count_) {
    begin_ = 0;
    if (is_shuffled_) {
      order_ = shuffled_order(count_, seed_, next_epoch_++);
    }
  }
  end_ = begin_ + std::min(batch_, count_ - begin_);
}

std::span<const std::int64_t> EpochOrder::rows() const {
  return all().subspan(static_cast<std::size_t>(begin()), static_cast<std::size_t>(part().count));
}

} // namespace sdbench
