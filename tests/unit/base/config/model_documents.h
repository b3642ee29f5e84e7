#pragma once

#include <string>

#include "sdbench/base/config/model_config.h"
#include "sdbench/base/errors/error.h"

namespace sdbench::test {

/// A shipped architecture document, to change one key of.
inline Json shipped(const std::string& name) {
  return read_json_file(std::string(SDBENCH_SOURCE_DIR) + "/configs/models/" + name + ".json");
}

/// What `call` throws; empty if it does not. Every message of ours is one line.
template <typename Call>
std::string error_of(Call&& call) {
  try {
    (void)call();
  } catch (const Error& error) {
    const std::string message = error.what();
    return message.find('\n') == std::string::npos ? message : "MORE THAN ONE LINE: " + message;
  }
  return {};
}

inline std::string refusal(const Json& document) {
  return error_of([&] { return parse_model_config(document, "model.json"); });
}

} // namespace sdbench::test
