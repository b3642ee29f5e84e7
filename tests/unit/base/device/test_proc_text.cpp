#include "catch.h"

#include "sdbench/base/device/proc_text.h"

using namespace sdbench;

namespace {

constexpr const char* kX86 = "processor\t: 0\n"
                             "vendor_id\t: GenuineIntel\n"
                             "model name\t: Intel(R) Xeon(R) Platinum 8480+\n"
                             "flags\t\t: fpu sse2 avx avx2 avx512f avx512_bf16 amx_bf16 amx_tile\n"
                             "\n"
                             "processor\t: 1\n"
                             "model name\t: another\n";
constexpr const char* kArm = "processor\t: 0\n"
                             "BogoMIPS\t: 2100.00\n"
                             "Features\t: fp asimd sve bf16 i8mm\n"
                             "CPU implementer\t: 0x41\n";

} // namespace

TEST_CASE("sizes in /proc are read in bytes") {
  constexpr const char* kMeminfo = "MemTotal:       16384000 kB\nMemFree:  1 kB\n"
                                   "MemAvailable:    8192 kB\nHugePages_Total:       0\n";
  CHECK(proc_bytes(kMeminfo, "MemTotal") == 16'777'216'000);
  CHECK(proc_bytes(kMeminfo, "MemAvailable") == 8'388'608);
  CHECK_FALSE(proc_bytes(kMeminfo, "Mem").has_value());
  CHECK_FALSE(proc_bytes(kMeminfo, "HugePages_Total").has_value()); // a count, not a size
  CHECK_FALSE(proc_bytes("MemTotal: x kB", "MemTotal").has_value());
  CHECK_FALSE(proc_bytes("MemTotal: 9223372036854775807 kB", "MemTotal").has_value());
  CHECK_FALSE(proc_bytes("", "MemTotal").has_value());
}

TEST_CASE("the processor's name and features are the first processor's") {
  CHECK(cpu_name_from(kX86) == "Intel(R) Xeon(R) Platinum 8480+");
  CHECK(cpu_name_from(kArm).empty());
  CHECK(cpu_features_from(kX86).contains("amx_tile"));
  CHECK(cpu_features_from(kArm).contains("bf16"));
  CHECK(cpu_features_from("").empty());
}

TEST_CASE("the widest vector set and native bf16 come from the features") {
  CHECK(vector_set_of(cpu_features_from(kX86)) == "amx_bf16");
  CHECK(vector_set_of({"avx512f", "avx512_bf16", "avx2"}) == "avx512_bf16");
  CHECK(vector_set_of({"avx512f", "avx2"}) == "avx512f");
  CHECK(vector_set_of({"sse2", "avx", "avx2"}) == "avx2");
  CHECK(vector_set_of(cpu_features_from(kArm)) == "sve_bf16");
  CHECK(vector_set_of({"asimd"}) == "neon");
  CHECK(vector_set_of({}) == "unknown");
  CHECK(has_bf16(cpu_features_from(kX86)));
  CHECK(has_bf16(cpu_features_from(kArm)));
  CHECK_FALSE(has_bf16({"avx512f", "avx2"}));
}

TEST_CASE("instruction sets are those that matter, in a fixed order") {
  CHECK(instruction_sets_of(cpu_features_from(kX86)) ==
        "sse2 avx avx2 avx512f avx512_bf16 amx_tile amx_bf16");
  CHECK(instruction_sets_of(cpu_features_from(kArm)) == "asimd i8mm bf16 sve");
  CHECK(instruction_sets_of({}).empty());
}

TEST_CASE("the system's name loses its quotes") {
  CHECK(os_name_from("NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n") ==
        "Debian GNU/Linux 12 (bookworm)");
  CHECK(os_name_from("PRETTY_NAME=Arch") == "Arch");
  CHECK(os_name_from("ID=x").empty());
}

TEST_CASE("a controller's group is found in both versions") {
  constexpr const char* kVersion1 =
      "9:name=systemd:/\n5:cpu,cpuacct:/docker/abc\n4:memory:/m:x\n0::/\n";
  CHECK(cgroup_path_from(kVersion1, "cpu") == "/docker/abc");
  CHECK(cgroup_path_from(kVersion1, "memory") == "/m:x");
  CHECK(cgroup_path_from(kVersion1, "") == "/");
  CHECK_FALSE(cgroup_path_from(kVersion1, "cp").has_value());
  CHECK(cgroup_path_from("0::/user.slice/a", "") == "/user.slice/a");
  CHECK(cgroup_path_from("5:memory:/user/a:b\n0::/system/x\n", "memory") == "/user/a:b");
  CHECK(cgroup_path_from("5:memory:/user/a:b\n0::/system/x\n", "") == "/system/x");
  CHECK(cgroup_path_from("0::/\n", "") == "/");
  CHECK_FALSE(cgroup_path_from("", "").has_value());
  CHECK_FALSE(cgroup_path_from("garbage", "memory").has_value());
}
