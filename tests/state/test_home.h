#pragma once
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace headscope {

/// A home of its own, so that no test reads or writes the user's files.
class TestHome {
 protected:
  TestHome() {
    char name[] = "/tmp/headscope-test-XXXXXX";
    home = mkdtemp(name);
    setenv("XDG_CONFIG_HOME", (home / "config").c_str(), 1);
    setenv("XDG_STATE_HOME", (home / "state").c_str(), 1);
  }
  ~TestHome() { std::filesystem::remove_all(home); }

  std::filesystem::path home;
};

}  // namespace headscope
