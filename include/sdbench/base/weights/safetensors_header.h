#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// Longest header that the format allows, in bytes.
inline constexpr std::uint64_t kMaxSafetensorsHeader = 100'000'000;

struct SafetensorsHeader {
  TensorMap tensors;                           ///< views into `data`
  std::map<std::string, std::string> metadata; ///< the header's __metadata__
};

/// Parses the JSON of a safetensors header (without the 8 length bytes) and checks it against the
/// bytes that follow it in the file. This is the pure part of SafetensorsFile, for tests and the
/// fuzzer. Every tensor must have a dtype, a unique name, and a shape whose bytes equal its range
/// (if the dtype is one that is read). The ranges must cover `data` without a hole or an overlap.
/// Throws Error, one line that names the tensor, with `origin` (the file) in front.
[[nodiscard]] SafetensorsHeader parse_safetensors_header(std::string_view header,
                                                         std::span<const std::byte> data,
                                                         const std::string& origin);

} // namespace sdbench
