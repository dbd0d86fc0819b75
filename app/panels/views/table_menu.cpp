#include "app/panels/views/table_menu.h"

#include <imgui.h>
#include <imgui_internal.h>

namespace headscope {

void leave_out_table_menu() {
  ImGui::GetCurrentContext()->CurrentTable->IsContextPopupOpen = false;
}

}  // namespace headscope
