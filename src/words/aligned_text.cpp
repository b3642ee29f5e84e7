#include "sdbench/words/aligned_text.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sdbench/core/terminal_text.h"

namespace sdbench {
namespace {

using Row = std::vector<std::string>;

std::string blocks_text(const Row& names, std::span<const Row> rows) {
  std::string text;
  for (const Row& row : rows) {
    std::vector<std::pair<std::string, std::string>> values;
    for (std::size_t i = 1; i < row.size(); ++i) {
      values.emplace_back(names[i], row[i]);
    }
    text += block_text(row.front(), values);
  }
  return text;
}

} // namespace

std::string aligned_text(const std::vector<std::vector<std::string>>& rows, std::size_t width) {
  std::vector<std::size_t> widths(rows.empty() ? 0 : rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], columns_of(row[i]));
    }
  }
  std::string text;
  std::size_t widest = 0;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i] + std::string(widths[i] - columns_of(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    widest = std::max(widest, columns_of(line));
    text += line + "\n";
  }
  return width > 0 && widest > width ? blocks_text(rows.front(), std::span(rows).subspan(1)) : text;
}

} // namespace sdbench
