#pragma once
#include <span>
#include <stop_token>
#include <vector>

#include "core/attention/compute_context.h"
#include "core/io/safetensors_reader.h"

namespace headscope {

/// A matrix in place in a file: float32, or 16-bit or quantized numbers widened while they are read.
struct StoredMatrix {
  const std::byte* data = nullptr;
  Dtype dtype = Dtype::f32;
  Index rows = 0, columns = 0;
  Index stride = 0;                   ///< row stride in numbers; of quantized ones in whole blocks
  const std::byte* scales = nullptr;  ///< of mxfp4_apart

  const float* floats(Index row) const { return reinterpret_cast<const float*>(data) + row * stride; }
  const std::uint16_t* halves(Index row) const {
    return reinterpret_cast<const std::uint16_t*>(data) + row * stride;
  }
  /// A row as float32, to `to` [columns].
  void copy_row(Index row, const Kernels& kernels, float* to) const {
    copy_part(row, 0, columns, kernels, to);
  }
  /// The same for `count` numbers of it from `column` on.
  void copy_part(Index row, Index column, Index count, const Kernels& kernels, float* to) const;
};

/// y = x Wᵀ + b, as torch.nn.Linear.
struct Linear {
  Tensor weight;  // [out, in]
  Tensor bias;    // [out]; empty for none
};

/// The same as it is multiplied; or for a transposed weight, y = x W + b.
struct Dense {
  StoredMatrix weight;      // [out, in], or with `input_rows` [in, out]
  bool input_rows = false;  // GPT-2's Conv1D
  Index in = 0, out = 0;
  Tensor bias;         // [out]; empty for none
  Tensor panels = {};  // all of a small weight packed for the kernels, in place of `weight`; otherwise empty
  /// The weight's rows in pieces, one after another, that are not together in their file; `weight` is then
  /// empty, and `bias` has the pieces' own.
  std::vector<Dense> pieces = {};
};

/// The pieces as one.
Dense joined(std::vector<Dense> pieces);

/// For a weight that is multiplied with again and again.
Dense packed(const Linear& linear, const ComputeContext& context);

/// Rows [first, first + count) of W [out, in], whichever way it is stored, as float32.
Tensor rows_of(const Dense& dense, Index first, Index count, const Kernels& kernels);

/// One product of several that run together: y = gain x Wᵀ + b of the rows of x [n, in] (row stride
/// x_stride). The columns of y are in `groups` (heads): each has rows of out / groups contiguous numbers with
/// stride y_stride; groups are group_stride apart.
struct DenseProduct {
  const Dense* dense = nullptr;
  const float* x = nullptr;
  Index n = 0;
  Index x_stride = 0;
  float* y = nullptr;
  Index y_stride = 0;
  Index groups = 1;
  Index group_stride = 0;
  float gain = 1;
};

/// Nothing of a weight in a file is kept beyond the call: for several rows each part is packed for the
/// kernels, multiplied with all of them and discarded; for one row it is read once in place. The same bits
/// for any number of threads. If stopped, the result is incomplete.
void multiply(std::span<const DenseProduct> products, const ComputeContext& context,
              const std::stop_token& stop = {});

/// x [n, in], or longer rows whose rest is ignored, to [n, out].
Tensor multiply(const Dense& dense, const Tensor& x, const ComputeContext& context,
                const std::stop_token& stop = {});

/// The same with rows padded by a few zeros, so that they do not map to the same lines of the L1 cache in the
/// next product.
Tensor multiply_apart(const Dense& dense, const Tensor& x, const ComputeContext& context,
                      const std::stop_token& stop = {});

}  // namespace headscope
