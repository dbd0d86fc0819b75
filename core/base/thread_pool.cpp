#include "core/base/thread_pool.h"

#include <sched.h>

#include <algorithm>

#include "core/base/flush_denormals.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace headscope {
namespace {

inline void pause_briefly() {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

// About 50 µs on current processors: longer than the gap between two steps of one forward pass.
constexpr int spins_before_sleep = 1000;

}  // namespace

int ThreadPool::cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

ThreadPool::ThreadPool(int threads) {
  const int count = threads > 0 ? threads : cores();
  for (int i = 1; i < count; ++i) workers_.emplace_back([this, i] { work(i); });
}

ThreadPool::~ThreadPool() {
  quit_ = true;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run_job(const Job& job) {
  const FlushDenormals flush;
  job_ = job;
  next_.store(0, std::memory_order_relaxed);
  const bool alone = job.pieces <= 1 || workers_.empty();
  if (!alone) {
    running_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }
  if (alone && job.schedule == Schedule::fixed) {
    for (Index piece = 0; piece < job.pieces; ++piece) job.call(job.body, piece, 0);
    return;
  }
  do_pieces(0);
  if (alone) return;
  for (int spins = 0; running_.load(std::memory_order_acquire) != 0; ++spins) {
    if (spins < spins_before_sleep * 10)
      pause_briefly();
    else
      std::this_thread::yield();
  }
}

void ThreadPool::do_pieces(int thread) {
  if (job_.schedule == Schedule::fixed) {
    const Index end = job_.pieces * (thread + 1) / size();
    for (Index piece = job_.pieces * thread / size(); piece < end; ++piece)
      job_.call(job_.body, piece, thread);
    return;
  }
  for (Index piece; (piece = next_.fetch_add(1, std::memory_order_relaxed)) < job_.pieces;)
    job_.call(job_.body, piece, thread);
}

void ThreadPool::work(int thread) {
  const FlushDenormals flush;
  unsigned seen = 0;
  while (true) {
    unsigned now = seen;
    for (int spins = 0; spins < spins_before_sleep && now == seen; ++spins) {
      pause_briefly();
      now = round_.load(std::memory_order_acquire);
    }
    while (now == seen) {
      round_.wait(seen, std::memory_order_acquire);
      now = round_.load(std::memory_order_acquire);
    }
    seen = now;
    if (quit_) return;
    do_pieces(thread);
    running_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace headscope
