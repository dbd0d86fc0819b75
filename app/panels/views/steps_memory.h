#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/widgets/style.h"
#include "core/analysis/arithmetic_stages.h"
#include "core/figure/boards/board.h"

namespace headscope {

/// The steps of a cell as they were laid out last: anew only where something of it has changed.
struct StepsMemory {
  struct StagesKey {
    std::weak_ptr<const Trace> trace;
    BlockKind block = BlockKind::self;
    CellPlace place;
    int component = 0, output = 0;
    Language language = Language::en;
  };
  struct BoardKey {
    std::size_t present = 0;
    StepsLook look;
    double width = 0, height = 0, font_size = 0;
    bool presented = false;
    Theme theme = Theme::light;
    int glyphs = 0;
    bool operator==(const BoardKey&) const = default;
  };
  std::optional<StagesKey> stages_key;
  std::vector<ArithmeticStage> stages;
  std::optional<BoardKey> board_key;
  /// What the size of the type was chosen for, which other numbers of the same shape keep.
  struct TypeKey {
    std::vector<std::string> stages;
    std::array<Index, 4> shape{};
    StepsLook::Matrices matrices = {};
    double width = 0, height = 0, font_size = 0;
    bool presented = false;
    Language language = Language::en;
    int glyphs = 0;
    bool operator==(const TypeKey&) const = default;
  };
  std::optional<TypeKey> type_key;
  double type_scale = 1;
  Board board;
  /// What the chain above the cards was laid out for; too narrow a room has none.
  struct ChainKey {
    std::size_t present = 0;
    float width = 0, font_size = 0;
    Theme theme = Theme::light;
    int glyphs = 0;
    bool operator==(const ChainKey&) const = default;
  };
  std::optional<ChainKey> chain_key;
  std::optional<Board> chain;
  bool whole = true;  ///< the present card is no higher and wider than its room, in the usual type
  /// What was brought into view last. Not of what is folded: a click on that must not move it away.
  struct Scrolled {
    std::string stage;
    CellPlace place;
    double width = 0;
    float room = 0;
    StepsLook::Matrices matrices = {};
    double top = 0;  ///< of its card, which those before it move when they are laid out anew
    bool operator==(const Scrolled&) const = default;
  } scrolled;
  /// Where in the room the list stands that was folded or unfolded by a click: it stays there.
  std::optional<double> list_at;
};

struct Ui;
/// The stages of that cell, as StepsMemory has them; computed where they are not there yet.
const std::vector<ArithmeticStage>& cell_stages(Ui& ui, const CellPlace& place);

}  // namespace headscope
