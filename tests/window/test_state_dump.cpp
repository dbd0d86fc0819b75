#include <unistd.h>

#include "app/window/state_dump.h"
#include "core/io/file.h"
#include "tests/support/testing.h"

namespace headscope::tests {

// Scripts that drive the window read these names.
TEST(StateDump, keeps_its_keys) {
  char path[] = "/tmp/headscope-dump-XXXXXX";
  close(mkstemp(path));
  setenv("HEADSCOPE_STATE_DUMP", path, 1);
  StateDump dump;
  App app;
  app.state.lock = Cell{1, 2, 3};
  app.state.other_lock = ComparedCell{0, {1, 2}, {3, -1}};
  UiAnchors* anchors = dump.begin_frame();
  ASSERT_NE(anchors, nullptr);
  anchors->add("map 1", {1, 2}, {3, 4});
  dump.end_frame(app, false);
  const nlohmann::json read = nlohmann::json::parse(read_file(path));
  std::vector<std::string> keys;
  for (const auto& [key, value] : read.items()) keys.push_back(key);
  EXPECT_THAT(keys, testing::UnorderedElementsAre("session", "hover", "lock", "hover_b", "lock_b", "moving",
                                                  "error", "marks", "translation", "translation_b"));
  EXPECT_EQ(read["lock"], nlohmann::json({1, 2, 3}));
  EXPECT_EQ(read["lock_b"], nlohmann::json({0, 2, nullptr}));
  EXPECT_EQ(read["hover"], nullptr);
  EXPECT_EQ(read["marks"]["map 1"], nlohmann::json({1, 2, 3, 4}));
  unsetenv("HEADSCOPE_STATE_DUMP");
  unlink(path);
}

}  // namespace headscope::tests
