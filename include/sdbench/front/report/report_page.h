#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sdbench/base/files/json_io.h"

namespace sdbench {

/// "'sha256-…'": the hash with which a content security policy allows this inline script or style.
[[nodiscard]] std::string csp_source(std::string_view content);

/// The data as text for a <script type="application/json"> element. Every "<" that could end the
/// element or open a new one is escaped. Bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string json_for_script(const nlohmann::ordered_json& data);

/// The complete HTML page. Inserts into page.html of `folder` (share/sdbench/report):
/// - the style (style.css), the chart library (chart.min.js), and the page's script (scripts/*.js,
///   joined in order of names)
/// - the data, and the rows as HTML for readers without scripts
/// - a content security policy that allows only this style, library and script
/// - the title, as plain text; "sdbench report" if it is empty
/// Throws Error that names a missing file.
[[nodiscard]] std::string report_page(const nlohmann::ordered_json& data,
                                      std::string_view static_rows,
                                      const std::filesystem::path& folder,
                                      std::string_view title = {});

} // namespace sdbench
