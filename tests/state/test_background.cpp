#include <future>

#if defined(__GLIBC__)
#include <pthread.h>
#endif

#include "app/state/jobs/background.h"
#include "tests/support/testing.h"

namespace headscope::tests {

using Numbers = Background<int, int>;

Numbers::Compute make(int value) {
  return [value](const std::stop_token&) { return std::make_shared<const int>(value); };
}

TEST(Background, keeps_what_it_computed_for_a_key) {
  Numbers numbers;
  EXPECT_EQ(*numbers.get(1, true, make(10)), 10);
  EXPECT_EQ(*numbers.get(1, true, make(11)), 10);
  EXPECT_EQ(*numbers.get(2, true, make(12)), 12);
  EXPECT_FALSE(numbers.busy());
}

TEST(Background, gives_the_value_before_until_the_new_one_is_there) {
  Numbers numbers;
  EXPECT_EQ(numbers.get(1, false, make(10)), nullptr);
  EXPECT_TRUE(numbers.busy());
  numbers.wait();
  EXPECT_EQ(*numbers.get(1, false, make(10)), 10);
  EXPECT_FALSE(numbers.busy());
}

TEST(Background, shows_what_there_is_of_a_value) {
  std::promise<void> looked;
  Numbers numbers;
  const Numbers::Compute compute = [waits = looked.get_future().share()](const std::stop_token&,
                                                                         WorkProgress&,
                                                                         Partial<Numbers::Result>& partial) {
    partial.show([] { return std::make_shared<const int>(1); });
    waits.wait();
    return std::make_shared<const int>(10);
  };
  Numbers::Result part;
  while (!(part = numbers.get_partial(1, compute))) std::this_thread::yield();
  EXPECT_EQ(*part, 1);
  EXPECT_TRUE(numbers.busy());
  EXPECT_EQ(numbers.get_partial(2, make(20)), nullptr) << "of another key";
  looked.set_value();
  numbers.wait();
  numbers.settle();
  numbers.wait();
  EXPECT_EQ(*numbers.get_partial(2, make(21)), 20);
}

TEST(Background, copies_a_part_only_for_those_who_look) {
  Partial<int> partial;
  int made = 0;
  const auto make_next = [&made] { return ++made; };
  EXPECT_EQ(partial.look(), std::nullopt);
  for (int i = 0; i < 3; ++i) partial.show(make_next);
  EXPECT_EQ(partial.look(), 1);
  partial.show(make_next);
  EXPECT_EQ(partial.look(), 2);
  EXPECT_EQ(made, 2);
}

TEST(Background, ends_also_where_nobody_asks_any_more) {
  std::promise<void> both_requested;
  Numbers numbers;
  numbers.get(1, false, [waits = both_requested.get_future().share()](const std::stop_token&) {
    waits.wait();
    return std::make_shared<const int>(10);
  });
  numbers.get(2, false, make(20));
  both_requested.set_value();
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(numbers.busy());
    numbers.wait();
    numbers.settle();
  }
  EXPECT_FALSE(numbers.busy());
  EXPECT_EQ(*numbers.get(2, false, make(21)), 20);
}

TEST(Background, lets_go_of_what_nobody_requested_since_the_frame_before) {
  Numbers numbers;
  std::weak_ptr<const int> value = numbers.get(1, true, make(10));
  numbers.note_frame(true);
  EXPECT_FALSE(value.expired()) << "asked for in the frame that ended";
  numbers.note_frame(false);
  EXPECT_FALSE(value.expired());
  numbers.note_frame(true);
  EXPECT_TRUE(value.expired());
  EXPECT_EQ(*numbers.get(1, true, make(11)), 11) << "made anew";
}

#if defined(__GLIBC__)
// Threads with stacks that no machine has cannot be started.
class NoThreads {
 public:
  NoThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge = before_;
    pthread_attr_setstacksize(&huge, std::size_t{1} << 47);
    pthread_setattr_default_np(&huge);
  }
  ~NoThreads() { pthread_setattr_default_np(&before_); }

 private:
  pthread_attr_t before_;
};

TEST(Background, without_threads_a_job_is_done_when_somebody_asks_for_its_end) {
  const NoThreads none;
  EXPECT_THROW(std::thread([] {}).join(), std::system_error);
  int runs = 0;
  bool woken = false;
  Job<int> job;
  const Job<int>::Work work([&runs](const std::stop_token& stop) {
    ++runs;
    return stop.stop_requested() ? -1 : 7;
  });
  job.start(work, [&woken] { woken = true; });
  EXPECT_TRUE(job.started());
  EXPECT_EQ(runs, 0);
  EXPECT_TRUE(job.done());
  EXPECT_TRUE(woken);
  EXPECT_EQ(job.take(), 7);
  EXPECT_EQ(runs, 1);
  EXPECT_FALSE(job.started());

  job.start(work);
  job.stop();
  EXPECT_TRUE(job.stopped());
  EXPECT_EQ(job.take(), -1);

  job.start(work);
  job.drop();  // before anybody asked
  EXPECT_EQ(runs, 2);

  job.start([](const std::stop_token&) -> int { throw std::runtime_error("no"); });
  EXPECT_THROW(job.take(), std::runtime_error);
}
#endif

}  // namespace headscope::tests
