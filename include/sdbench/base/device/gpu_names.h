#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sdbench {

// One spelling of a GPU's names and versions for all who ask: CUDA in the worker, NVML in the
// front.

/// "GPU-5c2c1f50-81ab-…", as NVML and nvidia-smi write a UUID.
[[nodiscard]] std::string gpu_uuid_text(std::span<const char, 16> bytes);

/// "00000000:41:00.0", in lower case.
[[nodiscard]] std::string pci_address_text(std::uint32_t domain, std::uint32_t bus,
                                           std::uint32_t device);

/// "RTX 4090" of "NVIDIA GeForce RTX 4090": without the words that a maker puts before the name.
[[nodiscard]] std::string without_maker(std::string_view name);

/// "rtx 4090": the same in small letters.
[[nodiscard]] std::string short_gpu_name(std::string_view name);

/// 13000 → "13.0"
[[nodiscard]] std::string cuda_version_text(int version);

/// 91002 → "9.10.2"; before version 9 the digits stood closer: 8907 → "8.9.7".
[[nodiscard]] std::string cudnn_version_text(std::int64_t version);

} // namespace sdbench
