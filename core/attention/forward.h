#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>

#include "core/attention/kernels/kernels.h"
#include "core/attention/layer_trace.h"
#include "core/attention/layer_weights.h"
#include "core/attention/mask.h"
#include "core/base/buffer_pool.h"
#include "core/base/thread_pool.h"

namespace headscope {

/// Steps of a trained model's forward pass, for profiling.
enum class ComputeStep { packing, products, reading, attention, activations, sums, count };
/// Nanoseconds of each step, summed over threads; time a thread waits for another is not included in packing,
/// products and reading.
struct ComputeProfile {
  std::array<std::atomic<std::int64_t>, static_cast<std::size_t>(ComputeStep::count)> steps{};
  std::atomic<std::int64_t> bytes_read = 0;  ///< of weights, in ComputeStep::reading
  std::atomic<std::int64_t>& operator[](ComputeStep step) { return steps[static_cast<std::size_t>(step)]; }
};

/// The resources that a computation runs on.
struct ComputeContext {
  const Kernels& kernels;
  ThreadPool& threads;
  BufferPool& memory;
  ComputeEngine engine = ComputeEngine::kernels;
  ComputeProfile* profile = nullptr;  ///< if set, durations are added to it
};

/// Adds its lifetime to a step of the profile, if there is one.
class ProfiledStep {
 public:
  using Clock = std::chrono::steady_clock;
  /// `of_all`: all threads take part; otherwise only the current one.
  ProfiledStep(const ComputeContext& context, ComputeStep step, bool of_all = true)
      : nanoseconds_(context.profile == nullptr ? nullptr : &(*context.profile)[step]),
        threads_(of_all ? context.threads.size() : 1) {
    if (nanoseconds_ != nullptr) start_ = Clock::now();
  }
  ~ProfiledStep() {
    if (nanoseconds_ != nullptr)
      *nanoseconds_ += threads_ * std::chrono::nanoseconds(Clock::now() - start_).count();
  }
  ProfiledStep(const ProfiledStep&) = delete;
  ProfiledStep& operator=(const ProfiledStep&) = delete;

 private:
  std::atomic<std::int64_t>* nanoseconds_;
  int threads_;
  Clock::time_point start_{};
};

/// A Linear packed for the kernels.
struct PackedLinear {
  Index in = 0, out = 0;
  Index panel = 0;                // columns per panel
  Tensor panels;                  // see Kernels
  Tensor bias;                    // [out rounded up to whole panels]
  double growth = 0, offset = 0;  // |x Wᵀ + b| <= growth max |x| + offset
};
PackedLinear pack_linear(const Linear& linear, const ComputeContext& context);
Linear unpack_linear(const PackedLinear& packed);

struct PackedLayer {
  PackedLinear q, k, v, o;
  std::optional<PackedLinear> up, down;
  std::optional<LayerWeights> unpacked;  // for ComputeEngine::eigen
};
PackedLayer pack_layer(const LayerWeights& weights, const ComputeContext& context);

/// x [n, in] to x Wᵀ + b, [n, out]. If stopped, the result is incomplete.
Tensor apply_linear(const PackedLinear& linear, const Tensor& x, const ComputeContext& context,
                    const std::stop_token& stop = {});

/// A layer's input after its projections; see LayerTrace.
struct Projected {
  Tensor q, k, v;
};

struct AttentionRequest {
  Tensor x;      // [n_q, d_model]
  Tensor key_x;  // [n_k, d_model]
  int heads = 1;
  int kv_heads = 1;
  float gain_q = 1, gain_k = 1;   ///< factors on W_Q and W_K, not on their biases
  float scale = 1;                ///< 1 / sqrt(d_k), or 1 without it
  float inverse_temperature = 1;  ///< applied in the softmax, after the mask
  const Mask* mask = nullptr;
  float fill = 0;  ///< value of blocked scores: -infinity or -1e9
  Tensor dropout;  // [heads, n_q, n_k] factors on the weights (0 or 1 / (1 - p)); empty: none
  /// The same for rows [begin, end) of a head, to `factors` [end - begin, n_k], if the whole tensor would
  /// take too much memory; not for ComputeEngine::eigen. Thread-safe.
  std::function<void(Index head, Index begin, Index end, float* factors)> dropout_rows;
  bool keep_scores = true;
  /// Heads whose scores and weights are kept, ascending; not engaged: all.
  std::optional<std::vector<int>> keep_heads;
  /// Compute only the kept maps: context and output stay empty. Not for ComputeEngine::eigen.
  bool maps_alone = false;
  /// Engaged: context and output are only needed for this query, those of others are incomplete. Not for
  /// ComputeEngine::eigen.
  std::optional<Index> only_query;
  /// Engaged: the projections of an earlier call with the same x, key_x and gains, which are reused.
  std::optional<Projected> projected;
  std::stop_token stop;
  /// Called with the number of finished pieces of the heads' maps, by one thread at a time; not with
  /// ComputeEngine::eigen.
  std::function<void(Index done, Index all)> progress;
};

/// Multi-head attention in the paper's order (Vaswani et al. 2017, section 3.2.2): Q, K, V = X W + b; scores
/// = scale Q Kᵀ; weights = softmax(mask(scores) / T), then dropout; context = weights V; output =
/// concat(context) W_Oᵀ + b_O. Head h reads key-value head h kv_heads / heads. The same bits for any number
/// of threads. If stopped, the result is incomplete and must not be shown. With ComputeEngine::eigen it is
/// attend_by_equation().
LayerTrace attend(const PackedLayer& layer, const AttentionRequest& request, const ComputeContext& context);

}  // namespace headscope
