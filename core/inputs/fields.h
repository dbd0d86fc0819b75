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

/// One field of Inputs: its names in files, on the command line and in the window, and its limits. Texts are
/// English, to be translated.
struct InputField {
  using Member = std::variant<std::string Inputs::*, std::optional<std::string> Inputs::*, int Inputs::*,
                              std::uint64_t Inputs::*, double Inputs::*, bool Inputs::*, VectorKind Inputs::*,
                              Positions Inputs::*, MaskFill Inputs::*, WeightKind Inputs::*,
                              std::vector<MaskPart> Inputs::*, TypedMatrices Inputs::*,
                              std::set<int> Inputs::*, std::set<HeadPlace> Inputs::*, Ablation Inputs::*>;

  Member member;
  const char* name;         ///< in files, and with dashes the command line's option: d_model, --d-model
  const char* label;        ///< in the window
  const char* help;         ///< in the window
  const char* value;        ///< what follows the option; nullptr: a switch
  const char* option_help;  ///< of the option; for a switch, of the non-default one
  double minimum = 0, maximum = 0;  ///< of an int or a double
  const char* default_help = "";    ///< of the opposite, for a switch with a --no-…
  const char* change = label;       ///< the name of a change in undo, shared by related fields
};

/// A field that has an effect only if another field has a certain value.
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
