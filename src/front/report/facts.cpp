#include "sdbench/front/report/facts.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "facts_columns.h"
#include "sdbench/base/device/gpu_names.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/plain_text.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/front/record/csv_text.h"
#include "sdbench/front/words/calendar.h"

namespace sdbench {
namespace {

constexpr std::size_t kMostFactsBytes = 1 << 20;
constexpr std::size_t kMostCards = 1000; // the page shows all of them

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

/// Today's date, and what the lines before have said.
struct FactsSoFar {
  std::string today;
  std::map<std::string, std::size_t> line_of_gpu = {};
  std::size_t money_line = 0; ///< the first line with money; 0: none yet
  std::string currency = {};  ///< of that line
};

/// A rule for lines that needs several fields or the lines before.
struct FactsRule {
  std::string_view column;
  bool (*concerns)(const CardFacts& card);
  bool (*holds)(const CardFacts& card, const FactsSoFar& before);
  std::string (*must)(const CardFacts& card, const FactsSoFar& before);
};

bool any_card(const CardFacts& /*card*/) {
  return true;
}

bool has_money(const CardFacts& card) {
  return std::ranges::any_of(card.numbers,
                             [](const auto& number) { return is_facts_money(number.first); });
}

bool has_day(const CardFacts& card) {
  return has_money(card) || !card.date.empty();
}

std::string said(const std::string& text) {
  return text.empty() ? "but there is none" : "but is " + in_quotes(text);
}

/// Checked in this order. A later rule may rely on an earlier one.
constexpr FactsRule kFactsRules[] = {
    {"gpu", any_card,
     [](const CardFacts& card, const FactsSoFar& before) {
       return !before.line_of_gpu.contains(short_gpu_name(card.gpu));
     },
     [](const CardFacts& card, const FactsSoFar& before) {
       return "each GPU must be in one line, but " + in_quotes(card.gpu) + " is in line " +
              std::to_string(before.line_of_gpu.at(short_gpu_name(card.gpu))) + ", too";
     }},
    {"date", has_day,
     [](const CardFacts& card, const FactsSoFar&) { return calendar_day(card.date).has_value(); },
     [](const CardFacts& card, const FactsSoFar&) {
       return "must be the date of the price, such as 2026-11-28, " + said(card.date);
     }},
    {"date", has_day,
     [](const CardFacts& card, const FactsSoFar& before) {
       // Allows tomorrow, which it already is in the east.
       const auto today = calendar_day(before.today);
       return !today || *calendar_day(card.date) <= *today + std::chrono::days(1);
     },
     [](const CardFacts& card, const FactsSoFar& before) {
       return "must not be after today (" + before.today + "), " + said(card.date);
     }},
    {"currency", has_money,
     [](const CardFacts& card, const FactsSoFar&) { return !card.currency.empty(); },
     [](const CardFacts&, const FactsSoFar&) {
       return std::string("must name the currency of the price, such as EUR, but there is none");
     }},
    {"currency", has_money,
     [](const CardFacts& card, const FactsSoFar& before) {
       return before.money_line == 0 || card.currency == before.currency;
     },
     [](const CardFacts& card, const FactsSoFar& before) {
       return "must be " + in_quotes(before.currency) + " as in line " +
              std::to_string(before.money_line) + ", because nothing is converted, " +
              said(card.currency);
     }},
};

void check(const CardFacts& card, const FactsPlace& place, FactsSoFar& before) {
  for (const FactsRule& rule : kFactsRules) {
    if (rule.concerns(card) && !rule.holds(card, before)) {
      fail_at(place, std::string(rule.column), rule.must(card, before));
    }
  }
  before.line_of_gpu.emplace(short_gpu_name(card.gpu), place.line);
  if (has_money(card) && before.money_line == 0) {
    before.money_line = place.line;
    before.currency = card.currency;
  }
}

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

Facts read_facts(const std::filesystem::path& file, std::string_view today) {
  Facts facts;
  FactsSoFar so_far{std::string(today)};
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
    check(facts.cards.back(), place, so_far);
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
