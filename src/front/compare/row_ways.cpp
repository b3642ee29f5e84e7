#include "row_ways.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <span>

#include "fill_unknowns.h"
#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/ids.h"

namespace sdbench {
namespace {

constexpr FieldName kCameOfAsking[] = {"dtype_vae",     "dtype_text",
                                       "weights_dtype", "cuda_runtime_version",
                                       "cudnn_version", "vae_tiles"};
constexpr FieldName kOfKindOfCard[] = {"device_arch", "sm_count", "compute_capability",
                                       "device_memory_bytes"};

} // namespace

std::span<const FieldName> telling_fields() {
  static const std::vector<FieldName> fields = [] {
    std::vector<FieldName> all = variant_fields();
    for (const EngineAxis& axis : engine_axes()) {
      if (const FieldName used = FieldName::of(telling_field(axis)); used.text() != axis.name) {
        all.push_back(used);
      }
    }
    all.insert(all.end(), kEnvironmentFields.begin(), kEnvironmentFields.end());
    all.insert(all.end(), std::begin(kCameOfAsking), std::end(kCameOfAsking));
    all.insert(all.end(), std::begin(kOfKindOfCard), std::end(kOfKindOfCard));
    return all;
  }();
  return fields;
}

RowWays::RowWays(const ResultTable& table, std::span<const FieldName> left_out)
    : table_(table), way_of_row_(table.size()) {
  for (const FieldName field : telling_fields()) {
    if (std::ranges::find(left_out, field) == left_out.end()) {
      places_.push_back({field, type_name(field_named(field)) == "text",
                         std::ranges::find(kVariantTexts, field) != kVariantTexts.end()});
    }
  }
}

void RowWays::add(std::size_t row, const std::string& group) {
  way_of_row_[row] = number_of(way_of(row));
  groups_[group].push_back(row);
}

void RowWays::fill() {
  for (const auto& [group, rows] : groups_) {
    const std::size_t way = way_of_row_[rows.front()];
    const auto differs = [&](std::size_t row) { return way_of_row_[row] != way; };
    if (std::ranges::none_of(rows, differs)) {
      continue;
    }
    std::vector<Way> ways;
    std::vector<std::size_t> members;
    for (const std::size_t row : rows) {
      members.push_back(ways.size());
      ways.push_back(ways_[way_of_row_[row]]);
    }
    fill_unknowns(ways, members);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      way_of_row_[rows[i]] = number_of(ways[i]);
    }
  }
  groups_.clear();
}

std::optional<std::uint64_t> RowWays::value(std::size_t row, FieldName field) const {
  const auto place = std::ranges::find(places_, field, &Place::field);
  return place == places_.end()
             ? std::nullopt
             : std::optional(
                   ways_[way_of_row_[row]][static_cast<std::size_t>(place - places_.begin())]);
}

bool RowWays::fits(std::size_t a, std::size_t b) const {
  return fit(ways_[way_of_row_[a]], ways_[way_of_row_[b]]);
}

RowWays::Way RowWays::way_of(std::size_t row) const {
  Way way;
  for (const auto& [field, is_text, is_told_by_none] : places_) {
    if (is_text) {
      way.push_back(table_.text_id(row, field) + (is_told_by_none ? 1U : 0U));
      continue;
    }
    std::optional<double> number = table_.number(row, field);
    if (number && field == FieldName("host_memory_bytes")) {
      constexpr double kGib = 1U << 30U;
      number = std::floor(*number / kGib); // whole GiB, as in env_id
    }
    way.push_back(number ? std::bit_cast<std::uint64_t>(*number) + 1 : 0); // 0 means unknown
  }
  return way;
}

std::size_t RowWays::number_of(const Way& way) {
  const auto [place, is_new] = numbers_.try_emplace(way, ways_.size());
  if (is_new) {
    ways_.push_back(way);
  }
  return place->second;
}

} // namespace sdbench
