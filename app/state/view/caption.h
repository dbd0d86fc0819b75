#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/state/view_state.h"

namespace headscope {

/// The caption of a cell while presenting: "Head 3", 它 → 猫, 0.31.
struct CellCaption {
  int head = 0;
  std::string title;       ///< of its head
  std::string query, key;  ///< tokens as they are in the text
  /// Named if there are several: A, B and B − A of the comparison.
  std::vector<std::pair<std::string, std::string>> numbers;
};

/// For the cell under the pointer, otherwise the locked one; no value without either. Its number is the
/// map's. `comparison` if the view shows one.
std::optional<CellCaption> caption_of(const Translator& tr, const ViewState& state,
                                      const FilteredLayer& shown, const std::vector<HeadLabel>& labels,
                                      const Comparison* comparison);
/// In one line, for those who hear it: "Head 3, 它 → 猫, 0.31"; without a title the cell alone.
std::string spoken(const CellCaption& caption);
/// Whether it is a number, for which the font of numbers has all glyphs; it has none for words.
bool is_number_text(std::string_view text);
/// Two decimals, as one reads aloud; more only if the weight would otherwise round to zero.
std::string presented_number(float weight);

}  // namespace headscope
