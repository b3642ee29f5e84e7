#include "sdbench/base/config/preset_catalog.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "sdbench/base/config/install_paths.h"
#include "sdbench/base/errors/error.h"
#include "sdbench/base/errors/suggestion.h"
#include "sdbench/base/files/json_io.h"
#include "sdbench/base/numbers/number_text.h"
#include "sdbench/base/text/in_quotes.h"
#include "sdbench/base/text/listed.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

fs::path file_of(const std::string& name) {
  return share_folder() / "presets" / (name + ".json");
}

} // namespace

std::vector<Preset> shipped_presets() {
  return mapped(shipped_names("presets"), [](const std::string& name) {
    return Preset{name, file_of(name), read_json_file(file_of(name)).value("description", "")};
  });
}

std::optional<std::string> newest_of(const std::string& name,
                                     const std::vector<std::string>& known) {
  std::optional<std::string> newest;
  std::uint64_t highest = 0;
  for (const std::string& one : known) {
    const std::string_view number =
        one.starts_with(name + "-") ? std::string_view(one).substr(name.size() + 1) : "";
    if (const auto version = parse_unsigned(number); version && (!newest || *version > highest)) {
      highest = *version;
      newest = one;
    }
  }
  return newest;
}

fs::path preset_file(const std::string& name) {
  const std::vector<std::string> known = shipped_names("presets");
  if (std::ranges::find(known, name) != known.end()) {
    return file_of(name);
  }
  if (const std::optional<std::string> newest = newest_of(name, known)) {
    return file_of(*newest);
  }
  throw UsageError("--preset must be one of " + joined(nearest_first(name, known)) + ", but is " +
                   in_quotes(name) + "; put options of your own into a file for --config");
}

} // namespace sdbench
