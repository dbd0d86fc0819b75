#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/inputs.h"

namespace headscope {

/// A word for a value of an enum, in sessions and on the command line. The first word of a value is written;
/// later ones are accepted as well.
template <typename Enum>
struct EnumName {
  Enum value;
  const char* name;
  const char* label =
      nullptr;  ///< in texts, English, to be translated; nullptr: the word itself, in any language
};

/// The words of a table with a row per value, each with a `name` and an `alias` or nullptr.
template <typename Row>
std::vector<EnumName<decltype(Row::value)>> row_names(std::span<const Row> rows) {
  std::vector<EnumName<decltype(Row::value)>> names;
  for (const Row& row : rows) names.push_back({row.value, row.name});
  for (const Row& row : rows)
    if (row.alias != nullptr) names.push_back({row.value, row.alias});
  return names;
}

// One table per enum, chosen by the argument's type; its value does not matter.
std::span<const EnumName<VectorKind>> enum_names(VectorKind);
std::span<const EnumName<MatrixOrder>> enum_names(MatrixOrder);
std::span<const EnumName<Positions>> enum_names(Positions);
std::span<const EnumName<BlockKind>> enum_names(BlockKind);
std::span<const EnumName<MaskFill>> enum_names(MaskFill);
std::span<const EnumName<WeightKind>> enum_names(WeightKind);
std::span<const EnumName<Ablation>> enum_names(Ablation);

template <typename Enum>
const char* to_name(Enum value) {
  for (const auto& entry : enum_names(value))
    if (entry.value == value) return entry.name;
  return "";
}

/// Its name in texts, English, to be translated.
template <typename Enum>
const char* to_label(Enum value) {
  for (const auto& entry : enum_names(value))
    if (entry.value == value) return entry.label != nullptr ? entry.label : entry.name;
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
