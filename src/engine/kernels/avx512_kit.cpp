#include "avx512_vector.h" // first: the headers below use its vectors

#include "kit.h"

#if defined(__x86_64__)

#include "vector_kit.h"

namespace sdbench::kernels {

const Kit kAvx512Kit = avx512::kFp32Kit;

} // namespace sdbench::kernels

#endif
