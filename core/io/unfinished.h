#pragma once
#include <string>

namespace headscope {

/// A file or a folder that is being made, and is nothing yet: whoever ends the program at once removes it
/// first. All that there are at a time are known together, as a signal that ends the program concerns all.
class Unfinished {
 public:
  explicit Unfinished(std::string path);
  ~Unfinished();
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

 private:
  std::string path_;
};

/// Removes all of them, with what is in them, for who ends the program then: from now on whoever begins or
/// finishes another waits for that end.
void remove_unfinished();

}  // namespace headscope
