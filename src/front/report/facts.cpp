#include "sdbench/front/report/facts.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string_view>
#include <utility>

#include "facts_columns.h"
#include "sdbench/base/core/error.h"
#include "sdbench/base/core/in_quotes.h"
#include "sdbench/base/core/number_text.h"
#include "sdbench/base/core/plain_text.h"
#include "sdbench/base/device/gpu_names.h"
#include "sdbench/base/record/csv_text.h"

namespace sdbench {
namespace {

constexpr std::size_t kMostFactsBytes = 1 << 20;
constexpr std::size_t kMostCards = 1000; // the page shows all of them

/// "2026-11-28", and no 31st of February.
bool is_day(const std::string& text) {
  constexpr std::string_view kForm = "dddd-dd-dd";
  const bool has_form = std::ranges::equal(text, kForm, [](char byte, char form) {
    return form == 'd' ? byte >= '0' && byte <= '9' : byte == form;
  });
  if (!has_form) {
    return false;
  }
  const auto part = [&](std::size_t from, std::size_t count) {
    return static_cast<unsigned int>(parse_unsigned(text.substr(from, count)).value_or(0));
  };
  const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(part(0, 4))),
                                        std::chrono::month(part(5, 2)),
                                        std::chrono::day(part(8, 2))};
  return day.ok();
}

CardFacts card_of_line(const std::vector<std::string>& line, const std::vector<std::string>& header,
                       const FactsPlace& place) {
  if (line.size() != header.size()) {
    fail_at(place, "",
            "must have " + std::to_string(header.size()) + " fields as the header, but has " +
                std::to_string(line.size()));
  }
  CardFacts card;
  const auto text_of = [&](const std::string& column) {
    return column == "gpu"        ? &card.gpu
           : column == "currency" ? &card.currency
           : column == "date"     ? &card.date
                                  : &card.source;
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string text = without_blanks_around(line[i]);
    if (is_facts_text(header[i])) {
      *text_of(header[i]) = text;
    } else if (!text.empty()) {
      card.numbers[header[i]] = facts_number(text, place, header[i]);
    }
  }
  if (short_gpu_name(card.gpu).empty()) {
    fail_at(place, "gpu", "must name a GPU, but is " + in_quotes(card.gpu));
  }
  if (card.numbers.empty()) {
    fail_at(place, "", "must have a number (price, hourly or another), but has none");
  }
  return card;
}

/// What no line alone shows.
class FactsChecks {
public:
  void see(const CardFacts& card, const FactsPlace& place) {
    const auto [known, is_new] = line_of_gpu_.emplace(short_gpu_name(card.gpu), place.line);
    if (!is_new) {
      fail_at(place, "gpu",
              "each GPU must stand once, but " + in_quotes(card.gpu) + " is in line " +
                  std::to_string(known->second) + ", too");
    }
    const bool has_money = std::ranges::any_of(
        card.numbers, [](const auto& number) { return is_facts_money(number.first); });
    if ((has_money || !card.date.empty()) && !is_day(card.date)) {
      fail_at(place, "date",
              "must be the day that the price is of, such as 2026-11-28, but " +
                  (card.date.empty() ? "there is none" : "is " + in_quotes(card.date)));
    }
    if (has_money && money_line_ == 0) {
      money_line_ = place.line;
      currency_ = card.currency;
    } else if (has_money && card.currency != currency_) {
      fail_at(place, "currency",
              "must be " + in_quotes(currency_) + " as in line " + std::to_string(money_line_) +
                  ", for nothing is converted, but is " + in_quotes(card.currency));
    }
  }

private:
  std::map<std::string, std::size_t> line_of_gpu_;
  std::size_t money_line_ = 0; ///< the first with money
  std::string currency_;
};

std::vector<std::vector<std::string>> lines_of_facts(const std::filesystem::path& file) {
  std::string text;
  try {
    text = read_plain_text(file, kMostFactsBytes);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  try {
    return parse_csv(text);
  } catch (const Error& error) {
    throw UsageError(file.string() + ", " + error.what());
  }
}

} // namespace

Facts read_facts(const std::filesystem::path& file) {
  Facts facts;
  FactsChecks checks;
  std::vector<std::string> header;
  std::size_t line_number = 1;
  for (const std::vector<std::string>& line : lines_of_facts(file)) {
    const FactsPlace place{file, line_number++};
    for (const std::string& field : line) {
      line_number += static_cast<std::size_t>(std::ranges::count(field, '\n'));
    }
    if (line.size() == 1 && without_blanks_around(line.front()).empty()) {
      continue; // an empty line
    }
    if (header.empty()) {
      header = facts_header(line, place);
      continue;
    }
    if (facts.cards.size() == kMostCards) {
      fail_at(place, "",
              "there must be at most " + std::to_string(kMostCards) +
                  " GPUs, but here is one more");
    }
    facts.cards.push_back(card_of_line(line, header, place));
    checks.see(facts.cards.back(), place);
  }
  if (facts.cards.empty()) {
    throw UsageError(file.string() + " must hold a header (" + kFactsColumns +
                     ") and a line for each GPU, but holds no GPU");
  }
  std::ranges::copy_if(header, std::back_inserter(facts.columns),
                       [](const std::string& name) { return !is_facts_text(name); });
  return facts;
}

bool names_same_gpu(std::string_view a, std::string_view b) {
  const std::string name = short_gpu_name(a);
  return !name.empty() && name == short_gpu_name(b);
}

FactsByDevice::FactsByDevice(const Facts& facts) {
  for (const CardFacts& card : facts.cards) {
    cards_[short_gpu_name(card.gpu)] = &card;
  }
}

std::optional<double> FactsByDevice::number(std::string_view device,
                                            const std::string& column) const {
  const auto card = cards_.find(short_gpu_name(device));
  if (card == cards_.end()) {
    return std::nullopt;
  }
  const auto number = card->second->numbers.find(column);
  return number == card->second->numbers.end() ? std::nullopt : std::optional(number->second);
}

} // namespace sdbench
