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
  /// The tokens as they are said, "the (5)" where the text has several of them; empty: as they are.
  std::string said_query = {}, said_key = {};
};

/// For the cell under the pointer, otherwise the locked one; no value without either. Its number is the
/// map's. `comparison` if the view shows one.
std::optional<CellCaption> caption_of(const Translator& tr, const ViewState& state,
                                      const FilteredLayer& shown, const std::vector<HeadLabel>& labels,
                                      const Comparison* comparison);
/// In one line, for those who hear it: "Head 3, 它 → 猫, 0.31"; without a title the cell alone.
std::string spoken(const CellCaption& caption);
/// What is said without being asked for: the cell and, when the view has just changed, which it is.
class LiveText {
 public:
  /// Once a frame; `view` is the name of the view, `cell` what spoken() has of it.
  const std::string& say(const std::string& view, const std::string& cell);

 private:
  std::string view_, with_view_, text_;
};
/// Whether it is a number, for which the font of numbers has all glyphs; it has none for words.
bool is_number_text(std::string_view text);
/// Two decimals, as one reads aloud; more only if the weight would otherwise round to zero.
std::string presented_number(float weight);

}  // namespace headscope
