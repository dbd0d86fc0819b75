#pragma once
#include <memory>
#include <optional>
#include <string>

namespace headscope {

/// Offers a PNG on the X11 clipboard (ICCCM selections), which GLFW can't. Owns the selection from its own
/// connection and thread until another program copies something; large pictures are sent in pieces (INCR).
class ClipboardPicture {
 public:
  ClipboardPicture();
  ~ClipboardPicture();
  ClipboardPicture(const ClipboardPicture&) = delete;
  ClipboardPicture& operator=(const ClipboardPicture&) = delete;

  /// Returns false if there is no X11 display.
  bool offer(std::string png);

 private:
  class Owner;
  std::unique_ptr<Owner> owner_;
};

/// The picture on the X11 clipboard as PNG or JPEG; nothing if it has none, or its owner does not answer.
std::optional<std::string> read_clipboard_picture();

}  // namespace headscope
