// In place of portal.cpp where there is no D-Bus.
#include "app/window/portal.h"

namespace headscope {

bool PortalChooser::possible() {
  return false;
}
PortalChooser::PortalChooser(FileRequest, unsigned long, std::function<void()>) {}
const PortalChooser::Answer& PortalChooser::answer() const {
  answer_.state = State::failed;
  return answer_;
}

}  // namespace headscope
