#include "sdbench/front/compare/row_states.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>

#include "sdbench/base/record/card_state.h"
#include "sdbench/front/compare/grouping.h"

namespace sdbench {
namespace {

/// A value of each state and of the clocks; an empty one is unknown.
using State = std::vector<std::string>;

constexpr const char* kFreeClock = "free";

class States {
public:
  States(const ResultTable& table, const std::vector<FieldName>& left_out) : table_(table) {
    const auto counts = [&](FieldName field) {
      return std::ranges::find(left_out, field) == left_out.end();
    };
    for (const CardState& state : card_states()) {
      if (counts(state.field)) {
        fields_.push_back(state.field);
      }
    }
    tells_clock_ = counts("sm_clock_hz_max");
  }

  [[nodiscard]] State of(std::size_t row) const {
    const bool is_long = outcome_of(table_, row) == "ok" && has_looks(row);
    State state;
    for (const FieldName field : fields_) {
      const bool is_known = is_long || !is_of_telemetry_alone(field);
      state.push_back(is_known ? table_.value_text(row, field.place()) : "");
    }
    const std::string clock = table_.value_text(row, FieldName("sm_clock_hz_max").place());
    if (tells_clock_ && is_long && !clock.empty()) {
      const std::string set = set_clock(table_.text(row, "throttle_reasons"), clock);
      state.push_back(set.empty() ? kFreeClock : set);
    } else {
      state.emplace_back();
    }
    return state;
  }

  /// The place of the link's generation in a state; behind it where it does not count.
  [[nodiscard]] std::size_t generation() const {
    return static_cast<std::size_t>(std::ranges::find(fields_, kLinkGeneration) - fields_.begin());
  }

private:
  /// A sensor is looked at ten times a second: a row of fewer looks may have seen the card at rest.
  /// Older rows do not say how many there were.
  [[nodiscard]] bool has_looks(std::size_t row) const {
    constexpr double kFewest = 5;
    return table_.number(row, "telemetry_samples").value_or(kFewest) >= kFewest;
  }

  const ResultTable& table_;
  std::vector<FieldName> fields_;
  bool tells_clock_ = true;
};

/// Rows of one card, by place in the list of rows.
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
                             : table.text_id(rows[i], field.place())) +
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

bool fits(const State& row, const State& state) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!row[i].empty() && row[i] != state[i]) {
      return false;
    }
  }
  return true;
}

/// Each row's unknowns become those of the commonest state that it fits.
void fill_unknowns(std::vector<State>& states, const std::vector<std::size_t>& of_card) {
  std::map<State, std::size_t> counts;
  for (const std::size_t row : of_card) {
    ++counts[states[row]];
  }
  std::map<State, const State*> filled;
  for (const auto& [state, count] : counts) {
    const auto known = [](const State& of) {
      return of.size() - static_cast<std::size_t>(std::ranges::count(of, ""));
    };
    const State* best = &state;
    for (const auto& [other, others] : counts) {
      const bool is_fuller = known(other) > known(*best) ||
                             (known(other) == known(*best) && others > counts.at(*best));
      if (fits(state, other) && known(other) > known(state) && (best == &state || is_fuller)) {
        best = &other;
      }
    }
    filled[state] = best;
  }
  for (const std::size_t row : of_card) {
    states[row] = *filled.at(states[row]);
  }
}

} // namespace

std::vector<std::string> row_states(const ResultTable& table, std::span<const std::size_t> rows,
                                    const std::vector<FieldName>& left_out) {
  const States reader(table, left_out);
  std::vector<State> states;
  states.reserve(rows.size());
  for (const std::size_t row : rows) {
    states.push_back(reader.of(row));
  }
  for (const auto& [card, of_card] : cards_of(table, rows)) {
    if (!states.empty() && reader.generation() + 1 < states.front().size()) {
      forget_odd_generations(states, of_card, reader.generation());
    }
    fill_unknowns(states, of_card);
  }
  std::vector<std::string> texts(table.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::string& value : states[i]) {
      texts[rows[i]] += (value == kFreeClock ? "" : value) + "|";
    }
  }
  return texts;
}

} // namespace sdbench
