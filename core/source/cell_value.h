#pragma once
#include <span>
#include <string>

#include "core/inputs/names.h"

namespace headscope {

/// What the cells of maps show.
enum class CellValue {
  weight,  ///< the attention weight α_ij, after dropout
  score,   ///< scaled, before the mask and softmax
  norm,  ///< ‖α_ij v_j W_O‖, of the head's columns of W_O (Kobayashi et al. 2020, "Attention is Not Only
         ///< a Weight: Analyzing Transformers with Vector Norms")
  norm_share,  ///< the same as a share of its row's sum
  logit,       ///< what α_ij v_j W_O adds to the logit of a token at query i, see LogitContributions
};

struct CellValueRow {
  CellValue value;
  const char* name;   ///< in sessions and on the command line
  const char* array;  ///< in files of arrays, and as a column of tables
  const char* label;  ///< of the choice, and of the colour bar; English, to be translated
  const char* brief;  ///< where there is room for a word
  const char* help;
  bool is_signed;  ///< colours diverge around 0
  bool is_share;   ///< from 0 to 1, a row sums to 1
};
std::span<const CellValueRow> cell_values();
const CellValueRow& cell_value(CellValue value);
/// What is in place of weights where a layer has no softmax attention; nobody chooses it.
const CellValueRow& equivalent_map();
std::span<const EnumName<CellValue>> enum_names(CellValue);

}  // namespace headscope
