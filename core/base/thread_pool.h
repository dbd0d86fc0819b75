#pragma once
#include <atomic>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

#include "core/base/tensor.h"

namespace headscope {

/// Threads that share out numbered pieces of work; the caller works with them. Between calls that follow
/// closely they spin, since waking costs more than a small forward pass; after that they sleep.
class ThreadPool {
 public:
  /// `threads` in all, the caller included; 0: one for each core this process may use.
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  enum class Schedule {
    dynamic,  ///< whoever is free takes the next piece
    fixed,  ///< the same pieces for the same thread at every call: what they read stays in that core's cache
  };

  /// Calls body(piece, thread) for every piece in [0, pieces), thread in [0, size()), and returns when all
  /// are done. `body` must not throw. One call at a time.
  template <typename Body>
  void run(Index pieces, Schedule schedule, const Body& body) {
    static_assert(std::is_nothrow_invocable_v<Body, Index, int>);
    run_job({pieces, schedule, &body, [](const void* context, Index piece, int thread) {
               (*static_cast<const Body*>(context))(piece, thread);
             }});
  }

  /// The cores this process may use.
  static int cores();

 private:
  struct Job {
    Index pieces = 0;
    Schedule schedule = Schedule::dynamic;
    const void* body = nullptr;
    void (*call)(const void* body, Index piece, int thread) = nullptr;
  };

  void run_job(const Job& job);
  void work(int thread);
  void do_pieces(int thread);

  Job job_;
  alignas(64) std::atomic<Index> next_{0};
  alignas(64) std::atomic<int> running_{0};
  alignas(64) std::atomic<unsigned> round_{0};
  std::atomic<bool> quit_{false};
  std::vector<std::thread> workers_;
};

}  // namespace headscope
