#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/widgets/style.h"
#include "core/analysis/arithmetic_stages.h"
#include "core/base/object_key.h"
#include "core/figure/boards/board.h"

namespace headscope {

/// The last layout of a cell's steps: recomputed only when something has changed.
struct StepsMemory {
  struct StagesKey {
    ObjectKey<Trace> trace;
    BlockKind block = BlockKind::self;
    CellPlace place;
    int component = 0, output = 0;
    Language language = Language::en;
    bool operator==(const StagesKey&) const = default;
  };
  struct BoardKey {
    std::size_t present = 0;
    StepsLook look;
    double width = 0, height = 0, font_size = 0;
    bool presented = false;
    Theme theme = Theme::light;
    int fonts = 0;
    bool operator==(const BoardKey&) const = default;
  };
  std::optional<StagesKey> stages_key;
  std::vector<ArithmeticStage> stages;
  std::optional<BoardKey> board_key;
  /// What the type size was chosen for; other numbers of the same shape keep it.
  struct TypeKey {
    std::vector<std::string> stages;
    std::array<Index, 4> shape{};
    StepsLook::Matrices matrices = {};
    double width = 0, height = 0, font_size = 0;
    bool presented = false;
    Language language = Language::en;
    int fonts = 0;
    bool operator==(const TypeKey&) const = default;
  };
  std::optional<TypeKey> type_key;
  double type_scale = 1;
  Board board;
  /// What the chain above the cards was laid out for; none if it does not fit.
  struct ChainKey {
    std::size_t present = 0;
    float width = 0, font_size = 0;
    Theme theme = Theme::light;
    int fonts = 0;
    bool operator==(const ChainKey&) const = default;
  };
  std::optional<ChainKey> chain_key;
  std::optional<Board> chain;
  bool whole = true;  ///< the present card fits into the available size in the usual type
  /// What was last scrolled into view. Does not include folding: a click on a fold must not scroll it away.
  struct Scrolled {
    std::string stage;
    CellPlace place;
    double width = 0;
    float room = 0;
    StepsLook::Matrices matrices = {};
    double top = 0;  ///< of its card; moves when preceding cards change
    bool operator==(const Scrolled&) const = default;
  } scrolled;
  /// Position of the list that was folded or unfolded by a click: it stays there.
  std::optional<double> list_at;
};

}  // namespace headscope
