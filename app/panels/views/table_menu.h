#pragma once

namespace headscope {

/// In a table, after its header: suppresses ImGui's own column menu, which is in English.
void leave_out_table_menu();

}  // namespace headscope
