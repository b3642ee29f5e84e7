#include "sdbench/front/results/redacted_text.h"

#include <string>

#include "catch.h"

using namespace sdbench;

TEST_CASE("a text loses serials, UUIDs, addresses, home folders and names of processes") {
  const auto redacted = [](const std::string& text) { return redacted_text(text, {}); };
  CHECK(redacted("Serial Number : 165") == "Serial Number : [redacted]");
  CHECK(redacted(R"("serial_number": "S4X", "a": 1)") ==
        R"("serial_number": "[redacted]", "a": 1)");
  CHECK(redacted("UUID: GPU-5c2c1f50-0a1b-4c2d-8e3f-0123456789ab.") == "UUID: GPU-[redacted].");
  CHECK(redacted("eth0 52:54:00:ab:CD:56, ib 00-11-22-33-44-55-66-77") ==
        "eth0 [redacted], ib [redacted]");
  CHECK(redacted("to 10.0.0.7:8080, then 192.168.1.20.") == "to [redacted]:8080, then [redacted].");
  CHECK(redacted("from fe80::1:2%eth0 and 2001:db8:0:1:2:3:4:5") ==
        "from [redacted]%eth0 and [redacted]");
  CHECK(redacted("Xid (PCI:0000:41:00): 79") == "Xid (PCI:[redacted]): 79");
  CHECK(redacted("mail ann.b@example.org now") == "mail [redacted] now");
  CHECK(redacted("GPU 00000000:41:00.0, pcieport 0000:40:01.0: AER, 41:00.0") ==
        "GPU [redacted], pcieport [redacted]: AER, [redacted]");
  CHECK(redacted("open '/home/ann/a b', /Users/bob/x:3 (/root/y)") ==
        "open '[redacted]', [redacted]:3 ([redacted])");
  CHECK(redacted("    Name        : python3 train.py") == "    Name        : [redacted]");
  CHECK(redacted("Xid 79, pid=1, name=my prog, GPU") == "Xid 79, pid=1, name=[redacted], GPU");
  CHECK(redacted("[ 1.5] my prog invoked oom-killer: x") ==
        "[ 1.5] [redacted] invoked oom-killer: x");
  CHECK(redacted("Killed process 7 (my prog) x") == "Killed process 7 ([redacted]) x");
  CHECK(redacted("CPU: 1 PID: 7 Comm: prog Tainted") == "CPU: 1 PID: 7 Comm: [redacted] Tainted");
}

TEST_CASE("a text loses GUIDs, in whichever form") {
  const auto redacted = [](const std::string& text) { return redacted_text(text, {}); };
  CHECK(redacted("    GPU Fabric GUID : 0x8a5b12cd") == "    GPU Fabric GUID : [redacted]");
  CHECK(redacted("node_guid: 0002:c903:00a1:b2c3") == "node_guid: [redacted]");
  CHECK(redacted("port 0002:c903:00a1:b2c3, mlx5_0:0002:c903:00a1:b2c3: up") ==
        "port [redacted], mlx5_0:[redacted]: up");
  CHECK(redacted("id 0x0002c90300a1b2c3 of 0002c90300a1b2c3") == "id [redacted] of [redacted]");
  CHECK(redacted("machine 4c4c4544003510528054b4c04f4a3132.") == "machine [redacted].");
}

TEST_CASE("an address goes behind an interface's name, too, and before a colon") {
  const auto redacted = [](const std::string& text) { return redacted_text(text, {}); };
  CHECK(redacted("eth0:fe80::1:2 and abcd:db8::1") == "eth0:[redacted] and [redacted]");
  CHECK(redacted("net 2001:db8:1:2::/64, to fe80::1: refused") ==
        "net [redacted]/64, to [redacted]: refused");
  CHECK(redacted("eth0:52:54:00:ab:cd:56: up") == "eth0:[redacted]: up");
}

TEST_CASE("an absolute path goes unless all machines have it, with its blanks if it is in quotes") {
  const auto redacted = [](const std::string& text) { return redacted_text(text, {}); };
  CHECK(redacted("no /data/anna/model: x") == "no [redacted]: x");
  CHECK(redacted("path=/srv/a,b \"/mnt/my disk/x\" `/opt/a b`") ==
        "path=[redacted],b \"[redacted]\" `[redacted]`");
  CHECK(redacted(R"(cd /data/my\ models/x now)") == "cd [redacted] now");
  CHECK(redacted("'/data/it and 'more'") == "'[redacted]'more'");
  CHECK(redacted("~/models from https://host.example/a") == "~[redacted] from https:[redacted]");
  for (const std::string text :
       {"/usr/lib/x86_64-linux-gnu/libc.so.6", "at /proc/self/maps: x", "'/etc/os-release'",
        "/dev/nvidia0 and /dev/null", "N/A", "1 / 2", "torch/nn", "../c10/core/a.cpp:3", "</b>",
        "error status/mask=00000001/0000a000"}) {
    CHECK(redacted(text) == text);
  }
}

TEST_CASE("the kernel's names of processes go, whatever characters they have") {
  const auto redacted = [](const std::string& text) { return redacted_text(text, {}); };
  CHECK(redacted("Killed process 12 (a) b), UID 5") == "Killed process 12 ([redacted]), UID 5");
  CHECK(redacted("Killed process 12, UID 5, (prog) x") ==
        "Killed process 12, UID 5, ([redacted]) x");
  CHECK(redacted("oom_reaper: reaped process 12 (prog), now") ==
        "oom_reaper: reaped process 12 ([redacted]), now");
  CHECK(redacted("PID: 7 Comm: my prog Not tainted") == "PID: 7 Comm: [redacted] Not tainted");
}

TEST_CASE("versions, times and names of code stay in a redacted text") {
  for (const std::string text :
       {"Driver Version : 580.65.06", "VBIOS Version : 96.00.89.00.01",
        "Product Name : NVIDIA H200", "6.1.0-26-amd64", "2026-11-30T12:34:56Z",
        "std::bad_alloc in c10::cuda::CUDAStream", "libtorch 2.11.0+cu130", "0x7f1234567890",
        "1234567890123456", "a2b0ff21e9a4878ec90b8f10117ac8bb7c30fada", "", "two\nlines\n"}) {
    CHECK(redacted_text(text, {}) == text);
  }
}

TEST_CASE("names that the caller knows go as whole words, from each line") {
  CHECK(redacted_text("desk: ann at desk\nannex of ann", {"desk", "ann"}) ==
        "[redacted]: [redacted] at [redacted]\nannex of [redacted]");
  CHECK(redacted_text("no /srv/ann/a.safetensors, 'b'", {"/srv/ann"}) == "no [redacted], 'b'");
}

TEST_CASE("an endless line is cut rather than read with an endless stack") {
  const std::string text = redacted_text(std::string(10'000'000, 'a') + " 10.0.0.7", {});
  CHECK(text.size() < 3000);
}
