// Whichever allocation or thread creation fails: the error is reported, nothing is lost, and the next run is
// unaffected.

#include "core/base/failure.h"
#include "core/base/parallel.h"
#include "core/figure/animation/animation.h"
#include "core/figure/figure.h"
#include "core/source/engine/engine.h"
#include "tests/support/failures.h"
#include "tests/support/figures.h"
#include "tests/support/inputs.h"

namespace headscope::tests {

/// A run and its figures, in formats whose libraries use callbacks. Not what reads JSON: the library
/// terminates if it has no memory to destroy a value.
std::string run_and_draw() {
  static const Inputs inputs = sized(3, 8, 2);
  Engine engine(3);
  const auto trace = engine.run(inputs);
  std::string all;
  for (const FigureFormat format : {FigureFormat::svg, FigureFormat::pdf}) {
    Session session;
    session.inputs = trace->inputs;
    session.view.kind = ViewKind::head;
    const std::string made = drawn(format, trace, session, Language::en, 144, 144);
    if (format == FigureFormat::svg) all += made;  // a PDF contains the time
  }
  for (const auto& block : trace->blocks) {
    const auto map = block.maps->maps(0, std::vector<int>{0, 1});
    all += std::string(reinterpret_cast<const char*>(map[1].data()), sizeof(float) * 9);
  }
  return all;
}

/// How many times `story` can fail, each time with what it throws.
long count_failures(Countdown& countdown, const std::string& expected) {
  for (long n = 0;; ++n) {
    const long before = living_allocations;
    bool thrown = false, failed = false;
    {
      std::string made;
      {
        const Failing failing(countdown, n);
        try {
          made = run_and_draw();
        } catch (const std::bad_alloc&) {
          thrown = true;
        } catch (const Error& error) {
          thrown = true;
          EXPECT_THAT(error.what(), HasSubstr("memory"));
        }
        failed = failing.failed();
      }
      EXPECT_TRUE(thrown || made == expected) << n;
    }
    EXPECT_EQ(living_allocations, before) << n;
    if (!failed) return n;
    if (testing::Test::HasFailure()) return n;
  }
}

TEST(Failures, of_any_allocation_leave_nothing_behind) {
  SKIP_WITHOUT_FAILURES();
  run_and_draw();  // creates everything that is kept permanently
  const std::string expected = run_and_draw();
  EXPECT_GT(count_failures(allocations, expected), 500);
  EXPECT_EQ(run_and_draw() == expected, true);
}

TEST(Failures, a_run_needs_no_thread) {
  SKIP_WITHOUT_FAILURES();
  const std::string expected = run_and_draw();
  EXPECT_GT(count_failures(threads, expected), 1) << "of three threads one is the caller";
}

TEST(Failures, what_one_thread_throws_comes_to_the_caller_once_all_have_ended) {
  ThreadPool pool(3);
  for (const auto schedule : {ThreadPool::Schedule::dynamic, ThreadPool::Schedule::affinity}) {
    const auto fails = [](Index piece, int) {
      if (piece == 5) throw input_error("piece {}", piece);
    };
    EXPECT_EQ(complaint([&] { pool.run(20, schedule, fails); }), "piece 5");
    std::atomic<int> done = 0;
    pool.run(20, schedule, [&](Index, int) { ++done; });
    EXPECT_EQ(done, 20);
  }
  EXPECT_EQ(complaint([&] {
              parallel_for(8, Index{1} << 24, [](Index i) {
                if (i == 3) throw input_error("piece {}", i);
              });
            }),
            "piece 3");
}

TEST(Failures, parallel_work_is_done_by_the_threads_that_there_are) {
  SKIP_WITHOUT_FAILURES();
  for (long n = 0; n < 4; ++n) {
    const Failing failing(threads, n);
    std::atomic<int> done = 0;
    parallel_for(8, Index{1} << 24, [&](Index) { ++done; });
    EXPECT_EQ(done, 8);
  }
}

TEST(Failures, say_what_failed_and_why) {
  const auto reported = [](const auto& thrown, const Translator& tr = Translator()) {
    try {
      throw thrown;
    } catch (...) {
      return tr(handled_error("{}: cannot be opened: ", "a b"));
    }
  };
  EXPECT_EQ(reported(std::bad_alloc()), "a b: cannot be opened: not enough memory");
  EXPECT_EQ(reported(std::bad_alloc(), Translator(Language::zh)), "a b：无法打开：内存不足");
  EXPECT_EQ(reported(std::system_error(EAGAIN, std::generic_category())),
            "a b: cannot be opened: the system starts no more threads");
  EXPECT_EQ(reported(std::runtime_error("odd")), "a b: cannot be opened: odd");
  EXPECT_EQ(reported(input_error("odd")), "odd");
  EXPECT_EQ(reported(1), "a b: cannot be opened: unknown error");
}

}  // namespace headscope::tests
