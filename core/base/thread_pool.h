#pragma once
#include <memory>

#include "core/base/first_failure.h"
#include "core/base/tensor.h"

namespace headscope {

/// Threads that claim numbered pieces of work one by one; the caller works with them, and waits for no thread
/// that has not begun: where other programs keep the processor busy, it does all of the pieces alone. Between
/// calls that follow closely the threads spin, since waking costs more than a small forward pass; after that
/// they sleep. Copies share the same threads.
class ThreadPool {
 public:
  /// `threads` in all, the caller included; 0: one for each core this process may use. Fewer where the system
  /// starts no more.
  explicit ThreadPool(int threads = 0);

  int size() const;

  enum class Schedule {
    dynamic,   ///< in order; whoever is free takes the next piece
    affinity,  ///< a thread begins with the same pieces at every call, as what they read is in its core's
               ///< cache, and then takes those of others that are late
  };

  /// Calls body(piece, thread) for every piece in [0, pieces), thread in [0, size()), and returns when all
  /// are done. Where `body` throws, the first exception is thrown again here. From any thread; while another
  /// one's call is going on, or from a body, the caller does all pieces.
  template <typename Body>
  void run(Index pieces, Schedule schedule, const Body& body) const {
    FirstFailure failure;
    const auto guarded = [&](Index piece, int thread) noexcept {
      failure.guard([&] { body(piece, thread); });
    };
    using Guarded = decltype(guarded);
    run_job({pieces, schedule, &guarded, [](const void* context, Index piece, int thread) {
               (*static_cast<Guarded*>(context))(piece, thread);
             }});
    failure.rethrow();
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
  class Workers;

  void run_job(const Job& job) const;

  std::shared_ptr<Workers> workers_;
};

}  // namespace headscope
