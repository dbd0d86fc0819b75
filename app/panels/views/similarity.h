#pragma once
#include "app/panels/shell/ui.h"

namespace headscope {

/// The similarity of all heads of all layers as a matrix with its tree.
void draw_similarity(Ui& ui, ImVec2 size);
/// "Jensen–Shannon distance: …", how distances, tree and clusters are computed.
std::string similarity_method(const Ui& ui);

}  // namespace headscope
