// A stand-in for the driver's libcuda.so.1, with which nothing can be computed: all that CUDA's
// runtime asks before it gives up.
//   SDBENCH_FAKE_CUDA_INIT     what cuInit answers: 0 if it is not set
//   SDBENCH_FAKE_CUDA_VERSION  the newest CUDA that the driver takes: 13000 if it is not set

#include <cstdlib>

namespace {

int number(const char* name, int otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

} // namespace

extern "C" {

int cuInit(unsigned /*flags*/) {
  return number("SDBENCH_FAKE_CUDA_INIT", 0);
}

int cuDriverGetVersion(int* version) {
  *version = number("SDBENCH_FAKE_CUDA_VERSION", 13000);
  return 0;
}

} // extern "C"
