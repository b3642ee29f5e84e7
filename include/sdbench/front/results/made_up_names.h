#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace sdbench {

/// True for a name made by MadeUpNames::machine().
[[nodiscard]] bool is_made_up_host(std::string_view host);

/// Replaces the names of hosts, cards, tags and environments by names that only tell them apart. A
/// name is made from the run_id (a random number) of the earliest row with the real name, so it
/// stays the same when a table gets later rows.
class MadeUpNames {
public:
  /// Call it for every row before the functions below.
  void meet(std::string_view real, std::string_view time_utc, std::string_view run_id);

  /// "machine 1f00ab", "#1f00ab" (a card), "tags=1f00ab" and "e0123456789abcdef". Empty names stay
  /// empty, and made-up names of hosts, cards and tags stay unchanged.
  [[nodiscard]] std::string machine(std::string_view host) const;
  [[nodiscard]] std::string card(std::string_view uuid) const;
  [[nodiscard]] std::string tags(std::string_view tags) const;
  [[nodiscard]] std::string env_id(std::string_view env_id) const;

private:
  [[nodiscard]] std::string made_up(std::string_view real, std::string_view start) const;
  [[nodiscard]] std::string digits(std::string_view real, std::size_t count) const;

  std::unordered_map<std::string, std::pair<std::string, std::string>> earliest_; ///< time, run
};

} // namespace sdbench
