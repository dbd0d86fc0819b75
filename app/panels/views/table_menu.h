#pragma once

namespace headscope {

/// In a table, after its header: ImGui's own menu of columns, which is in English, does not open.
void leave_out_table_menu();

}  // namespace headscope
