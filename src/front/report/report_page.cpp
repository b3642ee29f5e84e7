#include "sdbench/front/report/report_page.h"

#include <algorithm>
#include <vector>

#include "sdbench/base/errors/error.h"
#include "sdbench/base/files/sha256.h"
#include "sdbench/front/words/markup_forms.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

std::string bytes_of_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned int group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const unsigned int byte = i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0;
      group = group << 8 | byte;
    }
    for (std::size_t digit = 0; digit < 4; ++digit) {
      const bool is_padding = i + digit > bytes.size();
      text += is_padding ? '=' : kDigits[group >> (18 - 6 * digit) & 63];
    }
  }
  return text;
}

void replace_mark(std::string& page, std::string_view mark, std::string_view content) {
  const std::size_t place = page.find(mark);
  if (place == std::string::npos) {
    throw Error("the report's page.html must have the mark " + std::string(mark) +
                ", but has not; install sdbench again");
  }
  page.replace(place, mark.size(), content);
}

/// All of the page's own scripts, joined in one scope for one element.
std::string joined_scripts(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".js") {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  std::string script = "\"use strict\";\n(() => {\n";
  for (const fs::path& file : files) {
    script += read_text_file(file);
  }
  return script + "})();\n";
}

/// The library without its last line, which names a source map that we do not ship.
std::string chart_library(const fs::path& file) {
  if (!fs::exists(file)) {
    throw Error("the charts' library must be at " + file.string() +
                ", but is not; install sdbench again, or put Chart.js 3 there");
  }
  std::string script = read_text_file(file);
  if (const std::size_t map = script.rfind("//# sourceMappingURL="); map != std::string::npos) {
    script.erase(map);
  }
  return script;
}

} // namespace

std::string csp_source(std::string_view content) {
  return "'sha256-" + base64(bytes_of_hex(sha256_hex(content))) + "'";
}

std::string json_for_script(const nlohmann::ordered_json& data) {
  const std::string json =
      data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string text;
  text.reserve(json.size());
  for (const char byte : json) {
    if (byte == '<') {
      text += "\\u003c";
    } else {
      text += byte;
    }
  }
  return text;
}

std::string report_page(const nlohmann::ordered_json& data, std::string_view static_rows,
                        const fs::path& folder, std::string_view title) {
  std::string page = read_text_file(folder / "page.html");
  const std::string style = read_text_file(folder / "style.css");
  const std::string library = chart_library(folder / "chart.min.js");
  const std::string script = joined_scripts(folder / "scripts");
  replace_mark(page, "{{policy}}",
               "default-src 'none'; script-src " + csp_source(library) + " " + csp_source(script) +
                   "; style-src " + csp_source(style) + "; base-uri 'none'; form-action 'none'");
  replace_mark(page, "{{style}}", style);
  // Data and rows may have any text, even that of a mark, so they come after the other marks. Rows
  // come after data, because their mark is before that of the data.
  replace_mark(page, "{{library}}", library);
  replace_mark(page, "{{script}}", script);
  replace_mark(page, "{{data}}", json_for_script(data));
  replace_mark(page, "{{rows}}", static_rows);
  // Last, because both marks are before all text from files.
  const std::string heading = html_text(title.empty() ? "sdbench report" : title);
  replace_mark(page, "{{heading}}", heading);
  replace_mark(page, "{{title}}", heading);
  return page;
}

} // namespace sdbench
