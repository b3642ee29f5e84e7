#include "attention_forms.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/util/BFloat16.h>

#include "kit.h"
#include "packing.h"

namespace sdbench::kernels {
namespace {

/// Queries that share one pass over the keys. Their blocks stay in the second cache meanwhile.
constexpr std::int64_t kTaskRows = 128;
/// Row stride of scratch, padded so that the rows of a tile do not share cache sets.
constexpr std::int64_t kScoreStride = kBlockKeys + kColumns;

/// Sizes of one head of one image, in dwords and bytes.
struct Layout {
  Layout(std::int64_t key_count, std::int64_t head_width, std::int64_t values_per_dword)
      : keys(key_count), width(head_width),
        width_dwords((width + values_per_dword - 1) / values_per_dword),
        answer_width(round_up(width, kColumns)), key_panel(panel_bytes(width_dwords)),
        value_panel(panel_bytes((keys + values_per_dword - 1) / values_per_dword)),
        key_bytes(round_up(keys, kColumns) / kColumns * key_panel),
        value_bytes(answer_width / kColumns * value_panel) {}

  std::int64_t keys;
  std::int64_t width;
  std::int64_t width_dwords;
  std::int64_t answer_width; ///< floats
  std::int64_t key_panel;    ///< bytes
  std::int64_t value_panel;
  std::int64_t key_bytes; ///< of all panels
  std::int64_t value_bytes;
};

/// A bf16's bits.
using Value = std::uint16_t;

/// A thread's own memory, all of it in one tensor.
struct Scratch {
  explicit Scratch(const Layout& layout)
      : query_stride(round_up(layout.width_dwords, kDepthStep) * kDwordBytes),
        weight_stride(kScoreStride * static_cast<std::int64_t>(sizeof(Value))) {
    const std::int64_t queries_bytes = kTaskRows * query_stride;
    const std::int64_t score_bytes = kRows * kScoreStride * kDwordBytes;
    const std::int64_t weight_bytes = kRows * weight_stride;
    const std::int64_t answer_bytes = kTaskRows * layout.answer_width * kDwordBytes;
    const std::int64_t row_bytes = kTaskRows * kDwordBytes;
    memory = at::empty({queries_bytes + score_bytes + weight_bytes + answer_bytes + 2 * row_bytes},
                       at::kByte);
    auto* next = reinterpret_cast<std::byte*>(memory.mutable_data_ptr()); // NOLINT
    const auto take = [&](std::int64_t bytes) { return std::exchange(next, next + bytes); };
    queries = take(queries_bytes);
    scores = reinterpret_cast<float*>(take(score_bytes)); // NOLINT
    weights = take(weight_bytes);
    answers = reinterpret_cast<float*>(take(answer_bytes)); // NOLINT
    largest = reinterpret_cast<float*>(take(row_bytes));    // NOLINT
    sum = reinterpret_cast<float*>(take(row_bytes));        // NOLINT
  }

