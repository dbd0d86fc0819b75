#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "app/panels/controls.h"
#include "app/panels/widgets.h"
#include "app/state/adjust.h"

namespace headscope {
namespace {

struct Typed {
  std::vector<double>& numbers;  // [rows, columns]
  int rows, columns;
};

Typed matrix_of(Inputs& inputs, int which) {
  const int d = inputs.d_model, d_kv = d / inputs.heads * inputs.key_value_heads();
  switch (which) {
    case 0:
      return {inputs.manual_weights.w_q, d, d};
    case 1:
      return {inputs.manual_weights.w_k, d_kv, d};
    case 2:
      return {inputs.manual_weights.w_v, d_kv, d};
    default:
      return {inputs.manual_weights.w_o, d, d};
  }
}

std::string as_text(const Typed& matrix) {
  std::string text;
  for (int i = 0; i < matrix.rows * matrix.columns; ++i) {
    text += fmt::format("{}", matrix.numbers[static_cast<std::size_t>(i)]);
    text += (i + 1) % matrix.columns == 0 ? '\n' : '\t';
  }
  return text;
}

/// Numbers in their order, whatever stands between them; false unless there are as many as the matrix has.
bool take_text(Typed& matrix, const std::string& text) {
  std::vector<double> numbers;
  const char* end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    double number = 0;
    const auto [after, failed] = std::from_chars(at, end, number);
    if (failed == std::errc() && std::isfinite(number)) numbers.push_back(number);
    at = after == at ? at + 1 : after;
  }
  if (static_cast<int>(numbers.size()) != matrix.rows * matrix.columns) return false;
  matrix.numbers = std::move(numbers);
  return true;
}

void draw_numbers(Typed& matrix, float em) {
  const float height =
      std::min(static_cast<float>(matrix.rows) + 1, 9.0F) * ImGui::GetFrameHeightWithSpacing();
  ImGui::BeginChild("numbers", {0, height}, false, ImGuiWindowFlags_HorizontalScrollbar);
  for (int row = 0; row < matrix.rows; ++row)
    for (int column = 0; column < matrix.columns; ++column) {
      if (column > 0) ImGui::SameLine(0, 2);
      const int i = row * matrix.columns + column;
      ImGui::PushID(i);
      ImGui::SetNextItemWidth(em * 3.4F);
      typed_double("###number", matrix.numbers[static_cast<std::size_t>(i)], -1e4, 1e4, "%.4g");
      ImGui::PopID();
    }
  ImGui::EndChild();
}

}  // namespace

void draw_typed_weights(Ui& ui) {
  const Translator& tr = ui.tr;
  fit_typed(ui.inputs);
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  const ImGuiID key = ImGui::GetID("matrix");
  int which = storage.GetInt(key);
  if (choose("matrix", {{"W_Q"}, {"W_K"}, {"W_V"}, {"W_O"}}, which)) storage.SetInt(key, which);
  Typed matrix = matrix_of(ui.inputs, which);
  hint(ui.style, tr.format("{} rows (outputs) × {} columns (inputs), as stored by PyTorch", matrix.rows,
                           matrix.columns));
  draw_numbers(matrix, ui.style.font_size);
  if (ImGui::Button(tr("Copy numbers"))) ImGui::SetClipboardText(as_text(matrix).c_str());
  const char* pasted = nullptr;
  if (ImGui::Button(tr("Paste numbers"))) pasted = ImGui::GetClipboardText();
  tooltip(tr.format("{} numbers, row by row, from a spreadsheet or text", matrix.rows * matrix.columns));
  if (pasted != nullptr) take_text(matrix, pasted);
}

}  // namespace headscope
