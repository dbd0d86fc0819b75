#include "core/system/fibers.h"

namespace headscope {

bool can_start_fibers() {
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
