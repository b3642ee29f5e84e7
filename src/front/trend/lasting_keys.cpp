#include "lasting_keys.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "sdbench/base/config/engine_axes.h"
#include "sdbench/front/compare/grouping.h"
#include "sdbench/front/record/card_state.h"
#include "sdbench/front/record/field_name.h"

namespace sdbench {
namespace {

constexpr FieldName kChanging[] = {"driver_version", "os", "runtime_version", "engine_revision"};

/// Fields that only tell how the card was set up.
std::vector<FieldName> state_fields() {
  std::vector<FieldName> fields = {"sm_clock_hz_max", "throttle_reasons"};
  for (const CardState& state : card_states()) {
    fields.push_back(state.field);
  }
  return fields;
}

bool is_number_format(FieldName field) {
  return field == FieldName("dtype_unet");
}

/// A key of what was asked for, without the dtype: a row that failed early may not know which dtype
/// "auto" chose. Defaults of axes are left out, so that rows from before an axis existed match.
std::string asked_text(const ResultTable& table, std::size_t row) {
  std::string text;
  for (const FieldName field : way_fields()) {
    if (is_number_format(field) || field == FieldName("runtime_version")) {
      continue;
    }
    const std::string value = table.value_text(row, field.place());
    const bool is_usual = std::ranges::any_of(engine_axes(), [&](const EngineAxis& axis) {
      return axis.name == field.text() && axis.id_default == value;
    });
    text += (is_usual ? "" : value) + "\n";
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
  std::map<std::string, std::set<std::string>> formats;  // known dtypes by cell
  std::vector<std::pair<std::string, std::string>> keys; // what was asked for, and the cell
  for (const std::size_t row : rows) {
    std::string asked = asked_text(table, row);
    std::string cell =
        asked + place_text(table, row) + "\n" + std::string(table.text(row, "workload_id"));
    const std::string_view format = table.text(row, "dtype_unet");
    if (!format.empty()) {
      formats[cell].emplace(format);
    }
    keys.emplace_back(std::move(asked), std::move(cell));
  }
  const std::vector<FieldName> states = state_fields();
  Ids ways('v');
  Ids places('e');
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t row = rows[i];
    std::string format(table.text(row, "dtype_unet"));
    const std::set<std::string>& known = formats[keys[i].second];
    if (format.empty() && known.size() == 1) {
      format = *known.begin();
    }
    lasting.set(row, field_index("variant_id"), ways.of(keys[i].first + format));
    lasting.set(row, field_index("env_id"), places.of(place_text(table, row)));
    lasting.set(row, field_index("tags"), tags[row]);
    for (const FieldName field : kChanging) {
      lasting.set(row, field.place(), "");
    }
    for (const FieldName field : keeps_state[row] ? std::vector<FieldName>() : states) {
      lasting.set(row, field.place(), "");
    }
  }
  return lasting;
}

} // namespace sdbench
