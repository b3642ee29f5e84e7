#include "lasting_keys.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "sdbench/base/config/engine_axis_table.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/record/card_state.h"
#include "sdbench/front/record/field_name.h"

namespace sdbench {
namespace {

/// A field that an option and the machine decide, and the option's own field, which alone lasts.
struct Outcome {
  FieldName field;
  FieldName asked;
};
constexpr Outcome kOutcomes[] = {{"dtype_unet", "asked_dtype"}, {"threads", "asked_threads"}};

/// True for what somebody asked for, and for the card's name and host.
bool lasts(FieldName field) {
  const bool is_asked = std::ranges::find(way_fields(), field) != way_fields().end();
  return is_asked ? field != FieldName("runtime_version")
                  : field == FieldName("host") || field == FieldName("device_name") ||
                        field == FieldName("device_kind");
}

/// Fields that describe the machine's software and parts, without those of card_states().
std::vector<FieldName> changing_fields() {
  std::vector<FieldName> fields = {"engine_revision"};
  std::ranges::remove_copy_if(telling_fields(), std::back_inserter(fields), lasts);
  return fields;
}

/// Fields that only tell how the card was set up.
std::vector<FieldName> state_fields() {
  std::vector<FieldName> fields = {"sm_clock_hz_max", "throttle_reasons"};
  for (const CardState& state : card_states()) {
    fields.push_back(state.field);
  }
  return fields;
}

/// The requested options as text. Omits an axis at its default, because older rows may lack it.
std::string asked_text(const ResultTable& lasting, std::size_t row) {
  std::string text;
  for (const FieldName field : way_fields()) {
    const std::string value = lasts(field) ? lasting.value_text(row, field) : "";
    text += (is_usual_choice(field.text(), value) ? "" : value) + "\n";
  }
  return text;
}

/// Gives each text a short id, unique within a table.
class Ids {
public:
  explicit Ids(char letter) : letter_(letter) {}
  [[nodiscard]] std::string of(const std::string& text) {
    return letter_ + std::to_string(numbers_.try_emplace(text, numbers_.size() + 1).first->second);
  }

private:
  char letter_;
  std::map<std::string, std::size_t> numbers_;
};

std::string place_text(const ResultTable& table, std::size_t row) {
  return std::string(table.text(row, "host")) + "\n" + std::string(table.text(row, "device_name"));
}

} // namespace

ResultTable with_lasting_keys(const ResultTable& table, std::span<const std::size_t> rows,
                              const std::vector<bool>& keeps_state,
                              const std::vector<std::string>& tags) {
  ResultTable lasting = table.copy();
  const std::vector<FieldName> changing = changing_fields();
  const std::vector<FieldName> states = state_fields();
  Ids ways('v');
  Ids places('e');
  for (const std::size_t row : rows) {
    for (const auto& [field, asked] : kOutcomes) {
      if (table.says(row, asked)) { // another program's rows tell the outcome alone
        const std::string value = table.value_text(row, asked);
        lasting.set(row, field.place(), value == "0" ? "" : value);
      }
    }
    lasting.set(row, field_index("variant_id"), ways.of(asked_text(lasting, row)));
    lasting.set(row, field_index("env_id"), places.of(place_text(table, row)));
    lasting.set(row, field_index("tags"), tags[row]);
    for (const FieldName field : changing) {
      lasting.set(row, field.place(), "");
    }
    for (const FieldName field : keeps_state[row] ? std::vector<FieldName>() : states) {
      lasting.set(row, field.place(), "");
    }
  }
  return lasting;
}

} // namespace sdbench
