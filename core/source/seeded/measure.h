#pragma once
#include <array>
#include <cstddef>
#include <optional>

#include "core/attention/equation.h"
#include "core/attention/forward.h"

namespace headscope {

struct ForwardSize {
  Index n;
  int d_model;
  int heads;
};
/// What `headscope bench` times.
inline constexpr std::array<ForwardSize, 6> forward_sizes{
    {{10, 512, 8}, {64, 512, 8}, {128, 768, 12}, {512, 512, 8}, {1024, 768, 12}, {2048, 512, 8}}};

/// One layer and its input, as a seeded session has them.
class PreparedForward {
 public:
  PreparedForward(const ForwardSize& size, const ComputeContext& context);
  /// The forward pass with every intermediate kept.
  LayerTrace run() const { return attend(layer_, request_, context_); }
  /// The same without keeping scores and weights.
  LayerTrace run_without_maps() const { return attend(layer_, without_maps_, context_); }
  /// The same by the equation in Eigen, on one thread.
  LayerTrace run_equation() const { return attend_by_equation(weights_, request_); }

 private:
  ComputeContext context_;
  LayerWeights weights_;
  PackedLayer layer_;
  AttentionRequest request_, without_maps_;
};

/// One head of a long text, read in one pass (core/attention/streamed_pass.h).
struct LongTimes {
  Index tokens = 0, d_k = 64;
  int threads = 0;
  const char* instruction_set = "";
  double peak_gflops = 0;
  double overview_ms = 0;          ///< the first complete overview, about a thousand rows and columns
  double context_ms = 0;           ///< the same with the context
  double statistics_ms = 0;        ///< statistics of each row (core/attention/streamed_rows.h)
  double windowed_ms = 0;          ///< an overview under long_mask
  double windowed_cells = 0;       ///< share of the scores computed for it
  std::optional<double> full_ms;   ///< every weight kept; nothing if the map does not fit
  std::size_t resident_bytes = 0;  ///< peak resident memory of the process, before the whole map
  /// Time of 2 n² d_k operations at peak speed.
  double products_ms() const {
    return 2 * static_cast<double>(tokens) * static_cast<double>(tokens) * static_cast<double>(d_k) /
           peak_gflops / 1e6;
  }
  double map_bytes() const { return 4 * static_cast<double>(tokens) * static_cast<double>(tokens); }
};
inline constexpr const char* long_mask = "longformer:256,global=0";
/// Each is the best of a few runs.
LongTimes measure_long(Index tokens, int threads);

/// Floating-point operations of the products, 8 n d² + 4 n² d: two for each multiplication of projections,
/// scores, context and W_O.
double forward_operations(const ForwardSize& size);

/// Peak fused multiply-adds of all threads from registers, in 10⁹ operations per second: the best of several
/// short runs.
double measure_peak_gflops(const ComputeContext& context);

}  // namespace headscope
