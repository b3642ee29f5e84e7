#include "sdbench/front/words/short_names.h"

#include <algorithm>
#include <map>
#include <set>

#include "sdbench/base/core/terminal_text.h"
#include "sdbench/base/device/gpu_names.h"

namespace sdbench {
namespace {

/// The first `head` columns and the last `tail`.
std::string cut(const std::string& name, std::size_t head, std::size_t tail,
                std::string_view dots) {
  const std::size_t all = columns_of(name);
  std::string end = name.substr(place_behind(name, all - tail));
  if (columns_of(end) > tail) { // the cut went through a wide character
    end = name.substr(place_behind(name, all - tail + 1));
  }
  return name.substr(0, place_behind(name, head)) + std::string(dots) + end;
}

/// All cut in the same place; none where two become one.
std::optional<std::map<std::string, std::string>> cut_all(const std::set<std::string>& names,
                                                          std::size_t columns, std::size_t head,
                                                          std::string_view dots) {
  const std::size_t kept = columns - columns_of(dots);
  std::map<std::string, std::string> short_names;
  std::set<std::string> taken;
  for (const std::string& name : names) {
    std::string text = columns_of(name) <= columns ? name : cut(name, head, kept - head, dots);
    if (!taken.insert(text).second) {
      return std::nullopt;
    }
    short_names.emplace(name, std::move(text));
  }
  return short_names;
}

std::vector<std::string> texts_of(const std::vector<std::string>& names,
                                  const std::map<std::string, std::string>& short_names) {
  std::vector<std::string> texts;
  for (const std::string& name : names) {
    texts.push_back(short_names.at(name));
  }
  return texts;
}

} // namespace

std::vector<std::string> names_without_makers(const std::vector<std::string>& names) {
  const std::set<std::string> all(names.begin(), names.end());
  std::map<std::string, std::size_t> counts;
  for (const std::string& name : all) {
    ++counts[without_maker(name)];
  }
  std::map<std::string, std::string> short_names;
  for (const std::string& name : all) {
    std::string text = without_maker(name);
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
  // What tells names apart mostly stands at their ends: the card, and how it was used.
  for (const std::size_t head : {kept * 2 / 3, kept / 2, kept / 3, kept * 5 / 6, kept / 6}) {
    if (const auto short_names = cut_all(all, columns, head, dots)) {
      return texts_of(names, *short_names);
    }
  }
  return std::nullopt;
}

} // namespace sdbench
