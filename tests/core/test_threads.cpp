#include <atomic>
#include <chrono>
#include <ctime>

#include "core/attention/kernels/kernels.h"
#include "core/base/thread_pool.h"
#include "tests/support/testing.h"

namespace headscope::tests {

using Schedule = ThreadPool::Schedule;

TEST(ThreadPool, does_every_piece_once) {
  for (int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (Schedule schedule : {Schedule::dynamic, Schedule::fixed})
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

TEST(ThreadPool, fixed_pieces_stay_with_their_thread) {
  ThreadPool pool(3);
  std::vector<int> first(20), second(20);
  for (auto* seen : {&first, &second})
    pool.run(20, Schedule::fixed,
             [&](Index piece, int thread) noexcept { (*seen)[static_cast<std::size_t>(piece)] = thread; });
  EXPECT_EQ(first, second);
}

TEST(ThreadPool, flushes_denormals_in_every_thread_and_only_there) {
#if defined(__x86_64__)
  ThreadPool pool(3);
  volatile float smallest = std::numeric_limits<float>::min();
  std::vector<float> halves(3, 1.0F);
  pool.run(3, Schedule::fixed,
           [&](Index, int thread) noexcept { halves[static_cast<std::size_t>(thread)] = smallest * 0.5F; });
  EXPECT_EQ(halves, std::vector<float>(3, 0.0F));
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
  // Three threads that spun would have used up to 900 ms, by themselves at least 300.
  EXPECT_LT(processor_milliseconds() - before, 100);
}

}  // namespace headscope::tests
