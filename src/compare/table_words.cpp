#include "sdbench/compare/table_words.h"

#include <algorithm>

#include "sdbench/compare/distinct_names.h"
#include "sdbench/compare/grouping.h"
#include "sdbench/config/engine_axes.h"
#include "sdbench/core/escape.h"
#include "sdbench/core/number_text.h"
#include "sdbench/record/record_fields.h"
#include "sdbench/sink/engine_words.h"
#include "sdbench/sink/units.h"

namespace sdbench {
namespace {

constexpr std::size_t kIdDigits = 6; ///< enough to tell a table's ids apart

/// Texts of one row.
class Words {
public:
  Words(const ResultTable& table, std::size_t row) : table_(table), row_(row) {}

  [[nodiscard]] std::string text(std::string_view field) const {
    return std::string(table_.text(row_, field));
  }
  [[nodiscard]] std::string with(std::string_view before, std::string_view field) const {
    const std::string value = table_.value_text(row_, field_index(field));
    return value.empty() ? "" : std::string(before) + value;
  }
  [[nodiscard]] std::int64_t count(std::string_view field) const {
    constexpr double kMost = 1e15; // what a file says may be more than any integer holds
    return static_cast<std::int64_t>(
        std::clamp(table_.number(row_, field).value_or(0), -kMost, kMost));
  }
  [[nodiscard]] std::string short_id(std::string_view field) const {
    return text(field).substr(0, kIdDigits);
  }
  /// A text as it is; a number, and a version, with its name.
  [[nodiscard]] std::string plain(std::size_t field) const {
    const RecordField& known = record_fields()[field];
    const std::string value = table_.value_text(row_, field);
    if (value.empty()) {
      return "no " + std::string(known.name);
    }
    constexpr std::string_view kVersion = "_version"; // "libtorch 2.11.0"
    if (known.name.ends_with(kVersion)) {
      return std::string(known.name.substr(0, known.name.size() - kVersion.size())) + " " + value;
    }
    return type_name(known) == "text" ? value : std::string(known.name) + " " + value;
  }
  [[nodiscard]] std::string joined(const std::vector<std::size_t>& fields) const {
    std::string words;
    for (const std::size_t field : fields) {
      words += (words.empty() ? "" : ", ") + plain(field);
    }
    return words;
  }
  [[nodiscard]] std::string file_name() const {
    const ResultOrigin& origin = table_.origin(row_);
    return origin.file < table_.files().size() ? table_.files()[origin.file].filename().string()
                                               : "";
  }

private:
  const ResultTable& table_;
  std::size_t row_;
};

std::string together(const Words& words) {
  const std::string role = words.text("parallel_role");
  if (role.empty()) {
    return "";
  }
  const std::string count = std::to_string(words.count("parallel_devices"));
  return role == kRoleSum ? "sum of " + count : "part of " + count + ", " + words.text("device");
}

std::string engine_axes(const Words& words) {
  RunRecord record;
  for (const std::string_view axis : axis_names()) {
    for (const std::string& name : {std::string(axis), std::string(axis) + "_used"}) {
      if (find_field(name)) { // what was used is not told of each
        set_field_text(record, field_named(name), words.text(name));
      }
    }
  }
  record.engine.clear(); // it has a word of its own
  return engine_words(record);
}

/// What may tell two lines apart, the most telling first.
std::vector<std::string> line_words(const ResultTable& table, std::size_t row) {
  const Words words(table, row);
  const std::int64_t threads = words.count("threads");
  return {device_words(table, row),
          together(words),
          words.with("on ", "host"),
          words.with("GPU ", "device_index"),
          words.text("dtype_unet"),
          words.with("engine ", "engine"),
          words.with("attention ", "attention"),
          engine_axes(words),
          words.with("cores ", "cpu_share"),
          threads > 0 ? counted(threads, "thread") : "",
          words.text("openmp_config"),
          words.with("shares ", "share"),
          words.with("engine revision ", "engine_revision"),
          words.with("libtorch ", "libtorch_version"),
          words.with("driver ", "driver_version"),
          std::string(weights_kind(words.text("weights"))),
          words.text("weights"),
          words.text("os"),
          words.with("", "cpu"),
          words.with("cores ", "core_count"),
          words.with("card ", "device_uuid"),
          words.file_name(),
          words.with("", "label")};
}

template <typename Items>
void give_names(Items& items, const std::vector<Nameable>& nameable) {
  const std::vector<std::string> names = distinct_names(nameable);
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i].name = names[i];
  }
}

} // namespace

std::string device_words(const ResultTable& table, std::size_t row) {
  const Words words(table, row);
  if (std::string name = words.text("device_name"); !name.empty()) {
    return name;
  }
  const std::string kind = words.text("device_kind");
  return kind.empty() ? "unknown device" : "unknown device (" + kind + ")";
}

void name_columns(Comparison& comparison, const ResultTable& table,
                  const std::vector<std::size_t>& fields) {
  std::vector<Nameable> nameable;
  for (const ComparedColumn& column : comparison.columns) {
    const Words words(table, column.row);
    Nameable item;
    item.base = words.text("model") + " " + words.with("", "width") + "x" +
                words.with("", "height") + ", " + counted(words.count("steps"), "step") + ", " +
                batches_text(words.count("images"), words.count("batch"));
    if (const std::string more = words.joined(fields); !more.empty()) {
      item.base += ", " + more;
    }
    item.words = {words.with("guidance ", "guidance"), words.text("scheduler"),
                  words.with("spacing ", "timestep_spacing")};
    item.id = "workload " + words.short_id("workload_id");
    nameable.push_back(std::move(item));
  }
  give_names(comparison.columns, nameable);
}

void name_lines(Comparison& comparison, const ResultTable& table,
                const std::vector<std::size_t>& fields) {
  std::vector<Nameable> nameable;
  for (ComparedLine& line : comparison.lines) {
    const Words words(table, line.row);
    line.generation = words.text("device_arch");
    line.machine = device_words(table, line.row) + words.with(" on ", "host");
    nameable.push_back(
        {fields.empty() ? device_words(table, line.row) : words.joined(fields),
         line_words(table, line.row),
         "variant " + words.short_id("variant_id") + " on " + words.short_id("env_id")});
  }
  give_names(comparison.lines, nameable);
}

} // namespace sdbench
