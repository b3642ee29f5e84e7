// A libcuda.so.1 with one GPU, for the tests of choosing a libtorch. Its answers come from the
// environment.
#include <stdio.h>
#include <stdlib.h>

static int number(const char *name) {
  const char *text = getenv(name);
  return text ? atoi(text) : 0;
}

int cuInit(unsigned flags) {
  return getenv("CUDA_VISIBLE_DEVICES") ? 100 : (int)flags + number("FAKE_INIT");
}

int cuDriverGetVersion(int *version) {
  *version = number("FAKE_CUDA");
  return 0;
}

int cuDeviceGetCount(int *count) {
  *count = 1;
  return 0;
}

int cuDeviceGet(int *device, int index) {
  *device = index;
  return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  (void)device;
  *value = attribute == 75 ? number("FAKE_CAPABILITY") / 10 : number("FAKE_CAPABILITY") % 10;
  return 0;
}

int cuDeviceGetName(char *name, int length, int device) {
  (void)device;
  snprintf(name, (size_t)length, "Fake GPU");
  return 0;
}

int cuGetErrorString(int code, const char **text) {
  *text = code == 803 ? "system has unsupported display driver / cuda driver combination" : NULL;
  return 0;
}
