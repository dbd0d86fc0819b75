#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "app/panels/dialogs/file_chooser.h"
#include "app/panels/map/map_memory.h"
#include "app/panels/sentence/sentence_box.h"
#include "app/panels/widgets/style.h"
#include "app/panels/widgets/ui_anchors.h"
#include "app/state/actions/map_actions.h"
#include "app/state/text/caption.h"
#include "app/state/text/text_edit.h"
#include "core/analysis/filter.h"
#include "core/figure/boards/model_board.h"
#include "core/scene/short_arithmetic.h"

namespace headscope {

struct PatchMemory;
struct StepsMemory;

/// The menu of a map.
struct MapMenu {
  std::optional<MapPlace> wanted;  ///< asked for in this frame
  MapPlace map;                    ///< that it is about
  ImVec2 at;
  bool by_key = false;
};

/// A drag across the tokens below a sentence, which filters them while it lasts.
struct ChipDrag {
  bool b = false, keys = false;  ///< of which tokens
  int begin = -1;                ///< the token where it began; -1: none
  bool moved = false;            ///< it has left that token: no click any more
  Filter before{};               ///< what it began with
};

/// Where the many tokens of a long text stand.
struct PlacedChips {
  std::weak_ptr<const BlockTrace> block;
  const void* tokens = nullptr;  ///< of the block
  float room = 0;
  const ImFont* font = nullptr;
  float font_size = 0;
  int glyphs = 0;
  bool predicted = false;
  std::shared_ptr<const void> places;
  bool same(const PlacedChips& other) const {
    return !block.owner_before(other.block) && !other.block.owner_before(block) && tokens == other.tokens &&
           room == other.room && font == other.font && font_size == other.font_size &&
           glyphs == other.glyphs && predicted == other.predicted;
  }
};

/// Characters beyond ASCII that were drawn or measured: tokens that a model expects and those of a capture
/// are in no text that the window knows beforehand.
class DrawnCharacters {
 public:
  void note(char32_t character) {
    if (known_.insert(character).second) append_utf8(fresh_, character);
  }
  /// Those that were not taken before, as UTF-8.
  std::string take() { return std::exchange(fresh_, {}); }
  /// All of them count as new again: for another set of fonts.
  void forget() { known_.clear(); }

 private:
  std::unordered_set<char32_t> known_;
  std::string fresh_;
};

/// What panels keep for themselves between frames: how things are drawn, not what is shown.
struct PanelMemory {
  Style style;
  MapMemory maps;
  std::shared_ptr<StepsMemory> steps;    ///< of the steps view, which makes it
  std::shared_ptr<PatchMemory> patches;  ///< of the picture whose patches are tokens, likewise
  SentenceBox sentence, key_sentence;
  SentenceBox sentence_b, key_sentence_b;  ///< of the comparison
  MapMenu map_menu;
  ChipDrag chip_drag;
  std::array<PlacedChips, 2> placed_chips;   ///< of queries and of keys
  PointedInModel model_pointed;              ///< in the view of the whole model in the last frame
  std::optional<CellCaption> model_caption;  ///< of the cell that is pointed at or locked there
  std::optional<Cell> lines_lock;            ///< that the lines have scrolled to
  struct {
    std::weak_ptr<const BlockTrace> block;
    CellPlace place;
    std::optional<Language> language;
    std::vector<ShortStep> steps;
  } arithmetic;  ///< the inspector's: of a long text it reads a row of thousands
  FileChooser chooser;
  UiAnchors* ui_anchors = nullptr;  ///< where tests look for things; nullptr: nobody asks
  bool typing = false;              ///< into a field, and the mouse was not moved since
  std::u32string typed;             ///< characters typed in this frame
  bool popup_open = false;   ///< a menu or dialog was open when this frame began, or when the last one ended
  bool item_active = false;  ///< a control was being changed when the last frame ended
  std::vector<std::string> outlined;           ///< what the step of a lesson points to: fields and places
  bool outlined_anew = false;                  ///< since this frame
  bool hold_colors = false;                    ///< the step keeps the colour ranges of the one before
  std::optional<std::array<float, 2>> locked;  ///< from where to where the locked cell is, in this frame
  Panel over = Panel::none;                    ///< the panel that lay over the view in the last frame
  bool over_at_right = false;                  ///< and where
  std::array<float, 4> edge{};                 ///< while presenting: where the panels over the stage lie
  DrawnCharacters characters;
  int session = 0;  ///< App::sessions that `maps` belongs to

  std::array<SentenceBox*, 4> boxes() { return {&sentence, &key_sentence, &sentence_b, &key_sentence_b}; }
  /// One of the sentences is being edited.
  bool editing() const {
    return sentence.focused || key_sentence.focused || sentence_b.focused || key_sentence_b.focused;
  }
  void leave_boxes() {
    for (SentenceBox* box : boxes()) box->focused = false;
  }
};

}  // namespace headscope
