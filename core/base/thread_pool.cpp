#include "core/base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "core/base/flush_denormals.h"
#include "core/system/fibers.h"
#include "core/system/process.h"

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
// An idle thread yields its core now, rather than be preempted in the middle of a piece that the caller has
// to wait for.
constexpr int spins_before_yield = 50;

// Calls done() until it is true or the spin limit is reached; returns its last value.
template <typename Done>
bool spin_until(const Done& done) {
  for (int spins = 1; spins <= spins_before_sleep; ++spins) {
    if (done()) return true;
    pause_briefly();
    if (spins % spins_before_yield == 0) std::this_thread::yield();
  }
  return done();
}

}  // namespace

class ThreadPool::Workers {
 public:
  explicit Workers(int threads) : next_(threads) {
    threads_.reserve(next_.size());
    try {
      for (int i = 1; i < threads; ++i) threads_.emplace_back([this, i] { work(i); });
    } catch (const std::exception&) {
      // The threads already started and the caller do the work.
    }
  }
  ~Workers() {
    quit_ = true;
    announce();
    for (std::thread& thread : threads_) thread.join();
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int size() const { return static_cast<int>(next_.size()); }

  void run(const Job& job) {
    if (job.pieces <= 1 || threads_.empty() || in_use_.test_and_set(std::memory_order_acquire)) {
      for (Index piece = 0; piece < job.pieces; ++piece) {
        job.call(job.body, piece, 0);
        give_way();
      }
      return;
    }
    job_ = job;
    for (int thread = 0; thread < size(); ++thread)
      next_[thread].piece.store(begin_of(thread), std::memory_order_relaxed);
    at_work_.store(open, std::memory_order_release);
    announce();
    claim_pieces(0);
    // No piece is left to claim: no thread may join any more, and those working finish their last piece.
    at_work_.fetch_sub(open, std::memory_order_acquire);
    if (!spin_until([&] { return at_work_.load(std::memory_order_acquire) == 0; }))
      for (int others; (others = at_work_.load(std::memory_order_acquire)) != 0;) at_work_.wait(others);
    in_use_.clear(std::memory_order_release);
  }

 private:
  // The next piece to claim of a thread's initial share.
  struct alignas(64) Next {
    std::atomic<Index> piece{0};
  };
  static constexpr int open = 1 << 24;

  // In dynamic order all pieces are initially the caller's.
  Index begin_of(int thread) const {
    if (job_.schedule == Schedule::dynamic) return thread == 0 ? 0 : job_.pieces;
    return job_.pieces * thread / size();
  }

  void announce() {
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }

  void claim_pieces(int thread) {
    const int owners = job_.schedule == Schedule::dynamic ? 1 : size();
    for (int i = 0; i < owners; ++i) {
      const int owner = (thread + i) % owners;
      const Index end = owners == 1 ? job_.pieces : begin_of(owner + 1);
      std::atomic<Index>& next = next_[owner].piece;
      for (Index piece; (piece = next.fetch_add(1, std::memory_order_relaxed)) < end;)
        job_.call(job_.body, piece, thread);
    }
  }

  // Whether pieces may still be claimed: then the caller waits until leave().
  bool join() {
    int others = at_work_.load(std::memory_order_relaxed);
    while (others >= open)
      if (at_work_.compare_exchange_weak(others, others + 1, std::memory_order_acquire)) return true;
    return false;
  }
  void leave() {
    if (at_work_.fetch_sub(1, std::memory_order_release) == 1) at_work_.notify_all();
  }

  void work(int thread) {
    const FlushDenormals flush;
    unsigned seen = 0;
    while (true) {
      const auto announced = [&] { return round_.load(std::memory_order_acquire) != seen; };
      if (!spin_until(announced))
        while (!announced()) round_.wait(seen, std::memory_order_acquire);
      seen = round_.load(std::memory_order_acquire);
      if (quit_) return;
      if (!join()) continue;
      claim_pieces(thread);
      leave();
    }
  }

  Job job_;
  std::vector<Next> next_;                   // one per thread
  alignas(64) std::atomic<int> at_work_{0};  // threads besides the caller, plus `open` while they may join
  alignas(64) std::atomic<unsigned> round_{0};
  std::atomic_flag in_use_;
  std::atomic<bool> quit_{false};
  std::vector<std::thread> threads_;
};

int ThreadPool::cores() {
  return usable_cores();
}

ThreadPool::ThreadPool(int threads) : workers_(std::make_shared<Workers>(threads > 0 ? threads : cores())) {}

int ThreadPool::size() const {
  return workers_->size();
}

void ThreadPool::run_job(const Job& job) const {
  const FlushDenormals flush;
  workers_->run(job);
}

}  // namespace headscope
