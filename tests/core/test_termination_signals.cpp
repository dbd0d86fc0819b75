#include <csignal>
#include <future>

#include "core/system/termination_signals.h"
#include "tests/support/testing.h"

namespace headscope::tests {

TEST(TerminationSignals, wake_the_program_instead_of_ending_it) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    std::promise<void> woken;
    TerminationSignals signals([&] { woken.set_value(); });
    EXPECT_EQ(signals.received(), 0);
    std::raise(signal);
    woken.get_future().wait();
    EXPECT_EQ(signals.received(), signal);
  }
}

TEST(TerminationSignals, what_nohup_ignores_stays_ignored) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    TerminationSignals signals([] { FAIL(); });
    std::raise(SIGHUP);
    EXPECT_EQ(signals.received(), 0);
  }
  EXPECT_EQ(std::signal(SIGHUP, before), SIG_IGN);
}

}  // namespace headscope::tests
