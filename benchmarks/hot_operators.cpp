// The operators that take most of the time, in the shapes of SD 1.5 and SDXL at 512x512 with
// guidance (a batch of 2; the VAE's of 1). Each is compared with this machine's peak: its best rate
// of square matrix products, or for operators that only read and write, its best rate of copying.
//
//   hot_operators [DEVICE] [options of Google Benchmark, e.g. --benchmark_filter=bf16/attention]
//
// fp32 and bf16 on a processor, fp16 and bf16 on a GPU, there from one graph of many calls; all
// cores. The rates are measured first, in the same process. A machine that is busy meanwhile may
// show more than 100 %. So may an operator that fits into a processor's last cache, because the
// copy does not. On a GPU, operators that only read and write use so many tensors in turn that none
// is left in its L2. Within a step much of it is still there, so some calls are faster.
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>
#include <c10/core/InferenceMode.h>

#include "operator_benchmark.h"
#include "sdbench/base/device/host.h"
#include "sdbench/engine/kernels/cpu_instructions.h"
#include "sdbench/engine/kernels/gpu_kernels.h"
#include "sdbench/engine/kernels/nvrtc_library.h"
#include "sdbench/engine/nn/attention.h"
#include "sdbench/engine/nn/attention_kernel.h"
#include "sdbench/engine/nn/conv.h"
#include "sdbench/engine/nn/feed_forward.h"
#include "sdbench/engine/nn/layer_source.h"
#include "sdbench/engine/nn/linear.h"
#include "sdbench/engine/nn/norm.h"
#include "sdbench/engine/nn/packed_weights.h"
#include "sdbench/engine/nn/synthetic_source.h"
#include "sdbench/engine/nn/weight_form.h"
#include "sdbench/engine/pipeline/host_allocator.h"

