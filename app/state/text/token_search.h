#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/source/trace.h"
#include "core/text/find_tokens.h"

namespace headscope {

/// A search in the tokens in view. Matches are marked on the maps' edges.
struct TokenSearch {
  struct Place {
    bool keys = false;  ///< in a block whose keys are another text's tokens
    FoundTokens tokens;
  };

  bool open = false;
  bool wants_keyboard = false;
  std::string text;
  int at = -1;  ///< the match last gone to; -1: none

  /// Searches again if the text or the tokens have changed.
  void update(const std::shared_ptr<const BlockTrace>& block);
  const std::vector<Place>& places() const { return places_; }
  bool marks(bool keys, Index token) const;

 private:
  std::weak_ptr<const BlockTrace> block_;
  std::string found_;
  std::vector<Place> places_;
  std::vector<bool> rows_, columns_;  // by token
};

}  // namespace headscope
