#include "sdbench/front/telemetry/card_files.h"

#include <filesystem>

#include "catch.h"
#include "scratch_folder.h"

using namespace sdbench;
using sdbench::test::ScratchFolder;

namespace {

/// A card at 0000:41:00.0, two bridges behind a root port, as sysfs has it: the folder of a device
/// is in that of its bridge, and /sys/bus/pci/devices has links.
void add_card(const ScratchFolder& root) {
  const std::string port = "sys/devices/pci0000:00/0000:00:07.0";
  root.write(port + "/class", "0x060400\n");
  root.write(port + "/0000:40:00.0/0000:41:00.0/class", "0x030000\n");
  std::filesystem::create_directories(root.path() / "sys/bus/pci/devices");
  std::filesystem::create_directory_symlink(
      "../../../devices/pci0000:00/0000:00:07.0/0000:40:00.0/0000:41:00.0",
      root.path() / "sys/bus/pci/devices/0000:41:00.0");
}

GpuFacts card(const ScratchFolder& root, const std::string& pci_address = "00000000:41:00.0",
              const std::string& board_id = "1458:4074") {
  GpuFacts gpu;
  gpu.pci_address = pci_address;
  gpu.board_id = board_id;
  add_system_facts(gpu, root.path());
  return gpu;
}

} // namespace

// NVIDIA's driver README, "The /proc Filesystem Interface".
TEST_CASE("the driver's /proc file tells its open kernel module from its closed one") {
  const ScratchFolder root;
  CHECK(card(root).kernel_module.empty());
  root.write("proc/driver/nvidia/version",
             "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build\n"
             "GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n");
  CHECK(card(root).kernel_module == "open");
  root.write("proc/driver/nvidia/version",
             "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 2024\n");
  CHECK(card(root).kernel_module == "closed");
  root.write("proc/driver/nvidia/version", "\xff\xfe");
  CHECK(card(root).kernel_module.empty());
}

// The kernel's Documentation/ABI/testing/sysfs-devices-removable and sysfs-bus-thunderbolt.
TEST_CASE("a card behind a port that leads out of the machine is external, or on Thunderbolt") {
  const ScratchFolder root;
  add_card(root);
  CHECK(card(root).external_link.empty());
  const std::string bridge = "sys/devices/pci0000:00/0000:00:07.0/0000:40:00.0/";
  root.write(bridge + "removable", "fixed\n");
  CHECK(card(root).external_link.empty());
  root.write(bridge + "removable", "removable\n");
  CHECK(card(root).external_link == "external");
  root.write("sys/bus/thunderbolt/devices/domain0/security", "user\n");
  root.write("sys/bus/thunderbolt/devices/0-0/authorized", "1\n"); // the machine itself
  root.write("sys/bus/thunderbolt/devices/0-1/authorized", "0\n"); // not yet allowed
  CHECK(card(root).external_link == "external");
  root.write("sys/bus/thunderbolt/devices/0-1/authorized", "1\n");
  CHECK(card(root).external_link == "thunderbolt");
  CHECK(card(root, "00000000:42:00.0").external_link.empty()); // no such device
  CHECK(card(root, "").external_link.empty());
}

// pci.ids(5): a maker's line begins with its id, a device's with a tab.
TEST_CASE("the board's maker has the name that pci.ids gives it") {
  const ScratchFolder root;
  CHECK(card(root).board_vendor.empty());
  root.write("usr/share/hwdata/pci.ids", "# comment\n10de  NVIDIA Corporation\n"
                                         "\t1458  Not a maker\n1458  Gigabyte Technology\n");
  CHECK(card(root).board_vendor == "Gigabyte Technology");
  CHECK(card(root, "", "10de:12a2").board_vendor == "NVIDIA Corporation");
  CHECK(card(root, "", "beef:0001").board_vendor.empty());
  CHECK(card(root, "", "").board_vendor.empty());
}
