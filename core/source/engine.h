#pragma once
#include <memory>
#include <stop_token>

#include "core/base/buffer_pool.h"
#include "core/source/trace.h"

namespace headscope {

struct RunOptions {
  int layer = 0;  ///< the layer whose maps are kept when not all fit
  /// Maps (scores and weights) of all layers are kept up to this many bytes; beyond, only those of `layer`.
  std::size_t map_budget = std::size_t{1} << 30;
};

/// Runs Inputs. Holds what runs share: threads, recycled memory, the weights drawn last (they cost more than
/// a small forward pass, and most edits leave them as they are). `run` may be called from any thread, one at
/// a time.
class Engine {
 public:
  /// `threads` 0: one for each core this process may use. Engines that run by turns can share `memory`.
  explicit Engine(int threads = 0, BufferPool memory = BufferPool());
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// The pure function from Inputs to Trace: the same bits for any number of threads. Throws Error (input) as
  /// validate() and build_mask() do, or for more than Limits::max_tokens tokens. Returns nullptr if stopped.
  /// An empty sentence gives a Trace with no tokens and no layers.
  std::shared_ptr<const Trace> run(const Inputs& inputs, const RunOptions& options = {},
                                   std::stop_token stop = {});

  /// A rough forecast of `run`, to decide whether it may hold up a frame.
  double expected_milliseconds(const Inputs& inputs, Index n_q, Index n_k) const;

  int threads() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headscope
