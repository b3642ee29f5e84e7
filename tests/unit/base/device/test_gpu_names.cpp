#include "sdbench/base/device/gpu_names.h"

#include <array>

#include "catch.h"

using namespace sdbench;

TEST_CASE("a GPU's UUID is written as nvidia-smi writes it") {
  std::array<char, 16> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>(0x11 * i);
  }
  CHECK(gpu_uuid_text(bytes) == "GPU-00112233-4455-6677-8899-aabbccddeeff");
}

TEST_CASE("a PCI address has eight, two and two hexadecimal digits") {
  CHECK(pci_address_text(0, 0x41, 0) == "00000000:41:00.0");
  CHECK(pci_address_text(0x10000, 0xaf, 0x1f) == "00010000:af:1f.0");
}

TEST_CASE("a GPU's short name is without its maker's words") {
  CHECK(short_gpu_name("NVIDIA GeForce RTX 4090") == "rtx 4090");
  CHECK(short_gpu_name("  Tesla  T4 ") == "t4");
  CHECK(short_gpu_name("NVIDIA").empty());
}

TEST_CASE("versions of CUDA and cuDNN are read from their numbers") {
  CHECK(cuda_version_text(13000) == "13.0");
  CHECK(cuda_version_text(12080) == "12.8");
  CHECK(cudnn_version_text(91002) == "9.10.2");
  CHECK(cudnn_version_text(8907) == "8.9.7");
}
