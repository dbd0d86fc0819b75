#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/source/trace.h"
#include "core/text/find_tokens.h"

namespace headscope {

struct OpenSession;
struct Workspace;
struct ViewState;

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

/// Goes to the match `by` further, wrapping around: locks its row and column, and centres an enlarged map on
/// it.
void go_to_place(Workspace& work, int by);
/// The block whose tokens are searched: for the whole model cross-attention, with the source's and the
/// target's.
std::shared_ptr<const BlockTrace> searched_block(const Workspace& work);
void open_search(OpenSession& open);
void close_search(OpenSession& open);

}  // namespace headscope
