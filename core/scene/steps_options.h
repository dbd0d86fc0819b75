#pragma once
#include <span>
#include <string>

#include "core/inputs/names.h"

namespace headscope {

/// What the steps of the arithmetic show: one cell's steps, what a layer costs, the softmax block by block.
enum class StepsPage { cell, cost, streaming };
std::span<const EnumName<StepsPage>> enum_names(StepsPage);

/// Which of the steps of the arithmetic are shown.
struct StepsOptions {
  StepsPage page = StepsPage::cell;
  std::string stage;  ///< the name of the page's last one shown; empty: the first
  bool operator==(const StepsOptions&) const = default;
};

}  // namespace headscope
