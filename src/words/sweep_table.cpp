#include "sdbench/words/sweep_table.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sdbench/core/escape.h"
#include "sdbench/core/number_text.h"
#include "sdbench/core/terminal_text.h"
#include "sdbench/core/units.h"
#include "sdbench/words/engine_words.h"
#include "sdbench/words/together_words.h"

namespace sdbench {
namespace {

using R = RunRecord;

/// How a value that all rows share stands in the line above the table.
enum class Above {
  kPlain,   ///< "512x512" needs no "size" before it
  kNamed,   ///< "steps 50"
  kNothing, ///< tells nothing where it does not differ
  kUnusual, ///< like kPlain, where it is not kUsual
};

constexpr std::string_view kUsual = "usual";

struct SweepColumn {
  std::string_view head;
  bool is_number;
  Above above;
  std::string (*text)(const RunRecord& record);
  bool empty_is_a_value = false; ///< of a good row: it has no flag, no label
};

std::string count_text(std::int64_t count) {
  return std::to_string(count);
}

/// What may differ between the cells of a sweep.
const SweepColumn kSettings[] = {
    {"model", false, Above::kPlain, [](const R& r) { return r.model; }},
    {"weights", false, Above::kNamed, [](const R& r) { return r.weights; }},
    {"size", false, Above::kPlain,
     [](const R& r) { return count_text(r.width) + "x" + count_text(r.height); }},
    {"steps", true, Above::kNamed, [](const R& r) { return count_text(r.steps); }},
    {"batch", true, Above::kNamed, [](const R& r) { return count_text(r.batch); }},
    {"images", true, Above::kNamed, [](const R& r) { return count_text(r.images); }},
    {"guidance", true, Above::kNamed, [](const R& r) { return number_text(r.guidance); }},
    {"seed", true, Above::kNothing, [](const R& r) { return std::to_string(r.seed); }},
    {"scheduler", false, Above::kPlain, [](const R& r) { return r.scheduler; }},
    {"spacing", false, Above::kNothing, [](const R& r) { return r.timestep_spacing; }},
    {"on", false, Above::kNothing, [](const R& r) { return r.device; }},
    {"together", false, Above::kNothing, together_words},
    {"device", false, Above::kPlain,
     [](const R& r) { // a sum's "2 x NAME" is said by the two columns before
       return r.parallel_role == kRoleSum ? "" : r.device_name;
     }},
    {"dtype", false, Above::kPlain, [](const R& r) { return r.dtype_unet; }},
    {"attention", false, Above::kNamed, [](const R& r) { return r.attention; }},
    {"kernel", false, Above::kNamed, [](const R& r) { return r.attention_used; }},
    {"engine", false, Above::kUnusual,
     [](const R& r) {
       const std::string words = engine_words(r);
       return words.empty() ? std::string(kUsual) : words;
     }},
    {"threads", true, Above::kNothing,
     [](const R& r) { return r.threads ? count_text(*r.threads) : ""; }},
    {"runs", true, Above::kNothing,
     [](const R& r) { return r.repeat > 0 ? count_text(r.repeat) : ""; }},
    {"round", true, Above::kNothing, [](const R& r) { return count_text(r.round); }},
    {"restart", true, Above::kNothing, [](const R& r) { return count_text(r.restart); }},
    {"label", false, Above::kNamed, [](const R& r) { return r.label; }, true},
    {"note", false, Above::kNamed, [](const R& r) { return r.note; }, true},
    {"interval", false, Above::kNamed, [](const R& r) { return r.ci95_covers; }, true},
    {"flags", false, Above::kNamed, [](const R& r) { return r.flags; }, true},
    {"other programs", false, Above::kNamed, [](const R& r) { return r.busy_programs; }, true},
};

std::string figure_text(const std::optional<double>& value) {
  return value ? significant_text(*value) : "";
}

std::string memory_text(const R& r) {
  const auto& bytes =
      r.peak_device_allocated_bytes ? r.peak_device_allocated_bytes : r.peak_host_bytes;
  return bytes ? bytes_text(*bytes) : "";
}

/// Half the 95 % interval of the rate before it, in percent.
std::string half_interval(const R& r) {
  if (!r.unet_it_s || !r.unet_it_s_ci95_low || !r.unet_it_s_ci95_high) {
    return "";
  }
  const double half = (*r.unet_it_s_ci95_high - *r.unet_it_s_ci95_low) / 2;
  return significant_text(100 * half / *r.unet_it_s, 2) + " %";
}

const SweepColumn kScaling = {"scaling", true, Above::kNothing, [](const R& r) {
                                return r.scaling_efficiency
                                           ? significant_text(100 * *r.scaling_efficiency, 3) + " %"
                                           : "";
                              }};

const SweepColumn kFigures[] = {
    {"UNet it/s", true, Above::kNothing, [](const R& r) { return figure_text(r.unet_it_s); }},
    {"±95 %", true, Above::kNothing, half_interval},
    {"end to end s", true, Above::kNothing, [](const R& r) { return figure_text(r.e2e_s); }},
    {"images/min", true, Above::kNothing, [](const R& r) { return figure_text(r.images_per_min); }},
    {"MP/s", true, Above::kNothing, [](const R& r) { return figure_text(r.megapixels_per_s); }},
    {"peak memory", true, Above::kNothing, memory_text},
};

bool has_figures(const R& record) {
  return record.unet_it_s || (record.parallel_role == kRoleSum && record.images_per_min);
}

/// One value in all records; empty means that a cell failed before it was known.
bool is_common(const SweepColumn& column, std::span<const R> records) {
  std::optional<std::string> common;
  for (const R& record : records) {
    const std::string text = column.text(record);
    const bool counts = !text.empty() || (column.empty_is_a_value && record.status == "ok");
    if (counts && common && text != *common) {
      return false;
    }
    common = counts ? text : common;
  }
  return true;
}

std::string first_text(const SweepColumn& column, std::span<const R> records) {
  for (const R& record : records) {
    if (std::string text = column.text(record); !text.empty()) {
      return one_line(text);
    }
  }
  return {};
}

/// "sd15, 512x512, steps 50, batch 1, fp16"
std::string common_words(const std::vector<const SweepColumn*>& columns,
                         std::span<const R> records) {
  std::string words;
  for (const SweepColumn* column : columns) {
    const std::string text = first_text(*column, records);
    const bool says_nothing = column->above == Above::kNothing || text.empty() ||
                              (column->above == Above::kUnusual && text == kUsual);
    if (!says_nothing) {
      words += (words.empty() ? "" : ", ") +
               (column->above == Above::kNamed ? std::string(column->head) + " " : "") + text;
    }
  }
  return words;
}

std::string styled(std::string_view code, const std::string& text, bool colour) {
  return colour ? "\x1b[" + std::string(code) + "m" + text + "\x1b[0m" : text;
}

/// Cells of text in columns, two blanks between.
class Grid {
public:
  explicit Grid(std::vector<const SweepColumn*> columns) : columns_(std::move(columns)) {
    for (const SweepColumn* column : columns_) {
      widths_.push_back(columns_of(column->head));
    }
  }
  /// Makes room for the first `count` texts of a record.
  void fit(const R& record, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      widths_[i] = std::max(widths_[i], columns_of(one_line(columns_[i]->text(record))));
    }
  }
  /// Of the first `count` columns.
  [[nodiscard]] std::size_t width(std::size_t count) const {
    constexpr std::size_t kGap = 2;
    return std::accumulate(widths_.begin(), widths_.begin() + static_cast<std::ptrdiff_t>(count),
                           kGap * count) -
           kGap;
  }
  [[nodiscard]] std::string head() const {
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      line += padded(i, std::string(columns_[i]->head));
    }
    return trimmed(line);
  }
  [[nodiscard]] std::string row(const R& record, std::size_t count) const {
    std::string line;
    for (std::size_t i = 0; i < count; ++i) {
      line += padded(i, one_line(columns_[i]->text(record)));
    }
    return line;
  }
  static std::string trimmed(const std::string& line) {
    return line.substr(0, line.find_last_not_of(' ') + 1);
  }

private:
  [[nodiscard]] std::string padded(std::size_t column, const std::string& text) const {
    const std::size_t used = columns_of(text);
    const std::string gap(widths_[column] > used ? widths_[column] - used : 0, ' ');
    return (columns_[column]->is_number ? gap + text : text + gap) + "  ";
  }

