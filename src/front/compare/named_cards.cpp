#include "named_cards.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include "sdbench/base/device/gpu_names.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/compare/card_grid.h"
#include "sdbench/front/record/field_name.h"

namespace sdbench {
namespace {

/// The machines with a matching line, each with only its matching lines.
std::vector<NamedCard> fitting(const Comparison& comparison, const std::vector<NamedCard>& cards,
                               const auto& fits) {
  std::vector<NamedCard> found;
  for (const NamedCard& card : cards) {
    NamedCard part{.name = card.name, .lines = {}};
    std::ranges::copy_if(card.lines, std::back_inserter(part.lines),
                         [&](std::size_t line) { return fits(card, comparison.lines[line]); });
    if (part.lines.size() == 1) {
      part.name = comparison.lines[part.lines.front()].name;
    }
    if (!part.lines.empty()) {
      found.push_back(std::move(part));
    }
  }
  return found;
}

std::vector<NamedCard> all_cards(const Comparison& comparison, const ResultTable& table) {
  std::vector<NamedCard> cards;
  if (comparison.has_own_layout) {
    for (std::size_t line = 0; line < comparison.lines.size(); ++line) {
      cards.push_back({comparison.lines[line].name, {line}});
    }
    return cards;
  }
  for (Card& card : card_grid(comparison, table).cards) {
    cards.push_back({std::move(card.name), std::move(card.lines)});
  }
  return cards;
}

/// The name without parts that narrow tables leave out: the maker's words, and "sdbench " before
/// one of our engines.
std::string compared_name(std::string_view name) {
  constexpr std::string_view kOurs = "sdbench ";
  std::string shortened = short_gpu_name(name);
  for (std::size_t at = shortened.find(kOurs); at != std::string::npos;
       at = shortened.find(kOurs)) {
    shortened.erase(at, kOurs.size());
  }
  return shortened;
}

bool is_one_card(const ResultTable& table, std::size_t a, std::size_t b) {
  const auto both_know = [&](FieldName field) {
    return table.says(a, field) && table.says(b, field);
  };
  const auto may_share = [&](FieldName field) {
    return !both_know(field) || table.value_text(a, field) == table.value_text(b, field);
  };
  return both_know("device_uuid") ? may_share("device_uuid")
                                  : may_share("host") && may_share("device_index");
}

} // namespace

std::vector<NamedCard> cards_named(const Comparison& comparison, const ResultTable& table,
                                   const std::string& words) {
  const auto number = parse_integer(words);
  if (number && *number >= 1 && *number <= static_cast<std::int64_t>(comparison.lines.size())) {
    const auto line = static_cast<std::size_t>(*number - 1);
    return {{comparison.lines[line].name, {line}}};
  }
  const std::string wanted = compared_name(words);
  const auto is_named = [&](std::string_view name) {
    return !wanted.empty() && compared_name(name) == wanted;
  };
  const std::vector<NamedCard> cards = all_cards(comparison, table);
  std::vector<NamedCard> found =
      fitting(comparison, cards,
              [&](const NamedCard&, const ComparedLine& line) { return is_named(line.name); });
  if (found.empty()) {
    found = fitting(comparison, cards, [&](const NamedCard& card, const ComparedLine& line) {
      return is_named(card.name) || is_named(line.machine);
    });
  }
  if (found.empty()) {
    found = fitting(comparison, cards, [&](const NamedCard&, const ComparedLine& line) {
      return table.text(line.row, "host") == words || table.text(line.row, "label") == words;
    });
  }
  if (found.empty()) {
    found = fitting(comparison, cards, [&](const NamedCard&, const ComparedLine& line) {
      return is_named(table.text(line.row, "device_name"));
    });
  }
  return found;
}

std::vector<std::string> cards_of_baseline(const Comparison& comparison, const ResultTable& table) {
  std::vector<std::string> names;
  std::vector<std::size_t> rows; // one per card
  for (const NamedCard& card :
       fitting(comparison, all_cards(comparison, table),
               [](const NamedCard&, const ComparedLine& line) { return line.is_baseline; })) {
    for (const std::size_t line : card.lines) {
      const std::size_t row = comparison.lines[line].row;
      if (std::ranges::none_of(rows, [&](auto other) { return is_one_card(table, other, row); })) {
        rows.push_back(row);
        names.push_back(card.name);
      }
    }
  }
  return names;
}

std::string several_fit(const std::string& words, const std::vector<std::string>& names) {
  return in_quotes(words) + " fits " + listed(mapped(names, one_line), "and") +
         "; take one of these names, or a row's number";
}

} // namespace sdbench
