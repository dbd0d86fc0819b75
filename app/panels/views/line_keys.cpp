#include "app/panels/views/line_keys.h"

#include <algorithm>

#include "app/panels/map/map_pointer.h"
#include "app/panels/widgets/compat.h"
#include "core/analysis/lines.h"

namespace headscope {
namespace {

/// The next token of its column; the first if none is locked.
void move_token(Ui& ui, int across, int down) {
  int row = 0, column = 0;
  bool& keys = ui.state.lines_of_key;
  const bool locked = ui.state.lock && find_cell(*ui.shown, *ui.state.lock, row, column);
  if (across != 0) keys = across > 0;
  if (!locked) {
    row = column = 0;
  } else {
    row = std::clamp(row + down, 0, static_cast<int>(ui.shown->n_q()) - 1);
    column = std::clamp(column + down, 0, static_cast<int>(ui.shown->n_k()) - 1);
  }
  lock_token(ui, keys ? -1 : row, keys ? column : -1);
}

}  // namespace

Cell strongest_cell(const Ui& ui, int row, int column) {
  std::set<int> left_out = ui.state.view.hidden_heads;
  for (int head = 0; ui.scene->head && head < ui.block->heads(); ++head)
    if (head != *ui.scene->head) left_out.insert(head);
  const LineSet strongest = lines_of_token(*ui.shown, left_out, row, column, 1);
  if (strongest.lines.empty()) {
    const int first = ui.scene->head.value_or(ui.scene->heads.front());
    return to_cell(*ui.shown, ui.state.lock ? ui.state.lock->head : first, std::max(row, 0),
                   std::max(column, 0));
  }
  const Line& line = strongest.lines.back();
  return to_cell(*ui.shown, line.head, line.row, line.column);
}

void lock_token(Ui& ui, int row, int column) {
  ui.state.lock = strongest_cell(ui, row, column);
  ui.state.lines_of_key = row < 0;
}

bool line_keys(Ui& ui) {
  if (!maps_have_keys(ui) || ui.shown->n_q() == 0 || ui.shown->n_k() == 0) return false;
  const int right = key_pressed(Key::right, true) - key_pressed(Key::left, true);
  const int down = key_pressed(Key::down, true) - key_pressed(Key::up, true);
  const int head = ui.state.lock ? ui.state.lock->head : ui.scene->heads.front();
  if (ImGui::GetIO().KeyCtrl) {
    if (right != 0) move_lock(ui.state, *ui.shown, neighbour_head(ui.scene->heads, head, right), 0, 0);
    if (down != 0) change_layer(ui.state, down, *ui.block);
    return false;
  }
  if (ui.state.lock && key_pressed(Key::enter)) open_head(ui.state, head);
  if (right == 0 && down == 0) return false;
  move_token(ui, right, down);
  return true;
}

}  // namespace headscope