  std::int64_t query_stride; ///< bytes from row to row
  std::int64_t weight_stride;
  at::Tensor memory;
  std::byte* queries; ///< [kTaskRows]: missing rows are zero
  float* scores;      ///< [kRows, kScoreStride]
  std::byte* weights; ///< [kRows]
  float* answers;     ///< [kTaskRows, answer_width]
  float* largest;     ///< [kTaskRows]
  float* sum;
};

void start(const Rows<Value>& queries, const Layout& layout, const Scratch& scratch) {
  std::memset(scratch.queries, 0, static_cast<std::size_t>(kTaskRows * scratch.query_stride));
  for (std::int64_t row = 0; row < queries.count; ++row) {
    std::memcpy(scratch.queries + row * scratch.query_stride, queries.data + row * queries.stride,
                static_cast<std::size_t>(layout.width) * sizeof(Value));
  }
  std::fill_n(scratch.answers, kTaskRows * layout.answer_width, 0.0F);
  std::fill_n(scratch.largest, kTaskRows, -std::numeric_limits<float>::infinity());
  std::fill_n(scratch.sum, kTaskRows, 0.0F);
}

/// Processes the block of keys from `first` on for the queries of a task.
void attend_block(const Kit& kit, const Layout& layout, const Scratch& scratch,
                  const std::byte* keys, const std::byte* values, std::int64_t first,
                  std::int64_t query_count) {
  const std::int64_t count = std::min(kBlockKeys, layout.keys - first);
  for (std::int64_t row = 0; row < query_count; row += kRows) {
    Product scores;
    scores.a = scratch.queries + row * scratch.query_stride;
    scores.a_stride = scratch.query_stride;
    scores.b = keys + first / kColumns * layout.key_panel;
    scores.panel_stride = layout.key_panel;
    scores.c = scratch.scores;
    scores.c_stride = kScoreStride;
    scores.panels = round_up(count, kColumns) / kColumns;
    scores.depth = layout.width_dwords;
    kit.multiply(scores);

    Scores softmax;
    softmax.scores = scratch.scores;
    softmax.stride = kScoreStride;
    softmax.weights = scratch.weights;
    softmax.weights_stride = scratch.weight_stride;
    softmax.rows = std::min(kRows, query_count - row);
    softmax.keys = count;
    softmax.scale = score_scale(layout.width);
    softmax.largest = scratch.largest + row;
    softmax.sum = scratch.sum + row;
    softmax.answers = scratch.answers + row * layout.answer_width;
    softmax.answer_width = layout.answer_width;
    kit.weigh(softmax);

    Product answers;
    answers.a = scratch.weights;
    answers.a_stride = scratch.weight_stride;
    answers.b = values + first / kit.values_per_dword * kPanelRowBytes;
    answers.panel_stride = layout.value_panel;
    answers.c = softmax.answers;
    answers.c_stride = layout.answer_width;
    answers.panels = layout.answer_width / kColumns;
    answers.depth = (count + kit.values_per_dword - 1) / kit.values_per_dword;
    answers.accumulate = true;
    kit.multiply(answers);
  }
}

/// Divides each query's answer by the sum of its weights, and rounds it.
void finish(const Layout& layout, const Scratch& scratch, Value* out, std::int64_t stride,
            std::int64_t count) {
  for (std::int64_t row = 0; row < count; ++row) {
    const float* answer = scratch.answers + row * layout.answer_width;
    const float share = 1.0F / scratch.sum[row];
    Value* to = out + row * stride;
    for (std::int64_t i = 0; i < layout.width; ++i) {
      to[i] = c10::BFloat16(answer[i] * share).x;
    }
  }
}

} // namespace

at::Tensor attend_in_panels(const Kit& kit, const at::Tensor& given_q, const at::Tensor& given_k,
                            const at::Tensor& given_v) {
  const at::Tensor q = with_dense_rows(given_q);
  const at::Tensor k = with_dense_rows(given_k);
  const at::Tensor v = with_dense_rows(given_v);
  const std::int64_t heads = q.size(1);
  const std::int64_t queries = q.size(2);
  const std::int64_t all_heads = q.size(0) * heads;
  const Layout layout(k.size(2), q.size(3), kit.values_per_dword);
  const at::Tensor packed =
      at::empty({all_heads, layout.key_bytes + layout.value_bytes}, at::kByte);
  auto* packed_data = reinterpret_cast<std::byte*>(packed.mutable_data_ptr()); // NOLINT
  const auto keys_of = [&](std::int64_t head) {
    return packed_data + head * (layout.key_bytes + layout.value_bytes);
  };
  at::parallel_for(0, all_heads, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t head = begin; head < end; ++head) {
      pack_as_columns(rows_of<Value>(k, head / heads, head % heads, 0, layout.keys), keys_of(head));
      pack_as_depth(rows_of<Value>(v, head / heads, head % heads, 0, layout.keys),
                    keys_of(head) + layout.key_bytes);
    }
  });

  const at::Tensor out = at::empty({q.size(0), queries, heads, layout.width}, q.options());
  auto* out_data = static_cast<Value*>(out.mutable_data_ptr());
  const std::int64_t tasks_a_head = (queries + kTaskRows - 1) / kTaskRows;
  at::parallel_for(0, all_heads * tasks_a_head, 1, [&](std::int64_t begin, std::int64_t end) {
    const Scratch scratch(layout);
    kit.begin();
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t head = task / tasks_a_head;
      const std::int64_t first = task % tasks_a_head * kTaskRows;
      const std::int64_t count = std::min(kTaskRows, queries - first);
      start(rows_of<Value>(q, head / heads, head % heads, first, count), layout, scratch);
      for (std::int64_t key = 0; key < layout.keys; key += kBlockKeys) {
        attend_block(kit, layout, scratch, keys_of(head), keys_of(head) + layout.key_bytes, key,
                     count);
      }
      finish(layout, scratch,
             out_data + ((head / heads * queries + first) * heads + head % heads) * layout.width,
             heads * layout.width, count);
    }
    kit.end();
  });
  return out.transpose(1, 2);
}

} // namespace sdbench::kernels