  std::vector<const SweepColumn*> columns_;
  std::vector<std::size_t> widths_;
};

/// ", cuda:1" where the device is one of several, ", cuda:1 (part of 2)" where they ran together.
std::string device_words(const R& record) {
  if (record.parallel_role.empty()) {
    const bool is_one_of_several = record.device.find(':') != std::string::npos;
    return is_one_of_several ? ", " + one_line(record.device) : "";
  }
  return ", " + one_line(record.device) + " (" + together_words(record) + ")";
}

std::string failure_words(const R& record) {
  return record.error.empty() ? record.status : record.status + ": " + one_line(record.error);
}

/// A row as a block of lines: its settings, then its figures or why there are none.
std::string row_block(const R& record, std::span<const SweepColumn* const> columns,
                      std::size_t settings, bool colour) {
  std::string title;
  std::vector<std::pair<std::string, std::string>> figures;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const SweepColumn& column = *columns[i];
    const std::string text = one_line(column.text(record));
    if (i >= settings) {
      figures.emplace_back(column.head, text);
    } else if (!text.empty()) {
      title += (title.empty() ? "" : ", ") +
               (column.above == Above::kPlain ? "" : std::string(column.head) + " ") + text;
    }
  }
  title = styled("1", title.empty() ? cell_words(record) : title, colour);
  std::string text = block_text(
      title, has_figures(record) ? figures : std::vector<std::pair<std::string, std::string>>());
  return text +
         (record.status == "ok" ? "" : "  " + styled("1;31", failure_words(record), colour) + "\n");
}

} // namespace

