#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sdbench/base/core/json_io.h"

namespace sdbench {

/// "'sha256-…'": the source of a content security policy that allows this inline script or style.
[[nodiscard]] std::string csp_source(std::string_view content);

/// The data as text for a <script type="application/json">: no "<" is left in it that could end the
/// element or open another; what is not UTF-8 becomes U+FFFD.
[[nodiscard]] std::string json_for_script(const nlohmann::ordered_json& data);

/// The page, whole: page.html of `folder` (share/sdbench/report) with the style (style.css), the
/// charts' library (chart.min.js), the page's script (scripts/*.js, joined in the order of their
/// names), the data and the rows (HTML, for readers without scripts) in it, and a policy that
/// allows these alone; above it the title, as text, or "sdbench report". Throws Error naming a file
/// that is missing.
[[nodiscard]] std::string report_page(const nlohmann::ordered_json& data,
                                      std::string_view static_rows,
                                      const std::filesystem::path& folder,
                                      std::string_view title = {});

} // namespace sdbench
