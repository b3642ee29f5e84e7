#include "sdbench/front/report/static_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sdbench/base/core/html_text.h"
#include "sdbench/base/core/number_text.h"
#include "sdbench/base/core/units.h"
#include "sdbench/base/record/field_name.h"
#include "sdbench/base/record/flags.h"
#include "sdbench/base/record/record_fields.h"
#include "sdbench/front/compare/shown_value.h"
#include "sdbench/front/results/result_table.h"
#include "sdbench/front/results/row_contradiction.h"

namespace sdbench {
namespace {

constexpr std::size_t kMostRows = 2000; ///< a page of text should stay quick to open

constexpr FieldName kColumnsWithoutScript[] = {
    "time_utc",       "host",   "device_name",     "model",
    "task",           "width",  "height",          "steps",
    "batch",          "images", "device",          "dtype_unet",
    "attention_used", "engine", "unet_it_s",       "images_per_s",
    "images_per_min", "e2e_s",  "peak_host_bytes", "peak_device_allocated_bytes",
    "status",         "flags",  "label",           "note",
    "tags",           "error"};

/// A measured figure as tables have it; counts, texts and ids as they are. A figure of a row that
/// contradicts itself may be anyone's.
std::string cell_text(const ResultTable& table, std::size_t row, std::size_t field) {
  if (is_figure(field) && holds_flag(table.text(row, "flags"), kContradicts)) {
    return "–";
  }
  const bool is_measured = type_name(record_fields()[field]) == "number";
  const std::optional<double> value = is_measured ? table.number(row, field) : std::nullopt;
  return value ? significant_text(*value) : titled_value(table, row, field);
}

} // namespace

std::string static_rows(const ResultTable& table) {
  const std::size_t shown = std::min(table.size(), kMostRows);
  std::vector<std::size_t> fields;
  std::string head;
  for (const FieldName name : kColumnsWithoutScript) {
    const std::size_t field = field_index(name);
    for (std::size_t row = 0; row < shown; ++row) {
      if (!table.value_text(row, field).empty()) {
        fields.push_back(field);
        head.append("<th>").append(name.text()).append("</th>");
        break;
      }
    }
  }
  // Lines between cells without a style, too, which a server may strip.
  std::string html = "<div class=\"scroll\"><table border=\"1\" cellpadding=\"3\"><thead><tr>" +
                     head + "</tr></thead><tbody>\n";
  for (std::size_t row = 0; row < shown; ++row) {
    html += "<tr>";
    for (const std::size_t field : fields) {
      html.append("<td>").append(html_text(cell_text(table, row, field))).append("</td>");
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
