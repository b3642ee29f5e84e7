#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sdbench {

/// What a GPU, or an hour of it, costs.
struct Price {
  std::string gpu;              ///< as people write it: "RTX 4090"
  std::optional<double> price;  ///< to buy it, in `currency`
  std::optional<double> hourly; ///< to rent it for an hour, in `currency`
  std::string currency;         ///< "EUR"; never converted
};

/// Reads a CSV file with the columns gpu, price, currency and hourly in any order; of price and
/// hourly one may be left empty, or be no column. Throws Error naming file, line and column for
/// what is wrong: a price without one is of no use, so nothing is passed over.
[[nodiscard]] std::vector<Price> read_prices(const std::filesystem::path& file);

/// Whether both names mean one GPU: the same words whatever their case, without the maker's
/// ("NVIDIA", "GeForce", "Tesla", …). "RTX 4090" is "NVIDIA GeForce RTX 4090", and "RTX 2080" is
/// not "RTX 2080 Ti".
[[nodiscard]] bool names_same_gpu(std::string_view a, std::string_view b);

} // namespace sdbench
