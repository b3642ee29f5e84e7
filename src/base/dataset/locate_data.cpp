#include "sdbench/base/dataset/locate_data.h"

#include <cstdlib>
#include <optional>
#include <string_view>

#include "sdbench/base/dataset/cifar10.h"
#include "sdbench/base/dataset/synthetic_dataset.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/home_path.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/in_quotes.h"

namespace sdbench {
namespace {

using PlaceKind = DataLocation::Kind;

constexpr const char* kVariable = "SDBENCH_DATA";
constexpr std::string_view kSynthetic = "synthetic";
constexpr std::int64_t kUsualCount = 50'000; // CIFAR-10's

DataLocation synthetic(std::int64_t count, bool fallback) {
  return {.count = count,
          .fallback = fallback,
          .description = std::string(kSynthetic) + ":" + std::to_string(count)};
}

/// "synthetic" or "synthetic:N"; nothing if `asked` is neither. `option`: the source of `asked`,
/// for errors.
std::optional<DataLocation> parse_synthetic(std::string_view asked, const std::string& option) {
  if (asked == kSynthetic) {
    return synthetic(kUsualCount, false);
  }
  if (!asked.starts_with(kSynthetic) || asked[kSynthetic.size()] != ':') {
    return std::nullopt;
  }
  const std::string_view number = asked.substr(kSynthetic.size() + 1);
  const std::optional<std::int64_t> count = parse_integer(number);
  if (!count || *count < kLeastSyntheticImages || *count > kMostSyntheticImages) {
    throw UsageError("the count of " + option + " synthetic:N must be a whole number from " +
                     std::to_string(kLeastSyntheticImages) + " to " +
                     std::to_string(kMostSyntheticImages) + ", but is " + in_quotes(number));
  }
  return synthetic(*count, false);
}

DataLocation located(const std::string& asked, const std::string& option) {
  if (auto location = parse_synthetic(asked, option)) {
    return *location;
  }
  const std::filesystem::path folder = find_cifar10(asked, option);
  return {.kind = PlaceKind::kCifar10, .path = folder, .description = folder.string()};
}

/// The value of SDBENCH_DATA; empty if it is unset.
std::string environments_data() {
  const char* const environment = std::getenv(kVariable);
  return environment != nullptr ? expanded_path(environment) : "";
}

} // namespace

DataLocation unread_data(const std::string& asked) {
  return {.description = asked.empty() ? environments_data() : asked};
}

DataLocation locate_data(const std::string& asked) {
  if (!asked.empty()) {
    return located(asked, "--data");
  }
  if (const std::string environment = environments_data(); !environment.empty()) {
    DataLocation location = located(environment, kVariable);
    location.variable = kVariable;
    return location;
  }
  return synthetic(kUsualCount, true);
}

Dataset load_dataset(const DataLocation& location) {
  return location.kind == PlaceKind::kCifar10 ? read_cifar10(location.path)
                                              : synthetic_dataset(location.count);
}

} // namespace sdbench
