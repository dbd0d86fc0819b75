#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/ui/map_memory.h"
#include "app/panels/ui/sentence_box.h"
#include "app/panels/widgets/widget_memory.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/map_actions.h"
#include "app/state/view/caption.h"
#include "core/analysis/filter.h"
#include "core/base/memo.h"
#include "core/base/object_key.h"
#include "core/figure/boards/draw_panel.h"
#include "core/figure/boards/model_board.h"
#include "core/scene/score_summary.h"
#include "core/scene/signs.h"

namespace headscope {

class FileChooser;
class ModelThumbnails;
struct PatchMemory;
struct PictureViewMemory;
struct StepsMemory;

/// The menu of a map.
struct MapMenu {
  std::optional<MapPlace> wanted;  ///< requested in this frame
  MapPlace map;                    ///< the map it belongs to
  ImVec2 at;
  bool by_key = false;
  bool marks_one_head = false;  ///< new marks are in this head alone
  int new_mark = -1;            ///< whose text gets the keyboard focus
};

/// A drag across the tokens below a sentence, which filters them live.
struct ChipDrag {
  Axis axis = Axis::queries;  ///< of A
  int begin = -1;             ///< the token where it began; -1: none
  bool moved = false;         ///< it has left that token: no longer a click
  Filter before{};            ///< the filter at its start
};

/// What the positions of the many tokens of a long text depend on.
struct ChipsPlaced {
  ObjectKey<BlockTrace> block;
  const void* tokens = nullptr;  ///< of the block
  float room = 0, font_size = 0;
  int fonts = 0;
  bool predicted = false;
  bool operator==(const ChipsPlaced&) const = default;
};

/// What the short arithmetic of a cell depends on.
struct ShortArithmetic {
  ObjectKey<BlockTrace> block;
  CellPlace place;
  Language language = Language::en;
  bool operator==(const ShortArithmetic&) const = default;
};

/// What panels keep between frames: how things are drawn, not what is shown.
struct PanelMemory : WidgetMemory {
  MapMemory maps;
  /// The head that is drawn large beside others.
  struct Detail {
    std::optional<HeadPlace> pointed;           ///< the one pointed at last
    std::shared_ptr<const FilteredLayer> axes;  ///< of another block than that in view
  } detail;
  std::shared_ptr<StepsMemory> steps;               ///< created by the steps view
  std::shared_ptr<PictureViewMemory> picture_view;  ///< created by the picture's view
  std::shared_ptr<PatchMemory> patches;  ///< of the image whose patches are tokens, created by its view
  struct Sentences {
    SentenceBox sentence, key_sentence;
  };
  Both<Sentences> texts;
  MapMenu map_menu;
  ChipDrag chip_drag;
  Signs signs, next_signs;  ///< of the last frame; of this one, so far
  /// Whether any of the cells drawn in one of the painter's slots is hatched; by slot.
  std::map<int, Memo<std::pair<ObjectKey<void>, const std::uint8_t*>, bool>> hatched;
  std::array<Memo<ChipsPlaced, std::shared_ptr<const void>>, 2> placed_chips;  ///< of queries and of keys
  PointedInModel model_pointed;              ///< in the whole-model view in the last frame
  std::optional<CellCaption> model_caption;  ///< of the cell pointed at or locked there
  bool describes = false;                    ///< whether `caption` is wanted: for screen readers
  std::optional<CellCaption> caption;        ///< of the cell pointed at or locked, in any view
  std::optional<Cell> lines_lock;            ///< that the lines have scrolled to
  /// The inspector's: for a long text it reads a row of thousands.
  Both<Memo<ShortArithmetic, std::vector<ShortStep>>> arithmetic;
  float rail = 0;                               ///< the width of the views' rail; 0: they are in a list
  bool whole_row = false;                       ///< the inspector lists all keys of a row
  std::shared_ptr<FileChooser> chooser;         ///< created by its dialog
  std::shared_ptr<ModelThumbnails> thumbnails;  ///< created by the menu of sources
  std::optional<FigureHandle> dragged_part;     ///< of the figure to be exported
  std::u32string typed;                         ///< characters typed in this frame
  Heard ears;                ///< for a moment, where nobody listens: in which order Tab goes
  bool popup_open = false;   ///< a menu or dialog was open when this frame began, or when the last one ended
  bool by_keys = false;      ///< items were navigated by keys when the last frame ended
  bool item_active = false;  ///< a control was being changed when the last frame ended
  std::optional<std::array<float, 2>> locked;  ///< from where to where the locked cell is, in this frame
  /// On a phone: the sheet of a panel, from below.
  struct Sheet {
    bool up = false;       ///< there is one
    bool whole = false;    ///< over all of the view, otherwise below it
    bool lowered = false;  ///< the lesson's, by the user
    float pulled = 0;      ///< how far its handle is dragged down
    float wanted = 0;      ///< the height in which all of a lesson's step is read
  } sheet;
  std::array<float, 4> stage{};  ///< where the view is, in this frame; empty: under a sheet
  Panel over = Panel::none;      ///< the panel that was over the view in the last frame
  bool over_at_right = false;    ///< and on its right side
  int session = 0;               ///< value of App::sessions that `maps` belongs to
  /// In a list of heads, with ImGui's frame number: its map is marked.
  struct {
    int layer = -1, head = -1, frame = -1;
  } pointed_head;

  std::array<SentenceBox*, 4> boxes() {
    return {&texts.a.sentence, &texts.a.key_sentence, &texts.b.sentence, &texts.b.key_sentence};
  }
  /// One of the sentences is being edited.
  bool editing() const {
    return std::ranges::any_of(both_sides, [this](Side side) {
      return texts[side].sentence.focused || texts[side].key_sentence.focused;
    });
  }
  void leave_boxes() {
    for (SentenceBox* box : boxes()) box->focused = false;
  }
};

}  // namespace headscope
