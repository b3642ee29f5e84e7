#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sdbench {

// These functions give a GPU's names and versions one spelling, whether they come from CUDA (in the
// worker) or from NVML (in the front).

/// A UUID in the form of NVML and nvidia-smi: "GPU-5c2c1f50-81ab-…".
[[nodiscard]] std::string gpu_uuid_text(std::span<const char, 16> bytes);

/// A PCI address in lower case: "00000000:41:00.0".
[[nodiscard]] std::string pci_address_text(std::uint32_t domain, std::uint32_t bus,
                                           std::uint32_t device);

/// Removes the vendor's words in front of a GPU's name: "RTX 4090" for "NVIDIA GeForce RTX 4090".
[[nodiscard]] std::string without_maker(std::string_view name);

/// A GPU's name without the vendor's words, in lower case: "rtx 4090".
[[nodiscard]] std::string short_gpu_name(std::string_view name);

/// CUDA's version number as text: "13.0" for 13000.
[[nodiscard]] std::string cuda_version_text(int version);

/// cuDNN's version number as text: "9.10.2" for 91002. Versions before 9 have another number of
/// digits: "8.9.7" for 8907.
[[nodiscard]] std::string cudnn_version_text(std::int64_t version);

} // namespace sdbench
