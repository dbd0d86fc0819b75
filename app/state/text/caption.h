#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/state/view/view_state.h"

namespace headscope {

/// What a cell is told by while presenting: "Head 3", 它 → 猫, 0.31.
struct CellCaption {
  int head = 0;
  std::string title;       ///< of its head
  std::string query, key;  ///< tokens as they are in the text
  /// With a name where there are several: A, B and B − A of the comparison.
  std::vector<std::pair<std::string, std::string>> numbers;
};

/// Of the cell under the pointer, else the locked one; nothing without either. Its number is that of the map.
/// `comparison` where the view shows one.
std::optional<CellCaption> caption_of(const Translator& tr, const ViewState& state,
                                      const FilteredLayer& shown, const std::vector<HeadLabel>& labels,
                                      const Comparison* comparison);
/// Whether it is a number, which the font of numbers has all the glyphs of; words are not in it.
bool is_number_text(std::string_view text);
/// Two places, as is read aloud; more only where the weight would else round to nothing.
std::string presented_number(float weight);

}  // namespace headscope
