#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// Facts about one GPU that the user looked up, such as its price.
struct CardFacts {
  std::string gpu;           ///< as people write it: "RTX 4090"
  std::string currency = {}; ///< currency of all prices: "EUR"; prices are never converted
  std::string date = {};     ///< day for which the prices hold: "2026-11-28"
  std::string source = {};
  /// Numbers by column name. `price` (purchase), `hourly` (rent per hour) and `kwh_price`
  /// (electricity per kWh) are above 0. The user's own columns, such as memory_gb_s, are 0 or more.
  std::map<std::string, double> numbers = {};
};

struct Facts {
  std::vector<std::string> columns; ///< number columns, in the file's order
  std::vector<CardFacts> cards;     ///< each GPU once; all money is in one currency
};

/// Reads a CSV file with a column gpu and, in any order, price, hourly, kwh_price, currency, date,
/// source and any other columns of numbers. Each GPU needs at least one number. A GPU with any
/// price also needs a currency, and a date at most a day after `today` ("2026-11-28", in UTC).
/// Throws UsageError with file, line and column for any mistake; nothing is ignored.
[[nodiscard]] Facts read_facts(const std::filesystem::path& file, std::string_view today);

/// True if both names mean the same GPU model: their words are equal, ignoring case and the maker's
/// words ("NVIDIA", "GeForce", "Tesla", …). "RTX 4090" matches "NVIDIA GeForce RTX 4090", but "RTX
/// 2080" does not match "RTX 2080 Ti".
[[nodiscard]] bool names_same_gpu(std::string_view a, std::string_view b);

/// Finds facts by device name, comparing names as names_same_gpu() does. The Facts object must
/// outlive this one.
class FactsByDevice {
public:
  explicit FactsByDevice(const Facts& facts);

  /// The device's number in `column`; nullopt if the file has no such number.
  [[nodiscard]] std::optional<double> number(std::string_view device,
                                             const std::string& column) const;

private:
  std::map<std::string, const CardFacts*> cards_;
};

} // namespace sdbench
