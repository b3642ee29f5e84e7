#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sdbench/base/plan/cell.h"
#include "sdbench/base/types/status.h"
#include "sdbench/front/record/build_record.h"

namespace sdbench {

/// After a cell has run out of memory, the same cell with a larger batch need not be tried.
class MemoryRule {
public:
  explicit MemoryRule(const RecordContext& context) : context_(context) {}

  void learn(const Cell& cell, Status status);
  /// The smallest batch of this cell, all else equal, that ran out of memory, if `cell` has a
  /// larger one.
  [[nodiscard]] std::optional<std::int64_t> smaller_failure(const Cell& cell) const;

private:
  [[nodiscard]] std::string family_of(Cell cell) const;

  const RecordContext& context_;
  std::map<std::string, std::int64_t> failed_batch_; ///< the smallest, by family
};

} // namespace sdbench
