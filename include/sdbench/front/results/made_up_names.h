#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace sdbench {

/// True if MadeUpNames::machine() made this name.
[[nodiscard]] bool is_made_up_host(std::string_view host);

/// Replaces the names of hosts, cards, tags and environments by made-up names: a different one for
/// each real name. Each made-up name is a hash of the run_id (a random number) of the earliest row
/// with the real name. So it stays the same when later rows are added to a table.
class MadeUpNames {
public:
  /// Call it with each real name of every row before using the functions below.
  void meet(std::string_view real, std::string_view time_utc, std::string_view run_id);

  /// The made-up name of a host ("machine 1f00ab"), a card ("#1f00ab"), a row's tags
  /// ("tags=1f00ab") or an environment ("e0123456789abcdef"). Empty names stay empty. Names of
  /// hosts, cards and tags that are already made up stay unchanged.
  [[nodiscard]] std::string machine(std::string_view host) const;
  [[nodiscard]] std::string card(std::string_view uuid) const;
  [[nodiscard]] std::string tags(std::string_view tags) const;
  [[nodiscard]] std::string env_id(std::string_view env_id) const;

private:
  [[nodiscard]] std::string made_up(std::string_view real, std::string_view start) const;
  [[nodiscard]] std::string digits(std::string_view real, std::size_t count) const;

  /// By real name: time and run_id of its earliest row.
  std::unordered_map<std::string, std::pair<std::string, std::string>> earliest_;
};

} // namespace sdbench
