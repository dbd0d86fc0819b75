#include <array>
#include <atomic>
#include <chrono>
#include <ctime>
#include <optional>
#include <thread>
#include <vector>

#include "core/attention/kernels/kernels.h"
#include "core/base/parallel.h"
#include "core/base/thread_pool.h"
#include "tests/support/testing.h"

namespace headscope::tests {

using Schedule = ThreadPool::Schedule;

TEST(ThreadPool, does_every_piece_once) {
  for (int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (Schedule schedule : {Schedule::dynamic, Schedule::affinity})
      for (Index pieces : {0, 1, 2, 7, 1000}) {
        std::vector<std::atomic<int>> done(static_cast<std::size_t>(pieces));
        std::atomic<bool> known = true;
        pool.run(pieces, schedule, [&](Index piece, int thread) noexcept {
          ++done[static_cast<std::size_t>(piece)];
          if (thread < 0 || thread >= threads) known = false;
        });
        for (const auto& count : done) ASSERT_EQ(count, 1);
        EXPECT_TRUE(known);
      }
  }
}

TEST(ThreadPool, the_caller_waits_for_no_thread_that_has_not_begun) {
  ThreadPool pool(3);
  for (Schedule schedule : {Schedule::dynamic, Schedule::affinity}) {
    // The others' first piece begins when the caller has finished all pieces except theirs.
    std::atomic<int> others = 0, by_caller = 0;
    constexpr Index pieces = 30;
    pool.run(pieces, schedule, [&](Index, int thread) noexcept {
      if (thread == 0) {
        ++by_caller;
        return;
      }
      ++others;
      while (by_caller + others < pieces) std::this_thread::yield();
    });
    EXPECT_EQ(by_caller + others, pieces);
    EXPECT_GE(by_caller, pieces - 2) << "of threads that are late the caller takes the pieces";
  }
}

TEST(ThreadPool, who_calls_while_another_call_goes_on_does_all_pieces) {
  ThreadPool pool(2);
  std::atomic<int> inside = 0;
  std::atomic<bool> alone = true;
  pool.run(4, Schedule::dynamic, [&](Index, int) noexcept {
    const auto caller = std::this_thread::get_id();
    pool.run(8, Schedule::affinity, [&](Index, int thread) noexcept {
      ++inside;
      if (thread != 0 || std::this_thread::get_id() != caller) alone = false;
    });
  });
  EXPECT_EQ(inside, 32);
  EXPECT_TRUE(alone);
}

TEST(ThreadPool, copies_share_their_threads) {
  std::optional<ThreadPool> first(std::in_place, 3);
  const ThreadPool second = *first;
  first.reset();
  std::atomic<int> done = 0;
  second.run(100, Schedule::dynamic, [&](Index, int) noexcept { ++done; });
  EXPECT_EQ(second.size(), 3);
  EXPECT_EQ(done, 100);
}

TEST(ParallelFor, does_every_piece_once_from_any_thread_and_from_a_body) {
  constexpr Index pieces = 40, worth_threads = Index{1} << 24;
  std::array<std::atomic<int>, pieces> done{};
  const auto all = [&] {
    parallel_for(pieces, worth_threads, [&](Index i) {
      parallel_for(2, worth_threads, [&](Index) { ++done[static_cast<std::size_t>(i)]; });
    });
  };
  std::jthread other(all);
  all();
  other.join();
  for (const std::atomic<int>& times : done) EXPECT_EQ(times, 4);
}

TEST(ThreadPool, flushes_denormals_in_every_thread_and_only_there) {
#if defined(__x86_64__)
  ThreadPool pool(3);
  volatile float smallest = std::numeric_limits<float>::min();
  std::vector<float> halves(300, 1.0F);
  pool.run(std::ssize(halves), Schedule::affinity,
           [&](Index piece, int) noexcept { halves[static_cast<std::size_t>(piece)] = smallest * 0.5F; });
  EXPECT_EQ(halves, std::vector<float>(300, 0.0F));
  EXPECT_GT(smallest * 0.5F, 0.0F) << "the caller's own arithmetic is as before";
#endif
}

double processor_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

TEST(ThreadPool, sleeps_between_calls) {
  ThreadPool pool(4);
  pool.run(100, Schedule::dynamic, [](Index, int) noexcept {});
  const double before = processor_milliseconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  // Three spinning threads would have used up to 900 ms, at least 300 on their own.
  EXPECT_LT(processor_milliseconds() - before, 100);
}

}  // namespace headscope::tests
