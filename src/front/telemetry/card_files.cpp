#include "sdbench/front/telemetry/card_files.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "proc_files.h"
#include "sdbench/front/machine/folder_entries.h"

namespace sdbench {
namespace {

namespace fs = std::filesystem;

/// Reads a file that NVIDIA's driver README describes in its chapter on /proc. Both kinds of module
/// have the line "NVRM version".
std::string kernel_module(const fs::path& root) {
  const std::string version = read_small_file(root / "proc/driver/nvidia/version");
  if (version.find("NVRM version") == std::string::npos) {
    return {};
  }
  return version.find("Open Kernel Module") != std::string::npos ? "open" : "closed";
}

/// The kernel's Documentation/ABI/testing/sysfs-devices-removable. For PCI, the firmware marks the
/// ports that lead out of the machine; the devices behind them are removable.
bool is_removable(const fs::path& device) {
  return read_small_file(device / "removable").starts_with("removable");
}

/// A device of Thunderbolt or USB4 that is not the machine itself. The kernel's
/// Documentation/ABI/testing/sysfs-bus-thunderbolt: only devices have the file `authorized`.
bool has_thunderbolt_device(const fs::path& root) {
  const auto devices = folder_entries(root / "sys/bus/thunderbolt/devices");
  return std::ranges::any_of(devices, [](const fs::path& device) {
    const auto authorised = read_number_file(device / "authorized");
    const bool is_host = device.filename().string().ends_with("-0"); // "0-0"
    return !is_host && authorised.value_or(0) > 0;
  });
}

/// sysfs writes the PCI address of NVML, "00000000:41:00.0", with a domain of four digits.
std::string external_link(const std::string& pci_address, const fs::path& root) {
  constexpr std::size_t kZeros = 4;
  if (pci_address.size() <= kZeros) {
    return {};
  }
  std::error_code ignored;
  const fs::path devices = root / "sys/bus/pci/devices";
  fs::path device = fs::canonical(devices / pci_address.substr(kZeros), ignored);
  for (; device.has_relative_path(); device = device.parent_path()) {
    if (is_removable(device)) {
      return has_thunderbolt_device(root) ? "thunderbolt" : "external";
    }
  }
  return {};
}

/// The maker's name in pci.ids, whose lines of makers are "1458  Gigabyte Technology Co., Ltd".
std::string board_vendor(const std::string& board_id, const fs::path& root) {
  const std::string start = board_id.substr(0, board_id.find(':')) + "  ";
  for (const char* file : {"usr/share/misc/pci.ids", "usr/share/hwdata/pci.ids"}) {
    std::ifstream lines(root / file);
    for (std::string line; !board_id.empty() && std::getline(lines, line);) {
      if (line.starts_with(start)) {
        return line.substr(start.size());
      }
    }
  }
  return {};
}

} // namespace

void add_system_facts(GpuFacts& gpu, const fs::path& root) {
  gpu.kernel_module = kernel_module(root);
  gpu.external_link = external_link(gpu.pci_address, root);
  gpu.board_vendor = board_vendor(gpu.board_id, root);
}

} // namespace sdbench
