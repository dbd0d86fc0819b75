#include "app/panels/steps_view.h"

#include "app/panels/board.h"
#include "core/figure/board.h"

namespace headscope {

void draw_steps_view(Ui& ui) {
  draw_board(ui, Board(), ImGui::GetCursorScreenPos());
}

}  // namespace headscope
