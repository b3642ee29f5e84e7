#include "sdbench/base/text/in_quotes.h"

#include <nlohmann/json.hpp>

namespace sdbench {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 160;
  const bool cut = text.size() > kLongest;
  const nlohmann::json value = std::string(text.substr(0, kLongest)) + (cut ? "..." : "");
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace sdbench
