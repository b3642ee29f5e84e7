#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace sdbench {

/// Whether it is one of the names that MadeUpNames::machine() gives.
[[nodiscard]] bool is_made_up_host(std::string_view host);

/// Names in place of those of hosts, cards, tags and environments: they tell these apart, and
/// nothing else. They are made of the run_id (a random number) of the earliest row that bears the
/// real name. So a table that has more rows later gives the same ones.
class MadeUpNames {
public:
  /// Every row first.
  void meet(std::string_view real, std::string_view time_utc, std::string_view run_id);

  /// "machine 1f00ab", "#1f00ab" (a card), "tags=1f00ab" and "e0123456789abcdef". What is empty
  /// stays empty; a made-up host or card, and made-up tags, stay what they are.
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
