// Which CPUs Mesa's threads may run on, with threads of those names.
#include <pthread.h>
#include <sched.h>

#include <latch>
#include <thread>
#include <vector>

#include "app/window/raster_threads.h"
#include "tests/support/testing.h"

namespace headscope::tests {

class NamedThreads {
 public:
  explicit NamedThreads(const std::vector<const char*>& names)
      : named_(static_cast<std::ptrdiff_t>(names.size())) {
    for (const char* name : names)
      threads_.emplace_back([this, name] {
        pthread_setname_np(pthread_self(), name);
        named_.count_down();
        end_.wait();
      });
    named_.wait();
  }
  ~NamedThreads() {
    end_.count_down();
    for (std::thread& thread : threads_) thread.join();
  }
  cpu_set_t processors(std::size_t thread) {
    cpu_set_t set;
    CPU_ZERO(&set);
    pthread_getaffinity_np(threads_[thread].native_handle(), sizeof set, &set);
    return set;
  }

 private:
  std::latch named_, end_{1};
  std::vector<std::thread> threads_;
};

TEST(RasterThreads, of_even_and_odd_numbers_share_no_processor) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "one processor";
  NamedThreads threads({"llvmpipe-0", "llvmpipe-1", "llvmpipe-2", "llvmpipe-x", "pool"});
  spread_raster_threads();
  cpu_set_t even = threads.processors(0), odd = threads.processors(1), again = threads.processors(2);
  cpu_set_t both, either;
  CPU_AND(&both, &even, &odd);
  CPU_OR(&either, &even, &odd);
  EXPECT_EQ(CPU_COUNT(&both), 0);
  EXPECT_TRUE(CPU_EQUAL(&either, &all));
  EXPECT_LE(CPU_COUNT(&even) - CPU_COUNT(&odd), 1);
  EXPECT_GE(CPU_COUNT(&even) - CPU_COUNT(&odd), 0);
  EXPECT_TRUE(CPU_EQUAL(&again, &even));
  for (const std::size_t other : {3U, 4U}) {
    cpu_set_t set = threads.processors(other);
    EXPECT_TRUE(CPU_EQUAL(&set, &all)) << other;
  }
}

}  // namespace headscope::tests
