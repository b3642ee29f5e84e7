#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// "gpu, price, …": the columns of a facts file, for messages.
inline constexpr const char* kFactsColumns =
    "gpu, price, currency, date, source, hourly, kwh_price, and any others that hold numbers";

/// A place in the file, for messages.
struct FactsPlace {
  const std::filesystem::path& file;
  std::size_t line;
};

/// Throws UsageError. `column` is its name, or empty.
[[noreturn]] void fail_at(const FactsPlace& place, const std::string& column,
                          const std::string& what);

[[nodiscard]] std::string without_blanks_around(std::string_view text);

/// True if the column holds text; all others hold numbers.
[[nodiscard]] bool is_facts_text(std::string_view column);
/// True for price, hourly and kwh_price.
[[nodiscard]] bool is_facts_money(std::string_view column);

/// The columns' names. Throws UsageError for a name that is repeated, empty or mistyped, and if
/// there is no column gpu.
[[nodiscard]] std::vector<std::string> facts_header(const std::vector<std::string>& line,
                                                    const FactsPlace& place);

/// The number. Throws UsageError if the text is not a number, or one that the column must not have.
[[nodiscard]] double facts_number(const std::string& text, const FactsPlace& place,
                                  const std::string& column);

} // namespace sdbench
