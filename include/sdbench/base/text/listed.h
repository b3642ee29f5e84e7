#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sdbench {

/// Joins words to a list: "a, b or c". `before_last`: the conjunction, here "or"; if empty, a
/// comma is used: "a, b, c".
[[nodiscard]] std::string listed(const std::vector<std::string>& words,
                                 std::string_view before_last = "or");

/// Splits a text at every separator: "a,b" gives "a" and "b". Empty parts are kept, so there is
/// always one part more than separators.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// Joins the parts that are not empty, separated by `between`: "a, b".
[[nodiscard]] std::string joined(const std::vector<std::string>& parts,
                                 std::string_view between = ", ");

/// The results of `function` for those items for which `is_wanted` holds, in their order.
/// `function` may be a pointer to a member of the items. If `Wanted` is given, the results are
/// converted to it.
// Not std::views::filter: Clang 14 cannot compile the views of GCC 12's library.
template <typename Wanted = void, typename Items, typename Predicate, typename Function>
[[nodiscard]] auto mapped_if(Items&& items, const Predicate& is_wanted, const Function& function) {
  using Given = std::invoke_result_t<const Function&, std::ranges::range_reference_t<Items>>;
  std::vector<std::conditional_t<std::is_void_v<Wanted>, std::remove_cvref_t<Given>, Wanted>> list;
  for (auto&& item : items) {
    if (std::invoke(is_wanted, item)) {
      list.emplace_back(std::invoke(function, std::forward<decltype(item)>(item)));
    }
  }
  return list;
}

/// Like mapped_if(), but for all items.
template <typename Wanted = void, typename Items, typename Function>
[[nodiscard]] auto mapped(Items&& items, const Function& function) {
  return mapped_if<Wanted>(
      std::forward<Items>(items), [](const auto&) { return true; }, function);
}

/// The items for which `is_wanted` holds, in their order.
template <typename Items, typename Predicate>
[[nodiscard]] auto filtered(Items&& items, const Predicate& is_wanted) {
  std::vector<std::ranges::range_value_t<Items>> list;
  std::ranges::copy_if(items, std::back_inserter(list), is_wanted);
  return list;
}

/// The integers from `first` up to, but not including, `end`.
template <typename Number>
[[nodiscard]] std::vector<Number> integers(Number first, Number end) {
  std::vector<Number> list;
  for (; first < end; ++first) {
    list.push_back(first);
  }
  return list;
}

/// Calls `function`, which returns an optional, for each item. Returns the values of those
/// optionals that have one.
template <typename Items, typename Function>
[[nodiscard]] auto mapped_known(Items&& items, const Function& function) {
  using Given = std::invoke_result_t<const Function&, std::ranges::range_reference_t<Items>>;
  std::vector<typename std::remove_cvref_t<Given>::value_type> list;
  for (auto&& item : items) {
    if (auto value = std::invoke(function, item)) {
      list.push_back(*std::move(value));
    }
  }
  return list;
}

/// Appends those texts of `more` that `all` does not contain yet, in their order.
inline void add_new(std::vector<std::string>& all, const std::vector<std::string>& more) {
  for (const std::string& each : more) {
    if (std::ranges::count(all, each) == 0) {
      all.push_back(each);
    }
  }
}

} // namespace sdbench
