#include "app/state/jobs/runner.h"
#include "tests/support/inputs.h"

namespace headscope::tests {

TEST(Runner, gives_the_trace_of_the_last_request_whatever_came_before) {
  std::atomic<int> woken = 0;
  Runner runner([&] { ++woken; });
  Inputs inputs = sized(150, 64, 4);
  // Never waits: the worker draws and replaces parameters while this thread queries the forecast of a run.
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    inputs.seed = seed;
    inputs.layers = 1 + static_cast<int>(seed % 3);
    inputs.heads = seed % 2 == 0 ? 4 : 8;
    runner.request(inputs);
    runner.poll();
    EXPECT_FALSE(runner.error());
  }
  runner.wait();
  EXPECT_EQ(runner.trace()->inputs, inputs);
  EXPECT_FALSE(runner.busy());
}

TEST(Runner, looking_at_another_layer_or_head_is_no_new_run) {
  Runner runner([] {});
  Inputs inputs = sized(30, 32, 4);
  inputs.layers = 3;
  runner.request(inputs, {0, {1}});
  runner.wait();
  const auto trace = runner.trace();
  runner.request(inputs, {2, {0, 3}});
  EXPECT_FALSE(runner.busy());
  EXPECT_EQ(runner.trace(), trace);
}

TEST(Runner, a_copy_takes_the_others_trace_and_its_own_once_it_differs) {
  Runner a([] {}), b([] {});
  Inputs inputs = sized(30, 32, 4);
  a.request(inputs);
  a.wait();
  b.request(sized(400, 64, 4));  // may still run, and must not arrive after what is reused
  b.request(inputs, {}, a);
  b.wait();
  EXPECT_EQ(b.trace(), a.trace());
  EXPECT_FALSE(b.busy());
  inputs.temperature = 2;
  b.request(inputs, {}, a);
  b.wait();
  EXPECT_NE(b.trace(), a.trace());
  EXPECT_EQ(b.trace()->inputs, inputs);
  // A request for intermediates is not served from a trace without them.
  inputs = a.trace()->inputs;
  b.request(inputs, {0, {0}, true}, a);
  b.wait();
  EXPECT_NE(b.trace(), a.trace());
}

TEST(Runner, two_share_a_source_and_end_while_they_run) {
  const auto sources = std::make_shared<OpenSources>();
  const BufferPool memory;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Runner a([] {}, memory, sources), b([] {}, memory, sources);
    Inputs inputs = sized(200, 128, 4);
    inputs.seed = seed;
    a.request(inputs);
    inputs.temperature = 2;
    b.request(inputs);
  }
}

}  // namespace headscope::tests
