#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/session/inputs.h"
#include "core/session/view.h"

namespace headscope {

/// A word for a value of an enum, in sessions and on the command line. The first word of a value is the one
/// that is written; later ones are accepted as well.
template <typename Enum>
struct EnumName {
  Enum value;
  const char* name;
};

// One table an enum, chosen by the argument's type; its value does not matter.
std::span<const EnumName<InputKind>> enum_names(InputKind);
std::span<const EnumName<Positions>> enum_names(Positions);
std::span<const EnumName<MaskFill>> enum_names(MaskFill);
std::span<const EnumName<WeightKind>> enum_names(WeightKind);
std::span<const EnumName<ViewKind>> enum_names(ViewKind);
std::span<const EnumName<Colormap>> enum_names(Colormap);
std::span<const EnumName<Range>> enum_names(Range);
std::span<const EnumName<Theme>> enum_names(Theme);
std::span<const EnumName<Numbers>> enum_names(Numbers);

template <typename Enum>
const char* to_name(Enum value) {
  for (const auto& entry : enum_names(value))
    if (entry.value == value) return entry.name;
  return "";
}

template <typename Enum>
std::optional<Enum> from_name(std::string_view name) {
  for (const auto& entry : enum_names(Enum{}))
    if (name == entry.name) return entry.value;
  return std::nullopt;
}

/// "randn, embedding": the words that are written, for messages and help.
template <typename Enum>
std::string all_names() {
  std::string names;
  for (const auto& entry : enum_names(Enum{}))
    if (entry.name == to_name(entry.value)) names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return names;
}

}  // namespace headscope
