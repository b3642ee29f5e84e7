#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sdbench {

// One spelling of a GPU's names and versions for both sources: CUDA in the worker, NVML in the
// front.

/// A UUID like "GPU-5c2c1f50-81ab-…", in the form of NVML and nvidia-smi.
[[nodiscard]] std::string gpu_uuid_text(std::span<const char, 16> bytes);

/// "00000000:41:00.0", in lower case.
[[nodiscard]] std::string pci_address_text(std::uint32_t domain, std::uint32_t bus,
                                           std::uint32_t device);

/// "RTX 4090" for "NVIDIA GeForce RTX 4090": removes the maker's words before the name.
[[nodiscard]] std::string without_maker(std::string_view name);

/// The same in lower case: "rtx 4090".
[[nodiscard]] std::string short_gpu_name(std::string_view name);

/// 13000 → "13.0"
[[nodiscard]] std::string cuda_version_text(int version);

/// 91002 → "9.10.2". Before version 9 the digits had other places: 8907 → "8.9.7".
[[nodiscard]] std::string cudnn_version_text(std::int64_t version);

} // namespace sdbench
