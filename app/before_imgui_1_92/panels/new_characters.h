#pragma once
#include <functional>
#include <unordered_set>

namespace headscope {

/// Characters beyond ASCII that are drawn or measured: predicted tokens and those of a capture are in no text
/// that the window knows in advance.
class NewCharacters {
 public:
  void note(char32_t character) {
    if (known_.insert(character).second && listen) listen(character);
  }
  /// All of them count as new again: for another set of fonts.
  void forget() { known_.clear(); }

  std::function<void(char32_t)> listen;  ///< called once for each

 private:
  std::unordered_set<char32_t> known_;
};

/// Those of the window; there is one.
NewCharacters& new_characters();

}  // namespace headscope
