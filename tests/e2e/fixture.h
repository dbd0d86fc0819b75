#pragma once
#include "tests/e2e/desktop.h"
#include "tests/support/testing.h"

namespace headscope::tests {

using nlohmann::json;

/// A desktop on which Headscope starts and is driven; its state is read from the file it writes on request
/// (app/window/state_dump.h).
class WindowTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string missing = Desktop::missing_tools();
    if (!missing.empty())
      GTEST_SKIP() << "not installed: " << missing << " (scripts/setup test installs them)";
    desktop = std::make_unique<Desktop>();
  }

  json shown() const {
    std::ifstream file(desktop->home() / "dump.json");
    return json::parse(file, nullptr, false);
  }

  /// Whether the state comes to meet `condition` and stays there.
  bool shows(const std::function<bool(const json&)>& condition, double seconds = 20) const {
    return eventually(
        [&] {
          const json now = shown();
          return now.is_object() && !now.at("moving").get<bool>() && condition(now);
        },
        seconds);
  }

  /// Whether a field of the shown session becomes `value`.
  bool shows_field(const char* field, const json& value) const {
    return shows([&](const json& now) { return now["session"][field] == value; });
  }

  bool shows_mark(const std::string& name) const {
    return shows([&](const json& now) { return now.at("marks").contains(name); });
  }

  struct Rect {
    double left = 0, top = 0, right = 0, bottom = 0;
  };
  Rect mark(const std::string& name) const {
    if (!shows_mark(name)) throw std::runtime_error("the window does not show '" + name + "'");
    const json rect = shown().at("marks").at(name);
    return {rect.at(0), rect.at(1), rect.at(2), rect.at(3)};
  }

  /// The pixel at a share of the width and height of a mark.
  std::pair<int, int> point(const std::string& name, double across = 0.5, double down = 0.5) const {
    const Rect rect = mark(name);
    return {static_cast<int>(rect.left + (rect.right - rect.left) * across),
            static_cast<int>(rect.top + (rect.bottom - rect.top) * down)};
  }

  void click(const std::string& name, double across = 0.5, double down = 0.5) {
    const auto [x, y] = point(name, across, down);
    desktop->click(x, y);
  }

  /// The centre of a cell of a map of n_q x n_k cells.
  std::pair<int, int> cell(int head, int query, int key, int n_q, int n_k) const {
    return point("map " + std::to_string(head + 1), (key + 0.5) / n_k, (query + 0.5) / n_q);
  }

  /// Types a sentence in place of the present one.
  void retype(const std::string& sentence) {
    desktop->key("ctrl+l");
    desktop->key("ctrl+a");
    desktop->type(sentence);
  }

  void start_again() {
    fs::remove(desktop->home() / "dump.json");
    desktop->start();
  }

  std::unique_ptr<Desktop> desktop;
};

}  // namespace headscope::tests
