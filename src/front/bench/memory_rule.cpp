#include "memory_rule.h"

#include <algorithm>

namespace sdbench {

void MemoryRule::learn(const Cell& cell, Status status) {
  if (status == Status::kOomDevice || status == Status::kOomHost) {
    std::int64_t& batch = failed_batch_.try_emplace(family_of(cell), cell.batch).first->second;
    batch = std::min(batch, cell.batch);
  }
}

std::optional<std::int64_t> MemoryRule::smaller_failure(const Cell& cell) const {
  if (failed_batch_.empty()) {
    return std::nullopt;
  }
  const auto found = failed_batch_.find(family_of(cell));
  return found != failed_batch_.end() && found->second < cell.batch ? std::optional(found->second)
                                                                    : std::nullopt;
}

/// Ignores the number of images, which follows the batch by default and needs no memory itself.
std::string MemoryRule::family_of(Cell cell) const {
  cell.batch = 1;
  cell.images = 1;
  return cell_id_of(cell, context_);
}

} // namespace sdbench
