// In place of clipboard_picture.cpp in a page: the browser's clipboard.
#include <cstdlib>

#include "app/window/clipboard_picture.h"

// Of app/window/page/browser.js.
extern "C" {
int page_put_picture(const char* bytes, int size);
char* page_picture(int* size);
}

namespace headscope {

class ClipboardPicture::Owner {};

ClipboardPicture::ClipboardPicture() = default;
ClipboardPicture::~ClipboardPicture() = default;

bool ClipboardPicture::offer(std::string png) {
  return page_put_picture(png.data(), static_cast<int>(png.size())) != 0;
}

std::optional<std::string> read_clipboard_picture() {
  int size = 0;
  char* const bytes = page_picture(&size);
  if (bytes == nullptr) return {};
  std::string picture(bytes, static_cast<std::size_t>(size));
  std::free(bytes);
  return picture;
}

}  // namespace headscope