std::string to_sweep_table(std::span<const RunRecord> records, bool colour, std::size_t width) {
  std::vector<const SweepColumn*> common;
  std::vector<const SweepColumn*> columns;
  for (const SweepColumn& column : kSettings) {
    (is_common(column, records) ? common : columns).push_back(&column);
  }
  const std::size_t settings = columns.size();
  for (const SweepColumn& column : kFigures) {
    columns.push_back(&column);
  }
  if (std::ranges::any_of(records, [](const R& r) { return r.scaling_efficiency.has_value(); })) {
    columns.push_back(&kScaling);
  }
  Grid grid(columns);
  for (const RunRecord& record : records) {
    grid.fit(record, has_figures(record) ? columns.size() : settings);
  }
  std::string text = styled("1", common_words(common, records), colour) + "\n";
  if (width > 0 && grid.width(columns.size()) > width) {
    for (const RunRecord& record : records) {
      text += row_block(record, columns, settings, colour);
    }
    return text;
  }
  text += styled("1", grid.head(), colour) + "\n";
  for (const RunRecord& record : records) {
    const bool good = record.status == "ok";
    std::string line = grid.row(record, has_figures(record) ? columns.size() : settings);
    line += good ? "" : styled("1;31", failure_words(record), colour);
    text += Grid::trimmed(line) + "\n";
  }
  return text;
}

std::string cell_words(const RunRecord& record) {
  const std::string engine = engine_words(record);
  return one_line(record.model) + " " + count_text(record.width) + "x" + count_text(record.height) +
         ", " + counted(record.steps, "step") + ", " + batches_text(record.images, record.batch) +
         (record.dtype_unet.empty() ? "" : ", " + record.dtype_unet) + ", " +
         (record.attention_used.empty() ? record.attention : record.attention_used) +
         (engine.empty() ? "" : ", " + engine) + device_words(record);
}

std::string outcome_words(const RunRecord& record) {
  if (record.status != "ok") {
    return failure_words(record);
  }
  std::string words;
  if (record.unet_it_s) {
    words = step_rate_text(*record.unet_it_s);
  }
  if (record.images_per_min) {
    words += (words.empty() ? "" : ", ") + significant_text(*record.images_per_min) + " images/min";
  }
  if (record.scaling_efficiency) {
    words += ", " + kScaling.text(record) + " of perfect scaling";
  }
  return words;
}

} // namespace sdbench
