// This project's kernels for NVIDIA GPUs: the work of text encoders, UNet and VAE between their matrix products.
// NVRTC compiles them for the present GPU, once for each dtype (SDBENCH_F32, SDBENCH_F16 or SDBENCH_BF16). The tests compile them
// as C++ and run a block's threads in turns. So this file includes no header, and uses only what both compilers have.
// Images are channels-last: [N, H * W, C] in memory. All arithmetic is fp32; tensors are read and written 16 bytes at a time.
// Offsets within a row or an image's partial sums are far below 2^31; those within an image are long long.
// NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result)

#ifndef SDBENCH_KERNEL
#define SDBENCH_KERNEL extern "C" __global__
#define SDBENCH_UNROLL _Pragma("unroll")
#endif

#ifdef SDBENCH_F32
using Stored = float;
#else
using Stored = unsigned short; // the bits of it
#endif

constexpr int kPackWidth = 16 / static_cast<int>(sizeof(Stored));
// For group_norm_factors. In fp32 a block of 4096 would leave too few registers for each of its threads.
constexpr int kMostChannels = sizeof(Stored) == 4 ? 3072 : 4096;
constexpr int kMostThreads = kMostChannels / kPackWidth;

struct alignas(16) Pack {
  Stored at[kPackWidth];
};

__device__ inline Pack load_pack(const Stored* from) {
  return *reinterpret_cast<const Pack*>(from);
}
__device__ inline void store_pack(Stored* to, const Pack& pack) {
  *reinterpret_cast<Pack*>(to) = pack;
}

