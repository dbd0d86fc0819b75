#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/source/trace.h"
#include "core/text/find_tokens.h"

namespace headscope {

struct App;
struct ViewState;

/// What is searched in the tokens in view. Where it stands is marked on the maps' edges.
struct TokenSearch {
  struct Place {
    bool keys = false;  ///< in a block whose keys are another text's tokens
    FoundTokens tokens;
  };

  bool open = false;
  bool wants_keyboard = false;
  std::string text;
  int at = -1;  ///< the place that was gone to last; -1: none

  /// Finds anew where the text or the tokens are others.
  void update(const std::shared_ptr<const BlockTrace>& block);
  const std::vector<Place>& places() const { return places_; }
  bool marks(bool keys, Index token) const;

 private:
  std::weak_ptr<const BlockTrace> block_;
  std::string found_;
  std::vector<Place> places_;
  std::vector<bool> rows_, columns_;  // by token
};

/// Goes `by` places further, going round: locks its row and column, and moves an enlarged map there.
void go_to_place(App& app, int by);
/// Whose tokens are searched: of the whole model those of cross-attention, the source's and the target's.
std::shared_ptr<const BlockTrace> searched_block(const App& app);
void open_search(App& app);
void close_search(App& app);

}  // namespace headscope
