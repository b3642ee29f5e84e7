#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sdbench/base/files/json_io.h"

namespace sdbench {

/// "'sha256-…'": the source of a content security policy that allows this inline script or style.
[[nodiscard]] std::string csp_source(std::string_view content);

/// The data as text for a <script type="application/json">: escapes every "<" that could end the
/// element or open a new one; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string json_for_script(const nlohmann::ordered_json& data);

/// The whole page. Fills page.html of `folder` (share/sdbench/report) with the style (style.css),
/// the chart library (chart.min.js), the page's script (scripts/*.js, joined in order of names),
/// the data, the rows (HTML, for readers without scripts) and a policy that allows only these. The
/// title is text; without one it is "sdbench report". Throws Error that names a missing file.
[[nodiscard]] std::string report_page(const nlohmann::ordered_json& data,
                                      std::string_view static_rows,
                                      const std::filesystem::path& folder,
                                      std::string_view title = {});

} // namespace sdbench
