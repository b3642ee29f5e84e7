#include "sdbench/base/record/old_words.h"

#include <algorithm>
#include <array>

namespace sdbench {
namespace {

struct OldWord {
  std::string_view field;
  std::string_view before;
  std::string_view today;
};

constexpr std::array kOldWords = {
    OldWord{"output_check", "nan", "non_finite"}, // which pandas takes for a missing value
    // An option that is gone, and was not used: as rows of today have it.
    OldWord{"fused", "auto", ""},
    OldWord{"fused", "off", ""},
    OldWord{"fused_used", "off", ""},
};

} // namespace

std::string_view word_of_today(std::string_view field, std::string_view text) {
  const auto* const found = std::ranges::find_if(
      kOldWords, [&](const OldWord& word) { return word.field == field && word.before == text; });
  return found == kOldWords.end() ? text : found->today;
}

bool has_old_words(std::string_view field) {
  return std::ranges::find(kOldWords, field, &OldWord::field) != kOldWords.end();
}

std::string_view field_of_today(std::string_view field) {
  return field == "libtorch_version" ? "runtime_version" : field;
}

void fill_runtime_version(RunRecord& record) {
  if (record.runtime_version.empty()) {
    record.runtime_version = record.libtorch_version;
  }
}

std::optional<double> load_of_today(std::int64_t schema_version, std::optional<double> load_s,
                                    std::optional<double> prepare_s) {
  constexpr std::int64_t kFirstWithout = 3;
  const bool holds_it = schema_version < kFirstWithout && load_s > 0.0 && prepare_s > 0.0;
  return holds_it ? std::max(0.0, *load_s - *prepare_s) : load_s;
}

} // namespace sdbench