namespace {

using namespace sdbench;

/// The packing of a layer's weights, the memory format of its images, and its kernels.
struct Form {
  const char* words;
  at::MemoryFormat memory_format = at::MemoryFormat::Contiguous;
  Packing packing = Packing::kNone;
  bool own_kernels = false; ///< like --kernels own
};

/// `forms`, and the same with packed weights.
std::vector<Form> forms_of(const OperatorPlace& place, std::vector<Form> forms) {
  if (can_pack(place.device, place.dtype, cpu_has_bf16())) {
    forms.push_back({"/onednn", at::MemoryFormat::ChannelsLast, Packing::kOneDnn});
    if (cpu_instructions(place.dtype)) {
      forms.push_back({"/own", at::MemoryFormat::ChannelsLast, Packing::kWinograd, true});
    }
  }
  return forms;
}

/// `forms`, and one with our kernels for a GPU.
std::vector<Form> with_gpu_kernels(const OperatorPlace& place, std::vector<Form> forms) {
  if (place.gpu_kernels) {
    forms.push_back({.words = "/own", .own_kernels = true});
  }
  return forms;
}

FormedSource source_of(const OperatorPlace& place, const Form& form) {
  return {std::make_unique<SyntheticSource>(0, "unet", place.dtype, place.device),
          {.memory_format = form.memory_format,
           .packing = form.packing,
           .cpu_kernels = form.own_kernels && place.device.is_cpu(),
           .gpu_kernels = form.own_kernels ? place.gpu_kernels : nullptr}};
}

std::string by(std::initializer_list<std::int64_t> sizes) {
  std::string text;
  for (const std::int64_t size : sizes) {
    text += (text.empty() ? "" : "x") + std::to_string(size);
  }
  return text;
}

void add_convolutions(const OperatorPlace& place) {
  struct Shape {
    const char* where;
    std::int64_t batch, in, out, side;
  };
  constexpr Shape kShapes[] = {
      {"unet", 2, 320, 320, 64},       {"unet", 2, 960, 320, 64},   {"unet", 2, 640, 640, 32},
      {"unet", 2, 1920, 640, 32},      {"unet", 2, 1280, 1280, 16}, {"unet", 2, 2560, 1280, 16},
      {"unet-sd15", 2, 1280, 1280, 8}, {"vae", 1, 512, 512, 64},    {"vae", 1, 512, 512, 128},
      {"vae", 1, 256, 256, 256},       {"vae", 1, 128, 128, 512},
  };
  std::vector<Form> forms =
      forms_of(place, {{""}, {"/channels-last", at::MemoryFormat::ChannelsLast}});
  if (place.device.is_cpu() && place.dtype == at::kFloat && cpu_instructions(at::kFloat)) {
    // Rated by the products of the usual form, so more than the machine's peak is no mistake.
    forms.push_back({"/winograd", at::MemoryFormat::ChannelsLast, Packing::kWinograd});
  }
  for (const Shape& s : kShapes) {
    for (const Form& form : forms) {
      constexpr double kTaps = 9;
      const double flop = 2 * kTaps * static_cast<double>(s.batch * s.in * s.out * s.side * s.side);
      const std::string name = std::string("conv3x3/") + s.where + "/" + std::to_string(s.in) +
                               "to" + std::to_string(s.out) + "@" + by({s.side, s.side}) +
                               form.words;
      register_operator(place, name, {.flop = flop}, [place, s, form] {
        FormedSource source = source_of(place, form);
        const at::Tensor x =
            place.random({s.batch, s.in, s.side, s.side}).contiguous(form.memory_format);
        return [conv = Conv2d(Weights(source), {.in = s.in, .out = s.out}), x] { return conv(x); };
      });
    }
  }
}

struct TokenShape {
  std::int64_t tokens, in, out;
};

void add_linears(const OperatorPlace& place) {
  constexpr TokenShape kShapes[] = {{8192, 320, 320},  {2048, 640, 640},   {512, 1280, 1280},
                                    {8192, 320, 2560}, {8192, 1280, 320},  {2048, 640, 5120},
                                    {2048, 2560, 640}, {512, 1280, 10240}, {512, 5120, 1280}};
  for (const TokenShape& s : kShapes) {
    for (const Form& form : forms_of(place, {{""}})) {
      register_operator(
          place, "linear/" + by({s.tokens, s.in}) + "to" + std::to_string(s.out) + form.words,
          {.flop = 2.0 * static_cast<double>(s.tokens * s.in * s.out)}, [place, s, form] {
            FormedSource source = source_of(place, form);
            const at::Tensor x = place.random({s.tokens, s.in});
            return [linear = Linear(Weights(source), s.in, s.out), x] { return linear(x); };
          });
    }
  }
}

/// libtorch's own choice, and the kernels that users can choose: our own on a processor, each of
/// libtorch's on a GPU. The VAE's head is too wide for most of them.
std::vector<Attention> attention_kernels(const OperatorPlace& place, const at::Tensor& q) {
  std::vector<Attention> kernels{Attention::kAuto};
  if (place.device.is_cuda()) {
    for (const Attention kernel :
         {Attention::kFlash, Attention::kEfficient, Attention::kCudnn, Attention::kSliced}) {
      if (attention_instead(q, kernel) == name_of(kernel)) {
        kernels.push_back(kernel);
      }
    }
    if (q.size(1) == 1) { // the VAE's, like engine tuned in 16 bits
      kernels.push_back(Attention::kBlocked);
    }
  } else if (own_attention(place.device, place.dtype)) {
    kernels.push_back(Attention::kOwn);
  }
  return kernels;
}

void add_attention(const OperatorPlace& place) {
  struct Shape {
    const char* where;
    std::int64_t batch, heads, queries, keys, width;
  };
  constexpr Shape kShapes[] = {
      {"vae-self", 1, 1, 4096, 4096, 512},
      {"vae-self", 1, 1, 16384, 16384, 512}, // SDXL's native size
      {"sd15-self", 2, 8, 4096, 4096, 40},
      {"sd15-self", 2, 8, 1024, 1024, 80},
      {"sd15-self", 2, 8, 256, 256, 160},
      {"sd15-cross", 2, 8, 4096, 77, 40},
      {"sdxl-self", 2, 10, 1024, 1024, 64},
      {"sdxl-self", 2, 20, 256, 256, 64},
      {"sdxl-cross", 2, 10, 1024, 77, 64},
  };
  for (const Shape& s : kShapes) {
    constexpr double kFlopPerScore = 4; // q kᵀ and its product with v
    const double scores = static_cast<double>(s.batch * s.heads * s.queries * s.keys);
    const at::Tensor form = at::empty({s.batch, s.heads, s.queries, s.width},
                                      at::device(place.device).dtype(place.dtype));
    for (const Attention kernel : attention_kernels(place, form)) {
      register_operator(
          place,
          std::string("attention/") + s.where + "/" +
              by({s.batch, s.heads, s.queries, s.keys, s.width}) +
              (kernel == Attention::kAuto ? "" : "/" + std::string(name_of(kernel))),
          {.flop = kFlopPerScore * scores * static_cast<double>(s.width)}, [place, s, kernel] {
            const auto heads = [&](std::int64_t tokens) {
              return split_heads(place.random({s.batch, tokens, s.heads * s.width}), s.heads);
            };
            return [q = heads(s.queries), k = heads(s.keys), v = heads(s.keys), kernel] {
              return attend(q, k, v, {.kernel = kernel});
            };
          });
    }
  }
}

void add_feed_forwards(const OperatorPlace& place) {
  constexpr TokenShape kShapes[] = {{4096, 320, 320}, {1024, 640, 640}, {256, 1280, 1280}};
  std::vector<Form> forms = with_gpu_kernels(place, forms_of(place, {{""}}));
  if (can_pack(place.device, place.dtype, cpu_has_bf16()) && cpu_instructions(place.dtype)) {
    forms.push_back({"/onednn+own", at::MemoryFormat::ChannelsLast, Packing::kOneDnn, true});
  }
  for (const TokenShape& s : kShapes) {
    constexpr double kFlop = 2.0 * 2 * (8 + 4); // a batch of 2, into 8 times the width, out of 4
    for (const Form& form : forms) {
      register_operator(
          place, "geglu/" + by({2, s.tokens, s.in}) + form.words,
          {.flop = kFlop * static_cast<double>(s.tokens * s.in * s.in)}, [place, s, form] {
            FormedSource source = source_of(place, form);
            const at::Tensor x = place.random({2, s.tokens, s.in});
            return [layer = FeedForward(Weights(source), s.in), x] { return layer(x); };
          });
    }
  }
}

/// Bytes of so many tensors, each read or written once.
double bytes_of(const OperatorPlace& place, int tensors, std::int64_t numbers) {
  return static_cast<double>(tensors * numbers) *
         static_cast<double>(c10::elementSize(place.dtype));
}

void add_group_norms(const OperatorPlace& place) {
  struct Shape {
    std::int64_t batch, channels, side;
  };
  constexpr Shape kShapes[] = {
      {2, 320, 64}, {2, 640, 32}, {2, 1280, 16}, {1, 512, 64}, {1, 128, 512}};
  std::vector<Form> forms{{""}, {"/channels-last", at::MemoryFormat::ChannelsLast}};
  if (place.device.is_cpu() ? cpu_instructions(place.dtype).has_value()
                            : place.gpu_kernels != nullptr) {
    forms.push_back(
        {.words = "/own", .memory_format = at::MemoryFormat::ChannelsLast, .own_kernels = true});
  }
  for (const Shape& s : kShapes) {
    for (const Form& form : forms) {
      register_operator(
          place, "groupnorm+silu/" + by({s.batch, s.channels, s.side, s.side}) + form.words,
          {.bytes = bytes_of(place, 2, s.batch * s.channels * s.side * s.side)}, [place, s, form] {
            FormedSource source = source_of(place, form);
            const at::Tensor x =
                place.random({s.batch, s.channels, s.side, s.side}).contiguous(form.memory_format);
            return [norm = GroupNorm(Weights(source), {.channels = s.channels}), x] {
              return norm.silu(x);
            };
          });
    }
  }
}

void add_upsamplings(const OperatorPlace& place) {
  struct Shape {
    std::int64_t batch, channels, side;
  };
  constexpr Shape kShapes[] = {{2, 1280, 16}, {2, 640, 32}, {1, 512, 64}, {1, 256, 512}};
  std::vector<Form> forms{{"/channels-last", at::MemoryFormat::ChannelsLast}};
  if (place.gpu_kernels != nullptr) {
    forms.push_back(
        {.words = "/own", .memory_format = at::MemoryFormat::ChannelsLast, .own_kernels = true});
  }
  for (const Shape& s : kShapes) {
    for (const Form& form : forms) { // read once, written four times
      register_operator(
          place, "upsample/" + by({s.batch, s.channels, s.side, s.side}) + form.words,
          {.bytes = bytes_of(place, 5, s.batch * s.channels * s.side * s.side)}, [place, s, form] {
            const at::Tensor x =
                place.random({s.batch, s.channels, s.side, s.side}).contiguous(form.memory_format);
            return [kernels = form.own_kernels ? place.gpu_kernels : nullptr, x]() -> at::Tensor {
              return kernels != nullptr ? kernels->upsample_twice(x)
                                        : at::upsample_nearest2d(x, {2 * x.size(2), 2 * x.size(3)});
            };
          });
    }
  }
}

/// The end of a ResNet block: two convolutions' sum and their bias.
void add_biases(const OperatorPlace& place) {
  struct Shape {
    std::int64_t batch, channels, side;
  };
  constexpr Shape kShapes[] = {{2, 320, 64}, {2, 1280, 16}, {1, 512, 64}, {1, 128, 512}};
  std::vector<Form> forms{{"/channels-last"}};
  if (place.gpu_kernels != nullptr) {
    forms.push_back({.words = "/own", .own_kernels = true});
  }
  for (const Shape& s : kShapes) {
    for (const Form& form : forms) { // two images in, one out
      register_operator(place, "add+bias/" + by({s.batch, s.channels, s.side, s.side}) + form.words,
                        {.bytes = bytes_of(place, 3, s.batch * s.channels * s.side * s.side)},
                        [place, s, form] {
                          const auto image = [&] {
                            return place.random({s.batch, s.channels, s.side, s.side})
                                .contiguous(at::MemoryFormat::ChannelsLast);
                          };
                          return [kernels = form.own_kernels ? place.gpu_kernels : nullptr,
                                  x = image(), other = image(), bias = place.random({s.channels})] {
                            if (kernels != nullptr) {
                              kernels->add_bias(x, bias, other);
                            } else {
                              x.add_(bias.view({-1, 1, 1})).add_(other);
                            }
                            return x;
                          };
                        });
    }
  }
}

void add_layer_norms(const OperatorPlace& place) {
  struct Shape {
    std::int64_t tokens, channels;
  };
  constexpr Shape kShapes[] = {{8192, 320}, {2048, 640}, {512, 1280}};
  for (const Shape& s : kShapes) {
    for (const Form& form : with_gpu_kernels(place, {{""}})) {
      register_operator(place, "layernorm/" + by({s.tokens, s.channels}) + form.words,
                        {.bytes = bytes_of(place, 2, s.tokens * s.channels)}, [place, s, form] {
                          FormedSource source = source_of(place, form);
                          const at::Tensor x = place.random({s.tokens, s.channels});
                          LayerNorm norm(Weights(source), s.channels);
                          if (form.own_kernels) { // as in a block
                            norm.accept_input_without(place.random({s.channels}).to(at::kFloat));
                          }
                          return [norm, x] { return norm(x); };
                        });
    }
  }
}

/// A product that is added to a residual stream.
void add_linears_of_residuals(const OperatorPlace& place) {
  constexpr TokenShape kShapes[] = {{8192, 320, 320},  {8192, 1280, 320}, {2048, 640, 640},
                                    {2048, 2560, 640}, {512, 1280, 1280}, {512, 5120, 1280}};
  for (const TokenShape& s : kShapes) {
    for (const Form& form : with_gpu_kernels(place, {{""}})) {
      register_operator(
          place, "linear+add/" + by({s.tokens, s.in}) + "to" + std::to_string(s.out) + form.words,
          {.flop = 2.0 * static_cast<double>(s.tokens * s.in * s.out)}, [place, s, form] {
            FormedSource source = source_of(place, form);
            const at::Tensor x = place.random({s.tokens, s.in});
            const at::Tensor stream = place.random({s.tokens, s.out});
            return [linear = Linear(Weights(source), s.in, s.out), stream, x] {
              return linear.added_to(stream, x);
            };
          });
    }
  }
}

/// Queries, keys and values of one self-attention, with its attention.
void add_self_attentions(const OperatorPlace& place) {
  struct Shape {
    std::int64_t tokens, channels, heads;
  };
  constexpr Shape kShapes[] = {{4096, 320, 8}, {1024, 640, 10}, {256, 1280, 20}};
  for (const Shape& s : kShapes) {
    for (const Form& form : with_gpu_kernels(place, {{""}})) {
      const double scores = 2.0 * static_cast<double>(s.tokens * s.tokens); // of a batch of 2
      const double products = 2.0 * 4 * static_cast<double>(s.tokens * s.channels);
      register_operator(place, "self-attention/" + by({2, s.tokens, s.channels}) + form.words,
                        {.flop = (4 * scores + 2 * products) * static_cast<double>(s.channels)},
                        [place, s, form] {
                          FormedSource source = source_of(place, form);
                          const at::Tensor x = place.random({2, s.tokens, s.channels});
                          return [attention = MultiHeadAttention(
                                      Weights(source), {.channels = s.channels, .heads = s.heads}),
                                  x] { return attention(x); };
                        });
    }
  }
}

} // namespace

int main(int argc, char** argv) {
  preload_nvrtc(); // like the worker
  benchmark::Initialize(&argc, argv);
  const c10::InferenceMode inference;
  at::Device device(argc > 1 ? argv[1] : "cpu");
  at::set_num_threads(static_cast<int>(usable_core_count()));
  if (device.is_cpu()) {
    set_host_allocator(HostAllocator::kCaching); // like engine tuned
  } else if (!device.has_index()) {
    device.set_index(0); // its tensors have an index, and our kernels compare
  }
  for (const OperatorPlace& place : places_of(device)) {
    // What nobody else measures comes first, because a run on a borrowed GPU may be cut off.
    add_group_norms(place);
    add_upsamplings(place);
    add_biases(place);
    add_layer_norms(place);
    add_linears_of_residuals(place);
    add_self_attentions(place);
    add_feed_forwards(place);
    add_attention(place);
    add_convolutions(place);
    add_linears(place);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
