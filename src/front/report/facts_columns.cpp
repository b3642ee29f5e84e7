#include "facts_columns.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

constexpr std::size_t kMostColumns = 40;
constexpr std::size_t kLongestColumn = 40;

constexpr std::string_view kTexts[] = {"gpu", "currency", "date", "source"};
constexpr std::string_view kMoney[] = {"price", "hourly", "kwh_price"};

/// The column that a name probably means: "price" for "pirce" if there is no "price". Else empty.
std::string_view slip_of(const std::string& name, const std::vector<std::string>& header) {
  constexpr std::size_t kMostSlips = 1; // two swapped neighbours count as one
  for (const std::string_view money : kMoney) {
    if (std::ranges::find(header, money) == header.end() &&
        edit_distance(name, money) <= kMostSlips) {
      return money;
    }
  }
  return {};
}

} // namespace

void fail_at(const FactsPlace& place, const std::string& column, const std::string& what) {
  throw UsageError(place.file.string() + ", line " + std::to_string(place.line) +
                   (column.empty() ? "" : ", column " + column) + ": " + what);
}

std::string without_blanks_around(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  const auto last = text.find_last_not_of(" \t");
  return first == std::string_view::npos ? "" : std::string(text.substr(first, last - first + 1));
}

bool is_facts_text(std::string_view column) {
  return std::ranges::find(kTexts, column) != std::end(kTexts);
}

bool is_facts_money(std::string_view column) {
  return std::ranges::find(kMoney, column) != std::end(kMoney);
}

std::vector<std::string> facts_header(const std::vector<std::string>& line,
                                      const FactsPlace& place) {
  if (line.size() > kMostColumns) {
    fail_at(place, "",
            "there must be at most " + std::to_string(kMostColumns) + " columns, but there are " +
                std::to_string(line.size()));
  }
  std::vector<std::string> header = mapped(line, without_blanks_around);
  const std::string known = std::string("the columns must be ") + kFactsColumns;
  for (const std::string& name : header) {
    if (name.empty() || name.size() > kLongestColumn) {
      fail_at(place, "",
              "a column's name must have 1 to " + std::to_string(kLongestColumn) +
                  " bytes, but one is " + in_quotes(name));
    }
    if (std::ranges::count(header, name) > 1) {
      fail_at(place, "",
              "each column must be there once, but " + in_quotes(name) + " is there twice");
    }
    if (const std::string_view slip = slip_of(name, header); !slip.empty()) {
      fail_at(place, "",
              known + ", but one is " + in_quotes(name) + "; did you mean " + std::string(slip) +
                  "?");
    }
  }
  if (std::ranges::find(header, "gpu") == header.end()) {
    fail_at(place, "", known + ", but there is no gpu");
  }
  return header;
}

double facts_number(const std::string& text, const FactsPlace& place, const std::string& column) {
  const bool is_money = is_facts_money(column);
  const auto value = parse_number(text);
  if (!value || !std::isfinite(*value) || *value < 0 || (is_money && *value == 0)) {
    static const std::vector<std::string> texts(std::begin(kTexts), std::end(kTexts));
    const std::string hint = is_money || value ? "" : did_you_mean(column, texts); // "curency"
    fail_at(place, is_money ? column : in_quotes(column),
            std::string("must be a number ") + (is_money ? "above 0" : "of 0 or more") +
                ", or empty, but is " + in_quotes(text) + hint);
  }
  return *value;
}

} // namespace sdbench
