#include "sdbench/front/report/static_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/numbers/units.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/base/types/task_table.h"
#include "sdbench/front/compare/metric.h"
#include "sdbench/front/compare/shown_value.h"
#include "sdbench/front/record/field_access.h"
#include "sdbench/front/record/field_name.h"
#include "sdbench/front/record/flags.h"
#include "sdbench/front/words/markup_forms.h"

namespace sdbench {
namespace {

constexpr std::size_t kMostRows = 2000; ///< keeps the page quick to open

using Table = const ResultTable&;

/// A column; its text may be empty in a row.
struct StaticColumn {
  std::string_view title;
  bool is_number;
  std::string (*text)(Table table, std::size_t row);
  int width = 0; ///< minimum, in pixels
};

/// Shown for each figure of a row that contradicts itself, because the figure may be wrong.
constexpr const char* kNotBelieved = "–";

std::string figure_text(Table table, std::size_t row, FieldName field,
                        std::string (*words)(double) = nullptr) {
  const auto value = table.number(row, field);
  if (!value) {
    return "";
  }
  if (holds_flag(table.text(row, "flags"), kContradicts)) {
    return kNotBelieved;
  }
  return words == nullptr ? significant_text(*value) : words(*value);
}

std::string plain_text(Table table, std::size_t row, FieldName field) {
  return titled_value(table, row, field);
}

std::int64_t count_of(Table table, std::size_t row, FieldName field) {
  constexpr double kMost = 1e15; // a file may have more than any integer can hold
  return static_cast<std::int64_t>(std::clamp(table.number(row, field).value_or(0), -kMost, kMost));
}

std::string card_text(Table table, std::size_t row) {
  const std::string name(table.text(row, "device_name"));
  const std::string host(table.text(row, "host"));
  return (name.empty() ? std::string(table.text(row, "device")) : name) +
         (host.empty() ? "" : " on " + host);
}

/// "sdxl 1024x1024, 20 steps, batch 4"
std::string work_words(Table table, std::size_t row) {
  if (table.text(row, "model").empty()) {
    return ""; // it ended before it knew its work
  }
  const TaskRow& task = task_row_of(table.text(row, "task"));
  return std::string(table.text(row, "model")) +
         (makes_images(task.task) ? "" : " " + std::string(task.name)) + " " +
         plain_text(table, row, "width") + "x" + plain_text(table, row, "height") + ", " +
         work_text(task.task, count_of(table, row, "steps"), count_of(table, row, "images"),
                   count_of(table, row, "batch"));
}

/// "fp16, flash, sdbench tuned"
std::string setting_text(Table table, std::size_t row) {
  constexpr FieldName kWords[] = {"dtype_unet", "attention_used", "engine", "parallel_role"};
  return joined(mapped(kWords, [&](FieldName field) { return plain_text(table, row, field); }));
}

/// "OOM", as compare has it, whatever memory it was.
std::string status_text(Table table, std::size_t row) {
  const std::string status = plain_text(table, row, "status");
  return status.starts_with("oom") ? "OOM" : status;
}

/// Seconds per image; empty for rows without a UNet, as in compare.
std::string s_per_image_text(Table table, std::size_t row) {
  const bool is_of_images = table.number(row, "unet_it_s").has_value();
  return is_of_images ? figure_text(table, row, "images_per_min",
                                    [](double rate) { return significant_text(60 / rate); })
                      : "";
}

std::string memory_words(Table table, std::size_t row) {
  const std::string of_device = figure_text(table, row, "peak_device_allocated_bytes", memory_text);
  return of_device.empty() ? figure_text(table, row, "peak_host_bytes", memory_text) : of_device;
}

consteval std::size_t of(FieldName field) {
  return field.place();
}
template <std::size_t kField>
std::string figure(Table table, std::size_t row) {
  return figure_text(table, row, FieldName::at(kField));
}
template <std::size_t kField>
std::string plain(Table table, std::size_t row) {
  return plain_text(table, row, FieldName::at(kField));
}

/// Most important columns first, because a narrow window hides those on the right.
constexpr StaticColumn kColumns[] = {
    {"card", false, card_text, 160},
    {"work", false, work_words, 120},
    {"images/min", true, figure<of("images_per_min")>},
    {"s/image", true, s_per_image_text},
    {"it/s", true, figure<of("unet_it_s")>},
    {"images/s", true, figure<of("images_per_s")>},
    {"status", false, status_text},
    {"setting", false, setting_text, 160},
    {"peak memory", true, memory_words},
    {"when", false, plain<of("time_utc")>},
    {"flags", false, plain<of("flags")>},
    {"label", false, plain<of("label")>},
    {"note", false, plain<of("note")>},
    {"tags", false, plain<of("tags")>},
    {"error", false, plain<of("error")>},
};

/// The rows grouped by work, the fastest first in each group. Groups are in the order of the files.
std::vector<std::size_t> rows_in_order(Table table) {
  std::map<std::string, std::size_t> place_of_work;
  std::vector<std::size_t> places(table.size());
  std::vector<std::size_t> rows(table.size());
  for (std::size_t row = 0; row < table.size(); ++row) {
    rows[row] = row;
    places[row] = place_of_work.emplace(work_words(table, row), place_of_work.size()).first->second;
  }
  std::ranges::stable_sort(rows, [&](std::size_t a, std::size_t b) {
    const auto rate = [&](std::size_t row) {
      return table.number(row, "images_per_min").value_or(0);
    };
    return places[a] != places[b] ? places[a] < places[b] : rate(a) > rate(b);
  });
  return rows;
}

/// A cell. Numbers are aligned by an attribute, because a server may strip styles.
std::string cell(const std::string& kind, const StaticColumn& column, std::string_view text,
                 const std::string& width = "") {
  return "<" + kind + (column.is_number ? " class=\"number\" align=\"right\"" : width) + ">" +
         html_text(text) + "</" + kind + ">";
}

std::string head_cell(const StaticColumn& column) {
  return cell("th", column, column.title,
              column.width > 0 ? " width=\"" + std::to_string(column.width) + "\"" : "");
}

} // namespace

std::string static_rows(const ResultTable& table) {
  std::vector<std::size_t> rows = rows_in_order(table);
  rows.resize(std::min(rows.size(), kMostRows));
  const std::size_t shown = rows.size();
  std::vector<const StaticColumn*> columns;
  std::string head;
  for (const StaticColumn& column : kColumns) {
    const bool is_told = std::ranges::any_of(
        rows, [&](std::size_t row) { return !column.text(table, row).empty(); });
    if (is_told) {
      columns.push_back(&column);
      head += head_cell(column);
    }
  }
  // The border attribute draws lines even if a server strips styles.
  std::string html = "<div class=\"scroll\"><table border=\"1\" cellpadding=\"3\"><thead><tr>" +
                     head + "</tr></thead><tbody>\n";
  for (const std::size_t row : rows) {
    html += "<tr>";
    for (const StaticColumn* column : columns) {
      html += cell("td", *column, column->text(table, row));
    }
    html += "</tr>\n";
  }
  html += "</tbody></table></div>\n";
  if (shown < table.size()) {
    html += "<p>Left out here: " +
            counted(static_cast<std::int64_t>(table.size() - shown), "more row") +
            "; sdbench merge has all.</p>\n";
  }
  return html;
}

} // namespace sdbench
