#include "sdbench/kernels/cpu_linear.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "block_product.h"
#include "kit.h"
#include "packing.h"
#include "sdbench/core/error.h"

namespace sdbench {

using namespace kernels;

struct CpuLinear::Impl {
  Impl(const at::Tensor& weight, const std::optional<at::Tensor>& given_bias,
       CpuInstructions instructions)
      : dtype(weight.scalar_type()), in(weight.size(1)),
        row_bytes(in * static_cast<std::int64_t>(weight.element_size())),
        packed(kit_of(instructions), weight.contiguous(), 1),
        bias(given_bias ? given_bias->to(at::kFloat).contiguous() : at::Tensor()) {
    for (const Slice& slice : packed.slices()) {
      offsets.push_back(slice.first * row_bytes / in);
    }
  }

  /// `rows` rows from `a` on, against a task's panels.
  void multiply(const std::byte* a, std::int64_t rows, Block block) const;

  at::ScalarType dtype;
  std::int64_t in;
  std::int64_t row_bytes;
  PackedMatrix packed;
  at::Tensor bias; ///< undefined if there is none
  std::vector<std::int64_t> offsets;
};

void CpuLinear::Impl::multiply(const std::byte* a, std::int64_t rows, Block block) const {
  block.a = a;
  block.a_stride = row_bytes;
  block.rows = rows / kRows * kRows;
  multiply_block(packed, offsets, block);
  const std::int64_t left = rows - block.rows;
  if (left > 0) { // products take kRows: the last ones are not all there
    const at::Tensor last = at::zeros({kRows, row_bytes}, at::kByte);
    auto* to = static_cast<std::byte*>(last.mutable_data_ptr());
    std::memcpy(to, a + block.rows * row_bytes, static_cast<std::size_t>(left * row_bytes));
    block.c += block.rows * block.c_stride;
    block.a = to;
    block.rows = kRows;
    multiply_block(packed, offsets, block);
  }
}

std::optional<CpuInstructions> CpuLinear::instructions(const at::Tensor& weight) {
  return weight.device().is_cpu() && fills_tile_rows(weight)
             ? cpu_instructions(weight.scalar_type())
             : std::nullopt;
}

CpuLinear::CpuLinear(const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                     CpuInstructions instructions)
    : impl_(std::make_shared<const Impl>(weight, bias, instructions)) {}

at::Tensor CpuLinear::operator()(const at::Tensor& x) const {
  if (x.scalar_type() != impl_->dtype || x.size(-1) != impl_->in) {
    throw Error("a linear layer's input must be [..., " + std::to_string(impl_->in) + "] in " +
                c10::toString(impl_->dtype) + ", but is [..., " + std::to_string(x.size(-1)) +
                "] in " + c10::toString(x.scalar_type()));
  }
  const PackedMatrix& packed = impl_->packed;
  const at::Tensor input = x.contiguous();
  const auto* a = static_cast<const std::byte*>(input.const_data_ptr());
  const std::int64_t rows = input.numel() / impl_->in;
  const auto* bias = impl_->bias.defined() ? impl_->bias.const_data_ptr<float>() : nullptr;
  std::vector<std::int64_t> sizes = input.sizes().vec();
  sizes.back() = packed.out();
  at::Tensor out = at::empty(sizes, input.options());
  auto* to = static_cast<std::byte*>(out.mutable_data_ptr());
  const auto value_bytes = static_cast<std::int64_t>(input.element_size());

  const Tasks tasks(rows, packed.panels(), at::get_num_threads());
  at::parallel_for(0, tasks.count(), 1, [&](std::int64_t begin, std::int64_t end) {
    const SumScratch scratch(tasks);
    packed.kit().begin();
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t first_row = task / tasks.panel_blocks * tasks.rows;
      const std::int64_t count = std::min(tasks.rows, rows - first_row);
      const Block block = block_of(packed, tasks, task, scratch);
      impl_->multiply(a + first_row * impl_->row_bytes, count, block);
      for (std::int64_t row = 0; row < count; ++row) {
        write_row(packed, block, row, bias, to + (first_row + row) * packed.out() * value_bytes);
      }
    }
    packed.kit().end();
  });
  return out;
}

} // namespace sdbench
