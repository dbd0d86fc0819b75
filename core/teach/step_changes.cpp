#include "core/teach/step_changes.h"

#include <algorithm>

#include "core/inputs/fields.h"
#include "core/inputs/names.h"

namespace headscope {
namespace {

// Values as they stand in a sentence; "" where they are long.
template <typename Value>
std::string shown(const Translator& tr, const Value& value) {
  if constexpr (std::is_enum_v<Value>)
    return tr(to_label(value));
  else if constexpr (std::is_same_v<Value, bool>)
    return tr(value ? TR("on") : TR("off"));
  else if constexpr (std::is_arithmetic_v<Value>)
    return fmt::format("{}", value);
  else
    return "";
}
std::string shown(const Translator& tr, const std::vector<MaskPart>& parts) {
  constexpr std::size_t longest = 30;
  std::string text;
  for (const MaskPart& part : parts)
    if (part.on) text += (text.empty() ? "" : " ") + to_string(part);
  if (text.empty()) return tr("none");
  return text.size() > longest ? "" : text;
}

void add_changes(const Translator& tr, const char* side, const Inputs& before, const Inputs& after,
                 std::vector<std::string>& changes) {
  for (const InputField& field : input_fields())
    std::visit(
        [&](auto member) {
          if (before.*member == after.*member) return;
          const std::string from = shown(tr, before.*member), to = shown(tr, after.*member);
          const std::string name = tr(field.label);
          std::string text = from.empty() || to.empty() ? name : tr.format("{} {} → {}", name, from, to);
          if (*side != 0) text = tr.format("{}: {}", side, text);
          // The same of several fields.
          if (std::ranges::find(changes, text) == changes.end()) changes.push_back(std::move(text));
        },
        field.member);
}

}  // namespace

std::vector<std::string> step_changes(const Translator& tr, const Session& before, const Session& after) {
  std::vector<std::string> changes;
  add_changes(tr, "", before.inputs, after.inputs, changes);
  if (!after.compare) return changes;
  // What A changes B changes too, unless it differs there.
  Inputs from = before.compare.value_or(after.inputs);
  if (before.compare)
    for_each_input(from, [&](const InputField& field, auto& value) {
      using Value = std::remove_cvref_t<decltype(value)>;
      const auto member = std::get<Value Inputs::*>(field.member);
      if (before.inputs.*member == value) value = after.inputs.*member;
    });
  add_changes(tr, "B", from, *after.compare, changes);
  return changes;
}

}  // namespace headscope
