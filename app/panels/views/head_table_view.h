#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// All heads of all layers as a table of numbers, and how alike they are as a matrix with its tree.
void draw_head_table_view(Ui& ui);

// Its parts.
/// How much room the table wants so that no column is out of sight.
ImVec2 head_table_size(const Ui& ui);
void draw_head_table(Ui& ui, ImVec2 size);
void draw_similarity(Ui& ui, ImVec2 size);
/// "Jensen–Shannon distance: …", how distances, tree and groups are made.
std::string similarity_method(const Ui& ui);

}  // namespace headscope
