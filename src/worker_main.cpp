// The process that computes: libtorch, one device, requests on descriptor 3, events on
// descriptor 4.
#include <cstdio>

#include <fcntl.h>

#include "sdbench/base/errors/error.h"
#include "sdbench/engine/kernels/nvrtc_library.h"
#include "sdbench/engine/worker/message_loop.h"

int main() {
  constexpr int kRequests = 3;
  constexpr int kEvents = 4;
  if (::fcntl(kRequests, F_GETFD) < 0 || ::fcntl(kEvents, F_GETFD) < 0) {
    std::fputs("sdbench-worker is started by sdbench; run that instead\n", stderr);
    return 2;
  }
  sdbench::preload_nvrtc(); // before cuDNN asks for it
  try {
    return sdbench::run_message_loop(kRequests, kEvents);
  } catch (const sdbench::Error& error) {
    std::fprintf(stderr, "sdbench-worker: %s\n", error.what());
    return 1;
  }
}
