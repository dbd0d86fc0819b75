// In place of clipboard_picture.cpp where there is no X11.
#include "app/window/clipboard_picture.h"

namespace headscope {

class ClipboardPicture::Owner {};

ClipboardPicture::ClipboardPicture() = default;
ClipboardPicture::~ClipboardPicture() = default;

bool ClipboardPicture::offer(std::string) {
  return false;
}

std::optional<std::string> read_clipboard_picture() {
  return {};
}

}  // namespace headscope
