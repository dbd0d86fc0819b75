#include "core/teach/step_changes.h"

#include <algorithm>
#include <filesystem>

#include "core/figure/boards/vertical_text.h"
#include "core/inputs/fields.h"
#include "core/inputs/names.h"
#include "core/scene/mask_words.h"
#include "core/scene/readable_numbers.h"

namespace headscope {
namespace {

// Values as written in a sentence; "" if they are long.
template <typename Value>
std::string shown(const Translator& tr, const Value& value) {
  if constexpr (std::is_enum_v<Value>)
    return tr(to_label(value));
  else if constexpr (std::is_same_v<Value, bool>)
    return tr(value ? TR("on") : TR("off"));
  else if constexpr (std::is_arithmetic_v<Value>)
    return with_minus(fmt::format("{}", value));
  else
    return "";
}
/// A short excerpt from its beginning.
std::string shown(const Translator& tr, const std::optional<std::string>& sentence) {
  if (!sentence) return tr("none");
  constexpr std::size_t maximum = 24;
  const std::vector<std::size_t> ends = character_starts(*sentence);
  const bool whole = ends.size() <= maximum;
  return tr("“{}”", whole ? *sentence : sentence->substr(0, ends[maximum - 1]) + "…");
}
std::string shown(const Translator& tr, const std::vector<MaskPart>& parts) {
  std::string text;
  for (const MaskPart& part : parts)
    if (part.on) text += (text.empty() ? "" : " + ") + mask_words(tr, part);
  return text.empty() ? tr("none") : text;
}
template <typename Value>
std::string shown(const Translator& tr, const Inputs& inputs, Value Inputs::*member) {
  if constexpr (std::is_same_v<Value, int>)
    if (member == &Inputs::kv_heads && inputs.kv_heads == 0) return std::to_string(inputs.heads);
  if constexpr (std::is_same_v<Value, std::string>)
    if (member == &Inputs::model) return std::filesystem::path(inputs.model).filename().string();
  return shown(tr, inputs.*member);
}

/// `appears`: there was no such side in the step before.
void add_changes(const Translator& tr, const char* side, const Inputs& before, const Inputs& after,
                 bool appears, std::vector<std::string>& changes) {
  for (const InputField& field : input_fields())
    std::visit(
        [&](auto member) {
          if (before.*member == after.*member) return;
          const std::string from = shown(tr, before, member), to = shown(tr, after, member);
          const std::string name = tr(field.label);
          std::string text = to.empty() || from == to  ? name
                             : appears || from.empty() ? tr("{} {}", name, to)
                                                       : tr("{} {} → {}", name, from, to);
          if (*side != 0) text = tr("{}: {}", side, text);
          // Several fields may give the same text.
          if (std::ranges::find(changes, text) == changes.end()) changes.push_back(std::move(text));
        },
        field.member);
}

}  // namespace

std::vector<std::string> step_changes(const Translator& tr, const Session& before, const Session& after) {
  std::vector<std::string> changes;
  add_changes(tr, "", before.inputs, after.inputs, false, changes);
  if (!shows_b(after)) return changes;
  const bool was_seen = shows_b(before);
  // What changes in A changes in B too, unless B differs there or stays as it was.
  Inputs from = was_seen ? *before.compare : after.inputs;
  if (was_seen)
    for_each_input(from, [&](const InputField& field, auto& value) {
      using Value = std::remove_cvref_t<decltype(value)>;
      const auto member = std::get<Value Inputs::*>(field.member);
      if (before.inputs.*member == value && !(*after.compare.*member == value)) value = after.inputs.*member;
    });
  add_changes(tr, "B", from, *after.compare, !was_seen, changes);
  return changes;
}

}  // namespace headscope
