#include "sdbench/front/words/view_table.h"

#include <algorithm>

#include "sdbench/base/text/listed.h"

namespace sdbench {

std::set<std::string> heads_of(const ViewTable& table) {
  std::set<std::string> heads;
  for (const ViewColumn& column : table.columns) {
    heads.insert(column.head);
  }
  return heads;
}

std::set<std::string> heads_of(const View& view) {
  std::set<std::string> heads;
  for (const ViewTable& table : view.tables) {
    heads.merge(heads_of(table));
  }
  return heads;
}

std::vector<std::string> legend_words(const std::vector<Legend>& legends,
                                      const std::set<std::string>& shown) {
  const auto is_shown = [&](const Legend& legend) {
    return std::ranges::any_of(legend.heads,
                               [&](const std::string& head) { return shown.contains(head); });
  };
  return mapped_if(legends, is_shown, &Legend::words);
}

} // namespace sdbench
