#include "sdbench/front/results/json_row.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "sdbench/base/executor/executor.h"
#include "sdbench/base/executor/run_sample.h"
#include "sdbench/base/text/utf8.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/record_field.h"
#include "sdbench/front/record/run_record.h"

namespace sdbench {
namespace {

bool is_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char byte : text) {
    all |= static_cast<unsigned char>(byte);
  }
  return all < 0x80;
}

} // namespace

JsonRow::Scan JsonRow::scan(std::string_view bytes) {
  values_.clear();
  unescaped_.clear();
  raw_ = {};
  PlainJson json(bytes);
  if (!scan_members(json, bytes)) {
    return json.why() == PlainJson::Stop::kNeedsMore ? Scan::kNeedsMore : Scan::kNotPlain;
  }
  size_ = json.used();
  const std::string_view object = bytes.substr(0, size_);
  const bool is_utf8 = is_ascii(object) || to_valid_utf8(object) == object;
  return is_utf8 && (!has_new_names_ || names_fields_once()) ? Scan::kRow : Scan::kNotPlain;
}

bool JsonRow::scan_members(PlainJson& json, std::string_view bytes) {
  std::string_view leads = leads_;
  for (std::size_t place = 0;; ++place) {
    if (place < members_.size() && json.pass(leads.substr(0, members_[place].lead))) {
      leads.remove_prefix(members_[place].lead);
    } else {
      const std::size_t begin = json.used();
      if (!json.skip_blanks()) {
        return false;
      }
      if (place > 0 && json.pass('}')) {
        keep_members(place);
        return true;
      }
      if (!learn(json, place, bytes, begin)) {
        return false;
      }
      leads = {};
    }
    if (!json.skip_blanks() || !read_value(json, members_[place])) {
      return false;
    }
  }
}

/// Reads what is before the value of the member at `place`, from `begin` on, and remembers it for
/// the following rows.
bool JsonRow::learn(PlainJson& json, std::size_t place, std::string_view bytes, std::size_t begin) {
  std::string_view name;
  const bool is_read = json.need(place == 0 ? '{' : ',') && json.skip_blanks() && json.need('"') &&
                       json.read_text(name, unescaped_) && json.skip_blanks() && json.need(':');
  if (is_read) {
    keep_members(place); // only now: at the end of the bytes, the old members may still be right
    has_new_names_ = true;
    leads_.append(bytes.substr(begin, json.used() - begin));
    members_.push_back(member_of(name));
    members_.back().lead = json.used() - begin;
    names_.emplace_back(name);
  }
  return is_read;
}

void JsonRow::keep_members(std::size_t count) {
  has_new_names_ = has_new_names_ || count < members_.size();
  for (std::size_t place = count; place < members_.size(); ++place) {
    leads_.resize(leads_.size() - members_[place].lead);
  }
  members_.resize(count);
  names_.resize(count);
}

JsonRow::Member JsonRow::member_of(std::string_view name) {
  if (const auto place = find_field(name)) {
    const RecordField& field = record_fields()[*place];
    const bool is_seed = std::holds_alternative<std::uint64_t RunRecord::*>(field.member);
    return {0,
            type_name(field) == "text"     ? Kind::kText
            : type_name(field) == "number" ? Kind::kNumber
            : is_seed                      ? Kind::kSeed
                                           : Kind::kInteger,
            is_optional(field)};
  }
  return {0,
          name == "first_image"   ? Kind::kFirstImage
          : name == "samples"     ? Kind::kSamples
          : name == "partial_run" ? Kind::kPartialRun
                                  : Kind::kUnknown,
          true};
}

/// False if a field's name is repeated. The slow path then keeps the last value.
bool JsonRow::names_fields_once() const {
  std::set<std::string_view> seen;
  for (std::size_t place = 0; place < members_.size(); ++place) {
    if (members_[place].kind != Kind::kUnknown && !seen.insert(names_[place]).second) {
      return false;
    }
  }
  return true;
}

RawTimes JsonRow::take_raw_times() {
  return std::exchange(raw_, {});
}

bool JsonRow::read_value(PlainJson& json, Member member) {
  CellValue& value = values_.emplace_back();
  if (member.may_be_null && json.next() == 'n') {
    return json.read_null();
  }
  switch (member.kind) {
  case Kind::kText:
    return json.need('"') && json.read_text(value.text, unescaped_);
  case Kind::kNumber:
    value.kind = CellValue::Kind::kNumber;
    return json.read_number(value.number);
  case Kind::kInteger:
    return read_integer(json, value);
  case Kind::kSeed:
    return json.read_number(value.text);
  case Kind::kFirstImage:
    return read_run(json, raw_.first_image.emplace());
  case Kind::kSamples:
    return json.read_items([&] { return read_run(json, raw_.samples.emplace_back()); });
  case Kind::kPartialRun:
    return read_partial_run(json);
  case Kind::kUnknown:
    break;
  }
  return json.skip_value();
}

bool JsonRow::read_integer(PlainJson& json, CellValue& value) {
  constexpr std::int64_t kMost = CellValue::kMostInteger;
  std::int64_t integer = 0;
  if (!json.read_integer(integer)) {
    return false;
  }
  value.kind = CellValue::Kind::kInteger;
  value.number = static_cast<double>(integer);
  return (integer >= -kMost && integer <= kMost) || json.refuse();
}

bool JsonRow::read_partial_run(PlainJson& json) {
  PartialRun& partial = raw_.partial_run.emplace();
  bool has_stage = false;
  bool has_steps = false;
  const bool is_read = json.read_members([&](std::string_view name) {
    std::string_view stage;
    if (name == "stage" && !std::exchange(has_stage, true)) {
      const bool is_text = json.need('"') && json.read_text(stage, unescaped_);
      partial.stage = stage;
      return is_text;
    }
    if (name == "step_s" && !std::exchange(has_steps, true)) {
      return read_steps(json, partial.step_s);
    }
    return name == "stage" || name == "step_s" ? json.refuse() : json.skip_value();
  });
  return (is_read && has_stage && has_steps) || json.refuse();
}

bool JsonRow::read_run(PlainJson& json, RunSample& run) {
  bool has_e2e = false;
  bool has_steps = false;
  bool has_start = false; // need not be there
  const bool is_read = json.read_members([&](std::string_view name) {
    if (name == "e2e_s") {
      return std::exchange(has_e2e, true) ? json.refuse() : read_seconds(json, run.e2e_s);
    }
    if (name == "step_s") {
      return std::exchange(has_steps, true) ? json.refuse() : read_steps(json, run.step_s);
    }
    if (name == "start_s") {
      return std::exchange(has_start, true) ? json.refuse() : read_seconds(json, run.start_s);
    }
    const std::optional<std::string_view> part = part_of_member(name);
    if (!part) {
      return json.skip_value();
    }
    if (seconds_of(run, *part)) {
      return json.refuse();
    }
    run.parts.push_back({std::string(*part), 0});
    return read_seconds(json, run.parts.back().seconds);
  });
  return is_read && ((has_e2e && has_steps) || json.refuse());
}

/// JSON has no NaN, so a missing time is null.
bool JsonRow::read_seconds(PlainJson& json, double& seconds) {
  if (json.next() == 'n') {
    seconds = std::numeric_limits<double>::quiet_NaN();
    return json.read_null();
  }
  return json.read_number(seconds);
}

bool JsonRow::read_steps(PlainJson& json, std::vector<double>& steps) {
  return json.read_items([&] { return read_seconds(json, steps.emplace_back()); });
}

} // namespace sdbench
