// NVRTC as far as to say its version: 13.0.

extern "C" int nvrtcVersion(int* major, int* minor) {
  *major = 13;
  *minor = 0;
  return 0;
}
