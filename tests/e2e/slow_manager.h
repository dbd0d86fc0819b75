#pragma once
#include <cstdint>
#include <memory>
#include <string>

struct xcb_connection_t;

namespace headscope::tests {

/// A window manager that shows a window only on request, like one that is still starting or whose workspace
/// is hidden.
class SlowManager {
 public:
  explicit SlowManager(const std::string& display);

  /// Whether another window asks to be shown within the time that a busy machine may take.
  bool is_asked();
  /// Shows the window that asked.
  void show();
  /// Takes the shown window from the screen, as another workspace does.
  void hide();

 private:
  bool exists(std::uint32_t window);

  struct Disconnect {
    void operator()(xcb_connection_t* connection) const;
  };
  std::unique_ptr<xcb_connection_t, Disconnect> connection_;
  std::uint32_t window_ = 0;
};

}  // namespace headscope::tests
