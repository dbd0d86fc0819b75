#pragma once
#include <memory>
#include <string>

namespace headscope {

/// Offers a PNG on the X11 clipboard (ICCCM selections), which GLFW can't. It owns the selection from a
/// connection and a thread of its own until another program copies something; a large picture goes in pieces
/// (INCR).
class ClipboardPicture {
 public:
  ClipboardPicture();
  ~ClipboardPicture();
  ClipboardPicture(const ClipboardPicture&) = delete;
  ClipboardPicture& operator=(const ClipboardPicture&) = delete;

  /// False where there is no X11 display.
  bool offer(std::string png);

 private:
  class Owner;
  std::unique_ptr<Owner> owner_;
};

}  // namespace headscope
