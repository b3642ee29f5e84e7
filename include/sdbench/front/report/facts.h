#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// Facts that a user looked up about one GPU.
struct CardFacts {
  std::string gpu;           ///< as people write it: "RTX 4090"
  std::string currency = {}; ///< of all amounts of money: "EUR"; never converted
  std::string date = {};     ///< day of the prices: "2026-11-28"
  std::string source = {};
  /// By column. `price` (to buy it), `hourly` (to rent it for an hour) and `kwh_price` (of
  /// electricity) are above 0; the user's own columns, such as memory_gb_s, are 0 or more.
  std::map<std::string, double> numbers = {};
};

struct Facts {
  std::vector<std::string> columns; ///< number columns, in the file's order
  std::vector<CardFacts> cards;     ///< each GPU once; all money is in one currency
};

/// Reads a CSV file with the columns gpu, price, hourly, kwh_price, currency, date, source and any
/// more that hold numbers, in any order. Each GPU has at least one number; money has a currency,
/// and a date that is not after `today` ("2026-11-28", in UTC). Throws UsageError with file, line
/// and column for any mistake; ignores nothing.
[[nodiscard]] Facts read_facts(const std::filesystem::path& file, std::string_view today);

/// True if both names mean one GPU: the same words, ignoring case and the maker's words ("NVIDIA",
/// "GeForce", "Tesla", …). "RTX 4090" is "NVIDIA GeForce RTX 4090", and "RTX 2080" is not "RTX 2080
/// Ti".
[[nodiscard]] bool names_same_gpu(std::string_view a, std::string_view b);

/// Finds facts by the name of a device, as names_same_gpu() compares names. The facts must outlive
/// it.
class FactsByDevice {
public:
  explicit FactsByDevice(const Facts& facts);

  /// The device's number in that column; nullopt if the file lacks it.
  [[nodiscard]] std::optional<double> number(std::string_view device,
                                             const std::string& column) const;

private:
  std::map<std::string, const CardFacts*> cards_;
};

} // namespace sdbench
