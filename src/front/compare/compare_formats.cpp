#include "sdbench/front/compare/compare_formats.h"

#include "sdbench/base/files/own_file.h"
#include "sdbench/base/text/listed.h"
#include "sdbench/front/words/view_forms.h"

namespace sdbench {
namespace {

constexpr std::size_t kMostHead = 4096; ///< bytes

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// True for the first line of a comparison (compare_view) or of an explanation.
bool is_heading(std::string_view line) {
  return contains(line, ": more is better; relative to ") ||
         contains(line, ": less is better; relative to ") ||
         (line.starts_with("A  ") && contains(line, ", run "));
}

/// True if the text has a heading at its beginning, or below a title and an empty line.
bool has_heading(std::string_view text) {
  const std::vector<std::string_view> lines = sdbench::split(text.substr(0, kMostHead), '\n');
  return is_heading(lines.front()) ||
         (lines.size() > 2 && lines[1].empty() && is_heading(lines[2]));
}

} // namespace

const std::vector<CompareFormat>& compare_formats() {
  static const auto formats = [] {
    std::vector<CompareFormat> all = {{"table", ".txt"}, {"csv", ".csv"}, {"json", ".json"}};
    for (const ViewForm& form : view_forms()) {
      all.push_back({form.name, form.extension});
    }
    return all;
  }();
  return formats;
}

bool is_comparison(std::string_view text, std::string_view format) {
  const std::string_view line = text.substr(0, text.find('\n'));
  const ViewForm* form = find_view_form(format);
  if (form != nullptr && !form->comment) {
    return is_page_of(text, "compare");
  }
  if (format == "csv") {
    return line.starts_with("row,machine,generation,workload,") ||
           line.starts_with("row,machine,workload,metric"); // with --fields
  }
  if (format == "json") {
    return line == "{" && contains(text.substr(0, text.find("\"places\"")), "\"more_is_better\"");
  }
  std::string more;
  return has_heading(text) ||
         (form != nullptr && read_file_mark(text, *form->comment, "compare", more));
}

} // namespace sdbench
