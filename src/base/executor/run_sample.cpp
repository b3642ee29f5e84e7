#include "sdbench/base/executor/run_sample.h"

#include <algorithm>
#include <array>
#include <set>

namespace sdbench {
namespace {

constexpr std::string_view kEnding = "_s";
constexpr std::array<std::string_view, 3> kOtherMembers = {"e2e_s", "step_s", "start_s"};

bool is_name_byte(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '_';
}

} // namespace

std::optional<double> seconds_of(const RunSample& sample, std::string_view part) {
  const auto found = std::ranges::find(sample.parts, part, &PartTime::name);
  return found == sample.parts.end() ? std::nullopt : std::optional(found->seconds);
}

void add_seconds(RunSample& sample, std::string_view part, double seconds) {
  const auto found = std::ranges::find(sample.parts, part, &PartTime::name);
  if (found == sample.parts.end()) {
    sample.parts.push_back({std::string(part), seconds});
  } else {
    found->seconds += seconds;
  }
}

std::string member_of_part(std::string_view part) {
  return std::string(part) + std::string(kEnding);
}

std::optional<std::string_view> part_of_member(std::string_view member) {
  const bool is_part = member.size() > kEnding.size() && member.ends_with(kEnding) &&
                       std::ranges::all_of(member, is_name_byte) &&
                       std::ranges::find(kOtherMembers, member) == kOtherMembers.end();
  return is_part ? std::optional(member.substr(0, member.size() - kEnding.size())) : std::nullopt;
}

bool have_members(std::span<const PartTime> parts) {
  std::set<std::string_view> names;
  return std::ranges::all_of(parts, [&](const PartTime& part) {
    return part_of_member(member_of_part(part.name)) && names.insert(part.name).second;
  });
}

} // namespace sdbench
