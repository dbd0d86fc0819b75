#include "app/panels/steps_view.h"

#include "app/panels/board.h"
#include "app/panels/steps_pages.h"
#include "core/figure/board.h"

namespace headscope {

void draw_steps_view(Ui& ui) {
  if (ui.scene->view.page != StepsPage::cell) return draw_steps_page(ui);
  draw_shape_strip(ui);
}

}  // namespace headscope
