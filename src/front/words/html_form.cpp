#include "sdbench/front/words/markup_forms.h"

#include <string_view>
#include <vector>

#include "sdbench/base/files/own_file.h"
#include "sdbench/base/text/escape.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/words/page_width.h"

namespace sdbench {
namespace {

std::string_view class_of(Tone tone) {
  switch (tone) {
  case Tone::kGood:
    return "good";
  case Tone::kBad:
    return "bad";
  case Tone::kFaint:
    return "faint";
  case Tone::kPlain:
    break;
  }
  return "plain";
}

/// The class attribute of a cell, with a blank before it; may be empty.
std::string class_of(const ViewTable& table, std::size_t column) {
  return table.columns[column].is_number ? " class=\"number\""
         : takes_lines(table, column)    ? " class=\"lines\""
                                         : "";
}

std::string html_cell(const ViewColumn& column, const std::string& text) {
  return column.cells == Cells::kCommand ? "<code>" + html_command(text) + "</code>"
                                         : html_text(text);
}

/// Line breaks of a head become <br>.
std::string html_head(const std::string& head) {
  std::string text;
  for (const std::string_view line : split(head, '\n')) {
    text += (text.empty() ? "" : "<br>") + html_text(line);
  }
  return text;
}

std::string html_table(const ViewTable& table) {
  std::string text = std::string("<div class=\"wide\"><table") +
                     (table.wraps ? " class=\"wraps\"" : "") + ">\n<thead><tr>";
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    text +=
        "<th scope=\"col\"" + class_of(table, i) + ">" + html_head(table.columns[i].head) + "</th>";
  }
  text += "</tr></thead>\n<tbody>\n";
  for (const ViewRow& row : table.rows) {
    text += "<tr class=\"" + std::string(class_of(row.tone)) + "\">";
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      text +=
          "<td" + class_of(table, i) + ">" + html_cell(table.columns[i], row.cells[i]) + "</td>";
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

/// The content security policy allows styles only: no script, font or image.
constexpr const char* kPageBegin = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
)";
constexpr const char* kPageHead = R"(
<meta name="viewport" content="width=device-width, initial-scale=1">
)";
constexpr const char* kPageStyle = R"(<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; padding: 0 1rem; max-width: 80rem; overflow-wrap: break-word; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; font-size: .875rem; }
th, td { padding: .25rem .5rem; text-align: left; border-bottom: 1px solid #8885; }
th { vertical-align: bottom; }
td { white-space: nowrap; }
.wraps .number { white-space: normal; }
.lines { min-width: 9rem; white-space: normal; overflow-wrap: anywhere; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.answer { font-size: 1.2rem; font-weight: 600; }
.good { color: light-dark(#136c2e, #7ee2a0); }
.bad { color: light-dark(#a3201d, #ff9d97); }
.faint, .remark { opacity: .85; }
</style>
</head>
<body>
)";

std::string html_byte(char byte) {
  switch (byte) {
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '&':
    return "&amp;";
  case '"':
    return "&quot;";
  case '\'':
    return "&#39;";
  default:
    return {byte};
  }
}

std::string html_line(const std::string& line) {
  std::string html;
  for (const char byte : line) {
    html += html_byte(byte);
  }
  return html;
}

} // namespace

std::string to_html(const View& view) {
  const std::string name = html_text(view.title.empty() ? "sdbench " + view.command : view.title);
  std::string text = kPageBegin + page_mark(view.command) + kPageHead + "<title>" + name +
                     "</title>\n" + kPageStyle + "<h1>" + name + "</h1>\n";
  text += view.head.empty() ? "" : "<p>" + html_text(view.head) + "</p>\n";
  const auto remarks = [&](const std::vector<std::string>& lines) {
    for (const std::string& remark : lines) {
      text += "<p class=\"remark\">" + html_text(remark) + "</p>\n";
    }
  };
  for (const ViewTable& table : view.tables) {
    text += table.title.empty() ? "" : "<h2>" + html_text(table.title) + "</h2>\n";
    text += table.answer.empty() ? "" : "<p class=\"answer\">" + html_text(table.answer) + "</p>\n";
    text += html_table(table);
    remarks(legend_words(table.legends, heads_of(table)));
    remarks(table.remarks);
  }
  remarks(legend_words(view.legends, heads_of(view)));
  remarks(view.remarks);
  return text + "</body>\n</html>\n";
}

std::string html_text(std::string_view text) {
  return html_line(one_line(text));
}

std::string html_command(std::string_view command) {
  return html_line(message_line(command));
}

} // namespace sdbench
