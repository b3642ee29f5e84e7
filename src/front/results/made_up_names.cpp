#include "sdbench/front/results/made_up_names.h"

#include "sdbench/base/files/sha256.h"
#include "sdbench/front/record/ids.h"

namespace sdbench {
namespace {

constexpr std::string_view kMachine = "machine "; ///< with a blank, which no host name has
constexpr std::string_view kCard = "#";
constexpr std::string_view kTags = "tags=";
constexpr std::size_t kNameDigits = 6;
constexpr std::size_t kIdDigits = 16; ///< like all ids

bool is_made_up(std::string_view name, std::string_view start) {
  return name.starts_with(start) && name.size() == start.size() + kNameDigits &&
         name.substr(start.size()).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

} // namespace

bool is_made_up_host(std::string_view host) {
  return is_made_up(host, kMachine);
}

void MadeUpNames::meet(std::string_view real, std::string_view time_utc, std::string_view run_id) {
  std::pair<std::string, std::string> row(time_utc, run_id);
  const auto [known, is_new] = earliest_.try_emplace(std::string(real), row);
  if (!is_new && row < known->second) {
    known->second = std::move(row);
  }
}

std::string MadeUpNames::machine(std::string_view host) const {
  return made_up(host, kMachine);
}

std::string MadeUpNames::card(std::string_view uuid) const {
  return made_up(uuid, kCard);
}

std::string MadeUpNames::tags(std::string_view tags) const {
  return made_up(tags, kTags);
}

std::string MadeUpNames::env_id(std::string_view env_id) const {
  return env_id.empty() ? "" : env_id_of_digits(digits(env_id, kIdDigits));
}

std::string MadeUpNames::made_up(std::string_view real, std::string_view start) const {
  return real.empty() || is_made_up(real, start) ? std::string(real)
                                                 : std::string(start) + digits(real, kNameDigits);
}

/// Digits of a hash of the name's earliest run, or of the empty text if no row has the name (as for
/// a card that only a telemetry file names).
std::string MadeUpNames::digits(std::string_view real, std::size_t count) const {
  const auto known = earliest_.find(std::string(real));
  return sha256_hex(known == earliest_.end() ? "" : "run_id=" + known->second.second)
      .substr(0, count);
}

} // namespace sdbench
