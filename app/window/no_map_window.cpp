#include "app/window/map_window.h"

namespace headscope {

MapAnswer map_window(unsigned long) {
  return MapAnswer::cannot_ask;
}

}  // namespace headscope
