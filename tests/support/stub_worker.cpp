// A worker that misbehaves as SDBENCH_STUB says: what WorkerExecutor is tested against, without
// libtorch.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <unistd.h>

#include "sdbench/executor/protocol.h"

using namespace sdbench;
using namespace sdbench::protocol;

namespace {

void write_all(const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = ::write(4, bytes.data() + sent, bytes.size() - sent);
    if (count <= 0) {
      std::exit(9);
    }
    sent += static_cast<std::size_t>(count);
  }
}

void say(const Event& event) {
  write_all(encode(event) + "\n");
}

bool read_request() {
  for (char byte = 0; ::read(3, &byte, 1) == 1;) {
    if (byte == '\n') {
      return true;
    }
  }
  return false;
}

CellResult small_result() {
  CellResult result;
  result.engine = "stub";
  result.libtorch_version = "0.0";
  return result;
}

/// What happens after the model is loaded and one run is timed.
void misbehave(const std::string& how) {
  if (how == "sigkill") {
    ::raise(SIGKILL);
  } else if (how == "segfault") {
    ::raise(SIGSEGV);
  } else if (how == "abort") {
    std::cerr << "terminate called: boom\n";
    std::abort();
  } else if (how == "hang") {
    for (;;) {
      ::pause();
    }
  } else if (how == "deaf") { // hangs, and will not be asked nicely
    ::signal(SIGTERM, SIG_IGN);
    for (;;) {
      ::pause();
    }
  } else if (how == "exit0") {
    ::_exit(0);
  } else if (how == "exit3") {
    std::cerr << "first line\nthe reason\n\n";
    ::_exit(3);
  } else if (how == "garbage") {
    write_all("this is no JSON\n");
  } else if (how == "endless") { // 100 MB without a newline
    for (int i = 0; i < 100; ++i) {
      write_all(std::string(1 << 20, 'x'));
    }
  } else if (how == "noisy") { // more on stdout and stderr than any pipe holds
    for (int i = 0; i < 20000; ++i) {
      std::cerr << "warning number " << i << '\n';
      std::cout << "stray output " << i << '\n';
    }
    std::cout.flush();
    ::raise(SIGSEGV);
  } else if (how == "closes_pipes") {
    ::close(1);
    ::close(2);
    ::close(4);
    for (;;) {
      ::pause();
    }
  }
}

} // namespace

int main() {
  const char* const wish = std::getenv("SDBENCH_STUB");
  const std::string how = wish == nullptr ? "" : wish;
  if (how == "loader") {
    std::cerr << "sdbench-worker: error while loading shared libraries: libtorch_cpu.so: cannot "
                 "open shared object file: No such file or directory\n";
    return 127;
  }
  if (how == "silent") {
    ::pause();
  }
  if (how == "no_hello") {
    say(StageEvent{"load"});
  }
  say(Hello{how == "other_version" ? 99 : kVersion, "0.0"});
  for (std::int64_t request = 0; read_request(); ++request) {
    say(StageEvent{"load"});
    say(DeviceEvent{{.kind = "cpu", .name = "Stub processor"}});
    say(LoadedEvent{small_result()});
    say(SampleEvent{true, RunSample{1, 2, 3, 7, {}}});
    say(StageEvent{"measure"});
    say(StepEvent{0, 0, 1, 0.5});
    say(SampleEvent{false, RunSample{1, 2, 3, 6, {2}}});
    say(NoteEvent{"request " + std::to_string(request) + " of " + std::to_string(::getpid())});
    misbehave(how);
    CellOutcome outcome{Status::kOk, "", "", small_result(), ""};
    if (how == "fails") {
      outcome = {Status::kOomDevice, "measure", "too little memory", small_result(), ""};
    }
    say(OutcomeEvent{outcome});
  }
}
