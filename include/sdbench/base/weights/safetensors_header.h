#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "sdbench/base/weights/tensor_view.h"

namespace sdbench {

/// Maximum length of a header in the safetensors format, in bytes.
inline constexpr std::uint64_t kMaxSafetensorsHeader = 100'000'000;

struct SafetensorsHeader {
  TensorMap tensors;                           ///< views into `data`
  std::map<std::string, std::string> metadata; ///< the header's object __metadata__
};

/// Parses the JSON of a safetensors header (without the 8 length bytes) and checks it against
/// `data`, the bytes that follow it in the file. SafetensorsFile calls this function. It does not
/// access files, so that tests and the fuzzer can call it too. Every tensor must have a dtype, a
/// unique name, and a shape. If sdbench knows the dtype, the byte range must be as long as dtype
/// and shape require. The ranges must cover `data` without gaps or overlaps. Throws Error, whose
/// message is one line that begins with `origin` (the file) and names the tensor.
[[nodiscard]] SafetensorsHeader parse_safetensors_header(std::string_view header,
                                                         std::span<const std::byte> data,
                                                         const std::string& origin);

} // namespace sdbench
