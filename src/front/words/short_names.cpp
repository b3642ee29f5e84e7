#include "sdbench/front/words/short_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sdbench/base/device/gpu_names.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/words/terminal_text.h"

namespace sdbench {
namespace {

/// The first `head` columns, without trailing blanks, then `dots`, then the last `tail` columns.
std::string cut(const std::string& name, std::size_t head, std::size_t tail,
                std::string_view dots) {
  const std::size_t all = columns_of(name);
  std::string end = name.substr(place_behind(name, all - tail));
  if (columns_of(end) > tail) { // the cut went through a wide character
    end = name.substr(place_behind(name, all - tail + 1));
  }
  const std::string begin = name.substr(0, place_behind(name, head));
  return begin.substr(0, begin.find_last_not_of(' ') + 1) + std::string(dots) + end;
}

/// Columns of the part behind the card's name, which tells its place and use: "desk, tuned" of
/// "RTX 3060 on desk, tuned", ", tuned" of "RTX 3060, tuned".
std::size_t columns_behind_card(const std::string& name) {
  constexpr std::string_view kPlace = " on ";
  const std::size_t place = name.find(kPlace);
  const std::size_t begin = place == std::string::npos ? name.rfind(", ") : place + kPlace.size();
  return begin == std::string::npos ? 0 : columns_of(name.substr(begin));
}

/// Cuts each name but keeps its last `tail_of(name)` columns; nothing if two names become equal.
template <typename TailOf>
std::optional<std::map<std::string, std::string>>
cut_all(const std::set<std::string>& names, std::size_t columns, std::string_view dots,
        const TailOf& tail_of) {
  const std::size_t kept = columns - columns_of(dots);
  std::map<std::string, std::string> short_names;
  std::set<std::string> taken;
  for (const std::string& name : names) {
    const std::size_t tail = std::min(kept, tail_of(name));
    std::string text = columns_of(name) <= columns ? name : cut(name, kept - tail, tail, dots);
    if (!taken.insert(text).second) {
      return std::nullopt;
    }
    short_names.emplace(name, std::move(text));
  }
  return short_names;
}

std::string without_makers(const std::string& name) {
  constexpr std::string_view kOwnEngine = ", sdbench ";
  std::string text = without_maker(name);
  if (const std::size_t found = text.find(kOwnEngine); found != std::string::npos) {
    text.replace(found, kOwnEngine.size(), ", ");
  }
  return text;
}

std::vector<std::string> texts_of(const std::vector<std::string>& names,
                                  const std::map<std::string, std::string>& short_names) {
  return mapped(names, [&](const std::string& name) { return short_names.at(name); });
}

} // namespace

std::vector<std::string> names_without_makers(const std::vector<std::string>& names) {
  const std::set<std::string> all(names.begin(), names.end());
  std::map<std::string, std::size_t> counts;
  for (const std::string& name : all) {
    ++counts[without_makers(name)];
  }
  std::map<std::string, std::string> short_names;
  for (const std::string& name : all) {
    std::string text = without_makers(name);
    const bool is_free =
        counts[text] == 1 && !text.empty() && (text == name || !all.contains(text));
    short_names.emplace(name, is_free ? std::move(text) : name);
  }
  return texts_of(names, short_names);
}

std::optional<std::vector<std::string>> names_cut_to(const std::vector<std::string>& names,
                                                     std::size_t columns, std::string_view dots) {
  if (columns <= columns_of(dots)) {
    return std::nullopt;
  }
  const std::set<std::string> all(names.begin(), names.end());
  const std::size_t kept = columns - columns_of(dots);
  // Names mostly differ at both ends: in the card, and in how it was used.
  const bool has_room = std::ranges::all_of(
      all, [&](const std::string& name) { return columns_behind_card(name) <= kept * 2 / 3; });
  if (const auto short_names =
          has_room ? cut_all(all, columns, dots, columns_behind_card) : std::nullopt) {
    return texts_of(names, *short_names);
  }
  for (const std::size_t head : {kept * 2 / 3, kept / 2, kept / 3, kept * 5 / 6, kept / 6}) {
    const auto tail_of = [&](const std::string& /*name*/) { return kept - head; };
    if (const auto short_names = cut_all(all, columns, dots, tail_of)) {
      return texts_of(names, *short_names);
    }
  }
  return std::nullopt;
}

} // namespace sdbench
