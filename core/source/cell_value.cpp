#include "core/source/cell_value.h"

#include <vector>

#include "core/base/enum_table.h"
#include "core/base/translate.h"

namespace headscope {
namespace {

constexpr CellValueRow cell_value_rows[] = {
    {CellValue::weight, "weight", "attention", TR("Attention weight"), TR("Weight"),
     TR("How much of this key's value the query takes: the softmax of its scores."), false, true},
    {CellValue::score, "score", "scores", TR("Score before softmax"), TR("Score"),
     TR("Scaled q · k, with the model's own bias, before the mask and softmax."), true, false},
    {CellValue::norm, "norm", "norm", TR("Norm of α v W_O"), TR("Norm"),
     TR("The length of what comes through a cell: of the key's value, times its weight, after W_O. A large "
        "weight on a short vector adds little (Kobayashi et al. 2020)."),
     false, false},
    {CellValue::norm_share, "norm-share", "norm_share", TR("Norm of α v W_O, share of its row"), TR("Share"),
     TR("The same lengths, divided by the sum of their row, so that they compare with weights."), false,
     true},
    {CellValue::logit, "logit", "logit", TR("Logit contribution"), TR("Contribution"),
     TR("What a cell adds to the logit of the chosen token at its query, or to the difference of two tokens; "
        "negative numbers lower it. Norms, and activations before the output, are held at this run's values, "
        "so "
        "that the terms add up."),
     true, false},
};

constexpr CellValueRow equivalent_map_row{CellValue::weight,
                                          "weight",
                                          "attention",
                                          TR("Equivalent map, not a softmax"),
                                          TR("No softmax"),
                                          TR("What this layer multiplies the key's value by for the query: "
                                             "it has no softmax, so a row need not sum to "
                                             "1, and numbers may be negative."),
                                          true,
                                          false};

}  // namespace

std::span<const CellValueRow> cell_values() {
  return cell_value_rows;
}

const CellValueRow& cell_value(CellValue value) {
  return of_kind(cell_value_rows, value);
}

const CellValueRow& equivalent_map() {
  return equivalent_map_row;
}

std::span<const EnumName<CellValue>> enum_names(CellValue) {
  static const std::vector<EnumName<CellValue>> names = [] {
    std::vector<EnumName<CellValue>> all;
    for (const CellValueRow& row : cell_value_rows) all.push_back({row.value, row.name, row.label});
    return all;
  }();
  return names;
}

}  // namespace headscope
