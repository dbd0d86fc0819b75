#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// All heads of all layers as a table of numbers, and their similarity as a matrix with its tree.
void draw_head_table_view(Ui& ui);

// Its parts.
/// The size at which every column of the table is visible.
ImVec2 head_table_size(const Ui& ui);
void draw_head_table(Ui& ui, ImVec2 size);
void draw_similarity(Ui& ui, ImVec2 size);
/// "Jensen–Shannon distance: …", how distances, tree and clusters are computed.
std::string similarity_method(const Ui& ui);

}  // namespace headscope
