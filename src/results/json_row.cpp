#include "sdbench/results/json_row.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "sdbench/core/number_text.h"
#include "sdbench/core/utf8.h"
#include "sdbench/record/record_fields.h"

namespace sdbench {
namespace {

bool is_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char byte : text) {
    all |= static_cast<unsigned char>(byte);
  }
  return all < 0x80;
}

/// Members of a run that must be there, and its start, which older rows do not have.
constexpr std::array<std::pair<std::string_view, double RunSample::*>, 5> kRunTimes = {
    {{"text_s", &RunSample::text_s},
     {"unet_s", &RunSample::unet_s},
     {"vae_s", &RunSample::vae_s},
     {"e2e_s", &RunSample::e2e_s},
     {"start_s", &RunSample::start_s}}};
constexpr unsigned kSteps = 1U << kRunTimes.size();
constexpr unsigned kStart = kSteps >> 1U;
constexpr unsigned kWholeRun = kSteps | (kStart - 1);

} // namespace

JsonRow::Scan JsonRow::scan(std::string_view bytes) {
  texts_.clear();
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
  for (std::size_t place = 0;; ++place) {
    const bool is_as_before = place < members_.size() && json.pass(members_[place].lead);
    if (!is_as_before) {
      const std::size_t begin = json.used();
      if (!json.skip_blanks()) {
        return false;
      }
      if (place > 0 && json.pass("}")) {
        has_new_names_ = has_new_names_ || place < members_.size();
        members_.resize(place);
        return true;
      }
      if (!learn(json, place, bytes, begin)) {
        return false;
      }
    }
    if (!json.skip_blanks() || !read_value(json, members_[place].kind)) {
      return false;
    }
  }
}

/// What stands before the value at `place`, from `begin` on.
bool JsonRow::learn(PlainJson& json, std::size_t place, std::string_view bytes, std::size_t begin) {
  std::string_view name;
  const bool is_read = json.need(place == 0 ? '{' : ',') && json.skip_blanks() && json.need('"') &&
                       json.read_text(name, unescaped_) && json.skip_blanks() && json.need(':');
  if (!is_read) {
    return false;
  }
  const std::string_view lead = bytes.substr(begin, json.used() - begin);
  if (place < members_.size() && members_[place].name == name) {
    members_[place].lead = lead; // other blanks
    return true;
  }
  members_.resize(place);
  members_.push_back({std::string(lead), std::string(name), kind_of(name)});
  has_new_names_ = true;
  return true;
}

JsonRow::Kind JsonRow::kind_of(std::string_view name) {
  if (const auto place = find_field(name)) {
    const RecordField& field = record_fields()[*place];
    return type_name(field) == "text" ? Kind::kText
           : is_optional(field)       ? Kind::kOptionalNumber
                                      : Kind::kNumber;
  }
  return name == "first_image"   ? Kind::kFirstImage
         : name == "samples"     ? Kind::kSamples
         : name == "partial_run" ? Kind::kPartialRun
                                 : Kind::kUnknown;
}

std::vector<std::string_view> JsonRow::names() const {
  std::vector<std::string_view> names;
  names.reserve(members_.size());
  std::ranges::transform(members_, std::back_inserter(names), &Member::name);
  return names;
}

/// Of a name that comes again a document keeps the last value.
bool JsonRow::names_fields_once() const {
  std::set<std::string_view> seen;
  return std::ranges::all_of(members_, [&](const Member& member) {
    return member.kind == Kind::kUnknown || seen.insert(member.name).second;
  });
}

RawTimes JsonRow::take_raw_times() {
  return std::exchange(raw_, {});
}

bool JsonRow::read_value(PlainJson& json, Kind kind) {
  std::string_view& text = texts_.emplace_back("").value();
  const bool is_null = json.next() == 'n';
  switch (kind) {
  case Kind::kText:
    return json.need('"') && json.read_text(text, unescaped_);
  case Kind::kNumber:
    return json.read_number(text);
  case Kind::kOptionalNumber:
    return is_null ? json.read_null() : json.read_number(text);
  case Kind::kFirstImage:
    return is_null ? json.read_null() : read_first_image(json);
  case Kind::kSamples:
    return is_null ? json.read_null() : read_samples(json);
  case Kind::kPartialRun:
    return is_null ? json.read_null() : read_partial_run(json);
  case Kind::kUnknown:
    break;
  }
  return json.skip_value();
}

bool JsonRow::read_first_image(PlainJson& json) {
  RunSample run;
  if (!read_run(json, run)) {
    return false;
  }
  if (keeps_raw_times_) {
    raw_.first_image = std::move(run);
  }
  return true;
}

bool JsonRow::read_samples(PlainJson& json) {
  RunSample run;
  return json.read_items([&] {
    if (!read_run(json, run)) {
      return false;
    }
    if (keeps_raw_times_) {
      raw_.samples.push_back(std::exchange(run, {}));
    }
    return true;
  });
}

bool JsonRow::read_partial_run(PlainJson& json) {
  PartialRun partial;
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
  if (!is_read || !has_stage || !has_steps) {
    return json.refuse();
  }
  if (keeps_raw_times_) {
    raw_.partial_run = std::move(partial);
  }
  return true;
}

bool JsonRow::read_run(PlainJson& json, RunSample& run) const {
  unsigned seen = 0;
  const bool is_read = json.read_members([&](std::string_view name) {
    const auto* const time =
        std::ranges::find(kRunTimes, name, &decltype(kRunTimes)::value_type::first);
    const bool is_time = time != kRunTimes.end();
    if (!is_time && name != "step_s") {
      return json.skip_value();
    }
    const unsigned bit = is_time ? 1U << (time - kRunTimes.begin()) : kSteps;
    if ((std::exchange(seen, seen | bit) & bit) != 0) {
      return json.refuse();
    }
    return is_time ? read_seconds(json, run.*time->second) : read_steps(json, run.step_s);
  });
  return is_read && ((seen & kWholeRun) == kWholeRun || json.refuse());
}

/// JSON has no NaN: a time that is none was written as null.
bool JsonRow::read_seconds(PlainJson& json, double& seconds) const {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::string_view text;
  seconds = kNone;
  if (json.next() == 'n') {
    return json.read_null();
  }
  if (!json.read_number(text)) {
    return false;
  }
  if (keeps_raw_times_) {
    seconds = parse_number(text).value_or(kNone);
  }
  return true;
}

bool JsonRow::read_steps(PlainJson& json, std::vector<double>& steps) const {
  return json.read_items([&] {
    double seconds = 0;
    if (!read_seconds(json, seconds)) {
      return false;
    }
    if (keeps_raw_times_) {
      steps.push_back(seconds);
    }
    return true;
  });
}

} // namespace sdbench
