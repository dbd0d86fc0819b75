#include <fmt/format.h>

#include "app/panels/inputs/controls.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/document/adjust.h"
#include "app/state/workspace.h"
#include "core/model/seeded/token_vectors.h"

namespace headscope {
namespace {

struct Typed {
  const char* name;
  std::vector<double>& numbers;  // [rows, columns]; X may also have rows of removed tokens
  int rows, columns;

  int count() const { return rows * columns; }
};

Typed matrix_of(Inputs& inputs, int which) {
  const int d = inputs.d_model, d_kv = d / inputs.heads * inputs.key_value_heads();
  TypedMatrices& typed = inputs.typed;
  Typed matrix = which == 0   ? Typed{"W_Q", typed.w_q, d, d}
                 : which == 1 ? Typed{"W_K", typed.w_k, d_kv, d}
                 : which == 2 ? Typed{"W_V", typed.w_v, d_kv, d}
                              : Typed{"W_O", typed.w_o, d, d};
  if (typed.order == MatrixOrder::in_out) std::swap(matrix.rows, matrix.columns);
  return matrix;
}

std::string as_text(const Typed& matrix) {
  std::string text;
  for (int i = 0; i < matrix.count(); ++i) {
    text += fmt::format("{}", matrix.numbers[i]);
    text += (i + 1) % matrix.columns == 0 ? '\n' : '\t';
  }
  return text;
}

void draw_numbers(Typed& matrix, float em) {
  const float height =
      std::min(static_cast<float>(matrix.rows) + 1, 9.0F) * ImGui::GetFrameHeightWithSpacing();
  ImGui::BeginChild("numbers", {0, height}, false, ImGuiWindowFlags_HorizontalScrollbar);
  draw_seen_rows(matrix.rows, [&](int row) {
    for (int column = 0; column < matrix.columns; ++column) {
      if (column > 0) ImGui::SameLine(0, 2);
      const int i = row * matrix.columns + column;
      ImGui::PushID(i);
      ImGui::SetNextItemWidth(em * 3.4F);
      typed_double("###number", matrix.numbers[i], -Limits::max_typed_value, Limits::max_typed_value, "%.4g");
      anchor(fmt::format("{} {} {}", matrix.name, row, column));
      hear_name(fmt::format("{} {}, {}", matrix.name, row + 1, column + 1));
      ImGui::PopID();
    }
  });
  ImGui::EndChild();
}

void draw_matrix(Workspace& work, Ui& ui, Typed matrix) {
  const Translator& tr = ui.tr;
  ImGui::PushID(matrix.name);
  if (matrix.columns <= Limits::max_typed_d_model) draw_numbers(matrix, ui.style.font_size);
  if (ImGui::Button(tr("Copy numbers"))) {
    ImGui::SetClipboardText(as_text(matrix).c_str());
    work.notices.info(TR("{} copied as tab-separated text"), matrix.name);
  }
  const char* pasted = nullptr;
  if (button(tr("Paste numbers"), std::string("paste ") + matrix.name,
             tr.plural("{} number from a spreadsheet or text",
                       "{} numbers, row by row, from a spreadsheet or text", matrix.count())))
    pasted = ImGui::GetClipboardText();
  if (pasted != nullptr) paste_numbers(work, pasted, matrix.count(), matrix.numbers);
  ImGui::PopID();
}

}  // namespace

void draw_typed_weights(Workspace& work, Ui& ui) {
  const Translator& tr = ui.tr;
  fit_typed(ui.inputs);
  int order = static_cast<int>(ui.inputs.typed.order);
  if (choose(
          "order",
          {{"[out, in]",
            tr("As stored by PyTorch: y = x Wᵀ. The numbers stay, they are read in another order.")},
           {"[in, out]", tr("As in textbooks: y = x W. The numbers stay, they are read in another order.")}},
          order))
    ui.inputs.typed.order = static_cast<MatrixOrder>(order);
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  const ImGuiID key = ImGui::GetID("matrix");
  int which = storage.GetInt(key);
  if (choose("matrix", {{"W_Q"}, {"W_K"}, {"W_V"}, {"W_O"}}, which)) storage.SetInt(key, which);
  const Typed matrix = matrix_of(ui.inputs, which);
  hint(ui.style, ui.inputs.typed.order == MatrixOrder::out_in
                     ? tr("outputs × inputs, {} × {}, as stored by PyTorch", matrix.rows, matrix.columns)
                     : tr("inputs × outputs, {} × {}, as in textbooks", matrix.rows, matrix.columns));
  draw_matrix(work, ui, matrix);
}

void draw_typed_x(Workspace& work, Ui& ui) {
  Inputs& inputs = ui.inputs;
  const int n_q = static_cast<int>(ui.block->n_q()), n_k = static_cast<int>(ui.block->n_k());
  const auto draw = [&](const char* name, std::vector<double>& numbers, int tokens) {
    const Typed matrix{name, numbers, tokens, inputs.d_model};
    if (tokens == 0 || std::ssize(numbers) < matrix.count()) return;
    hint(ui.style, ui.tr("{}: tokens × d_model, {} × {}", name, tokens, inputs.d_model));
    draw_matrix(work, ui, matrix);
  };
  // New tokens get rows; rows of removed tokens are kept in case they come back.
  Inputs grown = inputs;
  fit_typed_x(grown, n_q, n_k);
  if (grown.typed.x.size() > inputs.typed.x.size()) inputs.typed.x = grown.typed.x;
  if (grown.typed.key_x.size() > inputs.typed.key_x.size()) inputs.typed.key_x = grown.typed.key_x;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  draw("X", inputs.typed.x, n_q);
  if (is_outlined("typed")) outline_field(from, {from.x + width, ImGui::GetCursorScreenPos().y});
  if (inputs.cross()) draw("X_K", inputs.typed.key_x, n_k);
}

}  // namespace headscope