#if defined(SDBENCH_F32)
__device__ inline float widen(Stored value) {
  return value;
}
__device__ inline Stored narrow(float value) {
  return value;
}
#elif defined(SDBENCH_BF16)
__device__ inline float widen(Stored bits) {
  return __uint_as_float(static_cast<unsigned>(bits) << 16);
}
__device__ inline Stored narrow(float value) { // rounds to nearest, ties to even; older GPUs lack an instruction
  const unsigned bits = __float_as_uint(value);
  return static_cast<Stored>(value != value ? 0x7fc0u : (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
#elif defined(SDBENCH_ON_HOST)
__device__ inline float widen(Stored bits) {
  return half_bits_to_float(bits);
}
__device__ inline Stored narrow(float value) {
  return float_to_half_bits(value);
}
#else
__device__ inline float widen(Stored bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}
__device__ inline Stored narrow(float value) {
  Stored bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}
#endif

/// The sum of a warp's values, in each of its threads.
__device__ inline float warp_sum(float value) {
  SDBENCH_UNROLL
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  }
  return value;
}

/// Takes a number from a counter: 0 for the first block. What a block wrote before its last barrier is seen by all that take a later number.
__device__ inline unsigned take_ticket(unsigned* counter) {
#if defined(SDBENCH_ON_HOST)
  return add_and_tell(counter, 1u);
#elif __CUDA_ARCH__ < 700
  __threadfence();
  const unsigned before = atomicAdd(counter, 1u);
  __threadfence();
  return before;
#else // one instruction, without the fence that would empty the multiprocessor's cache
  unsigned before;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(counter) : "memory");
  return before;
#endif
}

struct alignas(8) Sums {
  float values;
  float squares;
};

/// Reads what another block wrote: not from this multiprocessor's own cache, which may hold older values.
__device__ inline Sums load_written(const Sums* from) {
#ifdef SDBENCH_ON_HOST
  return *from;
#else
  Sums sums;
  asm volatile("ld.global.cg.v2.f32 {%0, %1}, [%2];" : "=f"(sums.values), "=f"(sums.squares) : "l"(from));
  return sums;
#endif
}

/// What is added to a channel; `added` may be null.
__device__ inline float added_to(const Stored* added, int channel) {
  return added == nullptr ? 0.0f : widen(added[channel]);
}

/// SiLU. In 16 bits by the GPU's approximate exponential and division, whose error is far below one rounding.
__device__ inline float silu_of(float x) {
#if defined(SDBENCH_F32) || defined(SDBENCH_ON_HOST)
  return x / (1.0f + expf(-x));
#else
  return __fdividef(x, 1.0f + __expf(-x));
#endif
}

// A block of group_norm_factors, as one of its threads sees it.
struct NormBlock {
  const Stored* image;
  const Stored* added; // of this image, or null
  float* sums;         // shared: [row][channel], later fewer
  float* squares;      // shared, in the same order
  int thread, threads, chunk, chunks;
  int channels, groups, pixels;
  int width; // channels of a group
};

// 1. Each thread adds up its own channels of some of the chunk's pixels. It subtracts one value of the group from
//    each: otherwise the squares of a group that lies far from zero would swallow its spread. What is added to a channel is taken off
//    this pivot instead. kAhead loads are under way at once, the first ones beside the pivots'. Beyond the chunk's end the first pixel is
//    read, and counts as zero.
__device__ inline void add_up_pixels(const NormBlock& block, int chunk_pixels) {
  constexpr int kAhead = 4;
  const int channels = block.channels;
  const int packs = channels / kPackWidth;
  const int rows = block.threads / packs;
  const int first_channel = block.thread % packs * kPackWidth;
  const int behind = (block.chunk + 1) * chunk_pixels;
  const int end = behind < block.pixels ? behind : block.pixels;
  int pixel = block.chunk * chunk_pixels + block.thread / packs;
  Pack ahead[kAhead];
  SDBENCH_UNROLL
  for (int k = 0; k < kAhead; ++k) {
    const int at = pixel + k * rows < end ? pixel + k * rows : 0;
    ahead[k] = load_pack(block.image + static_cast<long long>(at) * channels + first_channel);
  }
  Pack own_added{};
  if (block.added != nullptr) {
    own_added = load_pack(block.added + first_channel);
  }
  float pivot[kPackWidth];
  float sum[kPackWidth];
  float square[kPackWidth];
  SDBENCH_UNROLL
  for (int i = 0; i < kPackWidth; ++i) {
    const int first_of_group = (first_channel + i) / block.width * block.width;
    pivot[i] = widen(block.image[first_of_group]) + added_to(block.added, first_of_group) - widen(own_added.at[i]);
    sum[i] = 0;
    square[i] = 0;
  }
  while (pixel < end) {
    SDBENCH_UNROLL
    for (int k = 0; k < kAhead; ++k) {
      const bool counts = pixel + k * rows < end;
      SDBENCH_UNROLL
      for (int i = 0; i < kPackWidth; ++i) {
        const float value = counts ? widen(ahead[k].at[i]) - pivot[i] : 0.0f;
        sum[i] += value;
        square[i] += value * value;
      }
    }
    pixel += kAhead * rows;
    if (pixel < end) {
      SDBENCH_UNROLL
      for (int k = 0; k < kAhead; ++k) {
        const int at = pixel + k * rows < end ? pixel + k * rows : 0;
        ahead[k] = load_pack(block.image + static_cast<long long>(at) * channels + first_channel);
      }
    }
  }
  SDBENCH_UNROLL
  for (int i = 0; i < kPackWidth; ++i) {
    block.sums[block.thread * kPackWidth + i] = sum[i];
    block.squares[block.thread * kPackWidth + i] = square[i];
  }
}

// 2. Adds the rows of each channel, then the channels of each group.
__device__ inline void add_up_groups(const NormBlock& block, Sums* image_partial) {
  const int channels = block.channels;
  const int rows = block.threads / (channels / kPackWidth);
  for (int channel = block.thread; channel < channels; channel += block.threads) {
    float of_sums = 0;
    float of_squares = 0;
    for (int row = 0; row < rows; ++row) {
      of_sums += block.sums[row * channels + channel];
      of_squares += block.squares[row * channels + channel];
    }
    block.sums[channel] = of_sums;
    block.squares[channel] = of_squares;
  }
  __syncthreads();
  if (block.thread < block.groups) {
    float of_sums = 0;
    float of_squares = 0;
    for (int channel = block.thread * block.width; channel < (block.thread + 1) * block.width; ++channel) {
      of_sums += block.sums[channel];
      of_squares += block.squares[channel];
    }
    image_partial[block.chunk * block.groups + block.thread] = {of_sums, of_squares};
  }
}

// 3. Adds the sums of all blocks, in an order that does not depend on which block is the last. Then sums[group] is the mean, and
//    squares[group] the reciprocal of the standard deviation.
__device__ inline void add_up_blocks(const NormBlock& block, const Sums* image_partial, float eps) {
  const int groups = block.groups;
  const int slices = block.threads / groups;
  if (block.thread < slices * groups) {
    float of_sums = 0;
    float of_squares = 0;
    constexpr int kTogether = 8; // loads under way at once
    for (int other = block.thread / groups; other < block.chunks; other += kTogether * slices) {
      Sums some[kTogether];
      SDBENCH_UNROLL
      for (int k = 0; k < kTogether; ++k) {
        const int at = other + k * slices;
        some[k] = at < block.chunks ? load_written(image_partial + at * groups + block.thread % groups) : Sums{0, 0};
      }
      SDBENCH_UNROLL
      for (int k = 0; k < kTogether; ++k) {
        of_sums += some[k].values;
        of_squares += some[k].squares;
      }
    }
    block.sums[block.thread] = of_sums;
    block.squares[block.thread] = of_squares;
  }
  __syncthreads();
  if (block.thread < groups) {
    float of_sums = 0;
    float of_squares = 0;
    for (int slice = 0; slice < slices; ++slice) {
      of_sums += block.sums[slice * groups + block.thread];
      of_squares += block.squares[slice * groups + block.thread];
    }
    const int first_of_group = block.thread * block.width;
    const float count = static_cast<float>(block.width) * static_cast<float>(block.pixels);
    const float mean = of_sums / count;
    const float variance = of_squares / count - mean * mean;
    block.sums[block.thread] = mean + widen(block.image[first_of_group]) + added_to(block.added, first_of_group);
    block.squares[block.thread] = 1.0f / sqrtf((variance > 0 ? variance : 0) + eps);
  }
}

// Group norm of x, or of x + added, in two kernels. The first computes each channel's factor and addend for each image, the second applies them.
// `added` is a number for each channel: a convolution's bias, a time shift. The first puts it into the addend, so it costs no pass of its own.
// It may be null. Image i begins at added + i * added_stride: the stride is `channels`, or 0 if all images have the same numbers.
// Grid of the first: (chunks, images). Its block has channels / kPackWidth threads side by side for each row of pixels
// that it reads at a time: kMostThreads at most, and at least as many as groups. The image's last block makes the factors.
// partial [images][chunks][groups]; factors [images][2][channels]; tickets [images], 0 before and after.
SDBENCH_KERNEL void __launch_bounds__(kMostThreads)
group_norm_factors(const Stored* x, const Stored* added, const Stored* weight, const Stored* bias, Sums* partial,
                   float* factors, unsigned* tickets, int added_stride, int channels, int groups, int pixels,
                   int chunk_pixels, float eps) {
  __shared__ float sums[kMostChannels];
  __shared__ float squares[kMostChannels];
  __shared__ bool is_last;
  const int image = static_cast<int>(blockIdx.y);
  const int thread = static_cast<int>(threadIdx.x);
  const int threads = static_cast<int>(blockDim.x);
  const int chunks = static_cast<int>(gridDim.x);
  const NormBlock block{x + static_cast<long long>(image) * pixels * channels,
                        added == nullptr ? nullptr : added + image * added_stride,
                        sums,
                        squares,
                        thread,
                        threads,
                        static_cast<int>(blockIdx.x),
                        chunks,
                        channels,
                        groups,
                        pixels,
                        channels / groups};
  Sums* image_partial = partial + static_cast<long long>(image) * chunks * groups;
  add_up_pixels(block, chunk_pixels);
  __syncthreads();
  add_up_groups(block, image_partial);
  __syncthreads();
  if (thread == 0) {
    is_last = take_ticket(&tickets[image]) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) {
    return;
  }
  add_up_blocks(block, image_partial, eps);
  __syncthreads();
  float* image_factors = factors + static_cast<long long>(image) * 2 * channels;
  for (int channel = thread; channel < channels; channel += threads) {
    const float factor = widen(weight[channel]) * squares[channel / block.width];
    image_factors[channel] = factor;
    image_factors[channels + channel] =
        widen(bias[channel]) + (added_to(block.added, channel) - sums[channel / block.width]) * factor;
  }
  if (thread == 0) {
    tickets[image] = 0;
  }
}

// y = x * factor + addend, then SiLU if `silu`. Grid: (chunks, images); threads as above. Each reads the factors of its own
// channels only once.
SDBENCH_KERNEL void __launch_bounds__(kMostThreads)
group_norm_apply(const Stored* x, const float* factors, Stored* y, int channels, int pixels, int chunk_pixels,
                 int silu) {
  const int thread = static_cast<int>(threadIdx.x);
  const int packs = channels / kPackWidth;
  const int rows = static_cast<int>(blockDim.x) / packs;
  const int first_channel = thread % packs * kPackWidth;
  const float* image_factors = factors + static_cast<long long>(blockIdx.y) * 2 * channels + first_channel;
  float factor[kPackWidth];
  float addend[kPackWidth];
  SDBENCH_UNROLL
  for (int i = 0; i < kPackWidth; ++i) {
    factor[i] = image_factors[i];
    addend[i] = image_factors[channels + i];
  }
  const long long image = static_cast<long long>(blockIdx.y) * pixels * channels + first_channel;
  const int begin = static_cast<int>(blockIdx.x) * chunk_pixels;
  const int end = begin + chunk_pixels < pixels ? begin + chunk_pixels : pixels;
  for (int pixel = begin + thread / packs; pixel < end; pixel += rows) {
    const long long at = image + static_cast<long long>(pixel) * channels;
    const Pack in = load_pack(x + at);
    Pack out;
    SDBENCH_UNROLL
    for (int i = 0; i < kPackWidth; ++i) {
      const float value = widen(in.at[i]) * factor[i] + addend[i];
      out.at[i] = narrow(silu != 0 ? silu_of(value) : value);
    }
    store_pack(y + at, out);
  }
}

// both [rows][2 * inner], value first -> out [rows][inner]: the value times the exact GELU of the gate. `total`: packs of out.
SDBENCH_KERNEL void geglu(const Stored* both, Stored* out, int inner, int total) {
  const int pack = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (pack >= total) {
    return;
  }
  const int row_packs = inner / kPackWidth;
  const int row = pack / row_packs;
  const Stored* from = both + (static_cast<long long>(row) * row_packs + pack) * kPackWidth; // a row of both is two of out
  const Pack value = load_pack(from);
  const Pack gate = load_pack(from + inner);
  Pack result;
  SDBENCH_UNROLL
  for (int i = 0; i < kPackWidth; ++i) {
    constexpr float kHalfRoot = 0.70710678118654752440f; // of two
    const float x = widen(gate.at[i]);
    result.at[i] = narrow(widen(value.at[i]) * (0.5f * x * (1.0f + erff(x * kHalfRoot))));
  }
  store_pack(out + static_cast<long long>(pack) * kPackWidth, result);
}

// y = x * sigmoid(1.702 * x): CLIP's quick GELU. `total`: packs of x.
SDBENCH_KERNEL void quick_gelu(const Stored* x, Stored* y, int total) {
  const int pack = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (pack >= total) {
    return;
  }
  const long long at = static_cast<long long>(pack) * kPackWidth;
  const Pack in = load_pack(x + at);
  Pack out;
  SDBENCH_UNROLL
  for (int i = 0; i < kPackWidth; ++i) {
    constexpr float kSlope = 1.702f;
    out.at[i] = narrow(silu_of(widen(in.at[i]) * kSlope) * (1.0f / kSlope));
  }
  store_pack(y + at, out);
}

/// Each warp has one row: its values stay in registers, at most kMost packs a thread. All loads are under way before the first is used,
/// but in the widest kernels those of the addend would take too many registers.
template <int kMost>
__device__ inline void norm_of_row(const Stored* x, const Stored* addend, const Stored* weight, const Stored* bias,
                                   Stored* normed, int rows, int channels, float eps) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int row = static_cast<int>(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32);
  if (row >= rows) {
    return;
  }
  const int packs = channels / kPackWidth;
  const long long begin = static_cast<long long>(row) * channels;
  Pack in[kMost];
  Pack more[kMost];
  constexpr bool kAhead = kMost * sizeof(Stored) <= 16; // fp32: 4 packs, or sm_60 spills
  SDBENCH_UNROLL
  for (int k = 0; k < kMost; ++k) {
    const int pack = lane + 32 * k;
    if (pack < packs) {
      in[k] = load_pack(x + begin + static_cast<long long>(pack) * kPackWidth);
      if (kAhead) {
        more[k] = load_pack(addend + pack * kPackWidth);
      }
    }
  }
  float values[kMost][kPackWidth];
  float total = 0;
  SDBENCH_UNROLL
  for (int k = 0; k < kMost; ++k) {
    const int pack = lane + 32 * k;
    if (pack < packs) {
      const Pack other = kAhead ? more[k] : load_pack(addend + pack * kPackWidth);
      SDBENCH_UNROLL
      for (int i = 0; i < kPackWidth; ++i) {
        values[k][i] = widen(in[k].at[i]) + widen(other.at[i]);
        total += values[k][i];
      }
    }
  }
  const float count = static_cast<float>(channels);
  const float mean = warp_sum(total) / count;
  float spread = 0;
  SDBENCH_UNROLL
  for (int k = 0; k < kMost; ++k) {
    if (lane + 32 * k < packs) {
      SDBENCH_UNROLL
      for (int i = 0; i < kPackWidth; ++i) {
        const float difference = values[k][i] - mean;
        spread += difference * difference;
      }
    }
  }
  const float scale = 1.0f / sqrtf(warp_sum(spread) / count + eps);
  SDBENCH_UNROLL
  for (int k = 0; k < kMost; ++k) {
    const int pack = lane + 32 * k;
    if (pack < packs) {
      const Pack factor = load_pack(weight + pack * kPackWidth);
      const Pack offset = load_pack(bias + pack * kPackWidth);
      Pack out;
      SDBENCH_UNROLL
      for (int i = 0; i < kPackWidth; ++i) {
        out.at[i] = narrow((values[k][i] - mean) * scale * widen(factor.at[i]) + widen(offset.at[i]));
      }
      store_pack(normed + begin + static_cast<long long>(pack) * kPackWidth, out);
    }
  }
}

