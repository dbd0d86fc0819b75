#include "app/window/map_window.h"

namespace headscope {

bool map_window(unsigned long) {
  return false;
}

}  // namespace headscope
