#include "sdbench/front/compare/row_states.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "fill_unknowns.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/record/card_state.h"

namespace sdbench {
namespace {

/// One value per card state, then one for the clocks; empty if unknown.
using State = std::vector<std::string>;

constexpr const char* kFreeClock = "free";
constexpr char kBetween = '|'; ///< ends each value in a state's text

class States {
public:
  States(const ResultTable& table, const std::vector<FieldName>& left_out)
      : table_(table), left_out_(left_out) {}

  [[nodiscard]] State of(std::size_t row) const {
    const bool is_long = outcome_of(table_, row) == "ok" && has_looks(row);
    State state;
    for (const CardState& of : card_states()) {
      const bool is_known = counts(of.field) && (is_long || !is_of_telemetry_alone(of.field));
      state.push_back(is_known ? table_.value_text(row, of.field) : "");
    }
    const std::string clock = table_.value_text(row, "sm_clock_hz_max");
    if (counts("sm_clock_hz_max") && is_long && !clock.empty()) {
      const std::string set = set_clock(table_.text(row, "throttle_reasons"), clock);
      state.push_back(set.empty() ? kFreeClock : set);
    } else {
      state.emplace_back();
    }
    return state;
  }

  /// The place of the link's generation in a state.
  [[nodiscard]] static std::size_t generation() {
    return static_cast<std::size_t>(
        std::ranges::find(card_states(), kLinkGeneration, &CardState::field) -
        card_states().begin());
  }

private:
  /// True if the row has enough sensor samples. Sensors are read ten times a second; fewer samples
  /// may have seen an idle card. Older rows, which lack the count, are accepted.
  [[nodiscard]] bool has_looks(std::size_t row) const {
    constexpr double kFewest = 5;
    return table_.number(row, "telemetry_samples").value_or(kFewest) >= kFewest;
  }

  [[nodiscard]] bool counts(FieldName field) const {
    return std::ranges::find(left_out_, field) == left_out_.end();
  }

  const ResultTable& table_;
  const std::vector<FieldName>& left_out_;
};

/// The rows of each card, as places in the list of rows.
std::map<std::string, std::vector<std::size_t>> cards_of(const ResultTable& table,
                                                         std::span<const std::size_t> rows) {
  std::map<std::string, std::vector<std::size_t>> cards;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string key;
    for (const FieldName field : {FieldName("env_id"), FieldName("host"), FieldName("device_name"),
                                  FieldName("device_uuid"), FieldName("device_index")}) {
      key +=
          std::to_string(field == FieldName("device_index")
                             ? static_cast<std::uint32_t>(table.number(rows[i], field).value_or(0))
                             : table.text_id(rows[i], field)) +
          '/';
    }
    cards[key].push_back(i);
  }
  return cards;
}

void forget_odd_generations(std::vector<State>& states, const std::vector<std::size_t>& of_card,
                            std::size_t place) {
  std::map<std::string, std::size_t> counts;
  for (const std::size_t row : of_card) {
    ++counts[states[row][place]];
  }
  counts.erase("");
  for (const std::size_t row : of_card) {
    if (counts.size() > 1 && counts[states[row][place]] == 1) {
      states[row][place].clear();
    }
  }
}

} // namespace

std::vector<std::string> row_states(const ResultTable& table, std::span<const std::size_t> rows,
                                    const std::vector<FieldName>& left_out) {
  const States reader(table, left_out);
  std::vector<State> states = mapped(rows, [&](std::size_t row) { return reader.of(row); });
  for (const auto& [card, of_card] : cards_of(table, rows)) {
    forget_odd_generations(states, of_card, States::generation());
    fill_unknowns(states, of_card);
  }
  std::vector<std::string> texts(table.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::string& value : states[i]) {
      texts[rows[i]] += (value == kFreeClock ? "" : value) + kBetween;
    }
  }
  return texts;
}

StateWords words_of_state(std::string_view state) {
  const std::vector<std::string_view> values = split(state, kBetween);
  StateWords words;
  for (std::size_t i = 0; i < card_states().size(); ++i) {
    const CardState& of = card_states()[i];
    const bool is_said = i < values.size() && !values[i].empty();
    words.push_back(
        is_said ? std::string(of.before) + std::string(values[i]) + std::string(of.after) : "");
  }
  const auto clock = values.size() > card_states().size()
                         ? parse_number(values[card_states().size()])
                         : std::nullopt;
  words.push_back(clock ? "clocks set to " + clock_text(*clock) : "");
  return words;
}

} // namespace sdbench
