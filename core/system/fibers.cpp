#include "core/system/fibers.h"

#include "core/system/frozen_window.h"

namespace headscope {

bool can_start_fibers() {
  return false;
}
bool computing_freezes_window() {
  return false;
}
void start_fiber(std::function<void()>) {}
void give_way() {}
void wait_for(const std::atomic<bool>& done) {
  done.wait(false);
}
void run_as_window(const std::function<void()>& frame) {
  frame();
}

}  // namespace headscope
