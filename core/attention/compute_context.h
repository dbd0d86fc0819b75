#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "core/attention/kernels/kernels.h"
#include "core/base/buffer_pool.h"
#include "core/base/enum_table.h"
#include "core/base/thread_pool.h"

namespace headscope {

/// Steps of a trained model's forward pass, for profiling.
enum class ComputeStep { packing, products, reading, attention, activations, sums, count };
/// Nanoseconds of each step, summed over threads; time a thread waits for another is not included in packing,
/// products and reading.
struct ComputeProfile {
  std::array<std::atomic<std::int64_t>, static_cast<std::size_t>(ComputeStep::count)> steps{};
  std::atomic<std::int64_t> bytes_read = 0;  ///< of weights, in ComputeStep::reading
  std::atomic<std::int64_t>& operator[](ComputeStep step) { return of_kind(steps, step); }
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

}  // namespace headscope
