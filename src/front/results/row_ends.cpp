#include "sdbench/front/results/row_ends.h"

#include <nlohmann/json.hpp>

namespace sdbench {

void RowEnds::append(std::string_view bytes) {
  for (const char byte : bytes) {
    ++seen_;
    if (byte == '\n' && !in_quotes_) {
      whole_ = damaged_ ? whole_ : seen_;
      damaged_ = false;
    } else if (byte == '"') {
      in_quotes_ = row_end_ == RowEnd::kUnquotedLine && !in_quotes_;
    } else if (byte == '\0') {
      damaged_ = true;
    }
  }
}

bool is_whole_row(std::string_view bytes, RowEnd row_end) {
  return row_end == RowEnd::kLine && bytes.starts_with('{') && nlohmann::json::accept(bytes);
}

} // namespace sdbench
