#pragma once
#include <optional>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/inputs/inputs.h"

namespace headscope {

/// One field of Inputs: what files, the command line and the window call it, and its limits. Texts are
/// English, to be translated.
struct InputField {
  using Member = std::variant<std::string Inputs::*, std::optional<std::string> Inputs::*, int Inputs::*,
                              std::uint64_t Inputs::*, double Inputs::*, bool Inputs::*, VectorKind Inputs::*,
                              Positions Inputs::*, MaskFill Inputs::*, WeightKind Inputs::*,
                              std::vector<MaskPart> Inputs::*, TypedMatrices Inputs::*,
                              std::set<int> Inputs::*, std::set<HeadPlace> Inputs::*, HeadsOffBy Inputs::*>;

  Member member;
  const char* name;               ///< in files, and with dashes the command line's option: d_model, --d-model
  const char* label;              ///< in the window
  const char* help;               ///< in the window
  const char* value;              ///< what follows the option; nullptr: a switch
  const char* option_help;        ///< of the option; of a switch, of the one that is not the default
  double least = 0, most = 0;     ///< of an int or a double
  const char* default_help = "";  ///< of the opposite, for what has a --no-…
  const char* change = label;     ///< what undo calls a change of it, the same for fields of one matter
};

/// A field that counts only where another is as it needs it.
struct FieldCondition {
  InputField::Member member;
  const char* needs;  ///< as options
  bool (*met)(const Inputs& inputs);
  const char* part = nullptr;  ///< an option for a part of the field, or nullptr
};
std::span<const FieldCondition> field_conditions();

/// In the order of session files.
std::span<const InputField> input_fields();
const InputField& input_field(InputField::Member member);

template <typename Value>
inline constexpr bool has_limits = std::is_same_v<Value, int> || std::is_same_v<Value, double>;

/// Calls `use(field, value)` for every field.
template <typename InputsRef, typename Use>
void for_each_input(InputsRef& inputs, const Use& use) {
  for (const InputField& field : input_fields())
    std::visit([&](auto member) { use(field, inputs.*member); }, field.member);
}

}  // namespace headscope