// The layer norm of x + addend. x [rows][channels] of at most 32 * `most` packs; addend [channels].
// Block: a warp for each row.
#define SDBENCH_LAYER_NORM(most)                                                                                       \
  SDBENCH_KERNEL void __launch_bounds__(128)                                                                           \
  layer_norm_##most(const Stored* x, const Stored* addend, const Stored* weight, const Stored* bias, Stored* normed,   \
                    int rows, int channels, float eps) {                                                               \
    norm_of_row<most>(x, addend, weight, bias, normed, rows, channels, eps);                                           \
  }
SDBENCH_LAYER_NORM(1)
SDBENCH_LAYER_NORM(2)
SDBENCH_LAYER_NORM(4)
SDBENCH_LAYER_NORM(8)
SDBENCH_LAYER_NORM(16)

// x [rows][width][channels] -> y [2 * rows][2 * width][channels]: each pixel four times. `rows` are those of all images; a thread reads one of
// the `total` packs of x, of which a pixel has `packs`.
SDBENCH_KERNEL void upsample_twice(const Stored* x, Stored* y, int packs, int width, int total) {
  const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (at >= total) {
    return;
  }
  const Pack pack = load_pack(x + static_cast<long long>(at) * kPackWidth);
  const int pixel = at / packs;
  const int row = pixel / width;
  const int column = pixel - row * width;
  const long long next_row = 2LL * width * packs; // of y, in packs
  const long long first = 2LL * row * next_row + 2LL * column * packs + (at - pixel * packs);
  SDBENCH_UNROLL
  for (int i = 0; i < 4; ++i) {
    store_pack(y + (first + i / 2 * next_row + i % 2 * packs) * kPackWidth, pack);
  }
}

