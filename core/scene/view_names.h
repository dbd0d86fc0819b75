#pragma once
#include "core/inputs/names.h"
#include "core/scene/view.h"

namespace headscope {

std::span<const EnumName<ViewKind>> enum_names(ViewKind);
std::span<const EnumName<Colormap>> enum_names(Colormap);
std::span<const EnumName<Range>> enum_names(Range);
std::span<const EnumName<Theme>> enum_names(Theme);
std::span<const EnumName<Numbers>> enum_names(Numbers);
std::span<const EnumName<TableHalf>> enum_names(TableHalf);
std::span<const EnumName<ScatterColor>> enum_names(ScatterColor);
std::span<const EnumName<StepsPage>> enum_names(StepsPage);

}  // namespace headscope