// h += bias, or h += other + bias if `other` is not null. h, other [pixels][channels]; a thread has one of the `total` packs, of which a pixel has
// `packs`.
SDBENCH_KERNEL void add_bias(Stored* h, const Stored* other, const Stored* bias, int packs, int total) {
  const int pack = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (pack >= total) {
    return;
  }
  const long long at = static_cast<long long>(pack) * kPackWidth;
  Pack sum = load_pack(h + at);
  const Pack addend = load_pack(bias + pack % packs * kPackWidth);
  Pack more{};
  if (other != nullptr) {
    more = load_pack(other + at);
  }
  SDBENCH_UNROLL
  for (int i = 0; i < kPackWidth; ++i) {
    sum.at[i] = narrow(widen(sum.at[i]) + widen(more.at[i]) + widen(addend.at[i]));
  }
  store_pack(h + at, sum);
}

// One step of a sampler: next = latents + (from_output * output + from_latents * latents) * to_next.
// scaled = next / next_scale is the UNet's input in the next step. If guided, output is twice as long: the halves of guidance.
SDBENCH_KERNEL void linear_step(const Stored* output, const Stored* latents, Stored* next, Stored* scaled, int count,
                                int guided, float guidance, float from_output, float from_latents, float to_next,
                                float next_scale) {
  const int at = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (at >= count) {
    return;
  }
  float predicted = widen(output[at]);
  if (guided != 0) {
    predicted += guidance * (widen(output[count + at]) - predicted);
  }
  const float now = widen(latents[at]);
  const Stored rounded = narrow(now + (from_output * predicted + from_latents * now) * to_next);
  next[at] = rounded;
  scaled[at] = narrow(widen(rounded) / next_scale);
}

// NOLINTEND(bugprone-implicit-widening-of-multiplication-result)
